"""Claim support: whether the passages say what the answer claims, by the reader that comes with Plumbline."""

from __future__ import annotations

from core.domain.status import Status
from core.encoders.classifiers.claim_reader import claim_reader_there
from core.encoders.loading import NOT_INSTALLED
from core.metrics.comparison.claim_reading import LANGUAGES, ReadClaim, read_claims
from core.metrics.comparison.faithfulness_parts import RULES, Claim, check, claim_value, combine
from core.metrics.comparison.similarity import DIGITS, lowest_place, no_sentences
from core.metrics.comparison.support.stating import claims_of
from core.metrics.evidence import SentenceScore, sentences_json
from core.metrics.prepared import Part, Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, Measured, MetricSpec, Need, Outcome, Unscored

SPEC = MetricSpec(
    name="claim_support",
    title="Claim support",
    family=Family.GROUNDEDNESS,
    unit="probability",
    needs=(Need.ANSWER, Need.CONTEXTS, Need.ENCODER),
    uses=(Need.QUESTION,),
    question="How probable does the small reader that comes with Plumbline find it that the passages say what the "
    "answer claims?",
    equation="0.7 m + 0.3 w, m the mean of the claims, weighted by words, and w the lowest claim; claims are those of "
    "faithfulness. A claim has min((0.3 u + 0.7 r) p, c), u, p and c its support by words, its specifics and its "
    "consistency as there, and r the reader's probability that what it is shown supports the claim. It is shown the "
    "sentences of the passages that are nearest to the claim (cosine plus 0.6 times the share of its words), at most "
    "75 tokens; a claim that is one of their sentences word for word has 1.",
    source="Ours. The reader is MiniLM with changes of low rank, fitted on 12,000 claims that twelve authors wrote of "
    "1,100 passages and on copies of sentences (python -m bench.claim_model). It sees what faithfulness cannot, a "
    "claim in other words and a turn of a copied sentence, and it errs more often on answers that mostly copy: "
    "docs/faithfulness.md has the figures of both.",
    edges={
        "empty answer": "No value: an answer without a sentence claims nothing.",
        "empty contexts": "0 where it is known that nothing was retrieved and the answer claims something; no value "
        "where it is not known what was retrieved.",
        "abstention": "Sentences that claim nothing are left out; an answer without any claim is 0.5, as faithfulness "
        "has it.",
        "one sentence": "The value of that sentence.",
        "identical texts": "1: sentences that stand in the passages word for word are not read.",
        "longer than the model": "A pair of more than 512 tokens is cut at the end of its longer text.",
        "other scripts": "English only: in other languages no value (not applicable).",
        "emoji": "An answer of emoji only claims nothing.",
    },
)


@metric(SPEC)
def claim_support(prepared: Prepared) -> Outcome:
    """Mean and lowest of the probabilities that the passages support the answer's claims."""
    sentences = prepared.sentences(Part.ANSWER)
    if not sentences:
        return no_sentences(prepared, Part.ANSWER)
    if prepared.language not in LANGUAGES:
        return Unscored(status=Status.NOT_APPLICABLE, reason="The reader of claims knows English only.")
    if not claim_reader_there():
        return Unscored(status=Status.NO_MODEL, reason=NOT_INSTALLED)
    claims = claims_of(prepared)
    rule = "no claim" if not claims else "nothing retrieved" if not prepared.sentences(Part.CONTEXTS) else ""
    if rule:
        rows = [_row(prepared, place, RULES[rule] if place in claims else None) for place in range(len(sentences))]
        return Measured(value=RULES[rule], detail={"sentences": sentences_json(rows), "rule": rule})
    checked = {claim.place: claim for claim in check(prepared, claims).claims if claim.weight is not None}
    read = read_claims(prepared, list(checked))
    values = {place: _value(claim, read[place]) for place, claim in checked.items()}
    rows = [_row(prepared, place, values.get(place), read.get(place)) for place in range(len(sentences))]
    return Measured(
        value=combine(list(values.values()), [claim.weight or 0.0 for claim in checked.values()]),
        detail={
            "sentences": sentences_json(rows),
            "worst": lowest_place([values.get(place, 2.0) for place in range(len(sentences))]),
        },
    )


def _value(claim: Claim, read: ReadClaim) -> float:
    parts = {name: value for name, value in claim.parts.items() if name != "entailment"}
    return claim_value({**parts, "reading": read.support})


def _row(prepared: Prepared, place: int, value: float | None, read: ReadClaim | None = None) -> SentenceScore:
    at = prepared.sentences(Part.ANSWER)[place].at
    if value is None:
        return SentenceScore(of=Part.ANSWER, at=at, value=None, note="makes no claim")
    if read is None:
        return SentenceScore(of=Part.ANSWER, at=at, value=value)
    return SentenceScore(
        of=Part.ANSWER,
        at=at,
        value=round(value, DIGITS),
        best=prepared.sentences(Part.CONTEXTS)[read.nearest].at,
        best_of=Part.CONTEXTS,
        note="the reader finds it contradicted" if read.contradicted > 0.5 else "",
    )
