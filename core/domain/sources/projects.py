"""Projects, their sources and the actors in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.sources.chunks import Chunking
from core.domain.sources.schema import Schema
from core.domain.sources.semantics import SemanticLayer


class Role(StrEnum):
    """What an actor may do in a project, weakest first."""

    VIEWER = "viewer"
    LABELLER = "labeller"
    VALIDATOR = "validator"
    OWNER = "owner"


class SourceKind(StrEnum):
    """Where ground truth or knowledge comes from."""

    DATABASE = "database"
    CORPUS = "corpus"


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """One validation: its sources, test sets, runs and findings.

    Attributes:
        created_at: UTC, ISO 8601.
        sample: Whether it is the sample project that comes with Plumbline.
    """

    id: str
    name: str
    description: str = ""
    created_at: str = ""
    created_by: str = ""
    sample: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A connected database or a loaded corpus.

    Attributes:
        location: SQLAlchemy URL of a database (a password only as ``${NAME}`` of an environment
            variable), or the folder of a corpus.
        fingerprint: Of the schema and row counts, or of the documents.
        schema: What was read from a database; None for a corpus.
        overrides: Decisions of a person on descriptive columns, ``{"Table.Column": bool}``.
        loaded_at: UTC, ISO 8601.
        chunking: How the documents of a corpus are cut; None where they are not.
        layer: What a person or a glossary said of a database's tables and columns; None leaves it to the rules.
    """

    id: str
    project_id: str
    kind: SourceKind
    name: str
    location: str
    fingerprint: str = ""
    schema: Schema | None = None
    overrides: Mapping[str, bool] = field(default_factory=dict)
    loaded_at: str = ""
    chunking: Chunking | None = None
    layer: SemanticLayer | None = None
