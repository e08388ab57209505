"""Test cases as JSON lines: ours, and the least that anybody else needs to write (a question and its answers)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from core.domain.cases import TestCase
from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.identity import short_hash


def _texts(value: object) -> object:
    """One text, or a list of anything that has a text."""
    if isinstance(value, list | tuple):
        return [str(item) for item in value if item is not None]
    return [str(value)]


def _text_values(value: object) -> object:
    return {str(key): str(item) for key, item in value.items()} if isinstance(value, dict) else value


def _text(value: object) -> object:
    """An id is a text, whatever a file writes it as."""
    return str(value) if isinstance(value, int | float) else value


def _blank_is_empty(value: object) -> object:
    return "" if isinstance(value, str) and not value.strip() else value


def _without_nulls(value: object) -> object:
    """A null says no more than an absent key; tables saved as JSON have one in each empty cell."""
    return {key: item for key, item in value.items() if item is not None} if isinstance(value, dict) else value


Text = Annotated[str, BeforeValidator(_text)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]


class CaseLine(BaseModel):
    """One line of a test set file."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)

    case_id: Text = Field(default="", validation_alias=AliasChoices("case_id", "id"))
    question: Annotated[str, BeforeValidator(_blank_is_empty)] = Field(
        min_length=1, validation_alias=AliasChoices("question", "query", "user_input", "input")
    )
    reference_answers: Texts = Field(
        default=(),
        validation_alias=AliasChoices(
            "reference_answers", "reference", "answer", "ground_truth", "expected_output", "expected_answer"
        ),
    )
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


def read_cases(path: Path) -> list[TestCase]:
    """Reads cases from JSON lines or one JSON list.

    A line needs a question. Reference answers, ids and all else may be absent; other tools' names for the question and
    the reference answer are understood. Cases without an id get one from their content.

    Raises:
        UnreadableFile: The file is missing, empty, not UTF-8 or not JSON.
        InvalidInput: A line is not a case, or two cases have the same id; the message names the line.
    """
    cases: list[TestCase] = []
    seen: dict[str, int] = {}
    for number, raw in _objects(path):
        try:
            line = CaseLine.model_validate(_without_nulls(raw))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "the line"
            raise InvalidInput(
                f"{path}, line {number}: {where}: {first['msg']}.", "Each line needs at least a question."
            ) from error
        content = line.model_dump()
        case_id = line.case_id or short_hash({"question": line.question, "form": line.form, "group": line.group_id})
        if case_id in seen:
            raise InvalidInput(
                f"{path}, lines {seen[case_id]} and {number} are both case {case_id}.",
                "Give each case its own case_id.",
            )
        seen[case_id] = number
        cases.append(TestCase(**{**content, "case_id": case_id, "group_id": line.group_id or case_id}))
    return cases


def _objects(path: Path) -> list[tuple[int, object]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror}.", "Check the path.") from error
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{path} is not UTF-8.", "Save it as UTF-8.") from error
    if not text.strip():
        raise UnreadableFile(f"{path} is empty.", "Write one JSON object with a question on each line.")
    if text.lstrip().startswith("["):
        whole = _parsed(text, str(path))
        return list(enumerate(whole if isinstance(whole, list) else [whole], start=1))
    # Not splitlines(): a question may hold a line separator that JSON does not escape.
    return [
        (number, _parsed(line, f"{path}, line {number}"))
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    ]


def _parsed(text: str, where: str) -> object:
    """JSON that a person wrote: broken, nested without end or with a number of thousands of digits."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f", line {error.lineno}" if "\n" in text else ""
        raise UnreadableFile(f"{where}{place}: {error.msg}.", "Write one JSON object a line, or one list.") from error
    except RecursionError:
        raise UnreadableFile(f"{where} is nested too deep.", "Write one JSON object a line, or one list.") from None
    except ValueError as error:
        raise UnreadableFile(f"{where}: {error}.", "Write one JSON object a line, or one list.") from error
