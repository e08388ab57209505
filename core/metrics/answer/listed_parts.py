"""Listed parts: partial credit where a reference is a list."""

from __future__ import annotations

from core.domain.results.responses import Verdict
from core.domain.status import Status
from core.judging.match import VERSION, judge_match
from core.judging.match.reference import read_reference
from core.metrics.comparison.overlap import answer_marks
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, Measured, MetricSpec, Need, Outcome, Unscored

SPEC = MetricSpec(
    name="listed_parts",
    title="Listed parts",
    family=Family.REFERENCE,
    unit="share",
    needs=(Need.ANSWER, Need.REFERENCE),
    question="Of the parts that the reference lists, how many does the answer state?",
    equation="Parts stated / parts of the reference, for the reference that gives the most.",
    source="The match judge (docs/match-judge.md), which accepts a list only when every part is stated. Parts that the "
    "answer adds are not subtracted.",
    version=VERSION,
    edges={
        "empty answer": "0 where the reference is a list.",
        "empty contexts": "They play no part, but for acronyms that they spell out.",
        "abstention": "0 where the reference is a list; marked as an abstention.",
        "identical texts": "1 where the reference is a list.",
        "other scripts": "Compared like any text; lists are parted by semicolons, commas and lines.",
        "emoji": "Compared like any text.",
    },
)


@metric(SPEC)
def listed_parts(prepared: Prepared) -> Outcome:
    """The share of the reference's parts that the answer states, with those that are missing.

    Edge cases: not applicable where no reference is a list; what the match judge does not judge has no value.
    """
    sample = prepared.sample
    if not any(read_reference(reference, sample.question).parts for reference in sample.references):
        return Unscored(status=Status.NOT_APPLICABLE, reason="No reference is a list.")
    passages = [context.text for context in sample.contexts or () if context.text]
    judgement = judge_match(sample.question, sample.references, sample.answer, passages=passages)
    if judgement.verdict is Verdict.NOT_JUDGED:
        return Unscored(status=Status.NOT_JUDGED, reason=judgement.reason, detail={"rule": judgement.rule})
    found, missing = judgement.detail.get("found"), judgement.detail.get("missing")
    detail: dict[str, object] = {**answer_marks(prepared), "rule": judgement.rule, "reason": judgement.reason}
    if judgement.verdict is Verdict.CORRECT:
        return Measured(value=1.0, detail=detail)
    if isinstance(found, list) and isinstance(missing, list):
        return Measured(value=len(found) / (len(found) + len(missing)), detail=detail)
    return Measured(value=0.0, detail=detail)
