"""Numbers written in English words."""

from __future__ import annotations

import re
from decimal import Decimal

_UNITS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINAL_UNITS = """
zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
fifteenth sixteenth seventeenth eighteenth nineteenth
"""
_ORDINAL_TENS = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"

SMALL: dict[str, int] = {
    **{word: value for value, word in enumerate(_UNITS.split())},
    **{word: 20 + 10 * place for place, word in enumerate(_TENS.split())},
}
ORDINALS: dict[str, int] = {
    **{word: value for value, word in enumerate(_ORDINAL_UNITS.split())},
    **{word: 20 + 10 * place for place, word in enumerate(_ORDINAL_TENS.split())},
    "hundredth": 100,
    "thousandth": 1000,
}
SCALES: dict[str, int] = {
    "hundred": 100,
    "dozen": 12,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}

ARTICLES = frozenset({"a", "an"})
"""Stand for one before a scale: "a hundred"."""
WORDS_PATTERN = "|".join(sorted((*SMALL, *ORDINALS, *SCALES), key=lambda word: (-len(word), word)))
MAX_WORDS = 24


def value_of_words(words: str) -> tuple[Decimal, bool] | None:
    """The value of number words and whether it is an ordinal; None where they make no number.

    >>> value_of_words("two hundred and fifty thousand"), value_of_words("twenty-third")
    ((Decimal('250000'), False), (Decimal('23'), True))
    >>> value_of_words("hundred") is None, value_of_words("two three") is None
    (True, True)
    >>> value_of_words("two the") is None
    True
    >>> value_of_words("a hundred and forty-two thousand")
    (Decimal('142000'), False)
    """
    parts = [part for part in re.split(r"[ -]", words.casefold()) if part and part != "and"]
    if parts and parts[0] in ARTICLES:
        parts[0] = "one"
    if len(parts) > MAX_WORDS or not parts or parts[0] in SCALES:
        return None
    total, group, last = 0, 0, 0
    ordinal = False
    for part in parts:
        if ordinal:
            return None
        if part in SCALES:
            scale = SCALES[part]
            if not group:
                return None
            if scale <= 100:
                group, last = group * scale, scale
            else:
                total, group, last = total + group * scale, 0, scale
            continue
        if part not in ORDINALS and part not in SMALL:
            return None
        ordinal = part in ORDINALS
        value = ORDINALS[part] if ordinal else SMALL[part]
        # units follow tens, anything below a hundred follows a scale
        fits = last == 0 or last >= 100 or last == 12 or (20 <= last <= 90 and value < 10)
        if not fits:
            return None
        group, last = group + value, max(value, 1)
    return Decimal(total + group), ordinal
