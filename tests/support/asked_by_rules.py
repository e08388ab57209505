"""Questions that the rules make of a few passages, as text and reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import QuestionKind
from core.testset.corpus.questions.rules import QuestionRules

DOCUMENT = "doc-1.md"


def chunk(text: str, document: str = DOCUMENT, section: Sequence[str] = (), position: int = 0) -> Chunk:
    """A passage of a document, its `position`-th, below the headings `section`."""
    start = 1_000 * position
    return Chunk(
        id=f"{document}-{position}",
        document_id=document,
        position=position,
        text=text,
        section=tuple(section),
        page=None,
        start=start,
        end=start + len(text),
    )


def asked(kind: QuestionKind, *chunks: Chunk, titles: Mapping[str, str] | None = None) -> dict[str, str]:
    """The reference of each question of `kind` that is a sentence of its own; `titles` by the documents' names."""
    return {text: answer for text, answer in all_asked(kind, *chunks, titles=titles).items() if 'under "' not in text}


def looked_up(kind: QuestionKind, *chunks: Chunk, titles: Mapping[str, str] | None = None) -> dict[str, str]:
    """The same of those that ask for a cell or a field in the words of its table."""
    return {text: answer for text, answer in all_asked(kind, *chunks, titles=titles).items() if 'under "' in text}


def all_asked(kind: QuestionKind, *chunks: Chunk, titles: Mapping[str, str] | None = None) -> dict[str, str]:
    """The same of both."""
    rules = QuestionRules(chunks, titles or {})
    return {question.text: question.reference for question in rules.candidates(kind, [one.id for one in chunks])}


def of_text(
    kind: QuestionKind, text: str, title: str = "Price list", document: str = DOCUMENT, section: Sequence[str] = ()
) -> dict[str, str]:
    """The same of a document of one passage."""
    return asked(kind, chunk(text, document, section), titles={document: title})
