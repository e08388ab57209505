"""An answer as its figures are read: formulas and tables in plain lines, names without their digits."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from core.judging.match.readers.layout.labels import without_labels
from core.judging.match.readers.layout.latex import plain_formulas
from core.judging.match.readers.layout.tables import cells_as_statements
from core.judging.match.readers.texts.normalise import match_text

_AMOUNT = r"(?<![\d,.'])\d(?:[\d,.']{0,30}\d)?"
_LOSS = re.compile(rf"(?P<sign>[$€£¥])\s?\(\s?(?P<digits>{_AMOUNT})\s?\)")
_LOSS_INSIDE = re.compile(rf"\(\s?(?P<sign>[$€£¥])\s?(?P<digits>{_AMOUNT})\s?\)(?=\s?(?:million|billion|thousand)\b)")
_LOSS_PERCENT = re.compile(rf"(?<![\w)] )(?<![\w)])\(\s?(?P<digits>{_AMOUNT})\s?\)\s?%")
_LOSS_AS_RESULT = re.compile(rf"(?<==)\s?\(\s?(?P<digits>{_AMOUNT})\s?\)(?=\s?(?:[.,;\n]|$|million|billion|thousand))")
_KEYS = re.compile(r"(?:^|(?<=[\s,;{\[(]))(?P<key>[a-z][a-z_.-]{1,30})=(?=[\w\"'$€£-])")
"""A key with its value, as in a line of a log."""
_CLOCK = re.compile(
    r"(?<![\w.,:])(?P<hours>\d{1,2}) ?"
    r"(?:h ?(?P<minutes>[0-5]\d)(?!\w| ?m)|h(?:rs?)? ?(?P<spelled>\d{1,2}) ?m(?:ins?)?\b)"
)
_CHANGE = re.compile(
    r"(?<![\w.,])(?P<whole>\d{1,4}) (?P<money>euros?|dollars?|pounds?"
    r"|francs?) (?:and )?(?P<part>\d\d)(?![\w.,]*\d| ?(?:cents?|pence))\b"
)
_METRES = re.compile(
    r"(?<![\w.,])(?P<whole>\d{1,3}) met(?:re|er)s? (?P<part>\d\d)"
    r"(?=\s*(?:[.,;)](?!\d)|$|(?:long|wide|high|deep|tall|across|in (?:width|depth|height|length))\b))"
)
_WITH_CENTS = re.compile(
    r"(?<![\w.,])(?P<whole>\d{1,3}(?:,\d{3})+|\d{1,6}) (?P<money>euros?|dollars?|pounds?|francs?)(?: and)?"
    r" (?P<part>\d{1,2}) (?:(?:euro )?cents?|pence|p|rappen|centimes)\b(?! of\b)"
)
_TIMES = re.compile(
    rf"(?P<digits>{_AMOUNT})\s?x\b(?!\s?\(?[\d$€£])|"
    rf"(?P<decimal>(?<![\d.])\d{{1,12}}\.\d{{1,12}})(?:\s?:\s?1(?![\d:]|[.]\d)|\s+(?:to|-to-)\s+(?:1(?:\.0+)?|"
    rf"one)\b(?![.,]\d))"
)
_SHORT_MILLION = re.compile(rf"(?P<amount>[$€£¥]\s?(?:{_AMOUNT}))\s?mm\b")
_NOTED = re.compile(
    rf"(?P<amount>{_AMOUNT}) ?\((?:amounts? )?(?:in )?(?:us|usd|eur|gbp|chf)?\s?[$€£]?\s?(?P<scale>thousand|"
    rf"million|billion)s?(?: of [a-z. ]{{1,14}})?\)"
)
_DEGREES = re.compile(r"(?<=\d)\s?°\s?[cf]?\s?-\s?(?=\d)")
"""Between the ends of a range of temperatures."""
_CENTS = re.compile(
    r"(?<![\w.,$€£-])(?P<digits>\d{1,3}(?:,\d{3})+|\d{1,4}(?:\.\d{1,3})?)\s?(?:(?:us\s)?(?:cents?|pence)\b|¢)(?!\s(?:each\s)?(?:of|coins?|stamps?))"
)
_MINUS = re.compile(
    r"(?:(?<=^)|(?<=\b(?:at|is|of|to|or)\s)|(?<=\b(?:was|and|are)\s)|(?<=[(:,]\s)|(?<=[(]))minus (?=[$€£]?\d)"
)
"""Before a figure that is no part of a calculation."""
_MEGA = re.compile(r"(?<=\d) ?(?P<unit>ML|GL)(?![\w/])")
"""Units whose capital letter tells them from a small one's: megalitres are no millilitres."""
_BULLET = re.compile(r"^-(?=[\d$€£])", re.MULTILINE)
"""In front of lines of a list without a blank behind it."""
_FULL_STOP = re.compile(r"(?<=\d)\.(?=\s|$)")


