"""How far the passages support a claim, by the reader of claims that comes with Plumbline.

The reader is shown few sentences: those nearest to the claim in meaning and in words, in their order. It was taught on
such premises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from core.encoders.classifiers.claim_reader import open_claim_reader
from core.metrics.comparison.entailment import probabilities
from core.metrics.comparison.lexical import answer_words
from core.metrics.comparison.support.claims import passages_of, share
from core.metrics.prepared import Doubles, Part, Prepared
from core.text.words import stem

PREMISE_TOKENS: Final = 75
"""Tokens of the sentences that the reader is shown; a single one may have more."""
LEAST_ROOM: Final = 8
"""Tokens below which no further sentence is looked for."""
MOST_TRIED: Final = 12
"""Sentences that are looked at for room, the nearest first."""
WORD_WEIGHT: Final = 0.6
"""Of the share of the claim's words in a sentence, beside the cosine with it."""
SOFTENED: Final = 1.5
"""What the reader's logits are divided by: it is too sure of copies with a small change, which it often misreads."""
LANGUAGE: Final = "en"
"""What the reader was taught in."""


def read_claims(prepared: Prepared, places: Sequence[int]) -> Mapping[int, float]:
    """How probable it is that the passages support each claim, in [0, 1]; 1 for one of their sentences word for word.

    Args:
        prepared: The sample; answer and passages must be encoded, and the passages must have a sentence.
        places: Which sentences of the answer are the claims.

    Raises:
        InvalidInput: MiniLM is not installed, or its weights are not the official ones.
    """
    reader = open_claim_reader()
    sentences = [sentence.text for sentence in prepared.sentences(Part.CONTEXTS)]
    copies = {as_it_stands(text) for text in sentences}
    claims = {place: prepared.sentences(Part.ANSWER)[place].text for place in places}
    pairs = {
        place: (premise_of(sentences, _nearness(prepared, place), reader.tokens), text)
        for place, text in claims.items()
        if as_it_stands(text) not in copies
    }
    supported = probabilities(reader.logits(list(pairs.values())) / SOFTENED)[:, reader.head.entailment]
    return dict.fromkeys(places, 1.0) | dict(zip(pairs, supported.tolist(), strict=True))


def as_it_stands(text: str) -> str:
    """A sentence without regard to letter case, blanks and the full stop.

    >>> as_it_stands("The fee  is 5%."), as_it_stands("Is it?")
    ('the fee is 5%', 'is it?')
    """
    return " ".join(text.casefold().split()).rstrip(".!")


def premise_of(sentences: Sequence[str], near: npt.ArrayLike, count: Callable[[str], int]) -> str:
    """The sentences that a claim is read beside: the nearest that have room, each once, in their order.

    Args:
        sentences: Of the passages.
        near: How near each is to the claim, (len(sentences),).
        count: How many tokens a text has.

    >>> premise_of(["One.", "Two.", "Three."], [0.1, 0.9, 0.5], count=lambda text: 40)
    'Two.'
    >>> premise_of(["One.", "Two.", "One.", "Three."], [0.6, 0.2, 0.6, 0.5], count=lambda text: 30)
    'One. Three.'
    """
    chosen: dict[str, int] = {}
    room = PREMISE_TOKENS
    distinct = dict.fromkeys(sentences[place] for place in np.argsort(-np.asarray(near).round(9), kind="stable"))
    for text in list(distinct)[:MOST_TRIED]:
        tokens = count(text)
        if not chosen or tokens <= room:
            chosen[text] = sentences.index(text)
            room -= tokens
        if room < LEAST_ROOM:
            break
    return " ".join(sorted(chosen, key=chosen.__getitem__))


def nearness(cosines: npt.ArrayLike, claim_stems: frozenset[str], stems: Sequence[frozenset[str]]) -> Doubles:
    """How near sentences are to a claim, (len(stems),): the cosine and `WORD_WEIGHT` times the share of its words.

    Args:
        cosines: Of the claim with each sentence.
        claim_stems: Stems of the claim's content words.
        stems: Of each sentence's words.
    """
    return np.asarray(cosines) + WORD_WEIGHT * np.array([share(claim_stems, of_sentence) for of_sentence in stems])


def _nearness(prepared: Prepared, place: int) -> Doubles:
    claim_stems = frozenset(stem(word) for word in answer_words(prepared)[place].words)
    cosines = prepared.similarity(Part.ANSWER, Part.CONTEXTS)[place]
    return nearness(cosines, claim_stems, passages_of(prepared).stems)
