"""Commands about the topics of documents: find, show, and plan questions by them; edits have their own module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, FailUnder, Seed, emit, one_of, progress_line
from core.cli.projects import ProjectNamed, project_named
from core.cli.topics import edits
from core.cli.topics.reads import chunks_of, latest, of_folder, of_project
from core.domain.errors import InvalidInput
from core.settings import settings

if TYPE_CHECKING:
    from core.testset.corpus.allocation import Share
    from core.testset.topics.strata import Stratum

REDUCTIONS = ("umap", "pca")
CLUSTERINGS = ("hdbscan", "dbscan", "kmeans")
ALLOCATIONS = ("proportional", "equal", "weighted")
CROSSINGS = ("none", "format", "year", "month")


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    topics = typer.Typer(no_args_is_help=True, help="Find topics in documents, edit them and sample from them.")
    topics.callback(invoke_without_command=True)(look)
    topics.command("build")(build)
    topics.command("show")(show)
    edits.register(topics)
    topics.command("plan")(plan)
    app.add_typer(topics, name="topics")


def look(
    context: typer.Context,
    corpus: Annotated[
        Path | None, typer.Option("--corpus", metavar="FOLDER", help="Documents to analyse; nothing is stored.")
    ] = None,
    reduction: Annotated[str, typer.Option("--reduce", help="umap or pca")] = "umap",
    clustering: Annotated[str, typer.Option("--cluster", help="hdbscan, dbscan or kmeans")] = "hdbscan",
    k: Annotated[int | None, typer.Option("--k", help="Number of topics, for kmeans.")] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Finds topics in documents, edits them and samples from them; with --corpus, finds those of a folder."""
    if context.invoked_subcommand is not None:
        if corpus is not None:
            raise InvalidInput(f"--corpus comes before {context.invoked_subcommand}.", "Write it after the command.")
        return
    if corpus is None:
        raise InvalidInput("No documents are given.", "Give --corpus FOLDER, or a command; see --help.")
    build(
        corpus=corpus,
        reduction=reduction,
        clustering=clustering,
        topics=k,
        seed=seed,
        as_json=as_json,
        fail_under=fail_under,
    )


def build(
    project: Annotated[str, typer.Option("--project", metavar="NAME", help="Project that stores the topics.")] = "",
    corpus: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Documents to analyse; nothing is stored.")
    ] = None,
    encoder: Annotated[str, typer.Option(help="minilm, or a sentence-transformers model by name or folder.")] = "",
    reduction: Annotated[str, typer.Option(help="umap or pca")] = "umap",
    clustering: Annotated[str, typer.Option(help="hdbscan, dbscan or kmeans")] = "hdbscan",
    dimensions: Annotated[int, typer.Option(help="Dimensions of the reduced space.")] = 5,
    neighbours: Annotated[int | None, typer.Option(help="Neighbours of a chunk, for umap.")] = None,
    min_size: Annotated[int | None, typer.Option("--min-size", help="Smallest number of chunks in a topic.")] = None,
    topics: Annotated[int | None, typer.Option(help="Number of topics, for kmeans.")] = None,
    radius: Annotated[float | None, typer.Option(help="Largest distance of neighbouring chunks, for dbscan.")] = None,
    stability_runs: Annotated[int, typer.Option("--stability-runs", help="Repetitions with other seeds.")] = 2,
    seed: Seed = 0,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Finds topics: groups of similar chunks, with their terms and quality figures.

    With --corpus nothing is stored, and the topics are compared with the folders the documents lie in.
    """
    from core.domain.sources.topics import Clustering, Reduction, TopicSettings

    if bool(project) == (corpus is not None):
        raise InvalidInput("Topics are found in a project or in a folder.", "Give --project NAME or --corpus FOLDER.")
    topic_settings = TopicSettings(
        encoder=encoder,
        reduction=Reduction(one_of("--reduction", reduction, REDUCTIONS)),
        dimensions=dimensions,
        neighbours=neighbours,
        clustering=Clustering(one_of("--clustering", clustering, CLUSTERINGS)),
        min_size=min_size,
        topics=topics,
        radius=radius,
        seed=seed,
        stability_runs=stability_runs,
    )
    if corpus is not None:
        document, lines = of_folder(corpus, topic_settings)
    else:
        from core.store.database import Store
        from core.testset.topics.service import build_topics

        with Store.open(settings().database_url) as store:
            model = build_topics(
                store, project_named(store, project), topic_settings, actor=settings().actor, progress=progress_line()
            )
            document, lines = of_project(store, model)
    emit(document, as_json=as_json, lines=lines, fail_under=fail_under)


def show(
    project: ProjectNamed,
    topic: Annotated[
        int | None, typer.Option(metavar="TOPIC", help="Topic whose chunks are listed; -1 for the outliers.")
    ] = None,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Shows the latest topics after all edits, with their quality figures."""
    from core.store.database import Store

    with Store.open(settings().database_url) as store:
        model = latest(store, project)
        document, lines = of_project(store, model)
        if topic is not None:
            members = chunks_of(store, model, topic)
            document["chunks_of_topic"] = [asdict(chunk) for chunk in members]
            lines += [f"{chunk.id} {chunk.document_id}: {' '.join(chunk.text.split())[:100]}" for chunk in members]
    emit(document, as_json=as_json, lines=lines, fail_under=fail_under)


