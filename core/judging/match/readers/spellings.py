"""Spellings of one word: British and American, and the short forms of streets."""

from __future__ import annotations

import re
from functools import lru_cache

FEWEST = 5
"""Letters of a word that may have another spelling."""
_ENDINGS = (
    (r"(?<=[a-z]{3})(?:our|or)(?=(?:s|ed|ing|ful|able|al|ite|ites|hood)?$)", "ou?r"),
    (r"(?<=[bt])(?:re|er)(?=s?$)", "(?:re|er)"),
    (r"(?<=[a-z]{3})[sz](?=(?:e|ed|es|er|ers|ing|ation|ations)$)(?<=[iy].)", "[sz]"),
    (r"(?<=[a-z]{3})og(?:ue)?(?=s?$)", "og(?:ue)?"),
    (r"(?<=[a-z]{3})en[cs]e(?=s?$)", "en[cs]e"),
    (r"(?<=[a-z][aeiou])ll?(?=(?:ed|ing|er|ers)$)", "ll?"),
    (r"(?<=^f)(?:ibre|iber)", "ib(?:re|er)"),
    (r"(?<=^alumin)i?um", "i?um"),
    (r"(?<=[a-z]{2})(?:ae|oe)(?=[dnmst])", "[ao]?e"),
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
    for ending, pattern in _ENDINGS:
        changed, count = re.subn(ending, lambda _, pattern=pattern: pattern, word, count=1)
        if count:
            return changed
    return ""
