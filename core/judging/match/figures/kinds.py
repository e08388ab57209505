"""Of which kind a figure is: money, a share, a length, or a plain number."""

from __future__ import annotations

from decimal import Decimal

from core.judging.match.readers.figures.numbers import Number

SMALL = 12
"""Number words up to this are a manner of speaking ("two ways")."""


def comparable(number: Number, other: Number) -> bool:
    """Whether two figures are of one kind, so that one can stand where the other is wanted."""
    if (
        (other.ordinal and not number.ordinal)
        or (other.word and abs(other.plain) <= SMALL and not number.word)
        or (_is_year(other) and not _is_year(number))
    ):
        return False
    kinds = _kind(number), _kind(other)
    if kinds[0] == kinds[1]:
        return True
    if "plain" not in kinds:
        return False
    if not {"percent", "money"} & set(kinds):
        # "27" beside "25 days"
        return abs(number.plain) < 1000 and abs(other.plain) < 1000
    if "percent" in kinds:
        plain = number if kinds[0] == "plain" else other
        return bool(number.decimals or other.decimals) and abs(plain.plain) <= 100
    if "money" in kinds:
        plain, money = (number, other) if kinds[0] == "plain" else (other, number)
        return abs(plain.plain) >= 100 or bool(plain.decimals and not money.scaled)
    return False


def _is_year(number: Number) -> bool:
    return number.text.isdigit() and len(number.text) == 4 and number.text.startswith(("19", "20"))


def _kind(number: Number) -> str:
    if number.currency:
        return "money"
    if number.unit == "%":
        return "percent"
    return number.unit or "plain"


def is_rounded(other: Number, own: Number) -> bool:
    """Whether a figure is another one with fewer digits: "63.9, close to 64 days", "0.314, about 31%"."""
    if other.unit == "%" and not own.unit and not own.currency and 0 < abs(own.plain) < 1:
        return abs(other.plain - own.plain * 100) * 2 <= Decimal(10) ** -other.decimals
    if other.decimals >= own.decimals or (other.unit and own.unit and other.unit != own.unit):
        return False
    return abs(other.plain - own.plain) * 2 <= Decimal(10) ** -other.decimals
