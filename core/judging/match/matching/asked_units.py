"""The unit and the currency that a question asks for, for a reference that is a bare number."""

from __future__ import annotations

import re
from dataclasses import replace

from core.judging.match.readers.figures.numbers import Number
from core.judging.match.readers.figures.units import CURRENCIES, UNITS

CURRENCY_ASKED = re.compile(
    rf"\bin (?:thousands? |millions? |billions? )?(?:of )?({'|'.join(name for name in CURRENCIES if name.isalpha())})\b"
)
_MEASURES = "|".join(
    sorted((name for name in UNITS if name.replace(" ", "").isalpha() and len(name) > 3), key=lambda name: -len(name))
)
_SYMBOLS = (
    r"kg|km/h|m/s|km|cm|mm|ml|mg|kwh|mwh|gwh|kw|mw|gb|mb|tb|ms|ha|m2|km2|m3|[ck]?m\^[23]|mph|hp|kv|kpa|mbar|psi|°[cf]"
    r"|(?:m3|m\^3|l)/(?:h|s|min)"
)
_ANY = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))
UNIT_ASKED = re.compile(
    rf"\b(?:in ({_MEASURES}|{_SYMBOLS}|bar)|how many ({_MEASURES}|{_SYMBOLS})(?! of\b)"
    r"|how many ((?:kilo)?(?:met(?:re|er)|gram)s|kg|tonnes|(?:hecto)?lit(?:re|er)s|hectares|[kmg]wh"
    r"|(?:cubic|square) (?:kilo|centi)?met(?:re|er)s)(?= of))"
    r"(?![\w/^])(?! per\b)"
    rf"|(?<= )\((?:[^()]{{1,40}}, |in )?({_ANY})\)"
    r"|\bin (m|t|l|ft)(?= (?:of|at|for|does)\b|[?,.]|$)"
)
"""Units by their whole names, and by symbols that are no words; "points", "percent" and "bytes" are among them."""


def with_currency(reference: Number, question: str) -> Number:
    """A bare number in the currency that the question asks for ("in EUR", "in USD millions")."""
    if reference.currency or reference.unit or reference.word or reference.ordinal:
        return reference
    names = {CURRENCIES[name] for name in CURRENCY_ASKED.findall(question)}
    return replace(reference, currency=names.pop()) if len(names) == 1 else reference


def with_unit(reference: Number, question: str) -> Number:
    """A bare number in the unit that the question asks for ("in milliseconds", "how many days").

    >>> from core.judging.match.readers.figures.numbers import parse_number
    >>> with_unit(parse_number("1500"), "how long is it in milliseconds?").value
    Decimal('1.500')
    """
    if reference.currency or reference.unit or reference.ordinal or reference.scaled:
        return reference
    names = {UNITS[next(name for name in match.groups() if name)] for match in UNIT_ASKED.finditer(question)}
    if len(names) != 1:
        return reference
    unit, factor = names.pop()
    return replace(reference, unit=unit, value=reference.plain * factor)
