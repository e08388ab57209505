"""The sentence around a place in an answer, and the telling words of a piece of text."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from core.judging.match.surroundings.language import SENTENCE_BORDER, WORD
from core.text.words import PADDING, STOP_WORDS, stem

LONGEST: Final = 2_400
"""Characters of a piece of text whose words are read."""


def sentence_around(text: str, start: int, end: int) -> str:
    """The sentence of a text in which a place stands.

    >>> sentence_around("it is open. the fee is 5. ask us.", 23, 24)
    ' the fee is 5'
    """
    begins = max((border.end() for border in SENTENCE_BORDER.finditer(text, 0, start)), default=0)
    ends = SENTENCE_BORDER.search(text, end)
    return text[begins : ends.start() if ends else len(text)]


@lru_cache(maxsize=4_096)
def telling_stems(text: str) -> frozenset[str]:
    """The word families of a match text without function words and padding.

    >>> sorted(telling_stems("the fee is paid in may"))
    ['fee', 'may', 'paid']
    """
    words = (word for word in WORD.findall(text[:LONGEST]) if word not in STOP_WORDS and word not in PADDING)
    return frozenset(stem(word) for word in words)
