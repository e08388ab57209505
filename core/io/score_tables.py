"""Scores and people's labels from one data file, ready to be calibrated."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.domain.errors import InvalidInput
from core.domain.results.combining import combined
from core.domain.results.labels import LabelRule
from core.io.tables.cells import NO, NOTHING, UNJUDGED, YES
from core.io.tables.columns import Field, arrange
from core.io.tables.layout import lay_out
from core.io.tables.rows import read_rows

Floats = NDArray[np.float64]

MOST_LEVELS = 20
UNNAMED = "No option names it."
"""Why a column is passed over that is no field of answers either."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreTable:
    """The rows of a file as arrays.

    Attributes:
        scores: As in the file, shape (n, m), NaN where empty.
        labels: Level of each row from 0, that of several raters combined, shape (n,); NaN where there is none.
        ratings: What each rater said as a number, before any cut-off, shape (raters, n), NaN where empty.
        levels: What the levels are called, lowest first.
        accept_from: Place of the lowest accepted level.
        clusters: What each row belongs to.
        cluster: The column that says so, empty where each row stands alone.
        groups: The group of each row, where a column of groups was named.
        random: Whether a row was drawn at random.
        weights: One over the chance of each row to be labelled; None where not told.
        undecided: Rows that raters looked at and that have no one label: half of the raters accept and half do not, or
            nobody can judge.
        rule: How the labels of several raters were combined; None where there is one column of labels.
        ignored: Columns that are not read, with the reason.
    """

    scores: Floats
    labels: Floats
    ratings: Floats
    levels: tuple[str, ...]
    accept_from: int
    clusters: tuple[str, ...]
    groups: tuple[str, ...] | None
    random: NDArray[np.bool_]
    weights: Floats | None
    cluster: str
    undecided: int = 0
    rule: LabelRule | None = None
    ignored: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which columns hold what; an empty name is none."""

    scores: tuple[str, ...]
    labels: tuple[str, ...]
    group: str = ""
    cluster: str = ""
    random: str = ""
    probability: str = ""


def read_score_table(
    path: Path, columns: Columns, *, accept_from: float | None = None, rule: LabelRule = LabelRule.MEDIAN
) -> ScoreTable:
    """Reads scores and labels.

    A label is 0 or 1, a word such as pass or fail, or a whole number of a scale. Several columns of labels are several
    raters of one scale, combined by :func:`core.domain.results.combining.combined`. A mean counts as the highest level
    it reaches, and as accepted where it reaches the cut-off. Cells without a value are missing, never 0.

    Args:
        path: Any file that :func:`core.io.tables.rows.read_rows` reads.
        columns: Which columns hold what. Without a column of clusters, ``group_id``, ``query_tag`` or ``task_id`` is
            taken where the file has it (and it is not the column of groups); else each row stands alone.
        accept_from: The lowest label that counts as accepted; by default 1 of 0 and 1, and the upper half of a scale.
            Labels that are means of raters are read as accepted or not with it.
        rule: How the labels of several raters are combined.

    Raises:
        UnreadableFile: The file cannot be read.
        InvalidInput: A column is missing, or a cell cannot be understood.
    """
    numbered = list(read_rows(path))
    rows = [row for _, row in numbered]
    columns_present = {name for row in rows for name in row}
    source_names = [name for name in source_columns(columns_present) if name != columns.group]
    cluster = columns.cluster or next(iter(source_names), "")
    requested = (*columns.scores, *columns.labels, columns.group, columns.cluster, columns.random, columns.probability)
    for name in requested:
        if name and name not in columns_present:
            raise InvalidInput(
                f"{path} has no column {name!r} with a value.", f"It has: {', '.join(sorted(columns_present))}."
            )
    scores = np.array([[cell_number(row, name, place) for name in columns.scores] for place, row in enumerate(rows, 1)])
    scale = _scale(rows, columns.labels, accept_from)
    ratings = scale.ratings
    weights = None
    if columns.probability:
        chance = np.array([cell_number(row, columns.probability, place) for place, row in enumerate(rows, 1)])
        with np.errstate(divide="ignore", invalid="ignore"):
            weights = 1.0 / chance
        weights[np.isnan(ratings).all(axis=0)] = 1.0
        if not np.isfinite(weights).all() or (weights < 1.0 - 1e-9).any():
            raise InvalidInput(
                f"A labelled row has no chance between 0 and 1 in {columns.probability}.",
                "Give each labelled row the probability with which it was chosen.",
            )
    several = len(columns.labels) > 1
    if several and rule is LabelRule.MEAN and len(scale.values) <= 2 and not scale.cut_only:
        raise InvalidInput(
            f"The labels in {', '.join(columns.labels)} are yes or no, and have no mean.",
            "Combine them by their median or by majority; both are the vote.",
        )
    labels = _one_label(scale, rule)
    looked = [any(cell_text(row.get(name)).casefold() in UNJUDGED for name in columns.labels) for row in rows]
    seen = ~np.isnan(ratings).all(axis=0) | np.array(looked, dtype=bool)
    return ScoreTable(
        scores=scores,
        labels=labels,
        ratings=ratings,
        levels=scale.levels,
        accept_from=scale.first,
        clusters=tuple(cell_text(row.get(cluster)) or f"row {place}" for place, row in enumerate(rows)),
        groups=tuple(cell_text(row.get(columns.group)) or "(none)" for row in rows) if columns.group else None,
        random=np.array([_is_random(row, columns.random, place) for place, row in enumerate(rows, 1)], dtype=bool),
        weights=weights,
        cluster=cluster,
        undecided=int((seen & np.isnan(labels)).sum()),
        rule=rule if several else None,
        ignored={
            name: reason
            for name, reason in lay_out(path, numbered).ignored((Field.GROUP,), unknown=UNNAMED).items()
            if name not in (*requested, cluster)
        },
    )


def source_columns(columns: Iterable[str]) -> tuple[str, ...]:
    """Columns that say which rows share a source, the one to be taken first standing first."""
    return arrange(columns).get(Field.GROUP, ())


def cell_text(value: object) -> str:
    """What a cell says, empty for an empty one."""
    return "" if value is None or (isinstance(value, float) and math.isnan(value)) else str(value).strip()


def cell_number(
    row: Mapping[str, object],
    name: str,
    place: int,
    *,
    yes: frozenset[str] = frozenset(("true",)),
    no: frozenset[str] = frozenset(("false",)),
) -> float:
    """The number in a cell, NaN for an empty one.

    Args:
        row: The row.
        name: Its column.
        place: Of the row, from 1, for the error.
        yes: Words that stand for 1.
        no: Words that stand for 0.

    Raises:
        InvalidInput: It is no number.
    """
    text = cell_text(row.get(name)).casefold()
    if text in NOTHING:
        return math.nan
    if text in yes | no:
        return float(text in yes)
    try:
        number = float(text)
    except ValueError:
        number = math.inf
    if math.isinf(number):
        raise InvalidInput(f"Row {place}: {name} is {text[:40]!r}, which is no number.", "Leave unscored cells empty.")
    return number


def _is_random(row: Mapping[str, object], name: str, place: int) -> bool:
    """Whether a row was drawn at random; the word of our own exports is understood."""
    if not name:
        return True
    text = cell_text(row.get(name)).casefold()
    if text in YES or text == "random":
        return True
    if text in NO or text in NOTHING or text == "targeted":
        return False
    raise InvalidInput(f"Row {place}: {name} is {text[:40]!r}.", "Write true for rows drawn at random, else false.")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Scale:
    """What raters said, and the levels it is read as.

    Attributes:
        ratings: Numbers by rater and row.
        values: The numbers that occur, ascending.
        levels: The names of the levels that a label becomes.
        first: Place of the lowest accepted one.
        cut: The lowest number that counts as accepted.
        cut_only: Whether a label becomes accepted or not, instead of one of the values.
    """

    ratings: Floats
    values: tuple[float, ...]
    levels: tuple[str, ...]
    first: int
    cut: float
    cut_only: bool = False


def _scale(rows: Sequence[Mapping[str, object]], names: Sequence[str], accept_from: float | None) -> _Scale:
    """What the columns of labels hold."""
    cells = [[cell_text(row.get(name)) for row in rows] for name in names]
    seen = sorted({text for row in cells for text in row if text.casefold() not in NOTHING})
    if not seen:
        raise InvalidInput(f"No row has a label in {', '.join(names)}.", "Label some rows: 0 or 1, pass or fail.")
    if accept_from is None and all(_yes_or_no(text) is not None for text in seen):
        ratings = _placed(cells, {text: float(bool(_yes_or_no(text))) for text in seen})
        return _Scale(ratings=ratings, values=(0.0, 1.0), levels=("0", "1"), first=1, cut=1.0)
    values: dict[str, float] = {}
    # Where the others are words for yes and no, a word that is neither is the one to name.
    for text in sorted(seen, key=lambda text: _yes_or_no(text) is not None):
        try:
            values[text] = float({"true": "1", "false": "0"}.get(text.casefold(), text))
        except ValueError:
            raise InvalidInput(
                f"The label {text[:40]!r} is not understood.", "Use 0 and 1, pass and fail, or the numbers of a scale."
            ) from None
    ratings = _placed(cells, values)
    whole = all(value == round(value) for value in values.values())
    scale = tuple(sorted(set(values.values())))
    if accept_from is not None and (not whole or len(scale) > MOST_LEVELS):
        return _Scale(ratings=ratings, values=scale, levels=("0", "1"), first=1, cut=accept_from, cut_only=True)
    if not whole or len(scale) > MOST_LEVELS:
        raise InvalidInput(
            f"The labels have {len(scale)} different values, such as {scale[0]:g} and {scale[-1]:g}.",
            "Give --accept-from to read them as accepted or not.",
        )
    least = (scale[0] + scale[-1]) / 2.0 if accept_from is None else accept_from
    first = sum(value < least for value in scale)
    if len(scale) > 1 and not 1 <= first < len(scale):
        raise InvalidInput(
            f"Accepting from {least:g} on leaves all labels on one side.",
            f"Take a value from {scale[1]:g} to {scale[-1]:g}.",
        )
    cut = scale[min(first, len(scale) - 1)] if accept_from is None else accept_from
    return _Scale(ratings=ratings, values=scale, levels=tuple(f"{value:g}" for value in scale), first=first, cut=cut)


def _yes_or_no(text: str) -> bool | None:
    folded = text.casefold()
    if folded in ("1.0", "0.0"):
        folded = folded[0]
    return True if folded in YES else False if folded in NO else None


def _placed(cells: Sequence[Sequence[str]], places: Mapping[str, float]) -> Floats:
    return np.array([[places.get(text, math.nan) for text in row] for row in cells], dtype=np.float64)


def _one_label(scale: _Scale, rule: LabelRule) -> Floats:
    """The level of each row, NaN where nobody gave one or as many raters accept as do not."""
    labels = np.full(scale.ratings.shape[1], np.nan)
    for place, column in enumerate(scale.ratings.T):
        given = column[~np.isnan(column)].tolist()
        value = combined(given, rule, scale.cut)[0] if given else None
        if value is None:
            continue
        accepted = value >= scale.cut - 1e-9
        if scale.cut_only:
            labels[place] = float(accepted)
            continue
        level = int(np.searchsorted(scale.values, value + 1e-9, side="right")) - 1
        labels[place] = max(level, scale.first) if accepted else level
    return labels
