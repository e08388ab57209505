"""Which passages a model is asked about for each kind of question, in which order, and how many at most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import QuestionKind
from core.testset.corpus.shared_names import SharedNames
from core.testset.topics.strata import in_drawing_order

PER_CHUNK = 2
"""Questions asked for of one chunk in one kind."""
JOINING = frozenset({QuestionKind.MULTI_HOP, QuestionKind.INFERENCE, QuestionKind.TREND, QuestionKind.MULTI_DOCUMENT})
"""Kinds asked of two passages that share a name; a multi-document question of two of different documents."""
TRIES, FEWEST = 3, 6
"""A model is asked about so many times the passages that a request needs if every question passes, and about so many
at least: questions still missing after that are reported with the reason, so that the cost is bounded."""


def first_passages(questions: int) -> int:
    """The passages that suffice where each gives its questions and all of them pass.

    >>> first_passages(5)
    3
    """
    return -(-questions // PER_CHUNK)


def most_passages(questions: int) -> int:
    """The most passages that a model is asked about for so many questions.

    >>> most_passages(1), most_passages(20)
    (6, 30)
    """
    return max(FEWEST, TRIES * first_passages(questions))


def most_answered(questions: int) -> int:
    """The most questions that a model answers, to check whether they can be answered, for so many requested.

    >>> most_answered(1), most_answered(20)
    (6, 60)
    """
    return max(FEWEST, TRIES * questions)


class Passages:
    """The passages of a collection as a model is asked about them.

    Args:
        chunks: Every chunk of the collection.
        seed: Of the order in which the chunks of a stratum are asked about.
    """

    def __init__(self, chunks: Sequence[Chunk], *, seed: int = 0) -> None:
        self._chunks = {chunk.id: chunk for chunk in chunks}
        self._seed = seed
        self._names = SharedNames(chunks)

    def about(self, chunk_id: str, kind: QuestionKind) -> tuple[Chunk, ...]:
        """The chunks of a question: the chunk alone, or with one that shares a name; none where none does."""
        home = self._chunks[chunk_id]
        if kind not in JOINING:
            return (home,)
        partners = self._names.partners(chunk_id)
        if kind is QuestionKind.MULTI_DOCUMENT:
            partners = tuple(other for other in partners if self._chunks[other].document_id != home.document_id)
        if not partners:
            return ()
        # In one order for both, so that a pair is asked about once, for whichever of the two it counts.
        first, second = sorted((chunk_id, partners[0]))
        return self._chunks[first], self._chunks[second]

    def in_turn(
        self, kind: QuestionKind, chunk_ids: Iterable[str], most: int | None = None
    ) -> Iterator[tuple[str, tuple[Chunk, ...]]]:
        """The chunks in drawing order with the chunks of their questions, until so many needed a call."""
        requests = 0
        for chunk_id in in_drawing_order(tuple(chunk_ids), seed=self._seed):
            passages = self.about(chunk_id, kind)
            if passages and most is not None and requests >= most:
                return
            requests += bool(passages)
            yield chunk_id, passages
