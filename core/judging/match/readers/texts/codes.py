"""Codes: what is written of digits and letters and counts nothing."""

from __future__ import annotations

import re
from typing import Final

_TOKEN: Final = re.compile(r"(?=\D*\d)[\w./@+-]+")
MOST_GROUPS: Final = 3
"""Groups of a code with blanks."""
_LETTER: Final = re.compile(r"[^\W\d_]")
_DIGIT: Final = re.compile(r"\d")
_WORD: Final = re.compile("a{4}")
_GROUP: Final = re.compile(r"[^\W\d_]+|\d+")
_TWO_GROUPS: Final = re.compile(r"(?=.{6,12}$)(?=\S*[a-z])(?=\S*\d)[a-z\d]{2,5} (?=\S*\d)[a-z\d]{2,5}")
"""A code of two groups, each with a digit: a postcode."""
_IN_BLANKS: Final = re.compile(r"(?=(?:\D*\d){3})[a-z]{1,4}(?: (?:\d{2,6}|[a-z]{1,2})){1,6}")
"""A code in groups that begins with a few letters: "un 1791", "gb 418 2203 71"."""
LEAST_CODE: Final = 3
"""Letters and digits of a code that is known with other marks between them."""
SHORT_CODE: Final = 4
"""Letters and digits of a code whose groups no blank may part."""
_NUMBERED: Final = (
    "account|article|catalogue|catalog|contract|document|file|invoice|item|licence|license|lot|batch|order|part|passport"
    "|policy|product|protocol|reference|registration|room|serial|shelf|tax|tariff|ticket|tracking|vat"
)
_CODE_ASKED: Final = re.compile(
    rf"\b(?<!with )(?<!with the )(?:codes?|(?:{_NUMBERED}) (?:numbers?|no|id)|identifiers?|isbn|issn|iban|sku|ean)\b"
)
"""Questions that a code answers, though it may look like a figure: "the HS code"."""
_NUMBER_OF_ONE: Final = re.compile(
    rf"\b(?:{_NUMBERED}|member(?:ship)?|matriculation|student|customer|client|employee|staff|personnel|patient|insurance"
    r"|claim|case|docket|permit|certificate|booking|ledger|identification|card|loan|fleet|plate) (?:number|no)\b"
)
"""Questions for the number that something or somebody has: "the membership number of Ida Holm"."""
_ANY_NUMBER: Final = re.compile(r"\b[a-z]{4,} (?:number|no)\b")
LEAST_OF_ANY: Final = 10
"""Digits that count nothing where a number of any kind is asked for."""
LEAST_IN_GROUPS: Final = 8
"""Digits of a code that is written in groups as well."""
LEAST_NUMBERED: Final = 5
"""Digits of such a number; shorter ones are read as figures."""
_AMOUNT_ASKED: Final = re.compile(
    r"\bhow (?:many|much)\b|\b(?:fees?|costs?|prices?|charges?|amounts?|rates?|limits?|balances?)\b"
    r"(?! (?:codes?|class)\b)"
)
"""Questions to which a figure is the answer, whatever code they name: "IBAN fee"."""


def is_code(plain: str) -> bool:
    """Whether a reference is one token of digits and letters, or of digits with separators.

    >>> is_code("tr-1962-088"), is_code("6907.21"), is_code("unit 14"), is_code("riverside")
    (True, True, False, False)
    """
    return _TOKEN.fullmatch(plain) is not None


def is_in_blanks(code: str) -> bool:
    """Whether a reference is a code in groups: a few capitals, then digits.

    >>> is_in_blanks("UN 1791"), is_in_blanks("GB 418 2203 71"), is_in_blanks("Unit 14"), is_in_blanks("UN 7")
    (True, True, False, False)
    """
    return code.isupper() and _IN_BLANKS.fullmatch(code.casefold()) is not None


def has_letters(plain: str) -> bool:
    """Whether a code has letters besides its digits."""
    return _LETTER.search(plain) is not None


def in_other_groups(plain: str) -> str:
    """A pattern for a code with other marks between its letters and digits; empty where it is none or too short.

    >>> re.fullmatch(in_other_groups("tr-1962-088"), "tr1962 088") is not None, in_other_groups("6907.21")
    (True, '6907[-./_: ]?21')
    """
    if _TWO_GROUPS.fullmatch(plain) or _IN_BLANKS.fullmatch(plain):
        return " ?".join(map(re.escape, plain.split()))
    groups = _GROUP.findall(plain)
    length = sum(map(len, groups))
    if not is_code(plain) or len(groups) < 2 or length < LEAST_CODE:
        return ""
    return ("[-./_: ]?" if length > SHORT_CODE else "[-./_:]?").join(map(re.escape, groups))


def asks_code(question: str) -> bool:
    """Whether a question asks for a code, whose digits are no quantity.

    >>> asks_code("what is the hs code of the tiles?"), asks_code("how many codes are there?")
    (True, False)
    """
    return _CODE_ASKED.search(question) is not None and not _AMOUNT_ASKED.search(question)


def numbers_one(plain: str, question: str) -> bool:
    """Whether digits are the number that something has, and count nothing.

    >>> numbers_one("7714520", "what is the membership number of ida holm?")
    True
    >>> numbers_one("7714520", "what is the total number of members?"), numbers_one("12", "what is the room number?")
    (False, False)
    """
    if not plain.isdigit() or len(plain) < LEAST_NUMBERED:
        return False
    asked = _NUMBER_OF_ONE.search(question) or (_CODE_ASKED.search(question) and len(plain) >= LEAST_IN_GROUPS)
    asked = asked or (len(plain) >= LEAST_OF_ANY and _ANY_NUMBER.search(question))
    return bool(asked) and not _AMOUNT_ASKED.search(question)


def of_its_shape(plain: str, text: str, question: str = "") -> str:
    """Another code of a text that is written as one is, letters for letters and digits for digits; or empty.

    Args:
        plain: Match text of the code.
        text: Match text in which others are looked for.
        question: Match text of the question, whose own codes are no others.

    >>> of_its_shape("ls11 7qb", "it is ls11 7bq"), of_its_shape("room 12", "room 14")
    ('ls11 7bq', '')
    """
    shape = _shape(plain)
    if not _DIGIT.search(plain) or len(plain.split()) > MOST_GROUPS or "a" not in shape or _WORD.search(shape):
        return ""
    others = (
        text[found.start() : found.end()] for found in re.finditer(rf"(?<!\w){re.escape(shape)}(?!\w)", _shape(text))
    )
    return next((other for other in others if other != plain and other not in question), "")


def _shape(text: str) -> str:
    return _LETTER.sub("a", _DIGIT.sub("9", text))
