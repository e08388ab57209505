"""Labels of rows: wrapped ones joined, and those of a group put before the rows below them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from core.sources.corpus.pdf.rows import Cell, joined

INDENT = 2.0
"""Points from which on a label is set further in than another."""
TIGHT = 0.93
"""Of the usual distance of rows; lines of one label are closer."""
LITTLE = frozenset(
    {"of", "and", "or", "the", "in", "for", "to", "by", "on", "from", "with", "a", "an", "per", "–", "—", "&"}
)
"""Words that end no label."""

SUM = re.compile(
    r"total\b|(?:net )?cash (?:generated|used|provided|from|flows?)\b|net (?:cash|increase|decrease)\b", re.IGNORECASE
)
"""How the label of a sum begins; it says of what, so that the group need not stand before it."""

PERIOD = re.compile(
    r"as|of|at|for|the|quarters?|years?|period|fiscal|ended|ending|three|six|nine|twelve|weeks?|months?|and|to|through|"
    r"\d{1,4}|Jan\w*|Feb\w*|Mar\w*|Apr\w*|May|June?|July?|Aug\w*|Sep\w*|Oct\w*|Nov\w*|Dec\w*|Q[1-4]|FY",
    re.IGNORECASE,
)
"""A word of a day or a period."""
LONGEST_PERIOD = 12
"""Words."""


@dataclass(slots=True)
class Line:
    """A row of a table: its label, and its values by column or none."""

    label: Cell | None
    values: list[str]
    text: str = ""
    indent: float = 0.0
    sum: bool = False
    """Whether a rule stands above its values."""


@dataclass(slots=True)
class _Group:
    text: str
    indent: float
    inner: bool | None = None
    """Whether its rows are set further in; None before the first one."""
    used: bool = False
    ended: bool = False
    summed: bool = False
    """Whether a subtotal of its rows was read."""
    period: bool = False
    """Whether it names a day or a period, which holds until the next one."""


def is_period(text: str) -> bool:
    """Whether a label is a day or a period.

    >>> is_period("Three Months Ended June 25, 2022:"), is_period("Total 2022")
    (True, False)
    """
    words = re.split(r"[\s,.:;–—-]+", text.strip(" ,.:;–—-"), maxsplit=LONGEST_PERIOD)
    return len(words) <= LONGEST_PERIOD and all(PERIOD.fullmatch(word) for word in words)


def labelled(lines: Sequence[Line], ys: Sequence[float], width: int) -> list[list[str]]:
    """Rows as cells with whole labels: ``["Net sales: Products", "$63,355"]``.

    A label that was wrapped is joined. A label without values heads the rows below it, and stands before theirs. It
    reaches as far as they are set further in than itself, else to their total. Where two rows would be called the same,
    the label of the group above is put before them, too. A label that heads nothing is a row without values.

    Args:
        lines: From top to bottom.
        ys: Their baselines, in points.
        width: Columns of values.
    """
    whole = _unwrapped(lines, ys)
    paths: list[tuple[list[str], Line]] = []
    groups: list[_Group] = []
    for line in whole:
        if not line.values:
            period = is_period(line.text)
            while groups and (period or (groups[-1].indent >= line.indent - INDENT and not groups[-1].period)):
                _leave(groups, paths)
            groups.append(_Group(line.text.rstrip(":, "), line.indent, period=period))
            continue
        while groups and _outside(groups[-1], line):
            _leave(groups, paths)
        total = SUM.match(line.text) is not None or not line.text
        ended = next((number for number, group in enumerate(groups) if total and _sums(line.text, group.text)), None)
        if ended is not None:
            while len(groups) > ended + 1:
                _leave(groups, paths)
        for group in groups:
            group.used = group.used or group.period or not total
        if groups and groups[-1].inner is None:
            groups[-1].inner = line.indent > groups[-1].indent + INDENT
        bare = line.text.casefold() == "total" and bool(groups) and not groups[-1].summed
        path = [group.text for group in groups if group.period or bare or not total]
        if groups and line.text.casefold().startswith("subtotal"):
            groups[-1].summed = True
        if ended is not None or ((total or line.sum) and groups and groups[-1].inner is False):
            groups[-1].ended = True
        paths.append((path, line))
    while groups:
        _leave(groups, paths)
    return [
        [name, *(line.values or [""] * width)]
        for name, line in zip(_names(paths), [line for _, line in paths], strict=True)
    ]


def _leave(groups: list[_Group], paths: list[tuple[list[str], Line]]) -> None:
    """Ends the innermost group; one that headed nothing is a row of its own."""
    group = groups.pop()
    if not group.used:
        paths.append(([], Line(None, [], group.text, group.indent)))


def _outside(group: _Group, line: Line) -> bool:
    if group.ended or group.period:
        return group.ended
    if line.label is None:
        return False
    return (group.inner is True and line.indent <= group.indent + INDENT) or line.indent < group.indent - INDENT


def _sums(text: str, group: str) -> bool:
    """Whether the label of a sum names a group."""
    return group.casefold().split(",")[0] in text.casefold()


def _names(paths: Sequence[tuple[list[str], Line]]) -> list[str]:
    """The names of rows: the label with that of the nearest group, with further ones where two would be the same."""
    depths = [1] * len(paths)
    for _ in range(3):
        names = [_name(path, line, depth) for (path, line), depth in zip(paths, depths, strict=True)]
        twice = {name for name, count in Counter(names).items() if count > 1 and name}
        if not twice:
            break
        depths = [depth + (name in twice) for name, depth in zip(names, depths, strict=True)]
    return [_name(path, line, depth) for (path, line), depth in zip(paths, depths, strict=True)]


def _name(path: Sequence[str], line: Line, depth: int) -> str:
    carried = [text for place, text in enumerate(path) if place >= len(path) - depth or is_period(text)]
    return ": ".join([*carried, line.text]) if line.text else ""


def _unwrapped(lines: Sequence[Line], ys: Sequence[float]) -> list[Line]:
    """Lines with the parts of wrapped labels joined."""
    steps = [below - above for above, below in pairwise(ys)]
    usual = median(steps) if steps else 0.0
    right = max((line.label.x1 for line in lines if line.label is not None), default=0.0)
    whole: list[Line] = []
    for place, line in enumerate(lines):
        text = line.label.text if line.label is not None else ""
        indent = line.label.x0 if line.label is not None else 0.0
        before = whole[-1] if whole else None
        step = steps[place - 1] if place else 0.0
        if before is not None and line.label is not None and _continues(before, line, text, step, usual, right):
            before.text = joined(f"{before.text} {text}")
            before.values = before.values or line.values
            before.label = line.label
            before.sum = before.sum or line.sum
            continue
        whole.append(Line(line.label, line.values, text, indent, line.sum))
    return whole


def _continues(before: Line, line: Line, text: str, step: float, usual: float, right: float) -> bool:
    """Whether a label goes on with a further line."""
    label = before.label
    if label is None or line.label is None or (before.values and line.values) or before.text.endswith(":"):
        return False
    if line.label.bold != label.bold or step > 1.25 * usual or line.label.x0 < before.indent - INDENT:
        return False
    full = label.x1 + line.label.words[0].x1 - line.label.words[0].x0 + 2.0 > right
    open_end = before.text.endswith((",", "-", "–", "—")) or before.text.split()[-1].casefold() in LITTLE
    lower = text[:1].islower() or text[:1] in "(&"
    if before.values:  # the label goes on below its values
        return lower and step <= usual * 1.05
    return open_end or lower or (full and step <= TIGHT * usual)
