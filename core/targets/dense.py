"""Dense retrieval: documents by the meaning of their passages.

Reference: V. Karpukhin and others (2020), Dense passage retrieval; here with a general sentence encoder and exact
search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Lock

import numpy as np
import numpy.typing as npt

from core.domain.sources.documents import Document
from core.encoders.protocols import SentenceEncoder
from core.targets.protocol import Target, TargetRequest, TargetSpec
from core.targets.registry import register
from core.targets.searching.passages import RetrievalTarget
from core.text.sentences import split_sentences

STAGE = "Embedding documents"

AT_ONCE = 128
"""Passages encoded between two looks at whether to stop."""

PASSAGE_WORDS = 60
"""Words of a passage: a fact of one sentence drowns in the mean of a longer one."""

Floats = npt.NDArray[np.float32]
Index = tuple[SentenceEncoder, Floats, npt.NDArray[np.intp]]


class DenseRetriever:
    r"""Ranks documents by their best passage, :math:`\max_p \cos(q, p)`.

    A document is cut into passages of whole sentences, its title before each. They are encoded before the first search.
    Like the keyword target it always returns k documents; the first in the order of the corpus wins ties. What is
    retrieved is the whole document, as with the other targets, so no chunk is named: a passage's number would be known
    to nobody who writes gold chunks.

    Args:
        documents: In the order that decides ties.
        encoder: Opens the encoder.
        language: Whose rules cut the documents into sentences.
    """

    def __init__(
        self, documents: Sequence[Document], encoder: Callable[[], SentenceEncoder], language: str = "en"
    ) -> None:
        self._documents = tuple(documents)
        self._open = encoder
        self._language = language
        self._opening = Lock()
        self._opened: Index | None = None
        self.words_to_encode = sum(len(document.text.split()) for document in self._documents)

    def search(self, question: str, k: int) -> list[tuple[Document, float]]:
        """The k documents with the nearest passage, best first, with its cosine similarity."""
        encoder, passages, starts = self._index(lambda stage, done, total: None, lambda: False)
        near = passages @ encoder.encode([question])[0]
        best_of = np.maximum.reduceat(near, starts)
        best = np.argsort(-best_of, kind="stable")[:k].tolist()
        return [(self._documents[place], float(np.clip(best_of[place], -1.0, 1.0))) for place in best]

    def prepare(self, progress: Callable[[str, int, int], None], should_stop: Callable[[], bool]) -> bool:
        """Encodes the passages; False when it was asked to stop, which keeps what a cache was given."""
        try:
            self._index(progress, should_stop)
        except _Stopped:
            return False
        return True

    def _index(self, progress: Callable[[str, int, int], None], should_stop: Callable[[], bool]) -> Index:
        """The encoder, the vectors of all passages, and where each document's begin; made once, by one thread."""
        with self._opening:
            if self._opened is None:
                cut = [list(passages_of(document, self._language)) for document in self._documents]
                starts = np.cumsum([0, *(len(passages) for passages in cut[:-1])])
                encoder = self._open()
                passages = [passage for parts in cut for passage in parts]
                vectors = []
                for start in range(0, len(passages), AT_ONCE):
                    if should_stop():
                        raise _Stopped
                    progress(STAGE, start, len(passages))
                    vectors.append(encoder.encode(passages[start : start + AT_ONCE]))
                progress(STAGE, len(passages), len(passages))
                self._opened = encoder, np.concatenate(vectors), starts.astype(np.intp)
            return self._opened


class _Stopped(Exception):
    """Encoding was asked to stop."""


def passages_of(document: Document, language: str = "en") -> Iterator[str]:
    """The passages of a document, at least one: whole sentences of about 60 words in all, the title before each."""
    title = " ".join(document.title.split())
    sentences: list[str] = []
    words = 0
    complete = False
    for sentence in split_sentences(document.text, language):
        size = len(sentence.text.split())
        if sentences and words + size > PASSAGE_WORDS:
            yield "\n".join([title, " ".join(sentences)] if title else sentences)
            sentences, words, complete = [], 0, True
        sentences.append(sentence.text)
        words += size
    if sentences or not complete:
        yield "\n".join(part for part in (title, " ".join(sentences)) if part)


@register(
    TargetSpec(
        name="dense",
        title="Dense retrieval",
        question="How well does retrieval by meaning work on these documents?",
        needs_corpus=True,
        default_k=3,
        needs_encoder=True,
    )
)
def open_dense(request: TargetRequest) -> Target:
    """The dense target over a corpus."""
    return RetrievalTarget(
        "dense", DenseRetriever(request.corpus.documents, request.encoder, request.language), request.k
    )
