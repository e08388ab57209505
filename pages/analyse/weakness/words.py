"""How the Weakness page says things: scores, cells, findings."""

from __future__ import annotations

import math
import textwrap
from html import escape

from core.domain.results.findings import Conditions
from core.weakness import WeaknessMap
from core.weakness.findings.drafts.wording import where
from core.weakness.marginal import Marginal
from core.weakness.parts import Parts
from core.weakness.service.data import AttributeInfo, ScoreChoice
from pages.kit.look import numbers

WEAK = "▼"
COMPOUND = "▼▼"
MARKS = {
    "": "",
    "weak": f"{WEAK} weak",
    "compound": f"{COMPOUND} compound",
    "small": "lower, but little",
    "too few": "too few groups",
}

TIMES = " x "
"""Between two levels."""

SHORTEST, LONGEST = 14, 26


def measure(choice: ScoreChoice, threshold: str) -> str:
    """What the figures are: "Accuracy", "Mean reciprocal rank, mean", "Groundedness, share from 0.7 on"."""
    if threshold:
        side = "from" if choice.higher_is_better else "up to"
        return f"{choice.label}, share {side} {float(threshold):g}{' on' if choice.higher_is_better else ''}"
    if choice.kind == "verdict":
        return "Accuracy"
    return f"{choice.label}, mean"


def axis(choice: ScoreChoice) -> str:
    """The axis of a plot of cases."""
    return "0 = wrong, 1 = correct" if choice.kind == "verdict" else choice.label


def value(mean: float) -> str:
    """A mean, or "-" where there is none.

    >>> value(0.594), value(4 / 900), value(float("nan")), value(412.3)
    ('0.59', '0.004', '-', '412')
    """
    if math.isnan(mean):
        return numbers.NONE
    return numbers.share(mean) if abs(mean) < 10 else numbers.figure(mean)


def interval(low: float, high: float) -> str:
    """The 95% interval of a mean, empty where there is none."""
    return "" if math.isnan(low) or math.isnan(high) else f"[{value(low)}, {value(high)}]"


def full(parts: Parts, at: int) -> str:
    """A mean with its interval."""
    return f"{value(float(parts.mean[at]))} {interval(float(parts.low[at]), float(parts.high[at]))}".strip()


def scored(parts: Parts, at: int) -> str:
    """How many cases have a score, of how many."""
    return f"{int(parts.scored[at]):,} of {int(parts.n[at]):,}"


def p_value(p: float) -> str:
    """An adjusted p-value, "-" where a part was not tested."""
    return numbers.p_value(None if math.isnan(p) else p)


def short(level: str, most: int = LONGEST) -> str:
    """A level as a tick says it: its first words, safe for Plotly."""
    return escape(cut(level, most))


def cut(text: str, most: int) -> str:
    """The first words of a text.

    >>> cut("every  one", 20), cut("monthly fee of", 8)
    ('every one', 'monthly…')
    """
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def label(attributes: tuple[AttributeInfo, ...], name: str) -> str:
    """An attribute for people."""
    return next((info.label for info in attributes if info.name == name), name)


def cell_name(weakness_map: WeaknessMap, at: int) -> str:
    """A cell by its two levels."""
    return (
        f"{weakness_map.rows.levels[weakness_map.row[at]]}{TIMES}{weakness_map.columns.levels[weakness_map.column[at]]}"
    )


def questions(conditions: Conditions) -> str:
    """The questions with some levels, in the words of their attributes.

    >>> questions((("joins", "1"), ("cost_centre", "A")))
    'Questions that join two tables and with cost centre: A'
    """
    return f"Questions {where(conditions)}"


def cell_questions(weakness_map: WeaknessMap, at: int) -> str:
    """The questions of a cell."""
    rows, columns = weakness_map.rows, weakness_map.columns
    return questions(
        (
            (rows.name, rows.levels[weakness_map.row[at]]),
            (columns.name, columns.levels[weakness_map.column[at]]),
        )
    )


def wrapped(text: str, width: int) -> str:
    """A title on as many lines as it needs.

    >>> wrapped("Questions about fees: 0.39 against 0.81", 24)
    'Questions about fees:<br>0.39 against 0.81'
    """
    return "<br>".join(textwrap.wrap(text, width, break_long_words=False))


def map_finding(weakness_map: WeaknessMap) -> str:
    """The title of the map: its worst weak cell against all others, and how many more there are.

    Where no cell is weak and a level is, that is told.
    """
    weak = [int(at) for at in weakness_map.cells.weak.nonzero()[0]]
    title = _finding(weakness_map.cells, weak, [cell_questions(weakness_map, at) for at in weak], "cell")
    if weak:
        return title
    margins = [
        (float(parts.effect[at]), questions(((attribute.name, attribute.levels[at]),)), parts, at)
        for attribute, parts in (
            (weakness_map.rows, weakness_map.by_row),
            (weakness_map.columns, weakness_map.by_column),
        )
        for at in parts.weak.nonzero()[0].tolist()
    ]
    if not margins:
        return title
    _, name, parts, at = max(margins, key=lambda margin: margin[0])
    mean, rest = value(float(parts.mean[at])), value(float(parts.rest[at]))
    return f"{title}; {short(name[0].lower() + name[1:], 80)} are weak by themselves: {mean} against {rest}"


def level_finding(marginal: Marginal) -> str:
    """The title of the plot: the worst weak level against the rest."""
    weak = [int(at) for at in marginal.levels.weak.nonzero()[0]]
    return _finding(
        marginal.levels,
        weak,
        [questions(((marginal.attribute.name, marginal.attribute.levels[at]),)) for at in weak],
        "level",
    )


def _finding(parts: Parts, weak: list[int], names: list[str], thing: str) -> str:
    tested = int((~(parts.p_value != parts.p_value)).sum())
    if not tested:
        return f"No {thing} has enough semantic groups to be tested"
    if not weak:
        return f"No weak {thing} among {tested:,} tested"
    name, at = max(zip(names, weak, strict=True), key=lambda pair: float(parts.effect[pair[1]]))
    more = f", and {numbers.count(len(weak) - 1, f'more weak {thing}')}" if len(weak) > 1 else ""
    part_name = short(name, 90)
    return f"{part_name}: {value(float(parts.mean[at]))} against {value(float(parts.rest[at]))} elsewhere{more}"


def worst(parts: Parts) -> int | None:
    """The part with the greatest effect among the weak ones, else among those tested; None where none was tested."""
    tested = (~(parts.p_value != parts.p_value)).nonzero()[0]
    weak = parts.weak.nonzero()[0]
    among = weak if weak.size else tested
    return int(among[parts.effect[among].argmax()]) if among.size else None
