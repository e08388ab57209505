"""Semantic layers and glossaries as files: YAML, CSV, and descriptions as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.sources.semantics import ColumnMeaning, SemanticLayer, TableMeaning

FIELDS = ("table", "column", "noun", "plural", "description", "unit", "codes", "label", "ask")
"""The columns of the CSV form; a row without a column says something of its table."""
LARGEST_FILE = 5_000_000


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=True)
    noun: str = ""
    description: str = ""
    ask: bool | None = None


class _ColumnPart(_Part):
    unit: str = ""
    codes: dict[str, str] = Field(default_factory=dict)


class _TablePart(_Part):
    plural: str = ""
    label: list[str] = Field(default_factory=list)
    columns: dict[str, _ColumnPart] = Field(default_factory=dict)


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")
    tables: dict[str, _TablePart]


def read_layer(path: Path) -> SemanticLayer:
    """Reads a semantic layer or a glossary.

    Args:
        path: ``.yaml`` or ``.csv`` as :func:`layer_yaml` and :func:`layer_csv` write them, or ``.json``:
            ``{"table_metadata": {table: [{"column_name", "column_description"}]}}``.

    Raises:
        UnreadableFile: It cannot be read, or is none of these.
        InvalidInput: It has a field or value that is not known.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise UnreadableFile(f"{path.name} has more than 5 MB.", "Give a glossary of tables and columns only.")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{path} cannot be read.", "Give a YAML, CSV or JSON file in UTF-8.") from error
    return parse_layer(text, path.suffix.lower(), name=path.name)


def parse_layer(text: str, suffix: str, *, name: str) -> SemanticLayer:
    """As :func:`read_layer`, of a text."""
    try:
        if suffix == ".csv":
            return _of_document(_Document.model_validate({"tables": _from_csv(text)}))
        content = json.loads(text) if suffix == ".json" else yaml.safe_load(text)
        if isinstance(content, dict) and "table_metadata" in content:
            return _of_glossary(content["table_metadata"], name)
        return _of_document(_Document.model_validate(content))
    except (yaml.YAMLError, json.JSONDecodeError, csv.Error) as error:
        raise UnreadableFile(
            f"{name} cannot be parsed: {error}", "Export the semantic layer to see its form."
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(f"{name}: {place}: {first['msg']}.", "Export the semantic layer to see its form.") from error


def layer_yaml(layer: SemanticLayer) -> str:
    """The layer as YAML; fields that say nothing are left out."""
    tables = {table.name: _table_part(table) for table in layer.tables}
    return str(yaml.safe_dump({"tables": tables}, sort_keys=False, allow_unicode=True))


def layer_csv(layer: SemanticLayer) -> str:
    """The layer as CSV, a row for each table and each column."""
    out = io.StringIO()
    writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
    writer.writeheader()
    for table in layer.tables:
        writer.writerow(
            {
                "table": table.name,
                "noun": table.noun,
                "plural": table.plural,
                "description": table.description,
                "label": "; ".join(table.label),
                "ask": _flag(table.ask),
            }
        )
        for column in table.columns:
            writer.writerow(
                {
                    "table": table.name,
                    "column": column.name,
                    "noun": column.noun,
                    "description": column.description,
                    "unit": column.unit,
                    "codes": "; ".join(f"{code} = {meaning}" for code, meaning in column.codes),
                    "ask": _flag(column.ask),
                }
            )
    return out.getvalue()


def codes_of(text: str) -> dict[str, str]:
    """``0 = open; 1 = closed`` as pairs."""
    pairs = (part.partition("=") for part in text.split(";") if part.strip())
    return {code.strip(): meaning.strip() for code, _, meaning in pairs}


def _from_csv(text: str) -> dict[str, Any]:
    reader = csv.DictReader(io.StringIO(text))
    unknown = [name for name in reader.fieldnames or () if name not in FIELDS]
    if unknown or "table" not in (reader.fieldnames or ()):
        raise InvalidInput(
            f"The glossary has the column {unknown[0]!r}." if unknown else "The glossary has no column 'table'.",
            f"Its columns are: {', '.join(FIELDS)}.",
        )
    tables: dict[str, Any] = {}
    for row in reader:
        part: dict[str, Any] = {name: value for name, value in row.items() if value and name not in ("table", "column")}
        table = tables.setdefault(row["table"] or "", {"columns": {}})
        if "label" in part:
            part["label"] = [name.strip() for name in part["label"].split(";") if name.strip()]
        if "codes" in part:
            part["codes"] = codes_of(part["codes"])
        if row.get("column"):
            table["columns"][row["column"]] = part
        else:
            table.update(part)
    return tables


def _of_document(document: _Document) -> SemanticLayer:
    return SemanticLayer(
        tables=tuple(
            TableMeaning(
                name=name,
                noun=part.noun,
                plural=part.plural,
                description=part.description,
                label=tuple(part.label),
                ask=part.ask,
                columns=tuple(
                    ColumnMeaning(
                        name=column,
                        noun=said.noun,
                        description=said.description,
                        unit=said.unit,
                        codes=tuple(said.codes.items()),
                        ask=said.ask,
                    )
                    for column, said in part.columns.items()
                ),
            )
            for name, part in document.tables.items()
        )
    )


def _of_glossary(tables: object, name: str) -> SemanticLayer:
    if not isinstance(tables, Mapping):
        raise UnreadableFile(f"{name}: table_metadata is no object.", "Give {table: [columns]}.")
    return SemanticLayer(
        tables=tuple(
            TableMeaning(name=str(table).rpartition(".")[2], columns=tuple(_glossary_columns(columns)))
            for table, columns in tables.items()
        )
    )


def _glossary_columns(columns: Iterable[Any]) -> Iterator[ColumnMeaning]:
    for column in columns:
        if isinstance(column, Mapping) and column.get("column_name"):
            description = str(column.get("column_description") or "")
            yield ColumnMeaning(name=str(column["column_name"]), description=description)


def _table_part(table: TableMeaning) -> dict[str, Any]:
    part: dict[str, Any] = {
        "noun": table.noun,
        "plural": table.plural,
        "description": table.description,
        "label": list(table.label),
        "ask": table.ask,
        "columns": {column.name: _column_part(column) for column in table.columns},
    }
    return {name: value for name, value in part.items() if value not in ("", [], None, {})}


def _column_part(column: ColumnMeaning) -> dict[str, Any]:
    part: dict[str, Any] = {
        "noun": column.noun,
        "description": column.description,
        "unit": column.unit,
        "codes": dict(column.codes),
        "ask": column.ask,
    }
    return {name: value for name, value in part.items() if value not in ("", {}, None)}


def _flag(ask: bool | None) -> str:
    return "" if ask is None else ("yes" if ask else "no")
