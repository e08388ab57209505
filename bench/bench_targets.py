"""Retrieval over 10,000 documents beside a plain loop that tokenises and counts anew for each question."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from bench.measure import Line, median_seconds
from core.domain.documents import Corpus, Document
from core.targets import open_target

DOCUMENTS, QUESTIONS = 10_000, 20
TOKEN = re.compile(r"'s\b|’s\b|\w+|[^\w\s]")


def lines() -> Iterator[Line]:
    """Twenty questions to each built-in target."""
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


def _naive(question: str, documents: tuple[Document, ...]) -> str:
    wanted = set(TOKEN.findall(question))
    return max(documents, key=lambda document: len(wanted & set(TOKEN.findall(document.text)))).id
