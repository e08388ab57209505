"""Whether the passages say what a claim says, by the reader of claims that comes with Plumbline.

The reader is shown few sentences: those nearest to the claim in meaning and in words, in their order. It was taught on
such premises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.encoders.classifiers.claim_reader import LABELS, open_claim_reader
from core.metrics.comparison.entailment import probabilities
from core.metrics.comparison.lexical import answer_words, lookup_words
from core.metrics.comparison.support.claims import passages_of, share
from core.metrics.prepared import Doubles, Part, Prepared
from core.text.words import stem

ROOM: Final = 75
"""Tokens of the sentences that the reader is shown; one sentence may have more."""
WORDS: Final = 0.6
"""Weight of the share of the claim's words in a sentence, beside the cosine with it."""
LEAST: Final = 8
"""Tokens below which no further sentence is looked for."""
TRIED: Final = 12
"""Sentences that are looked at for room, the nearest first."""
SUPPORTS, CONTRADICTS = "entailment", "contradiction"
"""Two of the classes of the reader."""
LANGUAGES: Final = frozenset({"en"})
"""What the reader was taught in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadClaim:
    """What the reader says of a claim.

    Attributes:
        support: How probable it is that the passages support it, in [0, 1].
        contradicted: How probable it is that they contradict it, in [0, 1].
        nearest: The sentence of the passages that is nearest to it.
    """

    support: float
    contradicted: float
    nearest: int


def read_claims(prepared: Prepared, places: Sequence[int]) -> Mapping[int, ReadClaim]:
    """What the reader says of each claim; one that is a sentence of the passages word for word is supported unread.

    Args:
        prepared: The sample; answer and passages must be encoded, and the passages must have a sentence.
        places: Which sentences of the answer are the claims.

    Raises:
        InvalidInput: MiniLM is not installed.
    """
    claims = {place: prepared.sentences(Part.ANSWER)[place].text for place in places}
    sentences = [sentence.text for sentence in prepared.sentences(Part.CONTEXTS)]
    as_they_stand = {tuple(lookup_words(text)) for text in sentences}
    near = {place: _nearness(prepared, place) for place in places}
    own = [place for place in places if tuple(lookup_words(claims[place])) not in as_they_stand]
    chances: dict[int, tuple[float, float]] = {}
    if own:
        reader = open_claim_reader()
        pairs = [(premise_of(sentences, near[place], reader.tokens), claims[place]) for place in own]
        shown = probabilities(reader.logits(pairs))[:, [LABELS.index(label) for label in (SUPPORTS, CONTRADICTS)]]
        chances = {place: (row[0], row[1]) for place, row in zip(own, shown.tolist(), strict=True)}
    return {
        place: ReadClaim(support=support, contradicted=contradicted, nearest=int(near[place].round(9).argmax()))
        for place in places
        for support, contradicted in [chances.get(place, (1.0, 0.0))]
    }


def premise_of(sentences: Sequence[str], near: npt.ArrayLike, count: Callable[[str], int]) -> str:
    """The sentences that a claim is read beside: the nearest that have room, in their order.

    Args:
        sentences: Of the passages.
        near: How near each is to the claim, (len(sentences),).
        count: How many tokens a text has.

    >>> premise_of(["One.", "Two.", "Three."], [0.1, 0.9, 0.5], count=lambda text: 40)
    'Two.'
    >>> premise_of(["One.", "Two.", "Three."], [0.6, 0.2, 0.5], count=lambda text: 30)
    'One. Three.'
    """
    chosen: list[int] = []
    room = ROOM
    for sentence in np.argsort(-np.asarray(near).round(9), kind="stable")[:TRIED].tolist():
        tokens = count(sentences[sentence])
        if not chosen or tokens <= room:
            chosen.append(sentence)
            room -= tokens
        if room < LEAST:
            break
    return " ".join(sentences[sentence] for sentence in sorted(chosen))


def nearness(cosines: npt.ArrayLike, own: frozenset[str], stems: Sequence[frozenset[str]]) -> Doubles:
    """How near sentences are to a claim, (len(stems),): the cosine and `WORDS` times the share of the claim's words.

    Args:
        cosines: Of the claim with each sentence.
        own: Stems of the claim's content words.
        stems: Of each sentence's words.
    """
    return np.asarray(cosines) + WORDS * np.array([share(own, of_sentence) for of_sentence in stems])


def _nearness(prepared: Prepared, place: int) -> Doubles:
    own = frozenset(stem(word) for word in answer_words(prepared)[place].words)
    cosines = prepared.similarity(Part.ANSWER, Part.CONTEXTS)[place]
    return nearness(cosines, own, passages_of(prepared).stems)
