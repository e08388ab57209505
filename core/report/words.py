"""The numbers of a report in words; every format writes them with these."""

from __future__ import annotations

from core.report.content import Cell, Kind, Number
from core.text.display.numbers import NONE, count, figure, p_value, share


def cell_text(cell: Cell) -> str:
    """A cell as it is read.

    >>> cell_text(Number(value=0.8396, low=0.79, high=0.884, n=187, num=157, kind=Kind.SHARE))
    '0.84 [0.79, 0.88], 157/187'
    >>> cell_text(Number(value=0.512, low=None, high=None, n=3)), cell_text(1204), cell_text(None)
    ('0.512, n = 3', '1,204', '-')
    """
    if cell is None:
        return NONE
    if isinstance(cell, Number):
        return number_text(cell)
    return f"{cell:,}" if isinstance(cell, int) else cell


def number_text(number: Number) -> str:
    """A number with its interval and n; why there is none where there is none.

    >>> number_text(Number(value=None, n=0, num=0, method="Wilson 95%", kind=Kind.SHARE))
    '- (0/0)'
    >>> number_text(Number(value=None, n=0, method="no right answer"))
    '- (no right answer)'
    """
    if number.value is None:
        # The method of a share says how its interval is made; that of another estimate, why there is none.
        why = f" ({number.method})" if number.method and number.n == 0 and number.num is None else ""
        return f"{NONE}{why or f' ({number.num or 0}/{number.n})' if number.n is not None else ''}"
    parts = [value_text(number)]
    if number.num is not None and number.n is not None:
        parts.append(f"{number.num:,}/{number.n:,}")
    elif number.n is not None:
        parts.append(f"n = {number.n:,}")
    return ", ".join(parts)


def value_text(number: Number) -> str:
    """A number with its interval.

    >>> value_text(Number(value=-0.031, low=-0.06, high=-0.002, n=90, kind=Kind.DIFFERENCE))
    '-0.031 [-0.060, -0.002]'
    """
    if number.value is None:
        return NONE
    ends = interval_text(number)
    return f"{bare_text(number.value, number.kind)}{f' {ends}' if ends else ''}"


def interval_text(number: Number) -> str:
    """The interval alone; empty where there is none."""
    if number.low is None or number.high is None:
        return ""
    return f"[{bare_text(number.low, number.kind)}, {bare_text(number.high, number.kind)}]"


def bare_text(value: float, kind: Kind) -> str:
    """The value alone; a share that two decimals would make 0 or 1 gets a third.

    >>> [bare_text(value, Kind.SHARE) for value in (0.5, 0.0023, 0.0001, 1)]
    ['0.50', '0.002', '< 0.001', '1.00']
    >>> bare_text(0.998, Kind.SHARE), bare_text(0.5, Kind.MEAN), bare_text(0.031, Kind.DIFFERENCE)
    ('0.998', '0.500', '+0.031')
    """
    if kind is Kind.SHARE:
        return share(value)
    if kind is Kind.DIFFERENCE:
        return f"{value:+.3f}"
    return p_value(value) if kind is Kind.P_VALUE else figure(value)


def listed(names: list[str] | tuple[str, ...], most: int = 6) -> str:
    """Some names, the rest counted.

    >>> listed(["a", "b", "c"], 2), listed(["a"])
    ('a, b and 1 more', 'a')
    """
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {count(len(names) - most)} more"