def plan(
    project: ProjectNamed,
    budget: Annotated[int, typer.Option(min=0, help="Total number of questions.")],
    allocation: Annotated[str, typer.Option(help="proportional, equal or weighted")] = "proportional",
    cross: Annotated[str, typer.Option("--by", help="Attribute crossed with topics: none, format, year, month.")] = (
        "none"
    ),
    minimum: Annotated[int, typer.Option(min=0, help="Smallest number of questions in a stratum.")] = 0,
    per_chunk: Annotated[
        int, typer.Option("--per-chunk", min=1, help="Largest number of questions from one chunk.")
    ] = 1,
    weight: Annotated[
        list[str] | None, typer.Option(metavar="TOPIC=N", help="Importance or usage count; repeatable.")
    ] = None,
    outliers: Annotated[bool, typer.Option("--outliers", help="Sample from the outliers too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Divides a budget of questions among topics, crossed with document type or date where wished."""
    from core.store.database import Store
    from core.testset.corpus.allocation import Allocation, allocate
    from core.testset.topics.service import project_strata
    from core.testset.topics.strata import Crossing

    way = Allocation(one_of("--allocation", allocation, ALLOCATIONS))
    crossing = Crossing(one_of("--by", cross, CROSSINGS))
    with Store.open(settings().database_url) as store:
        model = latest(store, project)
        strata = project_strata(store, model, crossing=crossing, outliers=outliers)
    sizes = {stratum: len(chunks) for stratum, chunks in strata.items()}
    shares = allocate(
        sizes, budget, allocation=way, weights=_weights(weight, sizes), minimum=minimum, per_chunk=per_chunk
    )
    document = {
        "topics": model.id,
        "budget": budget,
        "requested": sum(share.requested for share in shares),
        "strata": [asdict(share) for share in shares],
    }
    emit(document, as_json=as_json, lines=[_share_line(share) for share in shares] or ["There is no stratum."])


def _weights(pairs: Sequence[str] | None, sizes: Mapping[Stratum, int]) -> dict[Stratum, float]:
    """The weight of a topic goes to its strata in proportion to their chunks."""
    weights: dict[Stratum, float] = {}
    for text in pairs or ():
        name, _, value = text.partition("=")
        try:
            topic, weight = int(name), float(value)
        except ValueError:
            raise InvalidInput(f"--weight {text!r} is not TOPIC=N.", "Write for example 3=12.5.") from None
        mine = {stratum: size for stratum, size in sizes.items() if stratum.topic == topic}
        if not mine:
            raise InvalidInput(f"There is no stratum of topic {topic}.", "The topics are listed by: topics show.")
        weights |= {stratum: weight * size / sum(mine.values()) for stratum, size in mine.items()}
    return weights


def _share_line(share: Share) -> str:
    name = f"{share.stratum.topic}{f' / {share.stratum.value}' if share.stratum.value else ''}"
    why = f"  {share.reason}" if share.reason else ""
    return f"{name:<16} {share.requested:>6,} of {share.available:>6,} available, share {share.ideal:.1f}{why}"
