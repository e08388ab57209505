"""Questions that the rules make of a few passages, as text and reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import QuestionKind
from core.testset.corpus.asking.phrases import ask
from core.testset.corpus.questions.rules import QuestionRules
from core.testset.corpus.reading.facts import FactRule

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
    rules = QuestionRules(chunks, titles or {})
    questions = rules.candidates(kind, [one.id for one in chunks])
    return {question.text: question.reference for question in questions if 'under "' not in question.text}


def looked_up(*chunks: Chunk, titles: Mapping[str, str] | None = None) -> dict[str, str]:
    """The values of cells and fields by the questions for them in the words of their table, asked or not."""
    facts = QuestionRules(chunks, titles or {}).facts.values()
    return {ask(fact): fact.value for read in facts for fact in read if fact.rule is FactRule.LOOK_UP}


def of_text(
    kind: QuestionKind, text: str, title: str = "Price list", document: str = DOCUMENT, section: Sequence[str] = ()
) -> dict[str, str]:
    """The same of a document of one passage."""
    return asked(kind, chunk(text, document, section), titles={document: title})
