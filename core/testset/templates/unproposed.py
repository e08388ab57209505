"""Why rules propose no template of some kind: what the schema would need, or what is in the way."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from core.domain.errors import PlumblineError
from core.domain.sources.schema import Schema
from core.domain.testset.templates import SqlTemplate
from core.sources.database import DatabaseSource
from core.sources.service import open_database, project_database
from core.store.database import Store
from core.store.testset import templates
from core.testset.grounded.beyond.pairs import LARGEST_PAIRED
from core.testset.grounded.beyond.plan import Kind
from core.testset.grounded.beyond.proposing import propose_templates
from core.testset.grounded.beyond.values import LARGEST_COMPARED
from core.testset.grounded.sql.binding import bind
from core.testset.grounded.sql.checks import check_sql_template
from core.testset.grounded.sql.operations import operation
from core.testset.templates.sql_review import makes_nothing

TRIED: Final = 5
"""Candidates of a kind that are filled to see whether they make a question."""
NO_QUESTION: Final = "no row of the database answers one"
NO_ROOM: Final = "no room beside the others"
NO_RANKS: Final = "no named rows, two or more of a named one, with a figure to rank them by"

LACKS: Final[Mapping[Kind, str]] = {
    Kind.LOOK_UP: "no rows with a name to ask by",
    Kind.COUNT: "no rows that belong to a named one",
    Kind.EXTREME: NO_RANKS,
    Kind.TOTAL: "no rows of a named one with an amount or a quantity to add up or average",
    Kind.LIST: "no short list of named rows",
    Kind.TOP: NO_RANKS,
    Kind.LATEST: "no rows of a named one with a plain date, such as order date",
    Kind.COMPARISON: f"no figure or date to compare named rows by, in a table of up to {LARGEST_COMPARED} rows",
    Kind.NEGATION: "no named rows of a named one that rows of a third table belong to",
    Kind.EXISTENCE: "no rows that only some named ones have",
    Kind.WHICH: f"no figure or date to compare two named rows by, in a table of up to {LARGEST_PAIRED} rows",
    Kind.BETWEEN: "no date or figure with enough values",
}
"""What a schema without any template of a kind lacks."""


def unproposed(store: Store, project_id: str, kinds: Collection[Kind]) -> dict[Kind, str]:
    """The kinds that a project has no template of, each with the reason in a few words.

    Args:
        store: Where the project lives.
        project_id: The project.
        kinds: Those that were requested.

    Raises:
        NotFound: The project has no database.
        SourceUnavailable: It does not answer.
    """
    source = project_database(store, project_id)
    with store.read() as connection:
        stored = templates.sql(connection, project_id)
    with open_database(source) as database:
        present = {_operation(template, database.schema) for template in stored}
        return reasons(database, kinds, present)


def reasons(database: DatabaseSource, kinds: Collection[Kind], present: Collection[str]) -> dict[Kind, str]:
    """Why rules have no template of some kinds, in a few words each.

    Args:
        database: Asked whether a candidate makes a question.
        kinds: Those that were requested.
        present: The operations of the templates that there are.
    """
    return {kind: _reason(database, kind) for kind in Kind if kind in kinds and kind.value not in present}


def _reason(database: DatabaseSource, kind: Kind) -> str:
    candidates = propose_templates(database.schema, kinds=(kind,), each=TRIED)
    if not candidates:
        return LACKS[kind]
    if all(makes_nothing(check_sql_template(item, database).template) for item in candidates):
        return NO_QUESTION
    return NO_ROOM


def _operation(template: SqlTemplate, schema: Schema) -> str:
    try:
        return operation(bind(template.sql, schema))
    except PlumblineError:
        return ""
