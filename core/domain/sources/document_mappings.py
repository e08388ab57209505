"""Which documents belong to which records, where their ids are not the same: what a person chose, and what it gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Way(StrEnum):
    """How documents are found for records."""

    EXACT = "exact"
    PATTERN = "pattern"
    FRONT_MATTER = "front_matter"
    COLUMN = "column"
    CONTENT = "content"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentMapping:
    """A decision on how gold ids name documents. Decisions are kept; the last one counts.

    Attributes:
        way: How documents are found where no document has the gold id itself.
        rules: What is compared, by table: a template of names, a field, a column.
        matches: Documents by gold id, for those that no document has as its own id.
        records: How many records were looked at.
        matched: How many of them have a document, those with the gold id itself among them.
        database_id: The database whose rows were read; empty where only ids were compared.
        database_fingerprint: Its fingerprint then.
        corpus_id: The documents it was made for.
        corpus_fingerprint: Their fingerprint then.
        created_at: UTC, ISO 8601.
        created_by: Who chose it.
    """

    id: str
    project_id: str
    way: Way
    rules: Mapping[str, str] = field(default_factory=dict)
    matches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    records: int = 0
    matched: int = 0
    database_id: str = ""
    database_fingerprint: str = ""
    corpus_id: str
    corpus_fingerprint: str = ""
    created_at: str = ""
    created_by: str = ""
