"""Acronyms that a text spells out: "World Health Organization (WHO)"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from core.judging.match.readers.texts.normalise import clean_text, key
from core.text.words import STOP_WORDS

_BRACKETED = re.compile(r"\(\s?(?:the |hereinafter |or )?[\"'“”]?(?P<short>[A-Z][A-Za-z0-9&.-]{1,11})[\"'“”]?\s?\)")
_LONG_IN_BRACKETS = re.compile(r"\b(?P<short>[A-Z][A-Z0-9&.]{1,10})\s\((?P<long>[^()]{5,100})\)")
_DEFINED = re.compile(
    r"\b(?P<short>[A-Z][A-Z0-9&.]{1,10})\b,?\s(?:stands for|is short for|means|denotes"
    r"|refers to)\s(?:the\s)?[\"'“]?(?P<long>[^.;,()\"'”]{5,100})"
)
_WORD = re.compile(r"[^\W_]+")
LONGEST = 10
"""Words before a bracket among which the long form is looked for."""
MAX_READ = 200_000
"""Characters of the passages that are read."""
MOST = 200
MOST_TEXTS = 2_000
"""Texts of which the acronyms are remembered."""


def spelled_out(texts: Sequence[str]) -> dict[str, str]:
    """Acronyms of some texts, each with the words it stands for, both as keys of their words.

    The letters of an acronym begin the words, in order; small words may be left out.

    >>> spelled_out(["Guidance of the World Health Organization (WHO) applies.", "KYC means know your customer."])
    {'who': 'world health organization', 'kyc': 'know your customer'}
    """
    found: dict[str, str] = {}
    left = MAX_READ
    for text in texts:
        length, pairs = _spelled_in(text[:left])
        left -= length
        for short, long in pairs:
            found.setdefault(short, long)
        if left <= 0 or len(found) >= MOST:
            break
    return found


@lru_cache(maxsize=MOST_TEXTS)
def _spelled_in(text: str) -> tuple[int, tuple[tuple[str, str], ...]]:
    """How long a text is, cleaned, and its acronyms: a passage is read for every answer that it was retrieved for."""
    plain = clean_text(text)
    pairs = []
    for match in _BRACKETED.finditer(plain):
        before = _WORD.findall(plain[max(0, match.start() - 120) : match.start()])[-LONGEST:]
        if long := _long_form(match["short"], before):
            pairs.append((key(match["short"]), long))
    for pattern in (_LONG_IN_BRACKETS, _DEFINED):
        read = (
            (match["short"], _begins_with(match["short"], _WORD.findall(match["long"])[:LONGEST]))
            for match in pattern.finditer(plain)
        )
        pairs += [(key(short), long) for short, long in read if long]
    return len(plain), tuple(pairs)


def _letters(short: str) -> str:
    letters = "".join(character for character in short if character.isalnum())
    # the plural of an acronym: "NGOs"
    return (
        letters[:-1] if len(letters) > 2 and letters.endswith("s") and letters[:-1].isupper() else letters
    ).casefold()


def _long_form(short: str, before: Sequence[str]) -> str:
    """The last words before a bracket whose first letters are the acronym."""
    for start in range(len(before) - 1, -1, -1):
        if long := _begins_with(short, before[start:]):
            return long
    return ""


def _begins_with(short: str, words: Sequence[str]) -> str:
    letters = _letters(short)
    telling = [word for word in words if word.casefold() not in STOP_WORDS]
    for some in (words, telling):
        if len(letters) >= 2 and "".join(word[0] for word in some[: len(letters)]).casefold() == letters:
            whole = some is words and len(words) == len(letters)
            last = some[len(letters) - 1]
            kept = words if whole else words[: words.index(last) + 1]
            return key(" ".join(kept)) if len(kept) == len(words) or some is words else ""
    return ""


def by_initials(reference: str, question: str, answer: str) -> list[str]:
    """A name with the kind of thing that it is spelled out, or in its initials, where the question says the kind.

    Args:
        reference: As given.
        question: Match text of the question.
        answer: As given.

    >>> by_initials("Saltmarsh PS", "which pump station had the most alarms?", "Saltmarsh pump station.")
    ['saltmarsh pump station']
    >>> by_initials("Saltmarsh Pump Station", "which pump station had most?", "Saltmarsh PS")
    ['saltmarsh ps']
    """
    asked = _WORD.findall(question)
    kinds = {
        "".join(word[0] for word in some): " ".join(some)
        for length in (2, 3)
        for some in zip(*(asked[place:] for place in range(length)), strict=False)
        if not STOP_WORDS.intersection(some)
    }
    names = []
    for short, long in kinds.items():
        for one, other, holder in ((short.upper(), long, reference), (long, short, answer)):
            stands = re.search(rf"(?<!\w){re.escape(short.upper())}(?!\w)", holder)
            wanted = key(reference)
            if stands and re.search(rf"(?<!\w){re.escape(key(one))}(?!\w)", wanted) and wanted != key(one):
                names.append(re.sub(rf"(?<!\w){re.escape(key(one))}(?!\w)", other, wanted))
    return names
