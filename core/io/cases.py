"""Test cases: ours as JSON lines, and any rows of which each has at least a question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from core.domain.errors import InvalidInput
from core.domain.identity import short_hash
from core.domain.testset.cases import TestCase
from core.io.tables.cells import object_of
from core.io.tables.layout import Layout, lay_out, tell_ignored
from core.io.tables.rows import Row, read_rows


def _texts(value: object) -> object:
    """One text, or a list of anything that has a text."""
    if isinstance(value, list | tuple):
        return [str(item) for item in value if item is not None]
    return [str(value)]


def _text_values(value: object) -> object:
    return {str(key): str(item) for key, item in value.items()} if isinstance(value, dict) else value


def _text(value: object) -> object:
    """An id is a text, whatever a file writes it as."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))  # a table made it a decimal
    return str(value) if isinstance(value, int | float) else value


def _blank_is_empty(value: object) -> object:
    return "" if isinstance(value, str) and not value.strip() else value


LISTED: Final = frozenset({"reference_answers", "gold_document_ids", "gold_chunk_ids", "tables"})
OBJECTS: Final = frozenset({"sql_params", "attributes"})
UNANSWERED: Final = {"answer": "reference_answers"}
"""In a file of questions nobody has answered them, so an answer is the right one."""

Text = Annotated[str, BeforeValidator(_text)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]


class CaseLine(BaseModel):
    """One line of a test set file."""

    case_id: Text = ""
    question: Annotated[str, BeforeValidator(_blank_is_empty)] = Field(min_length=1)
    reference_answers: Texts = ()
    form: Text = ""
    group_id: Text = ""
    sql: str = ""
    sql_params: dict[str, object] = Field(default_factory=dict)
    gold_document_ids: Texts = ()
    gold_chunk_ids: Texts = ()
    tables: Texts = ()
    attributes: Annotated[dict[str, str], BeforeValidator(_text_values)] = Field(default_factory=dict)
    sql_template_id: str = ""
    text_template_id: str = ""


def write_cases(path: Path, cases: Iterable[TestCase]) -> None:
    """Writes cases, one JSON object a line; excluded ones are left out.

    Raises:
        InvalidInput: The file cannot be written.
    """
    names = tuple(CaseLine.model_fields)
    try:
        with path.open("w", encoding="utf-8") as file:
            for case in cases:
                if not case.excluded:
                    line = {name: getattr(case, name) for name in names}
                    file.write(json.dumps(line, ensure_ascii=False, default=dict) + "\n")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}.", "Choose another file.") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFile:
    """The cases of a file.

    Attributes:
        cases: In the file's order.
        ignored: Columns that are not read, with the reason.
    """

    cases: list[TestCase]
    ignored: Mapping[str, str]


def read_cases(path: Path) -> list[TestCase]:
    """The cases of any file of rows; :func:`read_case_file` says which columns are not read."""
    return read_case_file(path).cases


def read_case_file(path: Path) -> CaseFile:
    """Reads cases from any file of rows.

    A row needs a question. Reference answers, ids and all else may be absent; what columns are called is told by
    :mod:`core.io.tables.columns`. Nothing is answered yet, so ``answer`` is the reference where no other column is.
    Cases without an id get one from their content. Columns that are not read are named in the log.

    Raises:
        UnreadableFile: The file is missing, empty, not UTF-8 or damaged.
        InvalidInput: A row is not a case, or two cases have the same id; the message names the row.
    """
    rows = list(read_rows(path))
    layout = lay_out(path, rows, overrides=UNANSWERED)
    cases: list[TestCase] = []
    seen: dict[str, int] = {}
    for number, raw in rows:
        line = _line(layout, raw, f"{path}, line {number}")
        content = line.model_dump()
        case_id = line.case_id or short_hash({"question": line.question, "form": line.form, "group": line.group_id})
        if case_id in seen:
            raise InvalidInput(
                f"{path}, lines {seen[case_id]} and {number} are both case {case_id}.",
                "Give each case its own case_id.",
            )
        seen[case_id] = number
        cases.append(TestCase(**{**content, "case_id": case_id, "group_id": line.group_id or case_id}))
    ignored = layout.ignored(frozenset(CaseLine.model_fields))
    tell_ignored(path, ignored)
    return CaseFile(cases=cases, ignored=ignored)


def _line(layout: Layout, row: Row, where: str) -> CaseLine:
    values: dict[str, object] = {}
    for name in CaseLine.model_fields:
        value = layout.listed(row, name, where) if name in LISTED else layout.cell(row, name)
        if name in OBJECTS and isinstance(value, str):
            value = object_of(value, where, layout.column(row, name))
        if value is not None:  # a null says no more than an absent key
            values[name] = value
    try:
        return CaseLine.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        place = ".".join([layout.column(row, name) or name, *map(str, first["loc"][1:])]) or "the line"
        raise InvalidInput(f"{where}: {place}: {first['msg']}.", "Each line needs at least a question.") from error
