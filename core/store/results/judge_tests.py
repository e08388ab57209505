"""Runs of unit tests of judges, their outcomes, and the bar of a project."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, func, insert, select, update

from core.domain.errors import NotFound
from core.domain.llm import PromptRef
from core.domain.results.judge_tests import Bar, JudgeTestOutcome, JudgeTestRun
from core.domain.results.runs import VERDICT_METRIC
from core.store.codec import from_row, to_row
from core.store.tables import judge_bars, judge_test_outcomes, judge_test_runs, scores
from core.store.writing.upsert import add_missing, put

_LIGHT = [column for column in judge_test_runs.c if column.name not in ("tests", "seq")]


def add(connection: Connection, run: JudgeTestRun) -> None:
    """Stores a run that begins.

    Raises:
        Conflict: There is no such project, or the id is taken.
    """
    connection.execute(insert(judge_test_runs).values(to_row(run)))


def get(connection: Connection, run_id: str) -> JudgeTestRun:
    """A run with its tests.

    Raises:
        NotFound: There is none of that id.
    """
    query = select(judge_test_runs).where(judge_test_runs.c.id == run_id)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise NotFound(f"There is no judge test {run_id}.", "Choose one on the Judges page.")
    return from_row(JudgeTestRun, row)


def all(connection: Connection, project_id: str, *, judge: str | None = None) -> list[JudgeTestRun]:
    """The runs of a project, newest first, without their tests; of one judge where it is named."""
    query = select(*_LIGHT).where(judge_test_runs.c.project_id == project_id).order_by(judge_test_runs.c.seq.desc())
    if judge is not None:
        query = query.where(judge_test_runs.c.judge == judge)
    return [from_row(JudgeTestRun, {**row, "tests": []}) for row in connection.execute(query).mappings()]


def finish(connection: Connection, run_id: str, at: str) -> None:
    """Says that a run has all its outcomes."""
    connection.execute(update(judge_test_runs).where(judge_test_runs.c.id == run_id).values(finished_at=at))


def put_outcomes(connection: Connection, run_id: str, outcomes: Sequence[JudgeTestOutcome]) -> None:
    """Stores outcomes; one that is there stays as it is."""
    rows = [{"test_run_id": run_id, **to_row(outcome)} for outcome in outcomes]
    add_missing(connection, judge_test_outcomes, rows, key=["test_run_id", "test_id", "draw"])


def outcomes(connection: Connection, run_id: str) -> list[JudgeTestOutcome]:
    """What the judge said so far, in the order of tests and draws."""
    rows = judge_test_outcomes
    query = select(rows).where(rows.c.test_run_id == run_id).order_by(rows.c.test_id, rows.c.draw)
    return [from_row(JudgeTestOutcome, row) for row in connection.execute(query).mappings()]


def reached(connection: Connection, run_id: str) -> int:
    """How many outcomes there are."""
    rows = judge_test_outcomes
    return int(connection.execute(select(func.count()).where(rows.c.test_run_id == run_id)).scalar_one())


def bar(connection: Connection, project_id: str) -> Bar:
    """What a judge must reach in a project."""
    query = select(judge_bars).where(judge_bars.c.project_id == project_id)
    row = connection.execute(query).mappings().one_or_none()
    return Bar() if row is None else from_row(Bar, row)


def set_bar(connection: Connection, project_id: str, value: Bar) -> None:
    """Sets what a judge must reach."""
    put(connection, judge_bars, [{"project_id": project_id, **to_row(value)}], key=["project_id"])


def verdict_prompts(connection: Connection, run_id: str) -> list[PromptRef]:
    """The prompts that a model gave the verdicts of a run with, each once; none where no model was asked."""
    prompt = scores.c.detail["prompt"]
    columns = [prompt[name].as_string().label(name) for name in ("id", "version", "hash")]
    query = select(*columns).where(scores.c.run_id == run_id, scores.c.metric == VERDICT_METRIC).distinct()
    return sorted(
        (PromptRef(id=row.id, version=row.version, hash=row.hash) for row in connection.execute(query) if row.id),
        key=lambda ref: (ref.id, ref.version),
    )
