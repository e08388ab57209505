"""Commands about projects: list, create, rename and delete them, give people roles, find one by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, emit, progress_line
from core.domain.errors import InvalidInput, NotFound
from core.domain.sources.projects import Role
from core.settings import settings

if TYPE_CHECKING:
    from core.store.database import Store

ProjectGiven = Annotated[str, typer.Argument(metavar="PROJECT", help="Name or id of the project.")]
ProjectNamed = Annotated[str, typer.Option("--project", metavar="NAME", help="Name or id of the project.")]


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    projects = typer.Typer(no_args_is_help=True, help="List, create, rename and delete projects; give people roles.")
    projects.command("list")(show)
    projects.command("new")(new)
    projects.command("rename")(rename)
    projects.command("members")(show_members)
    projects.command("member")(member)
    projects.command("delete")(delete)
    app.add_typer(projects, name="project")
    app.add_typer(projects, name="projects", hidden=True)  # as it was called before


def show(as_json: AsJson = False) -> None:
    """Lists the projects of the store with their ids."""
    from core.store import projects
    from core.store.database import Store

    with Store.open(settings().database_url) as store, store.read() as connection:
        existing = projects.all(connection)
    document = {
        "projects": [{"id": project.id, "name": project.name, "created_at": project.created_at} for project in existing]
    }
    emit(
        document,
        as_json=as_json,
        lines=[f"{project.id} {project.name}" for project in existing] or ["There is no project."],
    )


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the project.")],
    database: Annotated[str, typer.Option(metavar="URL", help="Connect a database, read-only.")] = "",
    documents: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Load the documents of a folder.")] = None,
    as_json: AsJson = False,
) -> None:
    """Creates a project, with a database and documents if they are given."""
    from core.project.service import create_project
    from core.sources.corpora import connect_corpus
    from core.sources.service import connect_database
    from core.store.database import Store

    actor = settings().actor
    with Store.open(settings().database_url) as store:
        project = create_project(store, name, actor)
        document: dict[str, object] = {"id": project.id, "name": project.name}
        lines = [f"{project.id} {project.name}"]
        if database:
            connect_database(store, project.id, database, actor=actor)
        if documents is not None:
            _, corpus = connect_corpus(store, project.id, documents, actor=actor, progress=progress_line())
            skipped = [{"path": file.path, "reason": file.reason} for file in corpus.skipped]
            document |= {"documents": len(corpus.documents), "skipped": skipped}
            lines += [f"{len(corpus.documents)} documents loaded, {len(skipped)} files skipped"]
            lines += [f"  {file['path']}: {file['reason']}" for file in skipped]
    emit(document, as_json=as_json, lines=lines)


def member(
    project: ProjectGiven,
    person: Annotated[str, typer.Argument(metavar="PERSON", help="The name they sign in with, usually an e-mail.")],
    role: Annotated[Role, typer.Argument(help="What they may do, weakest first.")],
    as_json: AsJson = False,
) -> None:
    """Gives a person a role in a project, instead of the one they had; lists all its members."""
    from core.project.service import ensure_member
    from core.store import projects
    from core.store.database import Store

    with Store.open(settings().database_url) as store:
        project = project_named(store, project)
        ensure_member(store, project, person, role, actor=settings().actor)
        with store.read() as connection:
            members = projects.roles(connection, project)
    document = {"project": project, "members": {name: held.value for name, held in members.items()}}
    emit(document, as_json=as_json, lines=[f"{name} {held.value}" for name, held in members.items()])


def show_members(project: ProjectGiven, as_json: AsJson = False) -> None:
    """Lists the people with a role in a project."""
    from core.store import projects
    from core.store.database import Store

    with Store.open(settings().database_url) as store:
        project = project_named(store, project)
        with store.read() as connection:
            members = projects.roles(connection, project)
    document = {"project": project, "members": {name: held.value for name, held in members.items()}}
    emit(document, as_json=as_json, lines=[f"{name} {held.value}" for name, held in members.items()])


def rename(
    project: ProjectGiven,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name from now on.")],
    description: Annotated[str | None, typer.Option(metavar="TEXT", help="Another description, too.")] = None,
    as_json: AsJson = False,
) -> None:
    """Gives a project another name; its id and all links to it stay."""
    from core.project.service import rename_project
    from core.store.database import Store

    with Store.open(settings().database_url) as store:
        project = project_named(store, project)
        renamed = rename_project(store, project, name, description=description, actor=settings().actor)
    emit({"id": renamed.id, "name": renamed.name}, as_json=as_json, lines=[f"{renamed.id} {renamed.name}"])


def delete(
    project: ProjectGiven,
    yes: Annotated[bool, typer.Option("--yes", help="Delete it; without this nothing is deleted.")] = False,
    as_json: AsJson = False,
) -> None:
    """Deletes a project with its sources, test sets, runs and labels; its audit trail stays."""
    from core.project.service import delete_project
    from core.store.database import Store

    with Store.open(settings().database_url) as store:
        project = project_named(store, project)
        if not yes:
            raise InvalidInput(
                f"Project {project} would be deleted with its sources, test sets, runs and labels, for good.",
                "Add --yes to delete it.",
            )
        delete_project(store, project, actor=settings().actor)
    emit({"deleted": project}, as_json=as_json, lines=[f"Deleted {project}."])


def project_named(store: Store, name: str) -> str:
    """The id of the project of an id or a name.

    Raises:
        NotFound: There is none, or several of that name.
    """
    from core.store import projects

    with store.read() as connection:
        existing = projects.all(connection)
    if any(project.id == name for project in existing):
        return name
    ids = [project.id for project in existing if project.name == name]
    if len(ids) == 1:
        return ids[0]
    if ids:
        raise NotFound(f"{len(ids)} projects are called {name!r}.", f"Choose one by its id: {', '.join(ids)}.")
    listed = ", ".join(f"{project.name} ({project.id})" for project in existing[:10])
    raise NotFound(
        f"There is no project {name!r}.", f"The projects are: {listed}." if listed else "Create one with: projects new."
    )
