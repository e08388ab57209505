"""Claim reading: faithfulness with what the reader of claims that comes with Plumbline says of each claim."""

from __future__ import annotations

from core.domain.errors import InvalidInput
from core.domain.status import Status
from core.encoders.classifiers.claim_reader import open_claim_reader
from core.metrics.comparison.claim_reading import LANGUAGE, read_claims
from core.metrics.comparison.faithfulness_evidence import score_claims
from core.metrics.comparison.faithfulness_parts import check
from core.metrics.comparison.support.stating import announces
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, MetricSpec, Need, Outcome, Unscored

SPEC = MetricSpec(
    name="claim_reading",
    title="Claim reading",
    family=Family.GROUNDEDNESS,
    unit="support of the claims",
    needs=(Need.ANSWER, Need.CONTEXTS, Need.ENCODER),
    uses=(Need.QUESTION,),
    question="Does the answer say only what the retrieved passages say, as a small model that comes with Plumbline "
    "reads them?",
    equation="As faithfulness, with another support of a claim: 0.3 u + 0.7 r, u the support by words without an NLI "
    "model and r the reader's probability, its logits divided by 1.5, that what it is shown supports the claim; 1 "
    "where the claim is one of the passages' sentences word for word. It is shown the sentences that are nearest to "
    "the claim (the cosine plus 0.6 times the share of its words), of the nearest twelve as many as have 75 tokens "
    "together, at least one.",
    version=4,
    source="Ours. The reader is MiniLM with changes of low rank, fitted on 23,196 claims that 23 authors wrote of "
    "2,018 passages, on copied sentences and on claims of other passages (python -m bench.claim_model). It often sees "
    "what faithfulness cannot, a claim in other words and a turn of a copied sentence, and often takes a copy with a "
    "small change for a contradiction: on answers that mostly copy it goes less far with people's ratings than "
    "faithfulness. docs/faithfulness.md has the figures of both.",
    edges={
        "empty answer": "No value: an answer without a sentence claims nothing.",
        "empty contexts": "0 where it is known that nothing was retrieved and the answer claims something; no value "
        "where it is not known what was retrieved.",
        "abstention": "As faithfulness: sentences that claim nothing are left out, an answer without any claim is 0.5.",
        "one sentence": "The value of that sentence.",
        "identical texts": "1, as long as the text claims something: copied sentences are not read.",
        "longer than the model": "A pair of more than 512 tokens is cut at the end of its longer text.",
        "other scripts": "Where the language that is set is not English there is no value (not applicable).",
        "emoji": "An answer of emoji only claims nothing.",
    },
)


@metric(SPEC)
def claim_reading(prepared: Prepared) -> Outcome:
    """Mean and lowest of the answer's claims, each as far as words and the reader find it supported."""
    if prepared.language.split("-")[0].casefold() != LANGUAGE:
        return Unscored(status=Status.NOT_APPLICABLE, reason="The reader of claims knows English only.")
    try:
        open_claim_reader()
    except InvalidInput as error:  # the encoder may be another one, so that MiniLM need not be there
        return Unscored(status=Status.NO_MODEL, reason=str(error))
    return score_claims(
        prepared,
        lambda claims: check(
            prepared,
            claims,
            {
                place: {"reading": support}
                for place, support in read_claims(
                    prepared, [place for place in claims if not announces(prepared, place, claims)]
                ).items()
            },
        ),
    )
