"""Labels from anybody's file, one a row: which case, which criterion, which rater, what value."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput
from core.domain.identity import short_hash
from core.io.tables.columns import LABELS, Field, rater_commented, rater_of
from core.io.tables.layout import Layout, lay_out, tell_ignored
from core.io.tables.rows import Row, read_rows

OUR_EXPORT: Final = frozenset(
    {
        "round",
        "origin",
        "status",
        "spans",
        "seconds",
        "at",
        "part",
        "stratum",
        "probability",
        "chances",
        "gold",
        "explanation",
    }
)
"""Further columns of a file of ours, which an import into a run gives back."""
ONE_CRITERION = "label"
"""The name where a file has no column for it."""

_WORDS: Final = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRow:
    """One label as a file has it.

    Attributes:
        number: Of its row, from 1.
        value: A number or a word; None where the cell is empty, for a case that could not be judged.
        occurrence: 0 for the first time, 1 for a repetition.
        row: All of its columns.
    """

    number: int
    case_id: str
    criterion: str
    rater: str
    value: float | str | None
    comment: str = ""
    occurrence: int = 0
    row: Row = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelTable:
    """The labels of one criterion.

    Attributes:
        case_ids: In the order they first come.
        raters: In the order they first come.
        values: Shape (raters, cases), NaN where there is none; places in `words` where labels are words.
        repeats: The repetitions, same shape.
        cannot_judge: By rater, rows without a value.
        words: What the values stand for; empty where they are numbers.
    """

    case_ids: tuple[str, ...]
    raters: tuple[str, ...]
    values: npt.NDArray[np.float64]
    repeats: npt.NDArray[np.float64]
    cannot_judge: Mapping[str, int]
    words: tuple[str, ...] = ()

    def code(self, value: float | str) -> float:
        """A value as the table has it, NaN for a word that nobody gave."""
        if not self.words:
            return float(value)
        return float(self.words.index(str(value))) if str(value) in self.words else math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFile:
    """A file of labels.

    Attributes:
        ignored: Columns that are not read, with the reason.
    """

    rows: tuple[LabelRow, ...]
    ignored: Mapping[str, str] = field(default_factory=dict)


def read_labels(path: Path, *, rated: bool = True, criterion: str = ONE_CRITERION) -> LabelFile:
    """The labels of a file. Columns that are not read are named in the log.

    A table of one row a case may have a column for each rater instead (`rater_1`, `rater_2`, see
    :func:`core.io.tables.columns.rater_of`). An empty cell there is a case that the rater was not asked about, and a
    table of answers without ids names its cases as an import of the answers does.

    Args:
        path: Rows of any file that :func:`core.io.tables.rows.read_rows` reads, with the columns case_id, rater, value,
            where there are several criteria criterion, and comment and occurrence where there are any. An empty value
            is a case that the rater could not judge.
        rated: Whether each row needs a rater; gold labels have none.
        criterion: The criterion of rows that name none.

    Raises:
        UnreadableFile: The file cannot be read.
        InvalidInput: A row lacks its case or its rater, has a value that is no label, or says what an earlier row said.
    """
    numbered = list(read_rows(path))
    layout = lay_out(path, numbered, table=LABELS)
    by_rater = {column: name for column in layout.columns if (name := rater_of(column))} if rated else {}
    if len(by_rater) > 1 or (by_rater and "rater" not in layout.fields):
        return _one_row_a_case(path, numbered, layout, by_rater, criterion)
    labels = []
    seen: dict[tuple[str, str, str, str, int], int] = {}
    for number, row in numbered:
        where = f"Row {number} of {path}"
        label = LabelRow(
            number=number,
            case_id=_required_text(layout, row, "case_id", where),
            criterion=layout.text(row, "criterion") or criterion,
            rater=_required_text(layout, row, "rater", where) if rated else "",
            value=_value(layout.cell(row, "value"), where),
            comment=layout.text(row, "comment"),
            occurrence=_occurrence(layout.text(row, "occurrence"), where),
            row=row,
        )
        key = (str(row.get("round", "")), label.case_id, label.criterion, label.rater, label.occurrence)
        if key in seen:
            who = f" by {label.rater}" if label.rater else ""
            raise InvalidInput(
                f"{where} labels case {label.case_id} under {label.criterion}{who} again, after row {seen[key]}.",
                "Keep one of the rows, or mark the second time in a column occurrence with 1.",
            )
        seen[key] = number
        labels.append(label)
    if "value" not in layout.fields:
        raise InvalidInput(
            f"{path} has no column value; it has {', '.join(layout.columns[:12])}.",
            "Name the columns case_id, criterion, rater and value.",
        )
    ignored = {name: why for name, why in layout.ignored(LABELS).items() if name not in OUR_EXPORT}
    tell_ignored(path, ignored)
    return LabelFile(rows=tuple(labels), ignored=ignored)


def _one_row_a_case(
    path: Path, numbered: Sequence[tuple[int, Row]], layout: Layout, by_rater: Mapping[str, str], criterion: str
) -> LabelFile:
    """The labels of a table that has a column for each rater.

    Raises:
        InvalidInput: Two columns are of one rater, two rows of one case, or a cell is no label.
    """
    columns: dict[str, str] = {}
    for column, rater in by_rater.items():
        if (other := columns.setdefault(rater, column)) != column:
            raise InvalidInput(
                f"The columns {other} and {column} of {path} are both of {rater}.", "Keep one, or rename the other."
            )
    comments = {rater: column for column in layout.columns if (rater := rater_commented(column)) in columns}
    # Of a table of answers the cases are called as an import of the answers calls them.
    answers = lay_out(path, numbered)
    of_answers = Field.QUESTION in answers.fields
    labels, seen = [], dict[tuple[str, str], int]()
    for number, row in numbered:
        case_id = answers.text(row, Field.CASE_ID)
        if not case_id and of_answers:
            case_id = row_id(number, answers.text(row, Field.QUESTION))
        case_id = case_id or _required_text(layout, row, "case_id", f"Row {number} of {path}")
        name = layout.text(row, "criterion") or criterion
        if (before := seen.setdefault((case_id, name), number)) != number:
            raise InvalidInput(
                f"Rows {before} and {number} of {path} are both of case {case_id} under {name}.",
                "Keep one of the rows, or name what each is about in a column criterion.",
            )
        for rater, column in columns.items():
            value = _value(row.get(column), f"Row {number} of {path}, column {column},")
            comment = str(row.get(comments.get(rater, "")) or "").strip()
            if value is not None or comment:
                labels.append(
                    LabelRow(
                        number=number,
                        case_id=case_id,
                        criterion=name,
                        rater=rater,
                        value=value,
                        comment=comment,
                    )
                )
    used = {*columns.values(), *comments.values()}
    read = {"case_id", "criterion"}
    ignored = {name: why for name, why in layout.ignored(read).items() if name not in used}
    tell_ignored(path, ignored)
    return LabelFile(rows=tuple(labels), ignored=ignored)


def row_id(number: int, question: str) -> str:
    """The id of a case whose row has none; the same wherever the file is read.

    >>> row_id(1, "What is the fee?")
    'row-1-7b16ad'
    """
    return f"row-{number}-{short_hash({'row': number, 'question': question}, 6)}"


def label_table(rows: Iterable[LabelRow], path: Path) -> LabelTable:
    """The labels of one criterion as a table.

    Args:
        rows: Of one criterion.
        path: Where they are from, for messages.

    Raises:
        InvalidInput: Some labels are numbers and others words.
    """
    rows = list(rows)
    rated_rows = [row for row in rows if row.value is not None]
    words = [row for row in rated_rows if isinstance(row.value, str)]
    if words and len(words) < len(rated_rows):
        raise InvalidInput(
            f"Row {words[0].number} of {path} has the label {words[0].value!r} under {words[0].criterion}, where other "
            "labels are numbers.",
            "Give numbers throughout, and leave the value empty where a case could not be judged.",
        )
    case_ids = tuple(dict.fromkeys(row.case_id for row in rows))
    raters = tuple(dict.fromkeys(row.rater for row in rows))
    vocabulary = tuple(sorted({str(row.value) for row in words}))
    places = {case_id: place for place, case_id in enumerate(case_ids)}
    numbers = {rater: number for number, rater in enumerate(raters)}
    codes = {word: float(number) for number, word in enumerate(vocabulary)}
    cannot = dict.fromkeys(raters, 0)
    tables = np.full((2, len(raters), len(case_ids)), np.nan)
    for row in rows:
        if row.value is None:
            cannot[row.rater] += 1
        else:
            value = codes[row.value] if isinstance(row.value, str) else row.value
            tables[row.occurrence, numbers[row.rater], places[row.case_id]] = value
    return LabelTable(
        case_ids=case_ids, raters=raters, values=tables[0], repeats=tables[1], cannot_judge=cannot, words=vocabulary
    )


def _required_text(layout: Layout, row: Row, name: str, where: str) -> str:
    text = layout.text(row, name)
    if not text:
        raise InvalidInput(
            f"{where} has no {name}; its columns are {', '.join(list(row)[:12]) or 'none'}.",
            "Name the columns case_id, criterion, rater and value.",
        )
    return text


def _value(cell: object, where: str) -> float | str | None:
    if isinstance(cell, (bool, int, float)):
        number = float(cell)
        if math.isnan(number):
            return None
    elif isinstance(cell, (list, dict)):
        raise InvalidInput(f"{where} has a label that is a {type(cell).__name__}.", "Give a number or a word.")
    else:
        text = "" if cell is None else str(cell).strip()
        if not text:
            return None
        try:
            number = float(text)
        except ValueError:
            return _WORDS.get(text.casefold(), text)
        if math.isnan(number):
            return None
    if math.isinf(number):
        raise InvalidInput(f"{where} has an infinite label.", "Give a level of the scale.")
    return number


def _occurrence(text: str, where: str) -> int:
    occurrence = text or "0"
    if occurrence not in ("0", "1"):
        raise InvalidInput(
            f"{where} has the occurrence {occurrence!r}.", "Give 0 for the first time, 1 for a repetition."
        )
    return int(occurrence)
