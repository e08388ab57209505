"""How numbers are written on the screens: as everywhere else, see :mod:`core.text.display.numbers`."""

from core.text.display.numbers import (
    NONE,
    count,
    duration,
    estimate,
    figure,
    full,
    interval,
    of,
    p_value,
    proportion,
    share,
    when,
)

__all__ = [
    "NONE",
    "count",
    "duration",
    "estimate",
    "figure",
    "full",
    "interval",
    "of",
    "p_value",
    "proportion",
    "share",
    "when",
]
