"""Contradiction by an NLI model: what the passages deny, apart from what they do not mention."""

from __future__ import annotations

import numpy.typing as npt

from core.encoders.classifiers.nli import NliHead
from core.metrics.comparison.entailment import Floats, entailment_score, no_contradiction, probabilities
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, MetricSpec, Need, Outcome

CONTRADICTION = MetricSpec(
    name="nli_contradiction",
    title="Contradiction probability",
    family=Family.GROUNDEDNESS,
    unit="probability",
    better="lower",
    needs=(Need.ANSWER, Need.CONTEXTS, Need.NLI),
    question="How probable does the NLI model find it that the retrieved passages deny a sentence of the answer?",
    equation="(1/k) sum_i max_j p_ij, p = exp(z_con) / sum_c exp(z_c), with windows C_1..C_w of the context (one where "
    "it fits whole) and answer sentences a_1..a_k.",
    source="HCAT 3.2.2 names contradiction as a sign of hallucination and folds it into not entailed; kept apart here, "
    "since an answer that adds and an answer that denies fail differently. With many windows the maximum grows: "
    "unrelated text contradicts by chance.",
    version=2,
    edges={
        "empty answer": "No value: an answer without a sentence claims nothing, and a mean over nothing is no value.",
        "empty contexts": "0 where it is known that nothing was retrieved, since nothing contradicts; no value where "
        "it is not known what was retrieved.",
        "abstention": "Computed like any answer and marked as an abstention.",
        "one sentence": "An answer of one sentence has the value of the window that contradicts it most.",
        "identical texts": "As low as the model finds a text contradicted by itself; there is no perfect value.",
        "longer than the model": "Windows as for nli_groundedness; the most contradicted piece of a sentence counts.",
        "other scripts": "Scored like any text; what comes out depends on the languages the model knows.",
        "emoji": "A sentence of emoji only is a hypothesis like any other.",
    },
)


def _probability(logits: npt.ArrayLike, head: NliHead) -> Floats:
    if head.contradiction is None:
        raise ValueError(no_contradiction(head))
    probability: Floats = probabilities(logits)[:, head.contradiction]
    return probability


@metric(CONTRADICTION)
def nli_contradiction(prepared: Prepared) -> Outcome:
    """Mean over answer sentences of the softmax probability of contradiction; not applicable without that class."""
    return entailment_score(prepared, _probability, lacks=no_contradiction, lower=True)
