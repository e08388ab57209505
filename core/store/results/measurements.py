"""Measuring a metric of a run again: old scores stay until each is replaced, and a person's value is kept.

Every score has the generation of its metric at the time it was measured. Other options or another version make a new
generation; a score of an older one is outdated, still there to be read, and next to be measured.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Connection, and_, func, insert, select, update

from core.domain.results.responses import Score
from core.domain.status import Status
from core.store.codec import to_row
from core.store.results import scores
from core.store.results.scores import ScoreEdit
from core.store.tables import run_metrics, score_edits
from core.store.tables import scores as score_rows
from core.store.writing.upsert import BATCH
from core.store.writing.upsert import put as upsert

Key = tuple[str, str]
"""Case and metric."""


def reached(connection: Connection, run_id: str, case_ids: Sequence[str], generations: Mapping[str, int]) -> set[Key]:
    """The cases and metrics that have a score, or a reason for none, of the metric's present generation.

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
    new_scores: Sequence[Score],
    generations: Mapping[str, int],
    *,
    reasons: Mapping[str, str],
    actor: str,
    at: str,
) -> list[Key]:
    """Stores what was measured, each instead of an outdated score; one of the present generation stays.

    Where a person changed a score, their value stays and the evidence is the new one; the new measurement is stored
    among the changes of the score, so that restoring the machine's value restores the new one.

    Args:
        connection: Of a write.
        run_id: The run.
        new_scores: The scores.
        generations: By metric, as they are stored with.
        reasons: By metric, stored with a new measurement beside a person's value.
        actor: Who asked for the measurement.
        at: UTC, ISO 8601.

    Returns:
        Cases and metrics whose value is a person's and stayed.

    Raises:
        Conflict: There is no such run.
    """
    scores.drop_columns(connection, run_id, set(generations))
    edited_keys: list[Key] = []
    for start in range(0, len(new_scores), BATCH):
        batch = new_scores[start : start + BATCH]
        stored = _stored(connection, run_id, {score.case_id for score in batch}, generations)
        fresh = []
        for score in batch:
            generation = generations[score.metric]
            present = stored.get((score.case_id, score.metric))
            if present is None or (present[0] < generation and not present[1]):
                fresh.append({"run_id": run_id, **to_row(score), "generation": generation})
            elif present[0] < generation:
                _beside(connection, run_id, score, generation, reason=reasons[score.metric], actor=actor, at=at)
                edited_keys.append((score.case_id, score.metric))
        upsert(connection, score_rows, fresh, key=["run_id", "case_id", "metric"])
    return edited_keys


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


def _stored(
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
    """Stores a new measurement beside a person's value, where it differs from the one before."""
    case_id, metric = score.case_id, score.metric
    person = scores.get(connection, run_id, case_id, metric)
    before = next((edit for edit in scores.edits(connection, run_id, case_id, metric) if not edit.before_edited), None)
    row = and_(score_rows.c.run_id == run_id, score_rows.c.case_id == case_id, score_rows.c.metric == metric)
    connection.execute(update(score_rows).where(row).values(detail=to_row(score)["detail"], generation=generation))
    if person and (before is None or (before.before_value, before.before_status) != (score.value, score.status)):
        new_edit = ScoreEdit(
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
        connection.execute(insert(score_edits), to_row(new_edit))
