"""The words of topics: class-based TF-IDF (Grootendorst, 2022, equation 2), and their coherence (NPMI)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.domain.sources.topics import OUTLIER, Term

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Labels = npt.NDArray[np.int64]

WORD = r"(?u)[^\W\d_](?:[^\W\d_]|['’-](?=[^\W\d_]))+"
"""Letters, with apostrophes and hyphens inside; figures name no topic."""
PAIRS_UP_TO = 20_000
"""Chunks up to which two words in a row count too; with more, single words tell topics apart well enough."""
KEPT = 10
EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Words:
    """How often each chunk has each word or pair of words.

    Attributes:
        counts: (chunks, words).
        names: The words, in alphabetical order.
    """

    counts: csr_matrix
    names: npt.NDArray[np.str_]


def count_words(texts: Sequence[str]) -> Words:
    """Words of texts, in lower case and without English stop words; rare ones are left out of large corpora."""
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import CountVectorizer

    counter = CountVectorizer(
        token_pattern=WORD,
        stop_words="english",
        ngram_range=(1, 2 if len(texts) <= PAIRS_UP_TO else 1),
        min_df=1 if len(texts) < 500 else 2,
        dtype=np.int32,
    )
    try:
        counts = counter.fit_transform(texts)
    except ValueError:  # scikit-learn's word for texts that hold no word
        return Words(csr_matrix((len(texts), 0), dtype=np.int32), np.array([], dtype=str))
    return Words(csr_matrix(counts), counter.get_feature_names_out().astype(str))


def topic_terms(words: Words, labels: Labels) -> dict[int, tuple[Term, ...]]:
    """The most distinctive words of each topic, the strongest first.

    The weight of word t in topic c is ``tf(t, c) * log(1 + A / f(t))``: tf the share of t among the words of c, A the
    mean number of words of a topic, f(t) how often t occurs in all topics. The outliers are one topic here.

    Args:
        words: Of the chunks.
        labels: Topic of each chunk, (n,).
    """
    numbers, weights = _weights(words, labels)
    return {int(number): _strongest(weights[row], words.names) for row, number in enumerate(numbers)}


def examples(words: Words, labels: Labels, ids: Sequence[str], most: int = EXAMPLES) -> dict[int, tuple[str, ...]]:
    """The chunks of each topic whose words are nearest to the topic's, by cosine of their c-TF-IDF."""
    numbers, weights = _weights(words, labels)
    lengths = np.sqrt(np.asarray(words.counts.multiply(words.counts).sum(axis=1), dtype=np.float64)).ravel()
    examples_by_topic = {}
    for row, number in enumerate(numbers):
        places = np.flatnonzero(labels == number)
        near = words.counts[places] @ weights[row] / np.maximum(lengths[places], 1.0)
        best = np.argsort(-near, kind="stable")[:most]
        examples_by_topic[int(number)] = tuple(ids[place] for place in places[best])
    return examples_by_topic


def coherence(words: Words, labels: Labels, terms: dict[int, tuple[Term, ...]]) -> dict[int, float]:
    """Mean normalised pointwise mutual information (NPMI) of pairs of each topic's words, in [-1, 1].

    Two words cohere when the same chunk has both. -1: never in one chunk; 0: as by chance; 1: only ever together. A
    pair that is in every chunk has no NPMI and counts as 1. Topics with fewer than two words have none.
    Reference: Bouma (2009); Lau, Newman & Baldwin (2014).
    """
    places = {name: place for place, name in enumerate(words.names)}
    term_places = sorted({places[term.text] for terms_of_topic in terms.values() for term in terms_of_topic})
    occurs = (words.counts[:, term_places] > 0).astype(np.float64)
    together = (occurs.T @ occurs).toarray() / max(len(labels), 1)
    column = {place: number for number, place in enumerate(term_places)}
    by_topic = {}
    for number, terms_of_topic in terms.items():
        pairs = combinations([column[places[term.text]] for term in terms_of_topic], 2)
        values = [_npmi(together[a, a], together[b, b], together[a, b]) for a, b in pairs]
        if number != OUTLIER and values:
            by_topic[number] = float(np.mean(values))
    return by_topic


def _npmi(a: float, b: float, both: float) -> float:
    if both <= 0:
        return -1.0
    if both >= 1:
        return 1.0
    return float(np.log(both / (a * b)) / -np.log(both))


def _weights(words: Words, labels: Labels) -> tuple[Labels, npt.NDArray[np.float64]]:
    """c-TF-IDF, (topics, words), and the topics of its rows in rising order."""
    from scipy.sparse import csr_matrix

    numbers, row = np.unique(labels, return_inverse=True)
    member = csr_matrix((np.ones(len(labels)), (row, np.arange(len(labels)))), shape=(len(numbers), len(labels)))
    counts = (member @ words.counts).toarray().astype(np.float64)
    sums = counts.sum(axis=1)
    everywhere = np.log1p(sums.mean() / np.maximum(counts.sum(axis=0), 1.0)) if counts.size else np.zeros(0)
    return numbers, counts / np.maximum(sums, 1.0)[:, None] * everywhere


def _strongest(weights: npt.NDArray[np.float64], names: npt.NDArray[np.str_]) -> tuple[Term, ...]:
    """The strongest words; of a pair and its parts only the one that is stronger."""
    most = min(4 * KEPT, len(weights))
    terms: list[Term] = []
    stems_used: list[set[str]] = []
    pairs = np.char.count(names, " ")  # of equal weight a pair says more than its parts
    for place in np.lexsort((np.arange(len(weights)), -pairs, -weights))[:most]:
        parts = set(str(names[place]).split())
        if weights[place] <= 0 or len(terms) == KEPT:
            break
        if not any(parts <= other or other <= parts for other in stems_used):
            terms.append(Term(text=str(names[place]), weight=round(float(weights[place]), 9)))
            stems_used.append(parts)
    return tuple(terms)
