"""What was answered elsewhere, as a frozen test set and a finished run that every page can read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection

from core.domain.identity import new_id
from core.domain.results.responses import Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.testset.cases import TestCase, TestSet, cases_hash
from core.store.database import Store
from core.store.results import runs
from core.store.results import scores as score_store
from core.store.results.scores import RunMetric
from core.store.testset import testsets

RULE: Final = "recorded"
"""The judge of a run whose verdicts came with it."""


def put_finished_run(
    store: Store,
    project_id: str,
    *,
    actor: str,
    name: str,
    cases: Sequence[TestCase],
    responses: Sequence[Response],
    scores: Sequence[Score],
    files: Sequence[str],
    options: Mapping[str, object],
    extras: Mapping[str, object] | None = None,
    judge: str = RULE,
) -> Run:
    """Stores a test set and a run of it, all or nothing; who may do so is checked by the caller.

    Args:
        store: Where the project lives.
        project_id: The project.
        actor: Who imports.
        name: Of the test set; an existing name gets the next version.
        cases: Every case, ids unique.
        responses: One for each case.
        scores: The verdicts, and whatever else was scored; a metric that is not the verdict is told to be finished.
        files: Names of the files it came in.
        options: What the run remembers.
        extras: What the test set remembers besides the files.
        judge: What made the verdicts.
    """
    at = datetime.now(UTC).isoformat(timespec="seconds")
    test_set = _test_set(project_id, name, cases, files, extras)
    run = Run(
        id=new_id("run"),
        project_id=project_id,
        test_set_id=test_set.id,
        target=f"recorded:{name}",
        judge=judge,
        state=RunState.FINISHED,
        options=options,
        created_at=at,
        created_by=actor,
        finished_at=at,
    )
    metrics = sorted({score.metric for score in scores} - {VERDICT_METRIC})
    with store.write(
        actor, "run.import", project_id=project_id, subject=run.id, detail={"rows": len(cases), "name": name}
    ) as connection:
        _put_frozen(connection, test_set, cases, at)
        runs.put(connection, run)
        runs.save_responses(connection, run.id, responses)
        score_store.put(connection, run.id, scores)
        if metrics:
            score_store.put_run_metrics(
                connection,
                run.id,
                [
                    RunMetric(
                        metric=metric,
                        version=0,
                        options={"imported": list(files)},
                        finished=True,
                        scored_at=at,
                        scored_by=actor,
                    )
                    for metric in metrics
                ],
            )
    return run


def put_test_set(
    store: Store,
    project_id: str,
    *,
    actor: str,
    name: str,
    cases: Sequence[TestCase],
    files: Sequence[str],
    extras: Mapping[str, object] | None = None,
) -> TestSet:
    """Stores questions that nobody has answered yet as a frozen test set; see `put_finished_run` for the arguments."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    test_set = _test_set(project_id, name, cases, files, extras)
    with store.write(actor, "test_set.import", project_id=project_id, subject=test_set.id) as connection:
        return _put_frozen(connection, test_set, cases, at)


def _test_set(
    project_id: str, name: str, cases: Sequence[TestCase], files: Sequence[str], extras: Mapping[str, object] | None
) -> TestSet:
    return TestSet(
        id=new_id("ts"),
        project_id=project_id,
        name=name,
        options={"imported": list(files), **(extras or {})},
        counts={
            "sql_queries": len({case.group_id for case in cases}),
            "questions": dict(Counter(case.form for case in cases)),
        },
    )


def _put_frozen(connection: Connection, test_set: TestSet, cases: Sequence[TestCase], at: str) -> TestSet:
    """As the next version of its name."""
    versions = [
        earlier.version for earlier in testsets.all(connection, test_set.project_id) if earlier.name == test_set.name
    ]
    versioned = replace(test_set, version=max(versions, default=0) + 1)
    testsets.put(connection, versioned)
    testsets.put_cases(connection, versioned.id, cases)
    testsets.freeze(connection, versioned.id, cases_hash(list(cases)), at)
    return versioned
