"""Scores of a run's cases, people's changes to them, and how each metric of a run was measured."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, Select, and_, case, func, insert, select, update
from sqlalchemy import delete as delete_rows

from core.domain.results.responses import Score
from core.domain.status import Status
from core.store.codec import from_row, to_row
from core.store.tables import cases as case_rows
from core.store.tables import responses as response_rows
from core.store.tables import run_metrics, runs, score_columns, score_edits
from core.store.tables import scores as score_rows
from core.store.writing.upsert import BATCH
from core.store.writing.upsert import put as upsert

LIGHT = (score_rows.c.case_id, score_rows.c.metric, score_rows.c.value, score_rows.c.status, score_rows.c.edited)
"""The columns of the index; the evidence is not read."""


FEW = BATCH
"""Cases whose scores are looked up one by one; of more of them every score of a metric is read."""

LOOKED_UP = score_rows.c.detail.is_not(None)
"""True of every score. It is not in the index of values, so that SQLite looks few cases up instead of walking it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMetric:
    """How a metric of a run was measured.

    Attributes:
        version: Of the metric's definition.
        options: Models and language the values depend on besides the texts.
        finished: Whether every answered case was scored.
        scored_at: UTC, ISO 8601.
        scored_by: Who requested it.
        generation: Grows when version or options change; a score of a lower one is outdated.
    """

    metric: str
    version: int
    options: Mapping[str, object] = field(default_factory=dict)
    finished: bool = False
    scored_at: str = ""
    scored_by: str = ""
    generation: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreEdit:
    """One change of a score by a person, or a new measurement beside a person's value.

    Attributes:
        before_value: The value before, or the new measurement.
        before_status: Its status: scored, or why there was no value.
        before_edited: Whether it was a person's value already; otherwise it was measured.
        value: The value now, None for no value.
        reason: Why it was changed.
        actor: Who changed it.
        at: UTC, ISO 8601.
    """

    run_id: str
    case_id: str
    metric: str
    before_value: float | None
    before_status: Status
    before_edited: bool
    value: float | None
    status: Status
    reason: str
    actor: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricCount:
    """How the cases of a run ended for one metric; excluded cases are left out.

    Attributes:
        scored: Cases with a value.
        unscored: Cases with a reason instead, by its status, where the target did not fail.
        failed: Cases whose target failed, which have no score.
        edited: Cases whose score a person changed.
    """

    metric: str
    scored: int
    unscored: Mapping[str, int]
    failed: int
    edited: int = 0


def put(connection: Connection, run_id: str, scores: Sequence[Score]) -> None:
    """Stores scores, each instead of an earlier one of the same case and metric.

    Raises:
        Conflict: There is no such run.
    """
    drop_columns(connection, run_id, {score.metric for score in scores})
    upsert(
        connection,
        score_rows,
        [{"run_id": run_id, **to_row(score)} for score in scores],
        key=["run_id", "case_id", "metric"],
    )


def of_metric(
    connection: Connection, run_id: str, metric: str, case_ids: Collection[str] | None = None
) -> dict[str, Score]:
    """The scores of one metric by case id; of all cases, or of those named that have one."""
    query = select(score_rows).where(score_rows.c.run_id == run_id, score_rows.c.metric == metric)
    if case_ids is None:
        return {row["case_id"]: from_row(Score, row) for row in connection.execute(query).mappings()}
    waiting = iter(sorted(case_ids))
    return {
        row["case_id"]: from_row(Score, row)
        for batch in iter(lambda: list(islice(waiting, BATCH)), [])
        for row in connection.execute(query.where(score_rows.c.case_id.in_(batch))).mappings()
    }


