"""How numbers are written: three significant digits, an interval and n beside every share, times as people say them."""

from __future__ import annotations

from datetime import UTC, datetime

from core.domain.estimates import Estimate, Proportion

EXACT = 1e-9
"""A share that is closer to 0 or 1 is 0 or 1 but for the rounding of its arithmetic."""
NONE = "-"
"""What stands where there is no number; the reason belongs beside it."""


def figure(value: float | None) -> str:
    """A number with three significant digits, or "-".

    >>> figure(0.8396), figure(12.345), figure(1234.5), figure(1.0), figure(None)
    ('0.840', '12.3', '1,234', '1.00', '-')
    """
    if value is None:
        return NONE
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if size >= 10 else f"{value:.2f}" if size >= 1 else f"{value:.3f}"


def share(value: float | None) -> str:
    """A share with two decimals, or "-"; one that two decimals would make 0 or 1 gets a third.

    The difference of two shares, which may be below 0, is written in the same way.

    >>> share(0.8396), share(0.0), share(1.0), share(None)
    ('0.84', '0.00', '1.00', '-')
    >>> share(4 / 900), share(0.9984), share(0.0001), share(0.9999), share(-0.0026), share(-0.0001)
    ('0.004', '0.998', '< 0.001', '> 0.999', '-0.003', '> -0.001')
    """
    if value is None:
        return NONE
    size = abs(value)
    if size < EXACT:
        return "0.00"
    if size < 0.005:
        return f"{value:.3f}" if size >= 0.0005 else "< 0.001" if value > 0.0 else "> -0.001"
    if 0.995 <= size < 1.0 - EXACT:
        return f"{value:.3f}" if size < 0.9995 else "> 0.999" if value > 0.0 else "< -0.999"
    return f"{value:.2f}"


def interval(low: float | None, high: float | None) -> str:
    """An interval of shares, empty where there is none.

    >>> interval(0.79, 0.884), interval(0.0017, 0.03), interval(None, None)
    ('[0.79, 0.88]', '[0.002, 0.03]', '')
    """
    return "" if low is None or high is None else f"[{share(low)}, {share(high)}]"


def proportion(value: Proportion) -> str:
    """A proportion with its interval.

    >>> proportion(Proportion(num=157, den=187, low=0.79, high=0.88))
    '0.84 [0.79, 0.88]'
    >>> proportion(Proportion(num=0, den=0))
    '-'
    """
    return f"{share(value.value)} {interval(value.low, value.high)}".strip()


def of(value: Proportion) -> str:
    """Numerator and denominator.

    >>> of(Proportion(num=1570, den=18700))
    '1,570/18,700'
    """
    return f"{value.num:,}/{value.den:,}"


def full(value: Proportion) -> str:
    """Everything about a proportion, for a hover.

    >>> full(Proportion(num=157, den=187, low=0.79, high=0.88, method="clustered", clusters=60))
    '0.84 [0.79, 0.88], 157/187, 60 clusters, 95% interval: clustered'
    """
    if not value.den:
        return "no case to divide by (0/0)"
    parts = [proportion(value), of(value)]
    if value.clusters is not None:
        parts.append(count(value.clusters, "cluster"))
    if value.method:
        parts.append(f"95% interval: {value.method}")
    return ", ".join(parts)


def estimate(value: Estimate) -> str:
    """An estimate with its interval, three significant digits.

    >>> estimate(Estimate(value=-0.12, low=-0.2, high=-0.04, n=60))
    '-0.120 [-0.200, -0.040]'
    """
    if value.value is None:
        return NONE
    ends = "" if value.low is None or value.high is None else f" [{figure(value.low)}, {figure(value.high)}]"
    return figure(value.value) + ends


def p_value(value: float | None) -> str:
    """A p-value; tiny ones as a bound.

    >>> p_value(0.0312), p_value(0.00002), p_value(None)
    ('0.031', '< 0.001', '-')
    """
    if value is None:
        return NONE
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def count(n: int, thing: str = "", things: str = "") -> str:
    """A count with its noun.

    >>> count(1, "case"), count(1204, "case"), count(2, "query", "queries"), count(7)
    ('1 case', '1,204 cases', '2 queries', '7')
    """
    noun = "" if not thing else f" {thing}" if n == 1 else f" {things or thing + 's'}"
    return f"{n:,}{noun}"


def duration(seconds: float | None) -> str:
    """A duration as people say it.

    >>> [duration(s) for s in (0.4, 12, 75, 250, 5400, 90000, None)]
    ['less than a second', '12 seconds', 'about a minute', 'about 4 minutes', 'about 1.5 hours', 'about 25 hours', '-']
    """
    if seconds is None:
        return NONE
    if seconds < 1:
        return "less than a second"
    if seconds < 60:
        return count(round(seconds), "second")
    if seconds < 90:
        return "about a minute"
    if seconds < 3570:
        return f"about {count(round(seconds / 60), 'minute')}"
    hours = seconds / 3600
    hour_count = f"{hours:.1f}".removesuffix(".0") if hours < 10 else f"{hours:.0f}"
    return f"about {hour_count} hour{'' if hour_count == '1' else 's'}"


def when(iso: str) -> str:
    """A stored UTC time as date and minute.

    >>> when("2026-11-21T02:10:21+00:00"), when("")
    ('2026-11-21 02:10 UTC', '-')
    """
    if not iso:
        return NONE
    moment = datetime.fromisoformat(iso)
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return f"{moment:%Y-%m-%d %H:%M} UTC"
