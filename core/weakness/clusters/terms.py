"""What failing questions have in common: the words that tell them from the others (c-TF-IDF, Grootendorst 2022)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.domain.topics import Term
from core.testset.corpus.topics.terms import count_words, topic_terms
from core.weakness.table import Ints

MOST = 4_000
"""Questions of either side whose words are counted; of more, an even share."""
KEPT = 6
OFTENER = 1.5
"""How much larger a word's share among the failing questions must be than among the others."""


def common_terms(questions: Sequence[str], failing: Ints, others: Ints) -> tuple[Term, ...]:
    """The words of some questions that others do not say as much, the strongest first.

    Of two classes, failing and other, the words are weighted by class-based TF-IDF; a word that at least two failing
    questions say, and relatively more often than the others, is kept.

    Args:
        questions: Of all cases.
        failing: Positions of the questions that have something in common.
        others: Positions of those they are compared with.
    """
    chosen = np.concatenate([_even(failing), _even(others)])
    labels = np.concatenate([np.ones(_even(failing).size, np.int64), np.zeros(_even(others).size, np.int64)])
    if not failing.size:
        return ()
    words = count_words([questions[place] for place in chosen])
    said = words.counts > 0
    inside, outside = said[labels == 1], said[labels == 0]
    many = np.asarray(inside.sum(axis=0)).ravel()
    share = many / inside.shape[0]
    elsewhere = np.asarray(outside.sum(axis=0)).ravel() / max(outside.shape[0], 1)
    telling = (many >= min(2, failing.size)) & (share > OFTENER * elsewhere)
    kept = set(words.names[telling].tolist())
    found: list[Term] = []
    for term in topic_terms(words, labels).get(1, ()):
        # Two pairs that share a word say little more than one.
        if term.text in kept and not any(set(term.text.split()) & set(other.text.split()) for other in found):
            found.append(term)
    return tuple(found[:KEPT])


def _even(places: Ints) -> Ints:
    return places[:: max(1, -(-places.size // MOST))]
