"""Answers of runs as the pairs are made of them: cases, responses, verdicts and scores, by column."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Connection

from core.domain.results.responses import Response, Score
from core.domain.results.runs import VERDICT_METRIC
from core.domain.testset.cases import TestCase
from core.robustness.pairs import Answered
from core.store.results import runs, scores
from core.store.testset import testsets


def answered_of(connection: Connection, run_id: str, case_ids: Collection[str] | None = None) -> dict[str, Answered]:
    """What came of the included cases of a run, by case id.

    Args:
        connection: From the store.
        run_id: The run.
        case_ids: Only these; all where None.

    Raises:
        NotFound: There is no such run.
    """
    run = runs.get(connection, run_id)
    wanted = None if case_ids is None else set(case_ids)
    cases = [case for case in testsets.cases(connection, run.test_set_id) if wanted is None or case.case_id in wanted]
    ids = [case.case_id for case in cases]
    responses = runs.responses(connection, run_id, ids)
    verdicts = scores.of_metric(connection, run_id, VERDICT_METRIC, ids)
    counts = scores.counts(connection, run_id, run.test_set_id)
    names = sorted(name for name in counts if name != VERDICT_METRIC)
    measured = scores.light(connection, run_id, ids, names)
    return {case.case_id: _answered(case, responses, verdicts, measured) for case in cases}


def _answered(
    case: TestCase,
    responses: Mapping[str, Response],
    verdicts: Mapping[str, Score],
    measured: Mapping[str, Mapping[str, Score]],
) -> Answered:
    verdict = verdicts.get(case.case_id)
    voted = verdict.detail.get("votes") if verdict else None
    votes = voted if isinstance(voted, Sequence) else ()
    return Answered(
        case=case,
        response=responses.get(case.case_id),
        verdict=verdict.value if verdict else None,
        scores={name: score.value for name, score in measured.get(case.case_id, {}).items() if score.value is not None},
        votes=tuple(str(vote["verdict"]) for vote in votes if isinstance(vote, Mapping) and "verdict" in vote),
    )
