"""Commands that change topics by hand or name them by a model; each edit is recorded and can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.databases.outlooks import BudgetCalls, Estimate, emit_outlook
from core.cli.models.endpoints import Access, model_of_project, with_endpoint
from core.cli.output import AsJson, PromptKind, emit, progress_line
from core.cli.projects import ProjectNamed
from core.cli.topics.reads import latest, of_project
from core.domain.errors import InvalidInput
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.sources.topics import TopicEdit

Number = Annotated[int, typer.Argument(metavar="TOPIC", help="Number of the topic, as topics show prints it.")]


def register(topics: typer.Typer) -> None:
    """Adds the commands of this module to those about topics."""
    for name, command in (
        ("rename", rename),
        ("merge", merge),
        ("split", split),
        ("drop", drop),
        ("restore", restore),
        ("assign", assign),
        ("name", name_by_model),
        ("undo", undo),
    ):
        topics.command(name)(command)


def rename(
    topic: Number,
    name: Annotated[str, typer.Argument(metavar="NAME", help="New name; an empty one removes the name.")],
    project: ProjectNamed,
    as_json: AsJson = False,
) -> None:
    """Gives a topic a name."""
    from core.domain.sources.topics import EditKind, TopicEdit

    _edit(project, [TopicEdit(kind=EditKind.RENAME, topic=topic, name=name)], as_json)


def merge(
    topics: Annotated[list[int], typer.Argument(metavar="TOPIC...", help="The first keeps its number.")],
    project: ProjectNamed,
    as_json: AsJson = False,
) -> None:
    """Merges several topics into one."""
    from core.domain.sources.topics import EditKind, TopicEdit

    _edit(project, [TopicEdit(kind=EditKind.MERGE, topic=topics[0], others=tuple(topics[1:]))], as_json)


def split(
    topic: Number,
    project: ProjectNamed,
    into: Annotated[int, typer.Option(help="Number of parts, split by similarity.")] = 2,
    as_json: AsJson = False,
) -> None:
    """Splits a topic by similarity; the largest part keeps its number."""
    from core.store.database import Store
    from core.testset.topics.suggesting import split_of

    with Store.open(settings().database_url) as store:
        edit = split_of(store, latest(store, project).id, topic, into)
    _edit(project, [edit], as_json)


def drop(topic: Number, project: ProjectNamed, as_json: AsJson = False) -> None:
    """Drops a topic: no question is drawn from it."""
    from core.domain.sources.topics import EditKind, TopicEdit

    _edit(project, [TopicEdit(kind=EditKind.DROP, topic=topic)], as_json)


def restore(topic: Number, project: ProjectNamed, as_json: AsJson = False) -> None:
    """Restores a dropped topic."""
    from core.domain.sources.topics import EditKind, TopicEdit

    _edit(project, [TopicEdit(kind=EditKind.RESTORE, topic=topic)], as_json)


def assign(
    project: ProjectNamed,
    chunk: Annotated[list[str] | None, typer.Option(metavar="ID", help="Id of a chunk; repeatable.")] = None,
    to: Annotated[
        int | None, typer.Option(metavar="TOPIC", help="Topic of these chunks; -1 makes them outliers.")
    ] = None,
    outliers: Annotated[
        float | None, typer.Option(metavar="SHARE", help="Assign this share of the outliers to the nearest topic.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Assigns chunks to a topic, or outliers to the topics nearest to them."""
    from core.domain.sources.topics import EditKind, TopicEdit
    from core.store.database import Store
    from core.testset.topics.suggesting import assignments_of_outliers

    if (outliers is None) == (not chunk or to is None):
        raise InvalidInput("Nothing to assign is given.", "Give --chunk ID and --to TOPIC, or --outliers SHARE.")
    if outliers is None:
        edits = [TopicEdit(kind=EditKind.ASSIGN, topic=to if to is not None else 0, chunk_ids=tuple(chunk or ()))]
    else:
        with Store.open(settings().database_url) as store:
            edits = list(assignments_of_outliers(store, latest(store, project).id, share=outliers))
    _edit(project, edits, as_json)


@with_endpoint
def name_by_model(
    project: ProjectNamed,
    access: Access,
    model: Annotated[
        str, typer.Option(metavar="MODEL@BASE_URL", help="Model that is sent some passages of each topic.")
    ],
    estimate: Estimate = False,
    prompts: PromptKind = "auto",
    budget_calls: BudgetCalls = None,
    as_json: AsJson = False,
) -> None:
    """Lets a language model name the topics that have no name."""
    from core.cli.output import tell
    from core.llm import Limits
    from core.llm.variants import asked_variant
    from core.store.database import Store
    from core.testset.topics.building import names_of
    from core.testset.topics.naming_cost import cost_of_names

    with Store.open(settings().database_url) as store:
        model_of_topics = latest(store, project)
        model = model_of_project(access, store, model_of_topics.project_id, model)
        if estimate:
            emit_outlook(cost_of_names(store, model_of_topics, model, asked_variant(prompts)), as_json=as_json)
            return
        naming = names_of(
            store,
            model_of_topics,
            model,
            actor=settings().actor,
            spending=Limits(calls=budget_calls),
            prompts=asked_variant(prompts),
            progress=progress_line(),
        )
    for number, why in naming.failures.items():
        tell(f"Topic {number} has no name: {why}")
    _edit(project, list(naming.edits), as_json)


def undo(project: ProjectNamed, as_json: AsJson = False) -> None:
    """Undoes the last edit."""
    from core.store.database import Store
    from core.testset.topics.service import undo_edit

    with Store.open(settings().database_url) as store:
        undo_edit(store, latest(store, project).id, actor=settings().actor)
        document, lines = of_project(store, latest(store, project))
    emit(document, as_json=as_json, lines=lines)


def _edit(project: str, edits: Sequence[TopicEdit], as_json: bool) -> None:
    from core.store.database import Store
    from core.testset.topics.service import edit_topics

    with Store.open(settings().database_url) as store:
        edit_topics(store, latest(store, project).id, edits, actor=settings().actor)
        document, lines = of_project(store, latest(store, project))
    emit(document, as_json=as_json, lines=lines)
