"""Questions made from documents, with the words that support their answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.domain.identity import short_hash


class QuestionKind(StrEnum):
    """What a question from documents asks of the system under test."""

    SIMPLE = "simple"
    TABLE = "table"
    COMPARISON = "comparison"
    TREND = "trend"
    MULTI_HOP = "multi_hop"
    MULTI_DOCUMENT = "multi_document"
    INFERENCE = "inference"
    YES_NO = "yes_no"
    MULTIPLE_CHOICE = "multiple_choice"
    OUT_OF_SCOPE = "out_of_scope"


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """Words of a chunk that support an answer.

    Attributes:
        chunk_id: The chunk.
        document_id: Its document.
        start: Where the words begin in the chunk's text.
        end: Where they end there, exclusive.
        text: The words as they stand there.
    """

    chunk_id: str
    document_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentQuestion:
    """A question whose answer documents give, or that no document answers.

    Attributes:
        kind: What it asks of the system.
        text: As it is asked; a multiple-choice question holds its options.
        reference: The answer, as its chunk gives it; empty where no document answers.
        support: The sentences or rows that support it, one of each chunk needed; empty for one that is out of scope.
        topic_id: The topic it was requested for, or empty.
        options: Of a multiple-choice question, in the order shown.
        made_by: The rule ("table", "shared subject") or the prompt that made it.
        pattern: What questions made alike share: document, table, column, wording and fact; empty for a model's.
        near_chunk_id: For one out of scope, the chunk it was derived from; empty where it is far from all chunks.
    """

    kind: QuestionKind
    text: str
    reference: str
    support: tuple[Support, ...] = ()
    topic_id: str = ""
    options: tuple[str, ...] = ()
    made_by: str
    pattern: tuple[str, ...] = ()
    near_chunk_id: str = ""

    @property
    def id(self) -> str:
        """The same words, answer and support give the same id."""
        return "q_" + short_hash(
            {
                "kind": self.kind,
                "text": self.text,
                "reference": self.reference,
                "support": [(part.chunk_id, part.start, part.end) for part in self.support],
            }
        )

    @property
    def hops(self) -> int:
        """Chunks that an answer needs."""
        return len({part.chunk_id for part in self.support})

    @property
    def answerable(self) -> bool:
        """Whether a document gives the answer."""
        return self.kind is not QuestionKind.OUT_OF_SCOPE

    @property
    def home_chunk_id(self) -> str:
        """The chunk it counts for: the first that supports it, or the one it was derived from."""
        return self.support[0].chunk_id if self.support else self.near_chunk_id
