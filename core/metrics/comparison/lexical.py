"""Which words of an answer occur in the retrieved passages, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from core.metrics.comparison.overlap import symbols
from core.metrics.comparison.weights import UNSPACED
from core.metrics.prepared import Part, Place, Prepared
from core.text.words import STOP_WORDS, stem, words

_STRETCH = re.compile(rf"(?:{UNSPACED.pattern})+|(?:(?!{UNSPACED.pattern}).)+", re.DOTALL)


_CONTRACTED = re.compile(r"\b(?:ca|wo|sha)n['’]t\b|(?<=\w)(?:n['’]t|['’](?:ll|ve|re|d|m))\b", re.IGNORECASE)
"""Verbs and denials in short: parts of them ("ll", "don") are no words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceWords:
    """The content words of one answer sentence.

    Attributes:
        at: Where the sentence stands.
        words: As written (lower case), in order, each as often as it stands there.
        unfound: Those of them that occur in no passage.
    """

    at: Place
    words: tuple[str, ...]
    unfound: tuple[str, ...]

    @property
    def share(self) -> float | None:
        """Share of the words that occur in a passage; None without a word."""
        return 1.0 - len(self.unfound) / len(self.words) if self.words else None


def answer_words(prepared: Prepared) -> tuple[SentenceWords, ...]:
    """The content words of each answer sentence, looked up in all retrieved passages; made once for a sample.

    A word occurs where a passage has a word of the same stem. An answer of function words only ("No.") is taken by all
    its words, one without letters and digits by its characters.
    """
    return cast(tuple[SentenceWords, ...], prepared.keep("answer words", lambda: tuple(_look_up(prepared))))


def lookup_words(text: str) -> list[str]:
    """The words of a text as they are looked up: numbers whole, scripts without blanks as pairs of neighbours.

    >>> lookup_words("The fee is 4.50 EUR"), lookup_words("東京支店")
    (['the', 'fee', 'is', '4.50', 'eur'], ['東京', '京支', '支店'])
    >>> lookup_words("You don't pay, we'll refund it.")
    ['you', 'do', 'pay', 'we', 'refund', 'it']
    """
    return [part for word in words(_CONTRACTED.sub(" ", text)) for part in _parts(word)]


def _look_up(prepared: Prepared) -> Iterator[SentenceWords]:
    sentences = prepared.sentences(Part.ANSWER)
    every = [lookup_words(sentence.text) for sentence in sentences]
    content = [[word for word in sentence_words if word not in STOP_WORDS] for sentence_words in every]
    texts = prepared.sample.texts
    if not any(content):
        content = every
    if any(content):
        vocabulary = {word_stem for text in texts for word_stem in stems_of(text)}
    else:
        content = [symbols(sentence.text) for sentence in sentences]
        vocabulary = {symbol for text in texts for symbol in symbols(text)}
    for sentence, sentence_words in zip(sentences, content, strict=True):
        yield SentenceWords(
            at=sentence.at,
            words=tuple(sentence_words),
            unfound=tuple(word for word in sentence_words if stem(word) not in vocabulary),
        )


@lru_cache(maxsize=512)
def stems_of(text: str) -> frozenset[str]:
    """The stems of all words of a passage, kept since many answers share it."""
    return frozenset(stem(word) for word in lookup_words(text))


def _parts(word: str) -> Iterator[str]:
    if word.isascii() or not UNSPACED.search(word):
        yield word
        return
    for stretch in _STRETCH.findall(word):
        if UNSPACED.match(stretch):
            yield from (stretch[place : place + 2] for place in range(max(1, len(stretch) - 1)))
        else:
            yield stretch
