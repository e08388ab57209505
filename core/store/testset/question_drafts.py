"""Questions from documents in review, and the batches they were written in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, select, update

from core.domain.errors import NotFound
from core.domain.testset.question_drafts import DraftStatus, QuestionBatch, QuestionDraft
from core.domain.testset.questions import QuestionKind
from core.store.codec import decode, encode, from_row, to_row
from core.store.tables import question_batches, question_drafts
from core.store.writing.upsert import BATCH, add_missing

_DECIDED = ("text", "reference", "status", "decided_by", "decided_at", "note", "original_text", "original_reference")


def put_batch(connection: Connection, batch: QuestionBatch, drafts: Sequence[QuestionDraft]) -> int:
    """Stores a batch with its questions and returns how many were added.

    An existing question stays as it is, unless the checks had turned it down: the limits may be different now.
    """
    row = {**to_row(batch), "plan": encode(batch.plan), "delivered": [encode(row) for row in batch.delivered]}
    add_missing(connection, question_batches, [row], key=["project_id", "id"])
    for start in range(0, len(drafts), BATCH):
        ids = [draft.id for draft in drafts[start : start + BATCH]]
        connection.execute(
            delete(question_drafts).where(
                question_drafts.c.project_id == batch.project_id,
                question_drafts.c.id.in_(ids),
                question_drafts.c.status == DraftStatus.TURNED_DOWN.value,
            )
        )
    rows = [{"project_id": batch.project_id, **to_row(draft)} for draft in drafts]
    return add_missing(connection, question_drafts, rows, key=["project_id", "id"]) if rows else 0


def batches(connection: Connection, project_id: str) -> list[QuestionBatch]:
    """The batches of a project, the latest first."""
    query = select(question_batches).where(question_batches.c.project_id == project_id)
    rows = connection.execute(query.order_by(question_batches.c.seq.desc())).mappings()
    return [
        QuestionBatch(
            id=row["id"],
            project_id=row["project_id"],
            source_id=row["source_id"],
            topics_id=row["topics_id"],
            created_at=row["created_at"],
            plan=decode(row["plan"]),
            delivered=tuple(decode(part) for part in row["delivered"]),
        )
        for row in rows
    ]


def drafts(
    connection: Connection,
    project_id: str,
    *,
    status: DraftStatus | None = None,
    kind: QuestionKind | None = None,
    topic: int | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> list[QuestionDraft]:
    """Questions in the order they were written; of one status, kind or topic where given."""
    query = select(question_drafts).where(*_filters(project_id, status, kind, topic)).order_by(question_drafts.c.seq)
    rows = connection.execute(query.limit(limit).offset(offset)).mappings()
    return [from_row(QuestionDraft, row) for row in rows]


def counts(connection: Connection, project_id: str) -> Mapping[DraftStatus, int]:
    """How many questions have each status; statuses without any are 0."""
    query = (
        select(question_drafts.c.status, func.count())
        .where(question_drafts.c.project_id == project_id)
        .group_by(question_drafts.c.status)
    )
    by_status = {DraftStatus(status): int(n) for status, n in connection.execute(query)}
    return {status: by_status.get(status, 0) for status in DraftStatus}


def get(connection: Connection, project_id: str, draft_id: str) -> QuestionDraft:
    """One question.

    Raises:
        NotFound: The project has none of that id.
    """
    query = select(question_drafts).where(question_drafts.c.project_id == project_id, question_drafts.c.id == draft_id)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise NotFound(f"The project has no question {draft_id}.", "Load the page again; it may have been deleted.")
    return from_row(QuestionDraft, row)


def decide(connection: Connection, project_id: str, draft: QuestionDraft) -> None:
    """Stores a person's decision on a question: its words, status, note, and who and when."""
    row: dict[str, Any] = to_row(draft)
    connection.execute(
        update(question_drafts)
        .where(question_drafts.c.project_id == project_id, question_drafts.c.id == draft.id)
        .values({name: row[name] for name in _DECIDED})
    )


def discard(connection: Connection, project_id: str) -> int:
    """Deletes undecided questions: drafts and those the checks turned down. Returns how many were deleted."""
    open_ones = question_drafts.c.status.in_([DraftStatus.DRAFT.value, DraftStatus.TURNED_DOWN.value])
    return connection.execute(
        delete(question_drafts).where(question_drafts.c.project_id == project_id, open_ones)
    ).rowcount


def _filters(
    project_id: str, status: DraftStatus | None, kind: QuestionKind | None, topic: int | None
) -> list[ColumnElement[bool]]:
    conditions = [question_drafts.c.project_id == project_id]
    if status is not None:
        conditions.append(question_drafts.c.status == status.value)
    if kind is not None:
        conditions.append(question_drafts.c.kind == kind.value)
    if topic is not None:
        conditions.append(question_drafts.c.topic == topic)
    return conditions
