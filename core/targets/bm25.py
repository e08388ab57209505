"""BM25 retrieval, the sensible baseline beside the keyword target.

Reference: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009; k1 = 1.5, b = 0.75, Lucene's inverse
document frequency, computed by bm25s.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.domain.sources.documents import Document
from core.targets.protocol import Target, TargetRequest, TargetSpec
from core.targets.registry import register
from core.targets.searching.passages import ReadyRetriever, RetrievalTarget
from core.text.words import STOP_WORDS, words


class Bm25Retriever(ReadyRetriever):
    """Ranks documents by BM25 over case-folded words of title and text, English function words left out.

    Documents without a word of the question are not retrieved; the first document in the order of the corpus wins ties.

    Args:
        documents: In the order that decides ties.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        import bm25s  # a quarter of a second that only this target should cost

        self._documents = tuple(documents)
        texts = [_terms(f"{document.title}\n{document.text}") for document in self._documents]
        self._known = frozenset(term for text in texts for term in text)
        self._index: bm25s.BM25 | None = None
        if self._known:
            self._index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
            self._index.index(texts, show_progress=False)

    def search(self, question: str, k: int) -> list[tuple[Document, float]]:
        """The k best documents with a score above 0, best first."""
        terms = list(dict.fromkeys(term for term in _terms(question) if term in self._known))
        if self._index is None or not terms:
            return []
        scores: npt.NDArray[np.float32] = self._index.get_scores(terms)
        best = np.argsort(-scores, kind="stable")[:k].tolist()
        return [(self._documents[place], float(scores[place])) for place in best if scores[place] > 0]


def _terms(text: str) -> list[str]:
    return [word for word in words(text) if word not in STOP_WORDS]


@register(
    TargetSpec(
        name="bm25",
        title="BM25 retrieval",
        question="How well does retrieval by word statistics work on these documents?",
        needs_corpus=True,
        default_k=3,
    )
)
def open_bm25(request: TargetRequest) -> Target:
    """The bm25 target over a corpus."""
    return RetrievalTarget("bm25", Bm25Retriever(request.corpus.documents), request.k)
