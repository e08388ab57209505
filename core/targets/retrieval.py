"""A built-in RAG system: a retriever that ranks documents and a reader that answers from them."""

from __future__ import annotations

import time
from typing import Protocol

from core.domain.documents import Document
from core.domain.responses import Context, Response
from core.targets.reader import read_answer


class Retriever(Protocol):
    """Ranks the documents of a corpus for a question."""

    def search(self, question: str, k: int) -> list[tuple[Document, float]]:
        """At most k documents with their scores, best first."""
        ...


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
        self._retriever = retriever

    def answer(self, case_id: str, question: str) -> Response:
        """Answers one question from the documents it retrieves; never fails."""
        started = time.perf_counter()
        found = self._retriever.search(question, self.k)
        reading = read_answer(question, [document for document, _ in found])
        return Response(
            case_id=case_id,
            answer=reading.text,
            contexts=tuple(Context(document_id=item.id, text=item.text, score=score) for item, score in found),
            abstained=reading.abstained,
            latency_s=time.perf_counter() - started,
        )
