"""Commands about projects: list them, make one with its sources; and how other commands find theirs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, emit, progress_line
from core.domain.errors import NotFound
from core.settings import settings

if TYPE_CHECKING:
    from core.store.database import Store

ProjectNamed = Annotated[str, typer.Option("--project", metavar="NAME", help="Name or id of the project.")]


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    projects = typer.Typer(no_args_is_help=True, help="Projects: listed, made.")
    projects.command("list")(show)
    projects.command("new")(new)
    app.add_typer(projects, name="projects")


def show(as_json: AsJson = False) -> None:
    """Lists the projects of the store with their ids."""
    from core.store import projects
    from core.store.database import Store

    with Store.open(settings().database_url) as store, store.read() as connection:
        found = projects.all(connection)
    document = {"projects": [{"id": one.id, "name": one.name, "created_at": one.created_at} for one in found]}
    emit(document, as_json=as_json, lines=[f"{one.id} {one.name}" for one in found] or ["There is no project."])


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the project.")],
    database: Annotated[str, typer.Option(metavar="URL", help="Connect a database, read-only.")] = "",
    documents: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Load the documents of a folder.")] = None,
    as_json: AsJson = False,
) -> None:
    """Makes a project, with a database and documents where they are named."""
    from core.project.service import create_project
    from core.sources.corpora import connect_corpus
    from core.sources.service import connect_database
    from core.store.database import Store

    actor = settings().actor
    with Store.open(settings().database_url) as store:
        made = create_project(store, name, actor)
        document: dict[str, object] = {"id": made.id, "name": made.name}
        lines = [f"{made.id} {made.name}"]
        if database:
            connect_database(store, made.id, database, actor=actor)
        if documents is not None:
            _, corpus = connect_corpus(store, made.id, documents, actor=actor, progress=progress_line())
            skipped = [{"path": file.path, "reason": file.reason} for file in corpus.skipped]
            document |= {"documents": len(corpus.documents), "skipped": skipped}
            lines += [f"{len(corpus.documents)} documents loaded, {len(skipped)} files skipped"]
            lines += [f"  {file['path']}: {file['reason']}" for file in skipped]
    emit(document, as_json=as_json, lines=lines)


def project_named(store: Store, name: str) -> str:
    """The id of the project of an id or a name.

    Raises:
        NotFound: There is none, or several of that name.
    """
    from core.store import projects

    with store.read() as connection:
        known = projects.all(connection)
    if any(one.id == name for one in known):
        return name
    found = [one.id for one in known if one.name == name]
    if len(found) == 1:
        return found[0]
    if found:
        raise NotFound(f"{len(found)} projects are called {name!r}.", f"Take one by its id: {', '.join(found)}.")
    listed = ", ".join(f"{one.name} ({one.id})" for one in known[:10])
    raise NotFound(f"There is no project {name!r}.", f"There are: {listed}." if listed else "Make one: projects new.")
