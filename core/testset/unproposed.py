"""Why rules propose no template of some kind: what the schema would need, or what is in the way."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from core.domain.errors import PlumblineError
from core.domain.sources.schema import Schema
from core.domain.testset.templates import SqlTemplate
from core.sources.service import open_database, project_database
from core.store.database import Store
from core.store.testset import templates
from core.testset.grounded.beyond.plan import Kind
from core.testset.grounded.beyond.proposing import propose_templates
from core.testset.grounded.sql.binding import bind
from core.testset.grounded.sql.checks import check_sql_template
from core.testset.grounded.sql.operations import operation
from core.testset.sql_review import makes_nothing

TRIED: Final = 5
"""Candidates of a kind that are filled to see whether they make a question."""
NO_QUESTION: Final = "no row of the database answers one"
NO_ROOM: Final = "no room beside the others"

LACKS: Final[Mapping[Kind, str]] = {
    Kind.LOOK_UP: "no rows with a name to ask by",
    Kind.COUNT: "no rows that belong to a named one",
    Kind.EXTREME: "no figure to rank rows of a named one by",
    Kind.TOTAL: "no amount or quantity to add up or average",
    Kind.LIST: "no short list of named rows",
    Kind.TOP: "no figure to rank rows of a named one by",
    Kind.LATEST: "no rows of a named one with a plain date, such as order date",
    Kind.COMPARISON: "no figure or date to compare named rows by",
    Kind.NEGATION: "no named rows that others refer to",
    Kind.EXISTENCE: "no rows that only some named ones have",
    Kind.WHICH: "no figure or date to compare two named rows by",
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
        reasons: dict[Kind, str] = {}
        for kind in Kind:
            if kind not in kinds or kind.value in present:
                continue
            candidates = propose_templates(database.schema, kinds=(kind,), each=TRIED)
            if not candidates:
                reasons[kind] = LACKS[kind]
            elif all(makes_nothing(check_sql_template(item, database).template) for item in candidates):
                reasons[kind] = NO_QUESTION
            else:
                reasons[kind] = NO_ROOM
    return reasons


def _operation(template: SqlTemplate, schema: Schema) -> str:
    try:
        return operation(bind(template.sql, schema))
    except PlumblineError:
        return ""
