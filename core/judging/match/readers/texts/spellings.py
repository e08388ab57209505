"""Spellings of one word: British and American, and the short forms of streets."""

from __future__ import annotations

import re
from functools import lru_cache

FEWEST = 5
"""Letters of a word that may have another spelling."""
_ENDINGS = (
    (r"(?<=[a-z]{3})(?:our|or)(?=(?:s|ed|ing|ful|able|al|ite|ites|hood)?$)", "ou?r", "or"),
    (r"(?<=[bt])(?:re|er)(?=s?$)", "(?:re|er)", "er"),
    (r"(?<=[a-z]{3}[iy])[sz](?=(?:e|ed|es|er|ers|ing|ation|ations)$)", "[sz]", "z"),
    (r"(?<=[a-z]{3})og(?:ue)?(?=s?$)", "og(?:ue)?", "og"),
    (r"(?<=[a-z]{3})en[cs]e(?=s?$)", "en[cs]e", "ence"),
    (r"(?<=[a-z][aeiou])ll?(?=(?:ed|ing|er|ers)$)", "ll?", "l"),
    (r"(?<=^f)(?:ibre|iber)", "ib(?:re|er)", "iber"),
    (r"(?<=^alumin)i?um", "i?um", "um"),
    (r"(?<=[a-z]{2})(?:ae|oe)(?=[dnmst])", "[ao]?e", "e"),
)
_SHORT = {
    "st": ("street", "saint"),
    "ave": ("avenue",),
    "rd": ("road",),
    "blvd": ("boulevard",),
    "sq": ("square",),
    "ln": ("lane",),
    "hwy": ("highway",),
    "apt": ("apartment",),
    "bldg": ("building",),
    "ste": ("suite",),
    "str": ("strasse", "street"),
    "dept": ("department",),
    "univ": ("university",),
    "govt": ("government",),
}
_LONG = {long: short for short, longs in _SHORT.items() for long in longs}
_STREET = re.compile(r"(?P<name>[a-z]{3,})str(?:asse)?")


@lru_cache(maxsize=4_096)
def spellings(word: str) -> str:
    r"""A pattern for the ways to write a word of match text; empty where there is one.

    >>> spellings("aluminium"), spellings("fibreglass"), spellings("industriestr"), spellings("house")
    ('alumini?um', 'fib(?:re|er)glass', 'industriestr(?:asse|\\.)?', '')
    """
    if (street := _STREET.fullmatch(word)) is not None:
        return rf"{re.escape(street['name'])}str(?:asse|\.)?"
    if word in _SHORT or word in _LONG:
        short = _LONG.get(word, word)
        return rf"(?:{'|'.join([*_SHORT[short], short])})\.?"
    if len(word) < FEWEST or not word.isascii() or not word.isalpha():
        return ""
    for ending, pattern, _ in _ENDINGS:
        if found := re.search(ending, word):
            return word[: found.start()] + pattern + word[found.end() :]
    return ""


@lru_cache(maxsize=16_384)
def one_spelling(word: str) -> str:
    """The American spelling of a word that has two.

    >>> one_spelling("colours"), one_spelling("aluminium"), one_spelling("paris")
    ('colors', 'aluminum', 'paris')
    """
    if len(word) >= FEWEST and word.isascii() and word.isalpha():
        for ending, _, chosen in _ENDINGS:
            if re.search(ending, word):
                return re.sub(ending, chosen, word, count=1)
    return word
