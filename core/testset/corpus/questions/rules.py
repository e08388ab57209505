"""Questions from documents without a language model: each is made from facts that rules read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import DocumentQuestion, QuestionKind
from core.testset.corpus.asking.comparing import comparison, inference, trend
from core.testset.corpus.asking.index import FactIndex
from core.testset.corpus.asking.joining import multi_document
from core.testset.corpus.asking.lacking import out_of_scope
from core.testset.corpus.asking.singles import multiple_choice, simple, table, yes_no
from core.testset.corpus.reading.facts import Fact
from core.text.words import fold

Maker = Callable[[FactIndex, Sequence[Fact]], Iterator[DocumentQuestion]]
MAKERS: Mapping[QuestionKind, Maker] = {
    QuestionKind.SIMPLE: simple,
    QuestionKind.TABLE: table,
    QuestionKind.COMPARISON: comparison,
    QuestionKind.TREND: trend,
    QuestionKind.MULTI_DOCUMENT: multi_document,
    QuestionKind.INFERENCE: inference,
    QuestionKind.YES_NO: yes_no,
    QuestionKind.MULTIPLE_CHOICE: multiple_choice,
    QuestionKind.OUT_OF_SCOPE: out_of_scope,
}


class QuestionRules:
    """Makes candidate questions from chunks by rules.

    Candidates come in an order that depends on the seed and on what they say, never on the order of the chunks: every
    chunk gives its first before any gives its second.

    Args:
        chunks: Every chunk of the collection: a question must have one reading over all of them.
        titles: Titles of documents by id; a document's first heading replaces a missing title.
        seed: Of the order.
    """

    def __init__(self, chunks: Sequence[Chunk], titles: Mapping[str, str], *, seed: int = 0) -> None:
        self._index = FactIndex(chunks, titles, seed=seed)

    @property
    def facts(self) -> Mapping[str, tuple[Fact, ...]]:
        """The facts read in each chunk, by chunk id, without those in conflict."""
        return self._index.facts

    @property
    def conflicts(self) -> tuple[tuple[Fact, ...], ...]:
        """Facts that give one property of one subject different values; nothing is asked about them."""
        return self._index.conflicts

    def candidates(
        self, kind: QuestionKind, chunk_ids: Iterable[str], most: int | None = None
    ) -> Iterator[DocumentQuestion]:
        """Candidate questions of a kind that count for the given chunks; each wording once.

        Args:
            kind: What they ask of the system.
            chunk_ids: What they count for.
            most: Ignored: it bounds the passages that a model is asked about, and reading by rules costs nothing.

        Raises:
            KeyError: A chunk is not of this collection.
        """
        wordings: set[str] = set()
        if kind not in MAKERS:
            return
        for question in MAKERS[kind](self._index, self._index.spread(chunk_ids)):
            wording = fold(question.text)
            if wording not in wordings:
                wordings.add(wording)
                yield question
