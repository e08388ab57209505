"""Groundedness by an NLI model: the paper's distance, the distance to the real boundary, and the probability."""

from __future__ import annotations

import numpy.typing as npt

from core.encoders.classifiers.nli import NliHead
from core.metrics.comparison.entailment import (
    Floats,
    boundary_distance,
    distance,
    entailment_score,
    no_distance,
    probabilities,
    sigmoid,
)
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Edge, Family, MetricSpec, Need, Outcome

NEEDS = (Need.ANSWER, Need.CONTEXTS, Need.NLI)
EDGES: dict[Edge, str] = {
    "empty answer": "No value: an answer without a sentence claims nothing, and a mean over nothing is no value.",
    "empty contexts": "0 where it is known that nothing was retrieved, since nothing entails any sentence; no value "
    "where it is not known what was retrieved.",
    "abstention": "Computed like any answer and marked as an abstention; what a system says about itself is rarely "
    "entailed by a passage.",
    "one sentence": "An answer of one sentence has the value of its best window.",
    "identical texts": "As high as the model finds a text entailed by itself; there is no perfect value.",
    "longer than the model": "A context that does not fit beside the sentence is read in windows of whole sentences, "
    "and the best window counts. A context sentence that does not fit alone is cut at word borders. So is an answer "
    "sentence that would leave the context less than half; its least entailed piece counts. Nothing is cut off.",
    "other scripts": "Scored like any text; what comes out depends on the languages the model knows.",
    "emoji": "A sentence of emoji only is a hypothesis like any other.",
}
WINDOWS = "windows C_1..C_w of the context (one where it fits whole), answer sentences a_1..a_k"

PAPER = MetricSpec(
    name="nli_groundedness",
    title="NLI groundedness",
    family=Family.GROUNDEDNESS,
    unit="squashed distance",
    needs=NEEDS,
    question="Can every sentence of the answer be inferred from the retrieved passages, by its distance in the model?",
    equation="(1/k) sum_i max_j sigma(D_ij), D = z / |w|, z = w.x + b, sigma(D) = 1 / (1 + exp(-D)), "
    f"with {WINDOWS}, w and b of the entailment class and x the input of the model's last linear layer for (C_j, a_i).",
    source="HCAT 3.2.2, as written. With more than two classes z = 0 is not the boundary of entailment, and |w| "
    "differs from model to model: compare values of one model only, and see nli_boundary. The windows are ours; the "
    "paper has one premise.",
    version=2,
    edges=EDGES,
)
BOUNDARY = MetricSpec(
    name="nli_boundary",
    title="NLI groundedness, true boundary",
    family=Family.GROUNDEDNESS,
    unit="squashed distance",
    needs=NEEDS,
    question="On which side of the border of entailment does every sentence of the answer lie, and how far?",
    equation="(1/k) sum_i max_j sigma(D'_ij), D' = (z_ent - z_o) / |w_ent - w_o|, o the strongest other class, "
    f"with {WINDOWS}. Above 0.5 the model decides for entailment, below it for another class.",
    source="HCAT 3.2.2 with the border that a softmax over several classes really has; ours. With two classes it is "
    "the distance to the one hyperplane between them.",
    version=2,
    edges=EDGES,
)
PROBABILITY = MetricSpec(
    name="nli_entailment",
    title="Entailment probability",
    family=Family.GROUNDEDNESS,
    unit="probability",
    needs=NEEDS,
    question="How probable does the NLI model find it that the retrieved passages entail each sentence of the answer?",
    equation=f"(1/k) sum_i max_j p_ij, p = exp(z_ent) / sum_c exp(z_c), with {WINDOWS}.",
    source="The class probability that HCAT 3.2.2 starts from before it turns to distances. Needs no linear last "
    "layer.",
    version=2,
    edges=EDGES,
)


def _paper(logits: npt.ArrayLike, head: NliHead) -> Floats:
    return sigmoid(distance(logits, head))


def _boundary(logits: npt.ArrayLike, head: NliHead) -> Floats:
    return sigmoid(boundary_distance(logits, head))


def _probability(logits: npt.ArrayLike, head: NliHead) -> Floats:
    probability: Floats = probabilities(logits)[:, head.entailment]
    return probability


@metric(PAPER)
def nli_groundedness(prepared: Prepared) -> Outcome:
    """Mean over answer sentences of sigma(z / |w|) (HCAT 3.2.2)."""
    return entailment_score(prepared, _paper, lacks=no_distance)


@metric(BOUNDARY)
def nli_boundary(prepared: Prepared) -> Outcome:
    """Mean over answer sentences of sigma of the distance to the border between entailment and the next class."""
    return entailment_score(prepared, _boundary, lacks=no_distance)


@metric(PROBABILITY)
def nli_entailment(prepared: Prepared) -> Outcome:
    """Mean over answer sentences of the softmax probability of entailment."""
    return entailment_score(prepared, _probability)