def measured_now(connection: Connection, run_id: str, metric: str, version: int) -> dict[str, Score]:
    """The scores of a metric that its present version measured, by case id; none that is outdated or a person's."""
    of_metric = and_(score_rows.c.run_id == run_metrics.c.run_id, score_rows.c.metric == run_metrics.c.metric)
    query = (
        select(score_rows)
        .select_from(run_metrics.join(score_rows, of_metric))
        .where(run_metrics.c.run_id == run_id, run_metrics.c.metric == metric, run_metrics.c.version == version)
        .where(score_rows.c.generation >= run_metrics.c.generation, score_rows.c.edited.is_(False))
    )
    return {row["case_id"]: from_row(Score, row) for row in connection.execute(query).mappings()}


def of_case(connection: Connection, run_id: str, case_id: str) -> dict[str, Score]:
    """Every score of one case by metric, with its evidence."""
    query = select(score_rows).where(score_rows.c.run_id == run_id, score_rows.c.case_id == case_id)
    return {row["metric"]: from_row(Score, row) for row in connection.execute(query).mappings()}


def get(connection: Connection, run_id: str, case_id: str, metric: str) -> Score | None:
    """One case's score of a metric, None where it was not reached."""
    query = select(score_rows).where(
        score_rows.c.run_id == run_id, score_rows.c.case_id == case_id, score_rows.c.metric == metric
    )
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else from_row(Score, row)


def light(
    connection: Connection, run_id: str, case_ids: Sequence[str], metrics: Collection[str]
) -> dict[str, dict[str, Score]]:
    """Scores of some cases without their evidence, by case id and metric."""
    scores_by_case: dict[str, dict[str, Score]] = {}
    query = select(*LIGHT).where(score_rows.c.run_id == run_id)
    if len(case_ids) > FEW:
        by_metric = query.where(score_rows.c.metric.in_(metrics))
        selected = set(case_ids)
        rows = (row for row in connection.execute(by_metric) if row.case_id in selected)
    else:
        by_case = query.where(score_rows.c.case_id.in_(case_ids), LOOKED_UP)
        rows = (row for row in connection.execute(by_case) if row.metric in metrics)
    for row in rows if case_ids and metrics else ():
        scores_by_case.setdefault(row.case_id, {})[row.metric] = Score(
            case_id=row.case_id, metric=row.metric, value=row.value, status=Status(row.status), edited=bool(row.edited)
        )
    return scores_by_case


def columns(
    connection: Connection, run_id: str, metrics: Sequence[str], case_ids: Sequence[str]
) -> npt.NDArray[np.float64]:
    """The values of some metrics, NaN where there is none.

    Args:
        connection: From the store.
        run_id: The run.
        metrics: Whose values; one without a score has none at all.
        case_ids: Of the included cases, in the order of the test set.

    Returns:
        Shape (len(case_ids), len(metrics)).
    """
    query = select(score_columns.c.metric, score_columns.c["values"]).where(
        score_columns.c.run_id == run_id, score_columns.c.metric.in_(metrics)
    )
    stored = {row[0]: np.frombuffer(row[1], dtype="<f8") for row in connection.execute(query)}
    values = np.empty((len(case_ids), len(metrics)), dtype=np.float64)
    places: dict[str, int] = {}
    for number, metric in enumerate(metrics):
        if metric in stored and stored[metric].size == len(case_ids):
            values[:, number] = stored[metric]
        else:
            places = places or {case_id: place for place, case_id in enumerate(case_ids)}
            values[:, number] = _measured(connection, run_id, metric, places)
    return values


def keep_column(connection: Connection, run_id: str, metric: str, case_ids: Sequence[str]) -> None:
    """Keeps the values of a metric by column, until it is scored again; see :func:`columns` for the arguments."""
    places = {case_id: place for place, case_id in enumerate(case_ids)}
    values = _measured(connection, run_id, metric, places).tobytes()
    upsert(
        connection, score_columns, [{"run_id": run_id, "metric": metric, "values": values}], key=["run_id", "metric"]
    )


