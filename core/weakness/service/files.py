"""Scored rows of a data file as a table for the search for weaknesses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.domain.errors import InvalidInput
from core.domain.results.runs import VERDICT_METRIC
from core.io.score_tables import cell_number, cell_text, source_columns
from core.io.tables.cells import NO, NOTHING, YES
from core.io.tables.columns import Field
from core.io.tables.layout import lay_out
from core.io.tables.rows import read_rows
from core.metrics import direction
from core.runs.scores.summary import spec_of
from core.weakness.binning import Binning, bin_numbers
from core.weakness.table import Attribute, CaseTable, Floats, ScoreColumn, attribute_of

NESTED = "attributes"
"""A column of attributes by name, as our own test sets have it."""
OWN_TEXTS = (Field.CASE_ID, Field.QUESTION, Field.ANSWER, Field.CONTEXTS, Field.REFERENCES, Field.SQL, Field.GROUP)
"""Fields that tell each row from every other, which is no attribute."""
OF_SCORES = ("_status", "_detail")
"""How columns end that the command score writes beside each score."""
FEW_NUMBERS = 20
"""So many different numbers at most are levels by themselves where no bins are given."""

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaknessFile:
    """A file of scored rows.

    Attributes:
        verdict: Where a column says whether answers are right: 1 for right, 0 for wrong, NaN where empty; shape (n,).
        ignored: Columns that are neither the score nor an attribute nor tell rows apart, with the reason.
    """

    table: CaseTable
    verdict: Floats | None
    ignored: Mapping[str, str]


def read_weakness_file(
    path: Path,
    metric: str,
    *,
    attributes: Sequence[str] = (),
    bins: Mapping[str, Binning] | None = None,
    cluster: str = "",
    lower_is_better: bool = False,
    verdict: str = "",
    accept_from: float | None = None,
) -> WeaknessFile:
    """Reads rows with a score and what they can be told apart by.

    A score is a number, or a word such as pass or fail; a cell without a value is missing, never 0. A score of a metric
    that Plumbline knows has its range and its better side; any other lies between 0 and 1 where all its values do, and
    has no bounds else. An attribute of more than 20 different numbers becomes levels by quantile.

    Args:
        path: Any file that :func:`core.io.tables.rows.read_rows` reads.
        metric: The column of the score.
        attributes: Columns, or keys of a column ``attributes``, that are attributes whatever they hold. Of the others
            those are that have at least two levels, at most half as many as there are rows, and belong to no score.
        bins: How numbers become levels, by attribute.
        cluster: The column that says which rows share a source; ``group_id``, ``query_tag`` or ``task_id``
            where the file has it.
        lower_is_better: Whether less is better, for a metric that does not say so itself.
        verdict: The column that says whether an answer is right; where empty, one that is called so and holds nothing
            but yes and no.
        accept_from: The lowest number in it that counts as right; without it, it holds yes and no, or 1 and 0.

    Raises:
        UnreadableFile: The file cannot be read.
        InvalidInput: A column is missing, or a cell cannot be understood.
    """
    nested_rows = [row for _, row in read_rows(path)]
    rows = [_flat(row) for row in nested_rows]
    opened = {NESTED} if any(isinstance(row.get(NESTED), Mapping) for row in nested_rows) else set()
    columns = [*dict.fromkeys(name for row in rows for name in row)]
    bins = bins or {}
    for name in (metric, *attributes, *bins, *filter(None, [cluster, verdict])):
        if name not in columns:
            raise InvalidInput(f"{path} has no column {name!r} with a value.", f"It has: {', '.join(sorted(columns))}.")
    values = np.array(
        [cell_number(row, metric, place, yes=YES, no=NO) for place, row in enumerate(rows, 1)], dtype=np.float64
    )
    layout = lay_out(path, enumerate(rows, 1))
    fields = layout.fields
    sources = source_columns(columns)
    column = cluster or next(iter(sources), "")
    texts = {fields[field][0] for field in OWN_TEXTS if field in fields} | {"reference", *OWN_TEXTS, *sources}
    case_id = fields.get(Field.CASE_ID, ("case_id",))[0]
    groups = [cell_text(row.get(column)) or f"row {place}" for place, row in enumerate(rows)]
    judged, right = _verdict(rows, fields, verdict, accept_from) if metric != verdict else ("", None)
    if judged == metric or judged in attributes:
        judged, right = "", None
    of_answers = layout.ignored((Field.CASE_ID, Field.GROUP))
    chosen: list[Attribute] = []
    ignored: dict[str, str] = {}
    for name in layout.columns:
        if name in (metric, judged) or name in opened or (name in (column, case_id) and name not in attributes):
            continue
        attribute = _attribute(rows, name, bins.get(name))
        if name in (column, *texts):
            reason = of_answers.get(name, "It tells every row from the others.")
        else:
            reason = _passed_over(name, attribute, len(rows))
        if attribute and (name in attributes or not reason):
            chosen.append(attribute)
        else:
            ignored[name] = reason
    numbers = {group: place for place, group in enumerate(dict.fromkeys(groups))}
    return WeaknessFile(
        table=CaseTable(
            case_ids=tuple(cell_text(row.get(case_id)) or f"row {place}" for place, row in enumerate(rows, 1)),
            clusters=np.array([numbers[group] for group in groups], dtype=np.int64),
            score=_column(metric, values, lower_is_better),
            attributes=tuple(chosen),
        ),
        verdict=right,
        ignored=ignored,
    )


def _verdict(
    rows: Sequence[Row], fields: Mapping[str, tuple[str, ...]], named: str, accept_from: float | None
) -> tuple[str, Floats | None]:
    """The column of verdicts and what it says; none where no column is one."""
    column = named or next(iter(fields.get(Field.VERDICT, ())), "")
    if not column:
        return "", None
    try:
        values = np.array(
            [cell_number(row, column, place, yes=YES, no=NO) for place, row in enumerate(rows, 1)], dtype=np.float64
        )
    except InvalidInput:
        if named:
            raise
        return "", None
    if accept_from is not None:
        return column, np.where(np.isnan(values), np.nan, (values >= accept_from).astype(np.float64))
    if np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
        return column, values
    if named:
        raise InvalidInput(
            f"{column} holds more than yes and no.", "Give --accept-from: the lowest value that counts as right."
        )
    return "", None


def _passed_over(name: str, attribute: Attribute | None, rows: int) -> str:
    """Why a column is no attribute, empty where it is one."""
    if _of_a_score(name):
        return "It belongs to a score."
    if attribute is None:
        return "Its cells are no texts and no numbers."
    if len(attribute.levels) < 2:
        return "It has the same value in all rows." if attribute.levels else "It has no value."
    if len(attribute.levels) > max(rows / 2, 2):
        return f"It has {len(attribute.levels):,} values in {rows:,} rows."
    return ""


def _of_a_score(name: str) -> bool:
    return name == VERDICT_METRIC or spec_of(name) is not None or name.endswith(OF_SCORES)


def _flat(row: Row) -> Row:
    """A row with its nested attributes as columns; a column of its own goes before one of the same name."""
    inner = row.get(NESTED)
    return row if not isinstance(inner, Mapping) else {**inner, **{k: v for k, v in row.items() if k != NESTED}}


def _column(metric: str, values: Floats, lower_is_better: bool) -> ScoreColumn:
    spec = spec_of(metric)
    better = not (lower_is_better or direction.lower_is_better(metric))
    if spec is not None:
        return ScoreColumn(name=metric, values=values, low=spec.low, high=spec.high, higher_is_better=better)
    present = values[~np.isnan(values)]
    inside = bool(((present >= 0.0) & (present <= 1.0)).all())
    low, high = (0.0, 1.0) if inside else (None, None)
    return ScoreColumn(name=metric, values=values, low=low, high=high, higher_is_better=better)


def _attribute(rows: Sequence[Row], name: str, binning: Binning | None) -> Attribute | None:
    """An attribute of the rows; None for a column that is no text and no number, such as passages."""
    cells = [row.get(name) for row in rows]
    if any(isinstance(cell, Mapping) or (isinstance(cell, (list, tuple)) and not _names(cell)) for cell in cells):
        return None
    texts = [", ".join(map(str, cell)) if isinstance(cell, (list, tuple)) else cell_text(cell) for cell in cells]
    texts = ["" if text.casefold() in NOTHING else text for text in texts]
    numbers = _numbers(texts)
    if numbers is not None and (binning is not None or np.unique(numbers[~np.isnan(numbers)]).size > FEW_NUMBERS):
        return bin_numbers(name, numbers, binning)
    if binning is not None:
        raise InvalidInput(f"{name} is not a number and has no bins.", "Leave out its bins.")
    return attribute_of(name, texts)


def _names(cell: Sequence[object]) -> bool:
    return all(isinstance(item, str) and len(item) <= 200 for item in cell)


def _numbers(texts: Sequence[str]) -> Floats | None:
    """The texts as numbers, NaN for none; None where one is no number."""
    try:
        numbers = np.array([float(text) if text else math.nan for text in texts], dtype=np.float64)
    except ValueError:
        return None
    return None if np.isinf(numbers).any() or np.isnan(numbers).all() else numbers
