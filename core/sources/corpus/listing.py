"""``documents.csv``: ids, titles and further fields of documents, listed beside the files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.domain.errors import UnreadableFile
from core.domain.sources.documents import SkippedFile
from core.sources.corpus.decoding import decode
from core.sources.corpus.metadata import fields
from core.sources.corpus.readers.csv_table import csv_rows
from core.text.display.formulas import restored

INDEX = "documents.csv"
"""The list's name: columns path, id, title; further ones become the documents' metadata."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """The entry of one file in the list."""

    id: str
    title: str
    metadata: Mapping[str, str] = field(default_factory=dict)


def read_listing(data: bytes) -> tuple[dict[str, Listed], list[SkippedFile]] | None:
    """The entries of a list by path, and its unusable rows; None where the file is an ordinary document."""
    try:
        headers, *rows = csv_rows(decode(data)) or [[]]
    except UnreadableFile:
        return None  # it is skipped with its reason when its turn comes as a document
    places = {name.casefold(): place for place, name in enumerate(headers)}
    if not {"path", "id"} <= set(places):
        return None
    listed: dict[str, Listed] = {}
    skipped: list[SkippedFile] = []
    for number, row in enumerate(rows, start=2):
        cells = {name: row[place] if place < len(row) else "" for name, place in places.items()}
        name = cells.pop("path").replace("\\", "/").removeprefix("./")
        document_id, title = cells.pop("id"), cells.pop("title", "")
        if not name or not document_id:
            skipped.append(SkippedFile(path=INDEX, reason=f"row {number} has no path or no id"))
            continue
        listed[name] = Listed(id=restored(document_id), title=restored(title), metadata=fields(cells))
    return listed, skipped
