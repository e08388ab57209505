"""Contradictory nulls: a judge that says one thing and grades another, or calls a decline what declines nothing."""

from __future__ import annotations

from collections.abc import Mapping

from core.domain.status import Status
from core.judging.grouse.replies import Faithfulness, Judged, UncitedFaithfulness, Usefulness
from core.judging.grouse.sample import GrouseSample
from core.judging.grouse.scores import GrouseMetric, GrouseScore
from core.judging.match.abstention import Outcome, read_answer


def contradictions(
    metric: GrouseMetric,
    value: float | None,
    judged: Judged,
    sample: GrouseSample,
    before: Mapping[GrouseMetric, GrouseScore],
) -> tuple[str, ...]:
    """What contradicts a grade, one sentence each; the grade itself stays as the judge gave it.

    Args:
        metric: What was graded.
        value: The grade, None for null.
        judged: The whole of what the reply says of the answer.
        sample: What was judged.
        before: The scores of the same sample that were made before.
    """
    null = value is None
    found: list[str] = []
    if metric is GrouseMetric.ANSWER_RELEVANCY:
        if judged.declines is not None and judged.declines is not null:
            found.append(
                "The judge gives null and says that the answer does not state that no passage answers."
                if null
                else "The judge gives a grade and says that the answer states that no passage answers."
            )
        found += _by_rules(null, sample)
    if isinstance(judged, Usefulness):
        if judged.declines is False and not null:
            found.append("Usefulness has a grade, and the judge says that the answer does not decline.")
        elif judged.declines is False and _is_null(before, GrouseMetric.ANSWER_RELEVANCY):
            found.append("Answer relevancy is null, and here the judge says that the answer does not decline.")
        if judged.answer_contains_related_information is null and judged.declines is not False:
            found.append(
                "Usefulness is null, and the judge says that the answer declines and adds related information."
                if null
                else "Usefulness has a grade, and the judge says that the answer adds no related information."
            )
    if isinstance(judged, Faithfulness | UncitedFaithfulness):
        only_declines = judged.answer_only_asserts_no_document_answers
        if only_declines is not None and only_declines is not null:
            found.append(
                "Faithfulness is null, and the judge says that the answer does more than decline."
                if null
                else "Faithfulness has a grade, and the judge says that the answer only declines."
            )
        relevancy = before.get(GrouseMetric.ANSWER_RELEVANCY)
        if null and relevancy is not None and relevancy.status is Status.SCORED:
            found.append("Faithfulness is null as of an answer that only declines, and answer relevancy has a grade.")
    return tuple(found)


def _by_rules(null: bool, sample: GrouseSample) -> list[str]:
    """What the rules that read every answer say against it; an answer that declines a part is neither way wrong."""
    reading = read_answer(sample.question, sample.actual_answer or "")
    if null and reading.outcome is Outcome.ANSWERED:
        return ["Answer relevancy is null, and by our rules the answer has no statement that it cannot answer."]
    if not null and reading.outcome is Outcome.DECLINED:
        words = f": “{reading.words.strip()}”" if reading.words else ""
        return [f"Answer relevancy has a grade, and by our rules the answer only declines{words}."]
    return []


def _is_null(scores: Mapping[GrouseMetric, GrouseScore], metric: GrouseMetric) -> bool:
    return metric in scores and scores[metric].status is Status.NULL_JUDGEMENT