@lru_cache(maxsize=2048)
def figure_text(text: str, question: str = "") -> str:
    r"""The match text of an answer for the comparison of figures.

    Formulas are plain, each cell of a table is a line with the names of its row and column, names have no digits, and
    figures have one spelling: ``$(95)`` is ``-$95``, ``1.66x``, ``1.66:1`` and ``1.66 to 1`` are ``1.66``,
    ``$5mm`` and ``$5 (in millions)`` are ``$5 million``.

    Args:
        text: As written.
        question: As written.

    >>> figure_text("A net loss of $(95) million, or 1.66x \\(\\approx 2\\) of the 10-K.")
    'a net loss of -$95 million, or 1.66 = 2 of the ##-k.'
    """
    text = _MEGA.sub(_spelled_out, plain_formulas(text))
    if len(_BULLET.findall(text)) > 1:
        text = _BULLET.sub("- ", text)
    plain = match_text(without_labels(cells_as_statements(text), question))
    return _one_spelling(plain)


def figure_reference(reference: str) -> str:
    """The match text of a reference that may be one figure: brackets around it are a minus.

    >>> figure_reference("($1,234)"), figure_reference("1.66 to 1")
    ('-$1,234', '1.66')
    """
    plain = _one_spelling(match_text(_MEGA.sub(_spelled_out, plain_formulas(reference))))
    whole = re.fullmatch(rf"\(\s?(?P<amount>[$€£¥]?\s?(?:{_AMOUNT})\s?%?)\s?\)\s?(?P<rest>.{{0,20}})", plain)
    return f"-{whole['amount']} {whole['rest']}".strip() if whole else plain


def _one_spelling(plain: str) -> str:
    if "minus " in plain:
        plain = _MINUS.sub("-", plain)
    if "(" in plain:
        plain = _LOSS.sub(r"-\g<sign>\g<digits>", plain)
        plain = _LOSS_INSIDE.sub(r"-\g<sign>\g<digits>", plain)
        plain = _NOTED.sub(r"\g<amount> \g<scale>", plain)
        plain = _LOSS_AS_RESULT.sub(r" -\g<digits>", plain)
        plain = _LOSS_PERCENT.sub(r"-\g<digits>%", plain)
    if "=" in plain and len(_KEYS.findall(plain)) > 1:
        plain = _KEYS.sub(r"\n\g<key>: ", plain)
    plain = _CLOCK.sub(lambda match: f"{match['hours']} h {match['minutes'] or match['spelled']} min", plain)
    plain = with_change(plain)
    plain = _DEGREES.sub("-", plain)
    plain = _CENTS.sub(_in_whole, plain)
    plain = _SHORT_MILLION.sub(r"\g<amount> million", plain)
    return _TIMES.sub(lambda match: match["digits"] or match["decimal"], plain)


def with_change(plain: str) -> str:
    """A text in which an amount with its cents, and metres with their centimetres, are one figure.

    Args:
        plain: Match text, or normalised.

    >>> with_change("the invoice came to 1,389 euros and 66 cents, the stamp to 2 dollars 5 cents")
    'the invoice came to 1,389.66 euros, the stamp to 2.05 dollars'
    """
    plain = _CHANGE.sub(r"\g<whole>.\g<part> \g<money>", plain)
    plain = _METRES.sub(r"\g<whole>.\g<part> metres", plain)
    return _WITH_CENTS.sub(lambda match: f"{match['whole']}.{match['part']:0>2} {match['money']}", plain)


def _spelled_out(match: re.Match[str]) -> str:
    return " megalitres" if match["unit"] == "ML" else " gigalitres"


def _in_whole(match: re.Match[str]) -> str:
    return f"{Decimal(match['digits'].replace(',', '')) / 100:f}"