def drop_columns(connection: Connection, run_id: str, metrics: Collection[str] | None = None) -> None:
    """Forgets columns whose scores change; of every metric of the run, or of those named."""
    old = delete_rows(score_columns).where(score_columns.c.run_id == run_id)
    connection.execute(old if metrics is None else old.where(score_columns.c.metric.in_(metrics)))


def _change_column(connection: Connection, edit: ScoreEdit) -> None:
    """Writes one value into a stored column: to read the column again would take as long as reading all its scores."""
    of_column = and_(score_columns.c.run_id == edit.run_id, score_columns.c.metric == edit.metric)
    stored = connection.execute(select(score_columns.c["values"]).where(of_column)).scalar_one_or_none()
    if stored is None:
        return
    test_set = select(runs.c.test_set_id).where(runs.c.id == edit.run_id).scalar_subquery()
    included = and_(case_rows.c.test_set_id == test_set, case_rows.c.excluded == "")
    seq = select(case_rows.c.seq).where(included, case_rows.c.case_id == edit.case_id)
    if (at := connection.execute(seq).scalar_one_or_none()) is None:
        return
    place = connection.execute(select(func.count()).select_from(case_rows).where(included, case_rows.c.seq < at))
    values = np.frombuffer(stored, dtype="<f8").copy()
    values[place.scalar_one()] = np.nan if edit.value is None else edit.value
    connection.execute(update(score_columns).where(of_column).values({"values": values.tobytes()}))


def _measured(connection: Connection, run_id: str, metric: str, places: Mapping[str, int]) -> npt.NDArray[np.float64]:
    query = select(score_rows.c.case_id, score_rows.c.value).where(
        score_rows.c.run_id == run_id, score_rows.c.metric == metric, score_rows.c.value.is_not(None)
    )
    # The driver's own rows: both columns are what they seem, and wrapping each row costs as much as reading it.
    rows = connection.execute(query).cursor.fetchall()
    values = np.full(len(places) + 1, np.nan, dtype="<f8")  # one row more, for the cases that are left out
    if rows:
        ids, scored = zip(*rows, strict=True)
        outside = len(places)
        at = np.fromiter((places.get(case_id, outside) for case_id in ids), dtype=np.int64, count=len(ids))
        values[at] = scored
    return values[:-1]


def counts(connection: Connection, run_id: str, test_set_id: str) -> dict[str, MetricCount]:
    """How the cases ended for every metric that has a score, the verdict among them.

    Counted over the index; the few cases that are excluded or whose target failed are looked up by themselves.
    """
    of_run = score_rows.c.run_id == run_id
    changed = func.coalesce(func.sum(case((score_rows.c.edited, 1), else_=0)), 0)
    values = func.count(score_rows.c.value)
    scored: Counter[str] = Counter()
    edited: Counter[str] = Counter()
    reasons: defaultdict[str, Counter[str]] = defaultdict(Counter)
    whole = select(score_rows.c.metric, values, changed).where(of_run).group_by(score_rows.c.metric)
    for name, with_value, by_people in connection.execute(whole):
        scored[name], edited[name] = with_value, int(by_people)
    for name in scored:
        without = select(score_rows.c.status, func.count()).where(
            of_run, score_rows.c.metric == name, score_rows.c.value.is_(None)
        )
        reasons[name].update(dict(connection.execute(without.group_by(score_rows.c.status)).all()))

    excluded = select(case_rows.c.case_id).where(case_rows.c.test_set_id == test_set_id, case_rows.c.excluded > "")
    for name, status, with_value, by_people, rows in _of_cases(connection, run_id, excluded):
        scored[name] -= with_value
        edited[name] -= by_people
        reasons[name][status] -= rows - with_value

    failing = (
        select(case_rows.c.case_id)
        .select_from(response_rows.join(case_rows, case_rows.c.case_id == response_rows.c.case_id))
        .where(response_rows.c.run_id == run_id, response_rows.c.failed)
        .where(case_rows.c.test_set_id == test_set_id, case_rows.c.excluded == "")
    )
    failed = int(connection.execute(select(func.count()).select_from(failing.subquery())).scalar_one())
    failed_scored: Counter[str] = Counter()
    for name, status, with_value, _, rows in _of_cases(connection, run_id, failing):
        reasons[name][status] -= rows - with_value
        failed_scored[name] += with_value
    return {
        name: MetricCount(
            metric=name,
            scored=scored[name],
            unscored={status: number for status, number in sorted(reasons[name].items()) if number},
            failed=failed - failed_scored[name],
            edited=edited[name],
        )
        for name in sorted(scored)
    }


