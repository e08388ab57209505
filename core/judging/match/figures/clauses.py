"""The clauses of an answer, and the words of each: those of the question, and those that name something else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.judging.match.figures.direction import direction_words
from core.judging.match.readers.figures.number_words import SMALL
from core.judging.match.readers.figures.units import CURRENCIES, MAGNITUDES, UNITS
from core.judging.match.readers.times.dates import MONTHS, WEEKDAY
from core.judging.match.surroundings.language import SENTENCE_BORDER
from core.text.words import PADDING, STOP_WORDS, stem

BORDER = re.compile(
    rf"{SENTENCE_BORDER.pattern}|,(?!\d)|\s(?:and|but|while|whereas|though|although|plus|versus|vs)(?=\s)|\s-\s|[()|]"
)
REACH = 400
"""Characters on each side of a value in which other clauses are read."""
WORD = re.compile(r"(?=[^\W_]*[^\W\d_])(?!\d+(?:st|nd|rd|th|x|k|m|bn?|s|h)\b)[^\W_]{2,}")
_TELLS_NOTHING = """
amount amounts answer answers approximately based between come comes equal equals exact exactly figure figures
following hence item items namely nearly new number numbers only overall part period result results roughly said stands
stood thus therefore value values whole current currently present today date dates day days month months
year years quarter quarters fiscal week weeks hour hours minute minutes time times unit units piece pieces people
persons about apiece each every main also further additional per later earlier before after ago
"""


@lru_cache(maxsize=1)
def generic_words() -> frozenset[str]:
    """Word families that name no property and no thing of their own."""
    words = [*_TELLS_NOTHING.split(), *PADDING, *SMALL, *MONTHS]
    words += [name for table in (UNITS, CURRENCIES, MAGNITUDES) for name in table if name.isalpha()]
    return frozenset(stem(word) for word in words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A piece of an answer between two borders.

    Attributes:
        start: Offset in the text.
        end: Offset behind it.
        asked: Word families of the question in it.
        foreign: Its other word families that name something.
    """

    start: int
    end: int
    asked: frozenset[str]
    foreign: frozenset[str]


@lru_cache(maxsize=4_096)
def asked_words(question: str) -> frozenset[str]:
    """Word families that a question is about.

    >>> sorted(asked_words("which units of chang are in stock?"))
    ['chang', 'stock']
    """
    return families(question) - generic_words()


@lru_cache(maxsize=8_192)
def families(text: str) -> frozenset[str]:
    """The families of a text's words, those left out that say nothing alone."""
    return frozenset(
        stem(word)
        for word in WORD.findall(text)
        if word not in STOP_WORDS and not WEEKDAY.fullmatch(word) and not direction_words(word)
    )


@lru_cache(maxsize=512)
def clauses(text: str, start: int, end: int, asked: frozenset[str]) -> tuple[Clause, ...]:
    """The clauses of a text between two offsets."""
    borders = [match.span() for match in BORDER.finditer(text, start, end)]
    read, begin = [], start
    for stop, following in [*borders, (end, end)]:
        words = families(text[begin:stop])
        if words:
            read.append(Clause(start=begin, end=stop, asked=words & asked, foreign=words - asked - generic_words()))
        begin = following
    return tuple(read)
