"""Files of recorded verdicts: rows of a table or of JSON, and GRAMMAR's SemanticsMatch."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.domain.errors import UnreadableFile
from core.domain.results.responses import Verdict
from core.io.tables.columns import ALIASES, Field, arrange
from core.io.tables.layout import Layout, lay_out
from core.io.tables.rows import Row, read_document, read_rows, refuse_large

MAX_BYTES = 1_000_000_000

READ: Final = frozenset({Field.CASE_ID, Field.QUESTION, Field.ANSWER, Field.VERDICT, Field.VERDICT_REASON})
"""The fields of a file of verdicts."""

CORRECT = frozenset({"correct", "true", "yes", "1", "1.0", "right", "pass", "passed"})
INCORRECT = frozenset({"incorrect", "false", "no", "0", "0.0", "wrong", "fail", "failed", "not correct"})
NOT_JUDGED = frozenset({"not judged", "not_judged", "null", "none", "n/a", ""})
LABELLED = re.compile(r"^(?:verdict|judge?ment|answer|label)\s*[:=]\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedVerdict:
    """One recorded verdict.

    Attributes:
        row: Its number in the file, from 1.
        answer: The answer it was given for, or None where the row does not say or there was none.
        raw: The verdict as written.
    """

    row: int
    verdict: Verdict
    raw: str
    case_id: str = ""
    question: str = ""
    answer: str | None = None
    reason: str = ""


def read_verdict(value: object) -> Verdict | None:
    """A verdict however it is written; None where it is none.

    >>> read_verdict("Correct."), read_verdict(0), read_verdict(None), read_verdict("mostly")
    (<Verdict.CORRECT: 'correct'>, <Verdict.INCORRECT: 'incorrect'>, <Verdict.NOT_JUDGED: 'not_judged'>, None)
    """
    if isinstance(value, list):
        return read_verdict(value[0]) if len(value) == 1 else None
    word = "" if value is None else " ".join(str(value).casefold().split())
    word = LABELLED.sub("", word.strip(" .!'\"*`")).strip(" .!'\"*`")
    if word in CORRECT:
        return Verdict.CORRECT
    if word in INCORRECT:
        return Verdict.INCORRECT
    return Verdict.NOT_JUDGED if word in NOT_JUDGED else None


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictFile:
    """A file of recorded verdicts.

    Attributes:
        ignored: Columns that are not read, with the reason.
    """

    rows: tuple[RecordedVerdict, ...]
    ignored: Mapping[str, str]


def read_verdicts(path: Path) -> VerdictFile:
    """Reads recorded verdicts.

    A row has a case id, or a question with its answer, and a verdict. What columns are called is told by
    :mod:`core.io.tables.columns`. A JSON object whose keys are ``str((question, reference, response))`` is GRAMMAR's
    SemanticsMatch.

    Raises:
        UnreadableFile: The file or one of its rows cannot be used; the message has the row's number.
    """
    refuse_large(path, MAX_BYTES)
    rows = _semantics_match(path)
    if rows is None:
        rows = list(read_rows(path))
    layout = lay_out(path, rows)
    verdicts = tuple(_row(layout, row, number) for number, row in rows)
    return VerdictFile(rows=verdicts, ignored=layout.ignored(READ))


def _semantics_match(path: Path) -> list[tuple[int, Row]] | None:
    """The entries of a SemanticsMatch file as rows; None for any other file."""
    if path.suffix.casefold() != ".json":
        return None
    try:
        content = read_document(path)
    except UnreadableFile:
        return None  # JSON lines under another name; else reading the rows says what is wrong
    if not isinstance(content, dict) or any(_holds_rows(value) for value in content.values()) or arrange(content):
        return None
    return [(number, _entry(path, number, *entry)) for number, entry in enumerate(content.items(), start=1)]


def _holds_rows(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value)
    )


def _entry(path: Path, number: int, key: str, verdict: object) -> Row:
    try:
        parts = ast.literal_eval(key)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        parts = None
    if not isinstance(parts, tuple) or len(parts) != 3:
        raise UnreadableFile(
            f"Entry {number} of {path} is no (question, reference, response).", "Give a list of rows instead."
        )
    return {"question": parts[0], "response": parts[2], "verdict": verdict}


def _row(layout: Layout, row: Row, number: int) -> RecordedVerdict:
    where = f"Row {number} of {layout.path}"
    column = layout.column(row, Field.VERDICT)
    if not column:
        raise UnreadableFile(f"{where} has no verdict.", f"Name the column one of {', '.join(ALIASES[Field.VERDICT])}.")
    cell = row.get(column)
    verdict = read_verdict(cell)
    if verdict is None:
        raise UnreadableFile(f"{where} has {column} = {cell!r}.", "Write correct or incorrect.")
    case_id, question = layout.text(row, Field.CASE_ID), layout.text(row, Field.QUESTION)
    if not case_id and not (question and layout.column(row, Field.ANSWER)):
        raise UnreadableFile(
            f"{where} has neither case_id nor question and answer.", "One of them says what was judged."
        )
    answer = layout.cell(row, Field.ANSWER)
    if isinstance(answer, list):
        answer = answer[0] if answer else None
    return RecordedVerdict(
        row=number,
        verdict=verdict,
        raw="" if cell is None and layout.has_header else str(cell),
        case_id=case_id,
        question=question,
        answer=None if answer is None else str(answer),
        reason=layout.text(row, Field.VERDICT_REASON),
    )