def run_metric(connection: Connection, run_id: str, metric: str) -> RunMetric | None:
    """How a metric of a run was measured, None where it was not requested."""
    query = select(run_metrics).where(run_metrics.c.run_id == run_id, run_metrics.c.metric == metric)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else from_row(RunMetric, row)


def of_run(connection: Connection, run_id: str) -> dict[str, RunMetric]:
    """How each metric of a run was measured, by name; the verdict is not among them."""
    query = select(run_metrics).where(run_metrics.c.run_id == run_id).order_by(run_metrics.c.metric)
    return {row["metric"]: from_row(RunMetric, row) for row in connection.execute(query).mappings()}


def put_run_metrics(connection: Connection, run_id: str, metrics: Iterable[RunMetric]) -> None:
    """Stores how metrics of a run are measured, in place of earlier entries.

    Raises:
        Conflict: There is no such run.
    """
    rows = [{"run_id": run_id, **to_row(metric)} for metric in metrics]
    upsert(connection, run_metrics, rows, key=["run_id", "metric"])


def reopen(connection: Connection, run_id: str) -> None:
    """Makes every metric of a run unfinished: scores of some cases are deleted, since they will have new responses."""
    drop_columns(connection, run_id)
    connection.execute(update(run_metrics).where(run_metrics.c.run_id == run_id).values(finished=False))


def change(connection: Connection, edit: ScoreEdit, *, edited: bool) -> None:
    """Writes a person's change to a score and stores the value before; the evidence stays as it was measured."""
    _change_column(connection, edit)
    connection.execute(
        update(score_rows)
        .where(
            score_rows.c.run_id == edit.run_id,
            score_rows.c.case_id == edit.case_id,
            score_rows.c.metric == edit.metric,
        )
        .values(value=edit.value, status=edit.status.value, edited=edited)
    )
    connection.execute(insert(score_edits), to_row(edit))


def edits(
    connection: Connection, run_id: str, case_id: str | None = None, metric: str | None = None
) -> tuple[ScoreEdit, ...]:
    """The changes by people in a run, newest first; of one case and one metric where named."""
    query = select(score_edits).where(score_edits.c.run_id == run_id)
    if case_id is not None:
        query = query.where(score_edits.c.case_id == case_id)
    if metric is not None:
        query = query.where(score_edits.c.metric == metric)
    return tuple(
        from_row(ScoreEdit, row) for row in connection.execute(query.order_by(score_edits.c.seq.desc())).mappings()
    )


def _of_cases(
    connection: Connection, run_id: str, case_ids: Select[tuple[str]]
) -> Iterator[tuple[str, str, int, int, int]]:
    """Metric, status, values, changed ones and rows of some cases, looked up a part at a time."""
    query = select(
        score_rows.c.metric,
        score_rows.c.status,
        func.count(score_rows.c.value),
        func.sum(case((score_rows.c.edited, 1), else_=0)),
        func.count(),
    ).where(score_rows.c.run_id == run_id)
    waiting = iter(connection.execute(case_ids).scalars().all())
    while batch := list(islice(waiting, BATCH)):
        part = query.where(score_rows.c.case_id.in_(batch), LOOKED_UP).group_by(
            score_rows.c.metric, score_rows.c.status
        )
        for name, status, with_value, by_people, rows in connection.execute(part):
            yield name, status, with_value, int(by_people), rows
