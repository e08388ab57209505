"""A built-in RAG system: a retriever that ranks documents and a reader that answers from them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from core.domain.results.responses import Context, Response
from core.domain.sources.documents import Document
from core.targets.searching.reader import read_answer


class Retriever(Protocol):
    """Ranks the documents of a corpus for a question.

    Attributes:
        words_to_encode: Words that are encoded before the first search.
    """

    words_to_encode: int

    def prepare(self, progress: Callable[[str, int, int], None], should_stop: Callable[[], bool]) -> bool:
        """Does what comes before the first search; False when it was asked to stop. See `Target.prepare`."""
        ...

    def search(self, question: str, k: int) -> list[tuple[Document, float]]:
        """At most k documents with their scores, best first."""
        ...


class ReadyRetriever:
    """A retriever that has nothing to encode."""

    words_to_encode = 0

    def prepare(self, progress: Callable[[str, int, int], None], should_stop: Callable[[], bool]) -> bool:
        """Nothing to do."""
        return True


class RetrievalTarget:
    """Retrieves k documents and lets the extractive reader answer from them.

    Args:
        name: The spec it was opened with.
        retriever: Ranks the documents.
        k: How many documents are retrieved.
    """

    concurrency = 1  # all the work is on the processor and takes about a millisecond

    def __init__(self, name: str, retriever: Retriever, k: int) -> None:
        self.name = name
        self.k = k
        self.words_to_encode = retriever.words_to_encode
        self._retriever = retriever

    def prepare(self, progress: Callable[[str, int, int], None], should_stop: Callable[[], bool]) -> bool:
        """Encodes the documents, where the retriever compares meanings; False when it was asked to stop."""
        return self._retriever.prepare(progress, should_stop)

    def answer(self, case_id: str, question: str) -> Response:
        """Answers one question from the documents it retrieves; never fails."""
        started = time.perf_counter()
        ranking = self._retriever.search(question, self.k)
        reading = read_answer(question, [document for document, _ in ranking])
        return Response(
            case_id=case_id,
            answer=reading.text,
            contexts=tuple(Context(document_id=item.id, text=item.text, score=score) for item, score in ranking),
            abstained=reading.abstained,
            latency_s=time.perf_counter() - started,
        )
