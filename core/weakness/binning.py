"""Turns numbers into ordered levels: by quantile, or at given edges."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from core.domain.errors import InvalidInput
from core.weakness.table import NO_LEVEL, Attribute, Bools, Floats, Ints

FEW = 6
"""Up to this many different whole numbers are levels by themselves."""

MOST_BINS = 20

NO_UNITS = ("", "")

Kind = Literal["quantile", "edges"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Binning:
    """How numbers become levels.

    Attributes:
        kind: ``quantile``, levels of about equally many cases; or ``edges``, levels that end at given numbers.
        bins: Levels by quantile, 2 to 20; fewer are made where values repeat.
        edges: Ascending; a number belongs to the level whose edge it does not exceed, so 8 lies in "8 or less".
    """

    kind: Kind = "quantile"
    bins: int = 4
    edges: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in ("quantile", "edges"):
            raise InvalidInput(f"The kind of binning is {self.kind!r}.", "Choose quantile or edges.")
        if self.kind == "quantile":
            if not 2 <= self.bins <= MOST_BINS:
                raise InvalidInput(f"The number of bins is {self.bins}.", f"Choose 2 to {MOST_BINS}, such as 4.")
            return
        if not self.edges:
            raise InvalidInput("No edge is given.", "Give at least one number at which a level ends, such as 8.")
        if len(self.edges) >= MOST_BINS:
            raise InvalidInput(f"{len(self.edges)} edges are given.", f"Give {MOST_BINS - 1} at most.")
        for place, edge in enumerate(self.edges):
            if not np.isfinite(edge):
                raise InvalidInput(f"The edge {edge} is not a number.", "Give finite numbers, such as 8 and 16.")
            if place and edge <= self.edges[place - 1]:
                before = _plain(self.edges[place - 1])
                raise InvalidInput(
                    f"The edge {_plain(edge)} comes after {before}.", "Give each once, in ascending order."
                )


def bin_numbers(
    name: str, values: Floats, binning: Binning | None = None, *, units: tuple[str, str] = NO_UNITS
) -> Attribute:
    """Numbers as an attribute with ordered levels; a case without a number has no level.

    Equal numbers always share a level. By quantile a level ends at the number nearest to each quantile, so that values
    which repeat make fewer levels and none is empty; up to six different whole numbers are levels by themselves. At
    edges a level may be empty, and is shown as such.

    Args:
        name: Of the attribute.
        values: Shape (n,), NaN where a case has none.
        binning: How; by default four levels by quantile.
        units: What the numbers count, one and many of it, for the names of the levels.

    >>> words = np.array([4.0, 8.0, 9.0, 16.0, np.nan, 31.0])
    >>> length = bin_numbers("length", words, Binning(kind="edges", edges=(8, 16)))
    >>> length.levels, length.codes.tolist()
    (('8 or less', '9 to 16', '17 or more'), [0, 0, 1, 1, -1, 2])
    """
    binning = binning or Binning()
    has_number = np.isfinite(values)
    distinct, counts = np.unique(values[has_number], return_counts=True)
    is_whole = bool((distinct == np.floor(distinct)).all())
    if not distinct.size:
        return Attribute(name=name, codes=np.full(values.size, NO_LEVEL, dtype=np.int64), levels=(), ordered=True)
    if binning.kind == "edges":
        cuts = np.array(binning.edges, dtype=np.float64)
        cuts = np.unique(np.floor(cuts)) if is_whole else cuts
        levels = _at_edges(cuts, is_whole)
    elif is_whole and distinct.size <= FEW:
        cuts = distinct[:-1]
        levels = tuple(_plain(value) for value in distinct.tolist())
    else:
        cuts = _quantiles(distinct, counts, binning.bins)
        levels = _between(distinct, cuts, is_whole)
    codes = np.full(values.size, NO_LEVEL, dtype=np.int64)
    codes[has_number] = np.searchsorted(cuts, values[has_number], side="left")
    return Attribute(name=name, codes=codes, levels=tuple(_with_units(level, units) for level in levels), ordered=True)


def with_level(attribute: Attribute, cases: Bools, level: str) -> Attribute:
    """An attribute with one more level at its end, for cases that have none of the others.

    Args:
        attribute: The attribute.
        cases: Which cases have that level, shape (n,).
        level: What it is called.
    """
    if not cases.any():
        return attribute
    codes: Ints = np.where(cases, len(attribute.levels), attribute.codes).astype(np.int64)
    return replace(attribute, codes=codes, levels=(*attribute.levels, level))


def _quantiles(distinct: Floats, counts: Ints, bins: int) -> Floats:
    """The numbers at which levels end, those of the last level left out."""
    below = np.cumsum(counts)
    ends = below[:-1]
    if not ends.size:
        return np.empty(0)
    targets = below[-1] * np.arange(1, bins) / bins
    after = np.clip(np.searchsorted(ends, targets), 0, ends.size - 1)
    before = np.maximum(after - 1, 0)
    nearest = np.where(targets - ends[before] <= ends[after] - targets, before, after)
    return np.asarray(distinct[np.unique(nearest)], dtype=np.float64)


def _between(distinct: Floats, cuts: Floats, is_whole: bool) -> tuple[str, ...]:
    """Names of levels that end at the cuts, from the least number to the greatest.

    Of whole numbers a level names its own first and last one; of others it begins where the one before it ends.
    """
    lasts = np.append(cuts, distinct[-1])
    places = np.searchsorted(distinct, cuts, side="right")
    firsts = np.append(distinct[0], distinct[places])
    if is_whole:
        return tuple(
            _span(_plain(low), _plain(high)) for low, high in zip(firsts.tolist(), lasts.tolist(), strict=True)
        )
    # A level of a single number is named by it, so that nothing else seems to lie in it.
    single = firsts == lasts
    starts = np.append(distinct[0], cuts)
    starts = np.where(single, lasts, starts)
    names = _distinguished(np.append(starts, lasts))
    return tuple(_span(names[low], names[high]) for low, high in zip(starts.tolist(), lasts.tolist(), strict=True))


def _at_edges(cuts: Floats, is_whole: bool) -> tuple[str, ...]:
    if is_whole:
        starts = [_plain(cut + 1.0) for cut in cuts.tolist()]
        ends = [_plain(cut) for cut in cuts.tolist()]
        inner = [_span(low, high) for low, high in zip(starts, ends[1:], strict=False)]
        return (f"{ends[0]} or less", *inner, f"{starts[-1]} or more")
    names = _distinguished(cuts)
    ends = [names[cut] for cut in cuts.tolist()]
    inner = [_span(low, high) for low, high in pairwise(ends)]
    return (f"{ends[0]} or less", *inner, f"more than {ends[-1]}")


def _distinguished(numbers: Floats) -> dict[float, str]:
    """Each number with the fewest digits that keep all of them distinct, at least three."""
    listed = np.unique(numbers).tolist()
    for digits in range(3, 17):
        names = [_rounded(number, digits) for number in listed]
        if len(set(names)) == len(listed):
            return dict(zip(listed, names, strict=True))
    return {number: repr(number) for number in listed}


def _rounded(number: float, digits: int) -> str:
    return str(np.format_float_positional(number, precision=digits, unique=False, fractional=False, trim="-"))


def _plain(number: float) -> str:
    """A number as people write it: no point behind a whole one, no exponent."""
    return f"{int(number)}" if float(number).is_integer() else _rounded(number, 6)


def _span(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"


def _with_units(level: str, units: tuple[str, str]) -> str:
    singular, plural = units
    if not plural:
        return level
    if level.endswith((" or less", " or more")):
        number, _, suffix = level.partition(" ")
        return f"{number} {singular if number == '1' else plural} {suffix}"
    return f"{level} {singular if level == '1' else plural}"
