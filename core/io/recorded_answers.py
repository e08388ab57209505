"""Files of recorded answers: rows with what a system said, and passages however they are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.results.responses import Context
from core.io.replies.contexts import contexts_of
from core.io.tables.cells import number_of, truth_of
from core.io.tables.columns import ALIASES, Field, arrange
from core.io.tables.layout import Layout, lay_out
from core.io.tables.rows import Row, read_rows, refuse_large

MAX_BYTES = 1_000_000_000

READ: Final = frozenset(
    {
        Field.CASE_ID,
        Field.QUESTION,
        Field.ANSWER,
        Field.CONTEXTS,
        Field.DOCUMENT_IDS,
        Field.CHUNK_IDS,
        Field.CONTEXT_SCORES,
        Field.ABSTAINED,
        Field.ERROR,
        Field.LATENCY,
        Field.TOKENS,
    }
)
"""The fields of a recording."""
ANSWER_NAMES: Final = tuple(name for name in ALIASES[Field.ANSWER] if "." not in name)
NO_ANSWER: Final = "The recording holds no answer for this case."


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One recorded answer.

    Attributes:
        row: Its number in the file, from 1.
        answer: What the system said, or None where it said nothing or failed.
        error: Why there is no answer, as recorded, or empty.
    """

    row: int
    case_id: str
    question: str
    answer: str | None
    error: str = ""
    abstained: bool | None = None
    contexts: tuple[Context, ...] = ()
    latency_s: float | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A file of recorded answers.

    Attributes:
        ignored: Columns that are not read, with the reason.
    """

    rows: tuple[Recorded, ...]
    ignored: Mapping[str, str]


def read_recording(path: Path) -> Recording:
    """Reads a recording.

    Rows need a case id or a question, and an answer; optional are passages, ids of their documents, an error, whether
    the system declined, latency in seconds and tokens. What columns are called is told by
    :mod:`core.io.tables.columns`.

    Raises:
        UnreadableFile: The file or one of its rows cannot be used; the message has the row's number.
    """
    refuse_large(path, MAX_BYTES)
    rows = list(read_rows(path))
    layout = lay_out(path, rows)
    recorded = tuple(_recorded(layout, row, number, f"Row {number} of {path}") for number, row in rows)
    return Recording(rows=recorded, ignored=layout.ignored(READ))


def read_row(row: Mapping[str, object], where: str) -> Recorded:
    """One answer from an object with the names of a recording.

    Args:
        row: The object.
        where: What it is, for messages.

    Raises:
        UnreadableFile: It cannot be used.
    """
    layout = Layout(path=Path(), columns=tuple(row), fields=arrange(row), has_header=False)
    return _recorded(layout, row, 1, where)


def _recorded(layout: Layout, row: Row, number: int, where: str) -> Recorded:
    case_id, question = layout.text(row, Field.CASE_ID), layout.text(row, Field.QUESTION)
    if not case_id and not question:
        raise UnreadableFile(f"{where} has neither case_id nor question.", "One of them says which case it answers.")
    error = str(layout.cell(row, Field.ERROR) or "")
    if not error and not layout.column(row, Field.ANSWER):
        raise UnreadableFile(
            f"{where} has no answer.", f"Name the column one of {', '.join(ANSWER_NAMES)}; null is allowed."
        )
    answer = _answer(layout.cell(row, Field.ANSWER), where)
    tokens = _number(layout, row, Field.TOKENS, where)
    contexts = contexts_of_row(layout, row, where)
    return Recorded(
        row=number,
        case_id=case_id,
        question=question,
        answer=None if error else answer,
        error=error or ("" if answer is not None else NO_ANSWER),
        abstained=_abstained(layout, row, where),
        contexts=contexts or (),
        latency_s=_number(layout, row, Field.LATENCY, where),
        tokens=None if tokens is None else int(tokens),
    )


def contexts_of_row(layout: Layout, row: Row, where: str) -> tuple[Context, ...] | None:
    """The passages of a row; None where nothing is said of them.

    Raises:
        UnreadableFile: They are of another kind, or of different numbers; the message names the column.
    """
    fields = (Field.CONTEXTS, Field.DOCUMENT_IDS, Field.CHUNK_IDS, Field.CONTEXT_SCORES)
    try:
        texts, ids, chunks, scores = (layout.listed(row, name, where) for name in fields)
    except InvalidInput as error:
        raise UnreadableFile(error.message, error.hint) from None
    if texts is None and ids is None and chunks is None:
        return None
    columns = [column for name in fields if (column := layout.column(row, name))]
    place = f"column {columns[0]}" if len(columns) == 1 else f"columns {', '.join(dict.fromkeys(columns))}"
    return contexts_of(texts, ids, f"{where}, {place},", chunks=chunks, scores=scores)


def _answer(value: object, where: str) -> str | None:
    if isinstance(value, list):  # GRAMMAR keeps a list of samples; the first one was judged
        value = value[0] if value else None
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    raise UnreadableFile(f"{where} has an answer that is {type(value).__name__}, not text.", "Give text or null.")


def _abstained(layout: Layout, row: Row, where: str) -> bool | None:
    value = layout.cell(row, Field.ABSTAINED)
    column = layout.column(row, Field.ABSTAINED)
    try:
        return truth_of(value, where, column)
    except InvalidInput:
        raise UnreadableFile(f"{where} has {column} = {value!r}.", "Give true, false or nothing.") from None


def _number(layout: Layout, row: Row, name: Field, where: str) -> float | None:
    value = layout.cell(row, name)
    try:
        number = None if isinstance(value, bool) else number_of(value)
    except ValueError:
        number = -1.0
    if isinstance(value, bool) or (number is not None and number < 0):
        column = layout.column(row, name)
        raise UnreadableFile(f"{where} has {column} = {value!r}.", "Give a number that is not negative, or nothing.")
    return number
