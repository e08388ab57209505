"""Retrieval over 10,000 documents beside a plain loop, and dense search beside sentence-transformers' own."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from bench.measure import Line, median_seconds
from core.domain.sources.documents import Corpus, Document
from core.targets import open_target
from core.targets.dense import DenseRetriever, passages_of
from core.targets.searching.fusion import fuse

DOCUMENTS, QUESTIONS = 10_000, 20
RETRIEVED, DIMENSION = 3, 384
TOKEN = re.compile(r"'s\b|’s\b|\w+|[^\w\s]")


def lines() -> Iterator[Line]:
    """Twenty questions to each built-in target, the search of dense retrieval, and fusion."""
    draw = random.Random(0)
    words = [f"word{number}" for number in range(3_000)]
    documents = tuple(
        Document(id=f"doc:{number}", title=f"Document {number}", text=" ".join(draw.choices(words, k=80)) + ".")
        for number in range(DOCUMENTS)
    )
    corpus = Corpus(documents=documents)
    questions = [" ".join(draw.choices(words, k=12)) for _ in range(QUESTIONS)]
    naive = median_seconds(lambda: [_naive(question, documents) for question in questions])
    for name in ("keyword", "bm25"):
        target = open_target(name, corpus)
        yield Line(
            what=f"{name}: answer {QUESTIONS} questions from {DOCUMENTS:,} documents",
            seconds=median_seconds(lambda target=target: [target.answer("", question) for question in questions]),
            against="count shared tokens anew for each question",
            other=naive,
        )
    yield _dense_search(documents, questions)
    yield _fusion(draw)


class _Drawn:
    """Vectors that cost nothing, so that only the search is timed: one drawn for each text."""

    name = "drawn"
    dimension = DIMENSION

    def __init__(self) -> None:
        self._known: dict[str, npt.NDArray[np.float32]] = {}
        self._draw = np.random.default_rng(0)

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        for text in texts:
            if text not in self._known:
                vector = self._draw.standard_normal(DIMENSION, dtype=np.float32)
                self._known[text] = vector / np.linalg.norm(vector)
        return np.stack([self._known[text] for text in texts])


def _dense_search(documents: tuple[Document, ...], questions: Sequence[str]) -> Line:
    """The same questions, one at a time as a target is asked, over the vectors of the same passages."""
    import torch
    from sentence_transformers.util import semantic_search

    encoder = _Drawn()
    retriever = DenseRetriever(documents, lambda: encoder)
    retriever.search(questions[0], RETRIEVED)  # passages are cut and encoded at the first search
    passages = encoder.encode([passage for document in documents for passage in passages_of(document)])
    corpus = torch.from_numpy(passages)

    def peer() -> None:
        for question in questions:
            semantic_search(torch.from_numpy(encoder.encode([question])), corpus, top_k=RETRIEVED)

    return Line(
        what=f"dense: search {QUESTIONS} questions in {len(passages):,} passages",
        seconds=median_seconds(lambda: [retriever.search(question, RETRIEVED) for question in questions]),
        against="semantic_search of sentence-transformers",
        other=median_seconds(peer),
    )


def _fusion(draw: random.Random) -> Line:
    """Two rankings of a hundred, the depth hybrid reads, fused a thousand times."""
    rankings = [draw.sample(range(DOCUMENTS), 100) for _ in range(2)]
    return Line(
        what="hybrid: fuse two rankings of 100 documents, 1,000 times",
        seconds=median_seconds(lambda: [fuse(rankings) for _ in range(1_000)]),
        against="limit: 1 ms for each",
        other=1.0,
    )


def _naive(question: str, documents: tuple[Document, ...]) -> str:
    question_tokens = set(TOKEN.findall(question))
    return max(documents, key=lambda document: len(question_tokens & set(TOKEN.findall(document.text)))).id
