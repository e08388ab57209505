"""Currencies by code, symbol and name, as Unicode's CLDR (Babel) and the reader of amounts know them."""

from __future__ import annotations

import re
from functools import lru_cache

from babel import Locale
from babel.numbers import get_currency_name, get_currency_symbol

from core.judging.match.readers.figures.units import CURRENCIES, same_currency
from core.judging.match.readers.texts.normalise import match_text

ASKED = re.compile(
    r"\b(?:currenc(?:y|ies)|denominat\w*|legal tender|money|monetary unit|(?:paid|payable|settled|quoted) in)\b"
)
"""Questions that a currency answers."""
_LANGUAGE = "en"
_OTHER_LANGUAGES = ("de", "fr", "es", "it", "nl", "pt")


@lru_cache(maxsize=1)
def _by_name() -> dict[str, str]:
    """Match text of a name, code or symbol -> ISO code; ``$`` and "dollars" stay what they are."""
    names: dict[str, str] = {}
    for code in map(str, Locale(_LANGUAGE).currencies):
        for count in (None, 1, 2):
            names.setdefault(match_text(get_currency_name(code, count=count, locale=_LANGUAGE)), code)
        names.setdefault(match_text(get_currency_symbol(code, locale=_LANGUAGE)), code)
        names.setdefault(code.casefold(), code)
    for language in _OTHER_LANGUAGES:
        for code in map(str, Locale(_LANGUAGE).currencies):
            names.setdefault(match_text(get_currency_name(code, locale=language)), code)
    return names | CURRENCIES


def currency(name: str) -> str:
    """The code of a currency, or ``$`` where several share a name; empty where it is none.

    >>> currency("US dollars"), currency("Swiss francs"), currency("£"), currency("GBP"), currency("shells")
    ('USD', 'CHF', 'GBP', 'GBP', '')
    """
    plain = match_text(name).strip(" .\"'()").removeprefix("the ")
    return _by_name().get(plain, "")


def in_longer_name(text: str, start: int, end: int, code: str) -> bool:
    """Whether a name is a part of another currency's: "dollars" in "Canadian dollars".

    Args:
        text: Match text.
        start: Offset of the name.
        end: Offset behind it.
        code: Of the name's own currency.
    """
    before = re.findall(r"\S+", text[max(0, start - 40) : start])[-2:]
    others = [currency(" ".join([*before[place:], text[start:end]])) for place in range(len(before))]
    return any(other and other != code and not same_currency(other, code) for other in others)


@lru_cache(maxsize=1_024)
def names_of(code: str) -> tuple[str, ...]:
    """Every name, code and symbol of a currency, the longest first."""
    found = [name for name, own in _by_name().items() if own == code or same_currency(own, code)]
    return tuple(sorted(found, key=lambda name: (-len(name), name)))
