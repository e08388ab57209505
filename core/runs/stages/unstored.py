"""Cases asked and judged once, for work that keeps its own result and no run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final

from core.domain.errors import Stopped
from core.domain.results.responses import Response, Score
from core.domain.testset.cases import TestCase
from core.judging import Judge
from core.runs.scores.verdict import verdict_score
from core.runs.stages.ask_and_judge import JUDGE_BATCH, ask
from core.runs.stages.in_flight import batches, in_turn
from core.targets import Target

Told = Callable[[str, int, int], None]

NOTHING_KEPT: Final[Mapping[str, Response]] = MappingProxyType({})


def answers_of(
    target: Target,
    cases: Sequence[TestCase],
    *,
    progress: Told,
    should_stop: Callable[[], bool],
    kept: Mapping[str, Response] = NOTHING_KEPT,
    keep: Callable[[Sequence[Response]], None] = lambda responses: None,
) -> dict[str, Response]:
    """The target's answer to each case, by case; a failure is a response without an answer.

    Args:
        target: The system under test.
        cases: What to ask.
        progress: Told the stage and the cases done.
        should_stop: Asked before each case.
        kept: Answers from before, by case; such a case is not asked again.
        keep: Given the answers as they arrive, some at a time.

    Raises:
        Stopped: A stop was requested.
    """
    responses = {case.case_id: kept[case.case_id] for case in cases if case.case_id in kept}
    todo = [case for case in cases if case.case_id not in responses]
    if todo and target.words_to_encode and not target.prepare(progress, should_stop):
        raise Stopped("The asking was stopped.")
    for batch in batches(partial(ask, target.answer), todo, target.concurrency, should_stop):
        keep(batch)
        responses.update((response.case_id, response) for response in batch)
        progress("Asking", len(responses), len(cases))
    if len(responses) < len(cases):
        raise Stopped(f"The asking was stopped after {len(responses):,} of {len(cases):,} cases.")
    return responses


def verdicts_of(
    judge: Judge, cases: Sequence[TestCase], responses: Mapping[str, Response], *, should_stop: Callable[[], bool]
) -> dict[str, Score]:
    """The judge's verdict on each answer, by case.

    Args:
        judge: The judge.
        cases: Those that were asked.
        responses: Their answers, by case.
        should_stop: Asked before each answer of a judge that is waited for, else before each chunk.

    Raises:
        Stopped: A stop was requested.
    """

    def verdict(case: TestCase) -> Score:
        return verdict_score(case.case_id, judge.judge(case, responses[case.case_id]))

    waits = judge.concurrency > 1
    chunks = (batches if waits else in_turn)(verdict, cases, judge.concurrency if waits else JUDGE_BATCH, should_stop)
    verdicts = {score.case_id: score for chunk in chunks for score in chunk}
    if len(verdicts) < len(cases):
        raise Stopped(f"The judging was stopped after {len(verdicts):,} of {len(cases):,} answers.")
    return verdicts
