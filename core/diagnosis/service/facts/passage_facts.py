"""Facts of questions that were written from passages: the passages themselves are the evidence.

A question about documents carries the ids of the chunks that its answer was taken from. While the corpus has them, the
documents state the fact, whatever its words are ("is the price 187.50 euros?", where the passage says 448.00), and a
target had it before it where it retrieved them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.domain.results.responses import Context
from core.domain.sources.chunks import Chunk
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import TestCase
from core.text.pages import page_of
from core.text.words import fold, stems, words

HELD = 0.6
"""Share of a chunk's words that a passage of the same document must have to hold what the chunk says."""


class GroundedFacts:
    """The chunks that questions were written from."""

    def __init__(self) -> None:
        self._chunks: dict[str, Chunk] = {}

    def know(self, chunks: Iterable[Chunk]) -> None:
        """Takes chunks of the corpus."""
        self._chunks.update((chunk.id, chunk) for chunk in chunks)

    def finding(self, case: TestCase) -> FactFinding | None:
        """What the documents say of the fact of a question: what it was written from.

        Args:
            case: Any wording of the fact.

        Returns:
            None where the question was not written from passages, or the corpus has not all of them any more.
        """
        chunks = self._behind(case)
        if not chunks:
            return None
        return FactFinding(
            evidence=FactEvidence.PRESENT,
            document_id=chunks[0].document_id,
            passage=_closest(chunks[0], case),
            document_ids=tuple(dict.fromkeys(chunk.document_id for chunk in chunks)),
        )

    def in_context(self, case: TestCase, contexts: Sequence[Context]) -> bool | None:
        """Whether retrieved passages hold what a question was written from; None where a text of either is unknown."""
        texts = [(context.document_id, fold(context.text)) for context in contexts if context.text.strip()]
        behind = self._behind(case)
        return all(_is_held(chunk, texts) for chunk in behind) if texts and behind else None

    def _behind(self, case: TestCase) -> list[Chunk]:
        if case.sql or not case.gold_chunk_ids:
            return []
        known = [self._chunks[chunk_id] for chunk_id in case.gold_chunk_ids if chunk_id in self._chunks]
        return known if len(known) == len(case.gold_chunk_ids) else []


def _is_held(chunk: Chunk, texts: Iterable[tuple[str, str]]) -> bool:
    """Whether one passage, or those of the chunk's document together, have what it says."""
    wanted = fold(chunk.text)
    here = [text for document_id, text in texts if document_id == chunk.document_id]
    if any(wanted in text for _, text in texts):
        return True
    told = {word for text in here for word in words(text)}
    own = words(wanted)
    return bool(own) and sum(word in told for word in own) >= HELD * len(own)


def _closest(chunk: Chunk, case: TestCase) -> str:
    """The sentence of a chunk that has most of the question's words and of its answer's."""
    page = page_of(Document(id=chunk.document_id, title="", text=chunk.text))
    asked = stems(" ".join((case.question, *case.reference_answers)))
    best = max(page.pieces, key=lambda piece: len(piece.stems & asked), default=None)
    return chunk.text if best is None else best.passage.text
