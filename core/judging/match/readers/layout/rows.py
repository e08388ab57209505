"""References that are a result as Python prints its rows: ``[('Ann Lee',)]``, ``[(18.5,)]``, ``[]``."""

from __future__ import annotations

import ast
import re
from typing import Final

MOST_READ: Final = 20_000
NONE: Final = "none"
"""What a result without a row or a value says."""
_ROWS: Final = re.compile(r"\s*\[\s*(?:\(.*\)\s*,?\s*)?\]\s*", re.DOTALL)
_ROW: Final = re.compile(r"\s*\((?:[^()]|\([^()]*\))*,\s*\)\s*", re.DOTALL)
_DECIMAL: Final = re.compile(r"\bDecimal\((['\"][-\d.E+]+['\"])\)")
_DATE: Final = re.compile(
    r"\bdatetime\.date(?:time)?\((\d{4}), (\d{1,2}), (\d{1,2})(?:, (\d{1,2}), (\d{1,2})(?:, (\d{1,2}))?)?\)"
)
_EMPTY: Final = frozenset({"[]", "[none]", "(none,)", "[(none,)]"})


def as_values(reference: str) -> str:
    """The values of a reference that is a result as Python prints it, or the reference as it is.

    Values of one column are parted by semicolons, those of one row by commas; no row and no value is "none".

    Args:
        reference: As given.

    >>> as_values("[('Ann Lee',)]"), as_values("[('a',), ('b',)]"), as_values("[(Decimal('18.50'),)]")
    ('Ann Lee', 'a; b', '18.50')
    >>> as_values("[]"), as_values("[(None,)]"), as_values("['a', 'b']"), as_values("(1) see below")
    ('none', 'none', "['a', 'b']", '(1) see below')
    """
    plain = reference.strip()
    if plain.casefold() in _EMPTY:
        return NONE
    if len(plain) > MOST_READ or not (_ROWS.fullmatch(plain) or _ROW.fullmatch(plain)):
        return reference
    try:
        rows = ast.literal_eval(_DATE.sub(_written, _DECIMAL.sub(r"\1", plain)))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return reference
    rows = rows if isinstance(rows, list) else [rows]
    if not rows or not all(isinstance(row, tuple) for row in rows):
        return reference
    told = [", ".join(_shown(value) for value in row if value is not None) for row in rows]
    return "; ".join(value for value in told if value) or NONE


def _written(match: re.Match[str]) -> str:
    year, month, day, *clock = match.groups()
    time = f" {int(clock[0]):02}:{int(clock[1]):02}:{int(clock[2] or 0):02}" if clock[0] else ""
    return f"'{year}-{int(month):02}-{int(day):02}{time}'"


def _shown(value: object) -> str:
    return str(value)
