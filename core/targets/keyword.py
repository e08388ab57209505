"""The paper's keyword retrieval, our deliberately vulnerable target.

Reference: GRAMMAR's recorded runs; see "The recorded keyword retrieval" in the documentation. Case, stop words and
punctuation count, and document length does not, so long questions drown in their own padding.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.domain.sources.documents import Document
from core.targets.protocol import Target, TargetRequest, TargetSpec
from core.targets.registry import register
from core.targets.searching.passages import ReadyRetriever, RetrievalTarget

TOKEN = re.compile(r"'s\b|’s\b|\w+|[^\w\s]")


def keyword_tokens(text: str) -> frozenset[str]:
    """The distinct tokens of a text, case-sensitive, punctuation included.

    >>> sorted(keyword_tokens("Turing's role, today"))
    ["'s", ',', 'Turing', 'role', 'today']
    """
    return frozenset(TOKEN.findall(text))


class KeywordRetriever(ReadyRetriever):
    """Ranks documents by the number of distinct tokens they share with the question.

    The first document in the order of the corpus wins ties. Like the reference it always returns k documents, even
    where nothing is shared. Titles are not searched, only texts.

    Args:
        documents: In the order that decides ties.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = tuple(documents)
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, document in enumerate(self._documents):
            for token in keyword_tokens(document.text):
                places[token].append(place)
        self._places: dict[str, npt.NDArray[np.int32]] = {
            token: np.asarray(indices, dtype=np.int32) for token, indices in places.items()
        }

    def search(self, question: str, k: int) -> list[tuple[Document, float]]:
        """The k documents that share most tokens with the question, best first."""
        shared = np.zeros(len(self._documents), dtype=np.int32)
        for token in keyword_tokens(question):
            if (places := self._places.get(token)) is not None:
                shared[places] += 1  # a token stands once in a document's set, so no place repeats
        best = [int(np.argmax(shared))] if k == 1 else np.argsort(-shared, kind="stable")[:k].tolist()
        return [(self._documents[place], float(shared[place])) for place in best]


@register(
    TargetSpec(
        name="keyword",
        title="Keyword retrieval",
        question="Where does a system fail that counts shared words and nothing else?",
        needs_corpus=True,
        default_k=1,
    )
)
def open_keyword(request: TargetRequest) -> Target:
    """The keyword target over a corpus."""
    return RetrievalTarget("keyword", KeywordRetriever(request.corpus.documents), request.k)
