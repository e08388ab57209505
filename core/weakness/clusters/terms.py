"""The words that distinguish failing questions from the others (c-TF-IDF, Grootendorst 2022)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.domain.sources.topics import Term
from core.testset.topics.terms import count_words, topic_terms
from core.weakness.table import Ints

MOST = 4_000
"""The largest number of questions of either side whose words are counted; of more, an even sample."""
KEPT = 6
OFTENER = 1.5
"""How much larger a word's share among the failing questions must be than among the others."""


def common_terms(questions: Sequence[str], failing: Ints, others: Ints) -> tuple[Term, ...]:
    """The words that some questions contain more often than others, the strongest first.

    For two classes, failing and other, the words are weighted by class-based TF-IDF; a word that at least two failing
    questions contain, and relatively more often than the others, is kept.

    Args:
        questions: Of all cases.
        failing: Positions of the questions that have something in common.
        others: Positions of those they are compared with.
    """
    places = np.concatenate([_even(failing), _even(others)])
    labels = np.concatenate([np.ones(_even(failing).size, np.int64), np.zeros(_even(others).size, np.int64)])
    if not failing.size:
        return ()
    words = count_words([questions[place] for place in places])
    present = words.counts > 0
    inside, outside = present[labels == 1], present[labels == 0]
    n_questions = np.asarray(inside.sum(axis=0)).ravel()
    share = n_questions / inside.shape[0]
    elsewhere = np.asarray(outside.sum(axis=0)).ravel() / max(outside.shape[0], 1)
    telling = (n_questions >= min(2, failing.size)) & (share > OFTENER * elsewhere)
    texts = set(words.names[telling].tolist())
    terms: list[Term] = []
    for term in topic_terms(words, labels).get(1, ()):
        # Two pairs that share a word add little to one.
        if term.text in texts and not any(
            set(term.text.split()) & set(term_before.text.split()) for term_before in terms
        ):
            terms.append(term)
    return tuple(terms[:KEPT])


def _even(places: Ints) -> Ints:
    return places[:: max(1, -(-places.size // MOST))]
