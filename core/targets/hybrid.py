"""Hybrid retrieval: word statistics and meaning, fused by rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.domain.sources.documents import Document
from core.targets.bm25 import Bm25Retriever
from core.targets.dense import DenseRetriever
from core.targets.protocol import Target, TargetRequest, TargetSpec
from core.targets.registry import register
from core.targets.searching.fusion import fuse
from core.targets.searching.passages import RetrievalTarget, Retriever

DEPTH = 100
"""How far down each ranking is read; a document that neither has by then is not retrieved."""


class HybridRetriever:
    """Fuses the rankings of several retrievers by reciprocal rank.

    Two retrievers that swap two documents give them equal scores, so ties are common; the first document in the order
    of the corpus wins them, as everywhere, and neither retriever is preferred.

    Args:
        documents: In the order that decides ties.
        retrievers: Over these documents.
    """

    def __init__(self, documents: Sequence[Document], retrievers: Sequence[Retriever]) -> None:
        self._places = {document.id: place for place, document in enumerate(documents)}
        self._documents = tuple(documents)
        self._retrievers = tuple(retrievers)
        self.words_to_encode = sum(retriever.words_to_encode for retriever in self._retrievers)

    def prepare(self, progress: Callable[[str, int, int], None], should_stop: Callable[[], bool]) -> bool:
        """Prepares each retriever in turn; False when it was asked to stop."""
        return all(retriever.prepare(progress, should_stop) for retriever in self._retrievers)

    def search(self, question: str, k: int) -> list[tuple[Document, float]]:
        """The k documents with the highest fused score, best first."""
        rankings = [retriever.search(question, max(k, DEPTH)) for retriever in self._retrievers]
        ranked = fuse([[self._places[document.id] for document, _ in ranking] for ranking in rankings])
        best = sorted(ranked, key=lambda item: (-item[1], item[0]))[:k]
        return [(self._documents[place], score) for place, score in best]


@register(
    TargetSpec(
        name="hybrid",
        title="Hybrid retrieval",
        question="How well does retrieval by words and meaning together work?",
        needs_corpus=True,
        default_k=3,
        needs_encoder=True,
    )
)
def open_hybrid(request: TargetRequest) -> Target:
    """BM25 and dense retrieval over a corpus, fused."""
    documents = request.corpus.documents
    retrievers = (Bm25Retriever(documents), DenseRetriever(documents, request.encoder, request.language))
    return RetrievalTarget("hybrid", HybridRetriever(documents, retrievers), request.k)
