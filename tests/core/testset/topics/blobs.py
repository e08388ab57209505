"""Chunks of known topics: unit vectors around centres, texts of words that each topic has for itself."""

import numpy as np

from core.domain.sources.chunks import Chunk

WORDS = [
    "account deposit savings interest statement",
    "card limit contactless replacement lost",
    "mortgage loan repayment collateral borrower",
    "branch counter opening hours queue",
    "machine withdrawal cash receipt dispenser",
    "complaint ombudsman reply letter apology",
]


def blobs(n, topics=4, *, dimension=64, noise=0.05, seed=0):
    """Chunks, vectors (n, dimension) and the topic of each."""
    draw = np.random.default_rng(seed)
    centres = draw.normal(size=(topics, dimension))
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    labels = np.arange(n) % topics
    vectors = centres[labels] + draw.normal(scale=noise, size=(n, dimension))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    chunks = []
    for place, label in enumerate(labels):
        words = WORDS[label % len(WORDS)].split()
        text = " ".join(draw.choice(words, size=4, replace=False)) + f" number {place}"
        where = {"document_id": f"d{place // 3}", "position": place % 3, "section": (), "page": None}
        chunks.append(Chunk(id=f"c{place}", text=text, start=0, end=len(text), **where))
    return chunks, vectors.astype(np.float32), labels
