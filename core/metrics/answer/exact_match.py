"""Exact match: the answer is a reference answer, character for character."""

from __future__ import annotations

from core.metrics.comparison.overlap import answer_marks, best_reference
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, Measured, MetricSpec, Need, Outcome

SPEC = MetricSpec(
    name="exact_match",
    title="Exact match",
    family=Family.REFERENCE,
    unit="0 or 1",
    needs=(Need.ANSWER, Need.REFERENCE),
    question="Is the answer a reference answer, character for character?",
    equation="max over references R of [a = R], both without blanks at the ends.",
    source="The strictest comparison there is; nothing is normalised. See normalised_match for the usual form.",
    edges={
        "empty answer": "0: it is an answer, and it is no reference.",
        "empty contexts": "Plays no part: only answer and reference are compared.",
        "abstention": "Compared like any answer and marked as an abstention.",
        "identical texts": "1 for texts that are the same.",
        "other scripts": "Compared like any text; two encodings of the same letter differ.",
        "emoji": "Compared like any text.",
    },
)


@metric(SPEC)
def exact_match(prepared: Prepared) -> Outcome:
    """1 where the answer equals a reference after blanks at both ends are cut off, else 0; the reference is named."""
    answer = (prepared.sample.answer or "").strip()
    place, value = best_reference(prepared, lambda reference: float(reference.strip() == answer))
    return Measured(value=value, detail={"reference": place, **answer_marks(prepared)})
