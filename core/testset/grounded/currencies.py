"""Amounts of money as people write them."""

from __future__ import annotations

from decimal import Decimal

_SIGNS = {
    "€": ("eur", "euro", "euros", "€"),
    "$": ("usd", "dollar", "dollars", "us dollars", "$"),
    "£": ("gbp", "pounds sterling", "sterling", "£"),
    "CHF ": ("chf", "swiss francs"),
}
CURRENCIES = {name: sign for sign, names in _SIGNS.items() for name in names}
"""The sign of an amount's currency, by the unit that the semantic layer names."""


def money(amount: int | float | Decimal, sign: str) -> str:
    """An amount as people write it, with the sign of its currency.

    >>> money(1234567.5, "€"), money(-80, "CHF ")
    ('€1,234,567.50', 'CHF -80')
    """
    text = f"{abs(amount):,.0f}" if amount == int(amount) else f"{abs(amount):,.2f}"
    return f"{sign}{'-' if amount < 0 else ''}{text}"


def from_cents(amount: int | float | Decimal) -> str:
    """An amount that is kept in hundredths, in whole ones.

    >>> from_cents(653781), from_cents(-50)
    ('6537.81', '-0.50')
    """
    return f"{Decimal(amount) / 100:.2f}"
