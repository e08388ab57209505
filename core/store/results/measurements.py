"""Measuring a metric of a run again: old scores stay until each is replaced, and a person's value outlives it.

Every score has the generation of its metric at the time it was measured. Other options or another version make a new
generation; a score of an older one is outdated, still there to be read, and next to be measured.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Connection, and_, func, insert, select, update

from core.domain.responses import Score, Status
from core.store import scores
from core.store.codec import to_row
from core.store.scores import ScoreEdit
from core.store.tables import run_metrics, score_edits
from core.store.tables import scores as score_rows
from core.store.upsert import BATCH
from core.store.upsert import put as upsert

Key = tuple[str, str]
"""Case and metric."""


def reached(connection: Connection, run_id: str, case_ids: Sequence[str], generations: Mapping[str, int]) -> set[Key]:
    """Which of these cases have a score, or a reason for none, of the present generation of which metrics.

    Args:
        connection: From the store.
        run_id: The run.
        case_ids: Of the run.
        generations: By metric; others are left out.
    """
    query = select(score_rows.c.case_id, score_rows.c.metric, score_rows.c.generation).where(
        score_rows.c.run_id == run_id, score_rows.c.case_id.in_(case_ids)
    )
    return {
        (row.case_id, row.metric)
        for row in connection.execute(query)
        if row.metric in generations and row.generation >= generations[row.metric]
    }


def commit(
    connection: Connection,
    run_id: str,
    found: Sequence[Score],
    generations: Mapping[str, int],
    *,
    reasons: Mapping[str, str],
    actor: str,
    at: str,
) -> list[Key]:
    """Stores what was measured, each instead of an outdated score; one of the present generation stays.

    Where a person changed a score, their value stays and the evidence is the new one; what was measured now is kept
    among the changes of the score, as what the machine says, so that restoring it brings back nothing old.

    Args:
        connection: Of a write.
        run_id: The run.
        found: The scores.
        generations: By metric, as they are stored with.
        reasons: By metric, kept with a new measurement that a person's value outlived.
        actor: Who asked for the measurement.
        at: UTC, ISO 8601.

    Returns:
        Cases and metrics whose value is a person's and stayed.

    Raises:
        Conflict: There is no such run.
    """
    scores.drop_columns(connection, run_id, set(generations))
    kept: list[Key] = []
    for start in range(0, len(found), BATCH):
        some = found[start : start + BATCH]
        there = _there(connection, run_id, {score.case_id for score in some}, generations)
        fresh = []
        for score in some:
            generation = generations[score.metric]
            old = there.get((score.case_id, score.metric))
            if old is None or (old[0] < generation and not old[1]):
                fresh.append({"run_id": run_id, **to_row(score), "generation": generation})
            elif old[0] < generation:
                _beside(connection, run_id, score, generation, reason=reasons[score.metric], actor=actor, at=at)
                kept.append((score.case_id, score.metric))
        upsert(connection, score_rows, fresh, key=["run_id", "case_id", "metric"])
    return kept


def outdated(connection: Connection, run_id: str) -> dict[str, int]:
    """How many scores of each unfinished metric are of an older generation; metrics without one are left out."""
    of_metric = and_(score_rows.c.run_id == run_metrics.c.run_id, score_rows.c.metric == run_metrics.c.metric)
    query = (
        select(score_rows.c.metric, func.count())
        .select_from(run_metrics.join(score_rows, of_metric))
        .where(run_metrics.c.run_id == run_id, run_metrics.c.finished.is_(False))
        .where(score_rows.c.generation < run_metrics.c.generation)
        .group_by(score_rows.c.metric)
    )
    return {name: int(count) for name, count in connection.execute(query)}


def _there(
    connection: Connection, run_id: str, case_ids: Collection[str], metrics: Collection[str]
) -> dict[Key, tuple[int, bool]]:
    """Generation of the scores that are there, and whether a person changed them."""
    query = select(score_rows.c.case_id, score_rows.c.metric, score_rows.c.generation, score_rows.c.edited).where(
        score_rows.c.run_id == run_id, score_rows.c.case_id.in_(case_ids)
    )
    return {
        (row.case_id, row.metric): (row.generation, bool(row.edited))
        for row in connection.execute(query)
        if row.metric in metrics
    }


def _beside(
    connection: Connection, run_id: str, score: Score, generation: int, *, reason: str, actor: str, at: str
) -> None:
    """Keeps a new measurement beside a person's value; told only where it differs from the one before."""
    case_id, metric = score.case_id, score.metric
    person = scores.get(connection, run_id, case_id, metric)
    before = next((edit for edit in scores.edits(connection, run_id, case_id, metric) if not edit.before_edited), None)
    row = and_(score_rows.c.run_id == run_id, score_rows.c.case_id == case_id, score_rows.c.metric == metric)
    connection.execute(update(score_rows).where(row).values(detail=to_row(score)["detail"], generation=generation))
    if person and (before is None or (before.before_value, before.before_status) != (score.value, score.status)):
        made = ScoreEdit(
            run_id=run_id,
            case_id=case_id,
            metric=metric,
            before_value=score.value,
            before_status=Status(score.status),
            before_edited=False,
            value=person.value,
            status=person.status,
            reason=reason,
            actor=actor,
            at=at,
        )
        connection.execute(insert(score_edits), to_row(made))
