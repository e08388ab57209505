"""Draft questions from documents: what the checks found and what a person decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.testset.questions import DocumentQuestion, QuestionKind, Support


class DraftStatus(StrEnum):
    """Where a question stands in review."""

    DRAFT = "draft"
    APPROVED = "approved"
    REJECTED = "rejected"
    TURNED_DOWN = "turned_down"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionBatch:
    """One batch of written questions.

    Attributes:
        id: The id of the job that wrote it.
        project_id: The project.
        source_id: The corpus whose chunks the questions refer to.
        topics_id: The topics whose strata they were drawn from.
        created_at: When it was stored, ISO 8601 in UTC.
        plan: The plan it was written by.
        delivered: A row for each request: stratum, kind, requested, candidates, accepted, turned down, reason.
    """

    id: str
    project_id: str
    source_id: str
    topics_id: str
    created_at: str
    plan: Mapping[str, object] = field(default_factory=dict)
    delivered: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDraft:
    """A question in review.

    Attributes:
        id: The id of the question as it was written; an edit keeps it.
        batch_id: The batch it was written in.
        kind: What it asks of the system under test.
        text: As it will be asked.
        reference: The answer; empty where no document gives one.
        support: The quoted words that support the answer.
        options: The options of a multiple-choice question.
        made_by: The rule or prompt that made it.
        near_chunk_id: For a question out of scope, the chunk it was derived from.
        topic: Number of the topic it was drawn for.
        value: What the topic is crossed with (document type, year), or empty.
        failed: The check that turned it down, or empty.
        reason: Why it was turned down, or empty.
        similarity: Cosine with its nearest supporting chunk, or None.
        copied: Share of its words that its chunk has in the same sequence, or None.
        duplicate_of: The question it repeats, or empty.
        nearest: Largest cosine with an accepted question of the same answer and passage, or None where there is none.
        probed: The result of the model check, or empty where no model was asked.
        answered: Whether a model gave the reference with its passages, or for a question out of scope any answer with
            the nearest ones; None where no model was asked or it did not reply.
        known: Whether a model gave the reference without any document; None likewise.
        status: Its status in review.
        decided_by: Who last approved, rejected or edited it, or empty.
        decided_at: When, ISO 8601 in UTC, or empty.
        note: That person's note, or empty.
        original_text: As it was written, where a person changed it; else empty.
        original_reference: The answer as it was written, where a person changed question or answer; else empty.
    """

    id: str
    batch_id: str
    kind: QuestionKind
    text: str
    reference: str
    support: tuple[Support, ...] = ()
    options: tuple[str, ...] = ()
    made_by: str
    near_chunk_id: str = ""
    topic: int
    value: str = ""
    failed: str = ""
    reason: str = ""
    similarity: float | None = None
    copied: float | None = None
    duplicate_of: str = ""
    nearest: float | None = None
    probed: str = ""
    answered: bool | None = None
    known: bool | None = None
    status: DraftStatus
    decided_by: str = ""
    decided_at: str = ""
    note: str = ""
    original_text: str = ""
    original_reference: str = ""

    @property
    def edited(self) -> bool:
        """Whether a person changed its words."""
        return bool(self.original_text)

    @property
    def question(self) -> DocumentQuestion:
        """The question as it stands now."""
        return DocumentQuestion(
            kind=self.kind,
            text=self.text,
            reference=self.reference,
            support=self.support,
            topic_id=str(self.topic),
            options=self.options,
            made_by=self.made_by,
            near_chunk_id=self.near_chunk_id,
        )
