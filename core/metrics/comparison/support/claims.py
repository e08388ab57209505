"""What supports each claim of an answer: the best sentence or pair of sentences, and what contradicts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from core.metrics.comparison.lexical import answer_words, stems_of
from core.metrics.comparison.support.contradictions import Contradiction, Departure, out_of_order, read_beside
from core.metrics.comparison.support.words import clauses, names_in, statement
from core.metrics.prepared import Doubles, Part, Prepared
from core.text.words import stem

NEAREST = 5
"""Sentences that are looked at because they are near in meaning."""
MOST_WORDS = 3
"""Sentences that are looked at because they have most words of the claim."""
SEVERAL = 0.99
"""Of equal evidence, that of one clause counts before that of several."""
FOLLOWED = 0.6
"""The least share of a clause's words that a sentence must have to be what the clause follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradicted:
    """A claim that says something else than the sentence it follows.

    Attributes:
        by: Which sentence of the passages.
        contradiction: What is said differently.
    """

    by: int
    contradiction: Contradiction


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """What the passages hold of one claim.

    Attributes:
        similarity: Cosine with the nearest sentence or with the sum of the nearest two, at least 0.
        together: Share of the words that the best sentence or pair has.
        anywhere: Share of the words that any passage has.
        best: The sentence or the two sentences that have them, the better one first.
        contradicted: What is said differently, None where nothing was found.
    """

    similarity: float
    together: float
    anywhere: float
    best: tuple[int, ...]
    contradicted: Contradicted | None


class Passages:
    """The sentences of the passages.

    Args:
        prepared: The sample; there must be a sentence in its passages.
    """

    def __init__(self, prepared: Prepared) -> None:
        self.sentences = [sentence.text for sentence in prepared.sentences(Part.CONTEXTS)]
        self.stems = [stems_of(text) for text in self.sentences]
        self.every = frozenset(word for stems in self.stems for word in stems)
        self.names = names_in([sentence.text for sentence in prepared.sentences(Part.ANSWER)], self.sentences)


def share(words: frozenset[str], there: frozenset[str]) -> float:
    """The share of words that are there; 1 for no words."""
    return len(words & there) / len(words) if words else 1.0


def passages_of(prepared: Prepared) -> Passages:
    """The passages of a sample, read once."""
    return cast(Passages, prepared.keep("passages", lambda: Passages(prepared)))


def support_of(prepared: Prepared, place: int) -> Support:
    """What the passages hold of a sentence of the answer; made once a sentence.

    Args:
        prepared: The sample; answer and passages must be encoded, and the passages must have a sentence.
        place: Which sentence of the answer.
    """
    return cast(Support, prepared.keep(f"support {place}", lambda: _support(prepared, place)))


def _support(prepared: Prepared, place: int) -> Support:
    passages, looked_up = passages_of(prepared), answer_words(prepared)[place]
    similarities = prepared.similarity(Part.ANSWER, Part.CONTEXTS)[place]
    words = frozenset(stem(word) for word in looked_up.words)
    anywhere = share(words, words - {stem(word) for word in looked_up.unfound})
    shares = [share(words, stems) for stems in passages.stems]
    near = np.argsort(-similarities.round(9), kind="stable")[:NEAREST].tolist()
    worded = sorted(range(len(shares)), key=lambda sentence: (-shares[sentence], sentence))[:MOST_WORDS]
    candidates = list(dict.fromkeys([*near, *worded]))
    together, best = _best_pair(passages, words, candidates, shares)
    return Support(
        similarity=_similarity(prepared, candidates, similarities),
        # symbols are looked up in whole passages only
        together=together if words & passages.every else anywhere,
        anywhere=anywhere,
        best=best,
        contradicted=_contradicted(prepared, place, candidates),
    )


def _best_pair(
    passages: Passages, words: frozenset[str], candidates: Sequence[int], shares: Sequence[float]
) -> tuple[float, tuple[int, ...]]:
    """The sentence or the two sentences with most words; two only where the second adds some."""
    first = max(candidates, key=lambda sentence: round(shares[sentence], 9))
    best: tuple[float, tuple[int, ...]] = (shares[first], (first,))
    for position, one in enumerate(candidates):
        for other in candidates[position + 1 :]:
            both = share(words, passages.stems[one] | passages.stems[other])
            if both > best[0] + 1e-9:
                pair = (one, other) if shares[one] >= shares[other] else (other, one)
                best = both, pair
    return best


def _similarity(prepared: Prepared, candidates: Sequence[int], similarities: Doubles) -> float:
    """Max over sentences and pairs of cos(a, c_i + c_j), from the cosines alone."""
    units = prepared.unit(Part.CONTEXTS)[list(candidates)]
    between = units @ units.T
    alone = similarities[list(candidates)]
    pairs = (alone[:, None] + alone[None, :]) / np.sqrt(np.maximum(2.0 + 2.0 * between, 1e-12))
    return float(np.clip(max(float(similarities.max()), float(pairs.max())), 0.0, 1.0))


def _contradicted(prepared: Prepared, place: int, candidates: Sequence[int]) -> Contradicted | None:
    """The sentence that a clause follows but for one thing, where no other sentence has as many of its words."""
    passages = passages_of(prepared)
    sentence = prepared.sentences(Part.ANSWER)[place].text
    for clause in clauses(sentence):
        claim = statement(clause)
        agreed, against, found = 0.0, 0.0, None
        for candidate in candidates:
            text = passages.sentences[candidate]
            parts = clauses(text)
            for part in parts if len(parts) == 1 else (text, *parts):
                stated = statement(part)
                followed = share(claim.keys, stated.keys)
                if followed < FOLLOWED or followed <= agreed:
                    continue
                reading = read_beside(claim, stated, passages.names)
                if reading.contradiction is None:
                    # words of several clauses together may say anything: what tells is their order
                    alone = part is not text or len(parts) == 1
                    agreed = max(agreed, followed if alone else SEVERAL * reading.in_order)
                elif followed > against and not _of_a_condition(reading.contradiction, sentence, text):
                    against, found = followed, Contradicted(by=candidate, contradiction=reading.contradiction)
        if found is not None and against > agreed:
            return found
    stated_there = [statement(passages.sentences[candidate]) for candidate in candidates]
    if (place_of := out_of_order(statement(sentence), stated_there)) is not None:
        words = Contradiction(kind=Departure.ORDER, claimed="its words", stated="the same words")
        return Contradicted(by=candidates[place_of], contradiction=words)
    return None


def _of_a_condition(contradiction: Contradiction, claim: str, sentence: str) -> bool:
    """Whether one denies what the other says of a case ("as long as it hasn't come", "if it has come, you may not")."""
    conditional = statement(claim).conditional or statement(sentence).conditional
    return contradiction.kind is Departure.NEGATION and conditional
