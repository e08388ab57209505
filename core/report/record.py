"""The report as JSON and back: what the JSON file holds, and what a snapshot keeps."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from core.domain.errors import InvalidInput
from core.report.content import (
    SCHEMA,
    Block,
    Cell,
    Chart,
    Commentary,
    Fact,
    Facts,
    Heading,
    Kind,
    Listing,
    Number,
    Paragraph,
    ReportContent,
    Section,
    Series,
    Shape,
    Table,
    Tone,
)

BLOCKS: Final = {
    "paragraph": Paragraph,
    "heading": Heading,
    "list": Listing,
    "facts": Facts,
    "table": Table,
    "chart": Chart,
}
_NAMES: Final = {kind: name for name, kind in BLOCKS.items()}


def as_json(content: ReportContent) -> dict[str, Any]:
    """The report as plain JSON; ``schema`` names its version."""
    return {
        "schema": SCHEMA,
        "title": content.title,
        **{
            name: getattr(content, name)
            for name in ("project", "project_id", "run_id", "calibration_id", "date", "version")
        },
        "summary": _section(content.summary),
        "sections": [_section(section) for section in content.sections],
        "left_out": list(content.left_out),
        "figures": dict(content.figures),
        "findings": [dict(finding) for finding in content.findings],
        "made_from": dict(content.made_from),
        **({} if content.cases is None else {"cases": [dict(case) for case in content.cases]}),
    }


def as_text(content: ReportContent) -> str:
    """The JSON file; the same content gives the same text."""
    return json.dumps(as_json(content), ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False) + "\n"


def digest(text: str | bytes) -> str:
    """SHA-256 of a file's text."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def of_json(stored: Mapping[str, Any]) -> ReportContent:
    """The report that JSON holds.

    Raises:
        InvalidInput: It is of another schema.
    """
    if stored.get("schema") != SCHEMA:
        raise InvalidInput(
            f"The report has the schema {stored.get('schema')!r}; this version reads {SCHEMA}.",
            "Open it with the version of Plumbline that made it.",
        )
    return ReportContent(
        **{
            name: str(stored[name]) for name in ("project", "project_id", "run_id", "calibration_id", "date", "version")
        },
        summary=_read_section(stored["summary"]),
        sections=tuple(_read_section(section) for section in stored["sections"]),
        left_out=tuple(stored["left_out"]),
        figures=stored["figures"],
        findings=tuple(stored["findings"]),
        made_from=stored["made_from"],
        cases=tuple(stored["cases"]) if "cases" in stored else None,
    )


def _section(section: Section) -> dict[str, Any]:
    return {
        "key": section.key,
        "title": section.title,
        "number": section.number,
        "blocks": [_block(block) for block in section.blocks],
        "commentary": [{"text": one.text, "by": one.by, "at": one.at} for one in section.commentary],
    }


def _block(block: Block) -> dict[str, Any]:
    return {"block": _NAMES[type(block)], **_plain(block)}


def _plain(record: Any) -> dict[str, Any]:
    return {item.name: _value(getattr(record, item.name)) for item in fields(record)}


def _value(value: Any) -> Any:
    if isinstance(value, Number):
        return {**_plain(value), "kind": value.kind.value}
    if isinstance(value, (Kind, Tone, Shape)):
        return value.value
    if isinstance(value, (Table, Series, Fact)):
        return _plain(value)
    if isinstance(value, tuple):
        return [_value(item) for item in value]
    return value


def _read_section(stored: Mapping[str, Any]) -> Section:
    return Section(
        key=stored["key"],
        title=stored["title"],
        number=stored["number"],
        blocks=tuple(_read_block(block) for block in stored["blocks"]),
        commentary=tuple(Commentary(**one) for one in stored["commentary"]),
    )


def _read_block(stored: Mapping[str, Any]) -> Block:
    kind = stored["block"]
    rest = {name: value for name, value in stored.items() if name != "block"}
    if kind == "paragraph":
        return Paragraph(text=rest["text"], tone=Tone(rest["tone"]))
    if kind == "heading":
        return Heading(text=rest["text"])
    if kind == "list":
        return Listing(points=tuple(rest["points"]))
    if kind == "facts":
        return Facts(
            facts=tuple(Fact(name=one["name"], cell=_cell(one["cell"]), note=one["note"]) for one in rest["facts"])
        )
    if kind == "table":
        return _table(rest)
    return Chart(
        **{
            **rest,
            "shape": Shape(rest["shape"]),
            "table": _table(rest["table"]),
            "series": tuple(_series(one) for one in rest["series"]),
        }
    )


def _series(stored: Mapping[str, Any]) -> Series:
    fields_of: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()
    }
    return Series(**fields_of)


def _table(stored: Mapping[str, Any]) -> Table:
    rows = tuple(tuple(_cell(cell) for cell in row) for row in stored["rows"])
    return Table(**{**stored, "columns": tuple(stored["columns"]), "rows": rows})


def _cell(stored: Any) -> Cell:
    if isinstance(stored, Mapping):
        return Number(**{**stored, "kind": Kind(stored["kind"])})
    return stored  # type: ignore[no-any-return]
