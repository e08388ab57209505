"""Positive acceptance and negative rejection: what follows from answer relevancy and completeness."""

from __future__ import annotations

from core.domain.status import Status
from core.judging.grouse.scores import GrouseMetric, GrouseScore

_ACCEPTANCE, _REJECTION = GrouseMetric.POSITIVE_ACCEPTANCE, GrouseMetric.NEGATIVE_REJECTION

ANSWERABLE = "The passages answer the question (completeness is not null)"
UNANSWERABLE = "The passages do not answer the question (completeness is null)"
ANSWERED = "the answer responds (answer relevancy is not null)"
DECLINED = "the answer says that no passage answers (answer relevancy is null)"


def acceptance(relevancy: GrouseScore, completeness: GrouseScore) -> tuple[GrouseScore, GrouseScore]:
    """Positive acceptance and negative rejection as GroUSE's tutorial defines them.

    ============================  ==========================  ===========================
    ..                            relevancy not null          relevancy null
    completeness not null         acceptance 1, rejection -   acceptance 0, rejection -
    completeness null             acceptance -, rejection 0   acceptance -, rejection 1
    ============================  ==========================  ===========================

    The dash is ``null_judgement``. Where one of the two was not judged, what follows from the other alone still holds
    (an unanswerable question has no positive acceptance, whatever was answered) and the rest is ``not_judged``.

    Args:
        relevancy: Answer relevancy.
        completeness: Completeness.

    Returns:
        Positive acceptance ("responded when it was supposed to") and negative rejection ("refrained when the passages
        do not answer").
    """
    if not completeness.judged:
        return _open(_ACCEPTANCE, completeness), _open(_REJECTION, completeness)
    answerable = completeness.status is Status.SCORED
    asked, beside = (_ACCEPTANCE, _REJECTION) if answerable else (_REJECTION, _ACCEPTANCE)
    null = GrouseScore(
        metric=beside,
        value=None,
        status=Status.NULL_JUDGEMENT,
        reason=f"{ANSWERABLE if answerable else UNANSWERABLE}, so this is not asked of it.",
    )
    if relevancy.judged:
        answered = relevancy.status is Status.SCORED
        score = GrouseScore(
            metric=asked,
            value=float(answered == answerable),
            status=Status.SCORED,
            reason=f"{ANSWERABLE if answerable else UNANSWERABLE}; {ANSWERED if answered else DECLINED}.",
        )
    else:
        score = _open(asked, relevancy)
    return (score, null) if answerable else (null, score)


def compatible_acceptance(relevancy: GrouseScore, completeness: GrouseScore) -> tuple[GrouseScore, GrouseScore]:
    """The same as the published package computes it, to compare with its figures.

    It gives positive acceptance 1 where an answer refrains from an unanswerable question, and null where it answers an
    answerable one. So every answer that responds when it is supposed to is left out of its mean, and the mean measures
    something else than its name says; it is not ours for that reason. Negative rejection is the same.
    """
    ours, rejection = acceptance(relevancy, completeness)
    if not (relevancy.judged and completeness.judged):
        return _open(_ACCEPTANCE, relevancy if not relevancy.judged else completeness), rejection
    if ours.value == 1.0:
        return GrouseScore(
            metric=_ACCEPTANCE,
            value=None,
            status=Status.NULL_JUDGEMENT,
            reason=f"{ANSWERABLE}; {ANSWERED}: null in the published package.",
        ), rejection
    if rejection.value == 1.0:
        return GrouseScore(
            metric=_ACCEPTANCE,
            value=1.0,
            status=Status.SCORED,
            reason=f"{UNANSWERABLE}; {DECLINED}: 1 in the published package.",
        ), rejection
    return ours, rejection


def _open(metric: GrouseMetric, failed: GrouseScore) -> GrouseScore:
    words = failed.metric.value.replace("_", " ")
    return GrouseScore(
        metric=metric, value=None, status=Status.NOT_JUDGED, reason=f"There is no {words}: {failed.reason}"
    )
