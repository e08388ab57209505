"""The database behind the questions of a file, which shows the rows that answers come from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import tell
from core.domain.errors import Conflict
from core.domain.sources.projects import SourceKind
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.testset.cases import TestCase
    from core.store.database import Store

Behind = Annotated[
    str,
    typer.Option(
        "--db",
        metavar="URL",
        help="The database that the questions were made from. With it the diagnosis looks for the rows that an answer "
        "is computed from; without it such answers are mostly undecided.",
    ),
]


def connect_behind(store: Store, project_id: str, url: str) -> None:
    """Connects the database that the questions were made from, where one is given.

    Args:
        store: Where the project is.
        project_id: The project of the test set.
        url: SQLAlchemy URL; empty for none.

    Raises:
        Conflict: The project has another database.
        InvalidInput: The URL is malformed or carries a literal password, or the database has no table.
        SourceUnavailable: The database does not answer.
    """
    from core.sources.database import DatabaseSource
    from core.sources.service import connect_database
    from core.store import sources

    if not url.strip():
        return
    with store.read() as connection:
        known = sources.latest(connection, project_id, SourceKind.DATABASE)
    if known is None:
        connect_database(store, project_id, url, actor=settings().actor)
        return
    with DatabaseSource.connect(url, overrides=known.overrides, layer=known.layer) as database:
        same = database.schema.fingerprint == known.fingerprint
    if not same:
        raise Conflict(
            f"The project already has the database {known.name}, which is another one than --db names.",
            "Leave out --db, or name the same database.",
        )


def say_without(cases: Iterable[TestCase], url: str) -> None:
    """Warns that answers from several rows cannot be decided, where questions have some and no database is given."""
    from core.diagnosis.computed.rows import is_computed, is_joined

    if url.strip():
        return
    behind = sum(bool(case.sql) and (is_computed(case) or is_joined(case)) for case in cases)
    if behind:
        questions = f"{behind:,} questions ask" if behind > 1 else "1 question asks"
        tell(
            f"{questions} for what is computed from several rows or read in another table. Add --db URL, the database "
            "that they were made from: without it a diagnosis leaves most of their wrong answers undecided."
        )
