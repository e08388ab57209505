"""Commands about the topics of documents: find, show, change by hand, and plan questions by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, FailUnder, Seed, emit, one_of, progress_line
from core.cli.projects import project_named
from core.cli.topic_lines import agreement_lines, folder_agreement, topic_document, topic_lines
from core.domain.errors import InvalidInput
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.chunks import Chunk
    from core.domain.topics import TopicEdit, TopicModel, TopicSettings
    from core.store.database import Store
    from core.testset.corpus.allocation import Share
    from core.testset.corpus.strata import Stratum

Project = Annotated[str, typer.Option("--project", metavar="NAME", help="Name or id of the project.")]
Number = Annotated[int, typer.Argument(metavar="TOPIC", help="Number of the topic, as topics show tells it.")]
REDUCTIONS = ("umap", "pca")
CLUSTERINGS = ("hdbscan", "dbscan", "kmeans")
ALLOCATIONS = ("proportional", "equal", "weighted")
CROSSINGS = ("none", "format", "year", "month")


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    topics = typer.Typer(no_args_is_help=True, help="Topics of documents: found, changed by hand, drawn from.")
    for name, command in (
        ("build", build),
        ("show", show),
        ("rename", rename),
        ("merge", merge),
        ("split", split),
        ("drop", drop),
        ("restore", restore),
        ("assign", assign),
        ("name", name_by_model),
        ("undo", undo),
        ("plan", plan),
    ):
        topics.command(name)(command)
    app.add_typer(topics, name="topics")


def build(
    project: Annotated[str, typer.Option("--project", metavar="NAME", help="Store them in this project.")] = "",
    corpus: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Or only look at the documents of a folder.")
    ] = None,
    encoder: Annotated[str, typer.Option(help="minilm, or a sentence-transformers model by name or folder.")] = "",
    reduction: Annotated[str, typer.Option(help="umap or pca")] = "umap",
    clustering: Annotated[str, typer.Option(help="hdbscan, dbscan or kmeans")] = "hdbscan",
    dimensions: Annotated[int, typer.Option(help="Of the reduced space.")] = 5,
    neighbours: Annotated[int | None, typer.Option(help="Of a chunk, for umap.")] = None,
    min_size: Annotated[int | None, typer.Option("--min-size", help="Fewest chunks of a topic.")] = None,
    topics: Annotated[int | None, typer.Option(help="How many, for kmeans.")] = None,
    radius: Annotated[float | None, typer.Option(help="How near two chunks of a topic lie, for dbscan.")] = None,
    stability_runs: Annotated[int, typer.Option("--stability-runs", help="Repetitions with other seeds.")] = 2,
    seed: Seed = 0,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Finds topics: groups of chunks that say similar things, with their words and how good they are.

    With --corpus nothing is stored, and the topics are compared with the folders the documents lie in.
    """
    from core.domain.topics import Clustering, Reduction, TopicSettings

    if bool(project) == (corpus is not None):
        raise InvalidInput("Topics are found in a project or in a folder.", "Give --project NAME or --corpus FOLDER.")
    wanted = TopicSettings(
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
        document, lines = _of_folder(corpus, wanted)
    else:
        from core.store.database import Store
        from core.testset.corpus.topics.service import build_topics

        with Store.open(settings().database_url) as store:
            model = build_topics(
                store, project_named(store, project), wanted, actor=settings().actor, progress=progress_line()
            )
            document, lines = _of_project(store, model)
    emit(document, as_json=as_json, lines=lines, fail_under=fail_under)


def show(
    project: Project,
    topic: Annotated[int | None, typer.Option(metavar="TOPIC", help="Its chunks too; -1 for the outliers.")] = None,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Shows the topics found last, after all edits, and how good they are."""
    from core.store.database import Store

    with Store.open(settings().database_url) as store:
        model = _latest(store, project)
        document, lines = _of_project(store, model)
        if topic is not None:
            found = _chunks_of(store, model, topic)
            document["chunks_of_topic"] = [asdict(chunk) for chunk in found]
            lines += [f"{chunk.id} {chunk.document_id}: {' '.join(chunk.text.split())[:100]}" for chunk in found]
    emit(document, as_json=as_json, lines=lines, fail_under=fail_under)


def rename(
    topic: Number,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Empty takes the name away.")],
    project: Project,
    as_json: AsJson = False,
) -> None:
    """Gives a topic a name."""
    from core.domain.topics import EditKind, TopicEdit

    _edit(project, [TopicEdit(kind=EditKind.RENAME, topic=topic, name=name)], as_json)


def merge(
    topics: Annotated[list[int], typer.Argument(metavar="TOPIC...", help="The first keeps its number.")],
    project: Project,
    as_json: AsJson = False,
) -> None:
    """Makes one topic of several."""
    from core.domain.topics import EditKind, TopicEdit

    _edit(project, [TopicEdit(kind=EditKind.MERGE, topic=topics[0], others=tuple(topics[1:]))], as_json)


def split(
    topic: Number,
    project: Project,
    into: Annotated[int, typer.Option(help="How many parts, by likeness.")] = 2,
    as_json: AsJson = False,
) -> None:
    """Splits a topic by likeness; the largest part keeps its number."""
    from core.store.database import Store
    from core.testset.corpus.topics.suggesting import split_of

    with Store.open(settings().database_url) as store:
        edit = split_of(store, _latest(store, project).id, topic, into)
    _edit(project, [edit], as_json)


def drop(topic: Number, project: Project, as_json: AsJson = False) -> None:
    """Takes a topic out: no question is drawn from it."""
    from core.domain.topics import EditKind, TopicEdit

    _edit(project, [TopicEdit(kind=EditKind.DROP, topic=topic)], as_json)


def restore(topic: Number, project: Project, as_json: AsJson = False) -> None:
    """Takes a dropped topic back in."""
    from core.domain.topics import EditKind, TopicEdit

    _edit(project, [TopicEdit(kind=EditKind.RESTORE, topic=topic)], as_json)


def assign(
    project: Project,
    chunk: Annotated[list[str] | None, typer.Option(metavar="ID", help="A chunk; repeatable.")] = None,
    to: Annotated[int | None, typer.Option(metavar="TOPIC", help="Where they go; -1 makes them outliers.")] = None,
    outliers: Annotated[
        float | None, typer.Option(metavar="SHARE", help="Or this share of the outliers, each to the nearest topic.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Assigns chunks to a topic, or outliers to the topics nearest to them."""
    from core.domain.topics import EditKind, TopicEdit
    from core.store.database import Store
    from core.testset.corpus.topics.suggesting import assignments_of_outliers

    if (outliers is None) == (not chunk or to is None):
        raise InvalidInput("Nothing says what is assigned.", "Give --chunk ID and --to TOPIC, or --outliers SHARE.")
    if outliers is None:
        edits = [TopicEdit(kind=EditKind.ASSIGN, topic=to if to is not None else 0, chunk_ids=tuple(chunk or ()))]
    else:
        with Store.open(settings().database_url) as store:
            edits = list(assignments_of_outliers(store, _latest(store, project).id, share=outliers))
    _edit(project, edits, as_json)


def name_by_model(
    project: Project,
    model: Annotated[str, typer.Option(metavar="MODEL@BASE_URL", help="It is sent some passages of each topic.")],
    as_json: AsJson = False,
) -> None:
    """Lets a language model name the topics that have no name."""
    from core.cli.output import tell
    from core.store.database import Store
    from core.testset.corpus.building import names_of

    with Store.open(settings().database_url) as store:
        naming = names_of(
            store, _latest(store, project), model, actor=settings().actor, progress=progress_line()
        )  # fmt: skip
    for number, why in naming.failures.items():
        tell(f"Topic {number} has no name: {why}")
    _edit(project, list(naming.edits), as_json)


def undo(project: Project, as_json: AsJson = False) -> None:
    """Takes the last edit back."""
    from core.store.database import Store
    from core.testset.corpus.topics.service import undo_edit

    with Store.open(settings().database_url) as store:
        undo_edit(store, _latest(store, project).id, actor=settings().actor)
        document, lines = _of_project(store, _latest(store, project))
    emit(document, as_json=as_json, lines=lines)


def plan(
    project: Project,
    budget: Annotated[int, typer.Option(min=0, help="Questions in all.")],
    allocation: Annotated[str, typer.Option(help="proportional, equal or weighted")] = "proportional",
    cross: Annotated[str, typer.Option("--by", help="none, format, year or month: what topics are crossed with.")] = (
        "none"
    ),
    minimum: Annotated[int, typer.Option(min=0, help="Questions of a stratum at least.")] = 0,
    per_chunk: Annotated[int, typer.Option("--per-chunk", min=1, help="Questions of one chunk at most.")] = 1,
    weight: Annotated[
        list[str] | None, typer.Option(metavar="TOPIC=N", help="Importance or usage count; repeatable.")
    ] = None,
    outliers: Annotated[bool, typer.Option("--outliers", help="Draw from the outliers too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Divides a budget of questions among topics, crossed with document type or date where wished."""
    from core.store.database import Store
    from core.testset.corpus.allocation import Allocation, allocate
    from core.testset.corpus.strata import Crossing
    from core.testset.corpus.topics.service import project_strata

    way = Allocation(one_of("--allocation", allocation, ALLOCATIONS))
    crossing = Crossing(one_of("--by", cross, CROSSINGS))
    with Store.open(settings().database_url) as store:
        model = _latest(store, project)
        found = project_strata(store, model, crossing=crossing, outliers=outliers)
    sizes = {stratum: len(chunks) for stratum, chunks in found.items()}
    shares = allocate(
        sizes, budget, allocation=way, weights=_weights(weight, sizes), minimum=minimum, per_chunk=per_chunk
    )  # fmt: skip
    document = {
        "topics": model.id,
        "budget": budget,
        "requested": sum(share.requested for share in shares),
        "strata": [asdict(share) for share in shares],
    }
    emit(document, as_json=as_json, lines=[_share_line(share) for share in shares] or ["There is no stratum."])


def _latest(store: Store, project: str) -> TopicModel:
    from core.testset.corpus.topics.service import project_topics

    return project_topics(store, project_named(store, project))


def _edit(project: str, edits: Sequence[TopicEdit], as_json: bool) -> None:
    from core.store.database import Store
    from core.testset.corpus.topics.service import edit_topics

    with Store.open(settings().database_url) as store:
        edit_topics(store, _latest(store, project).id, edits, actor=settings().actor)
        document, lines = _of_project(store, _latest(store, project))
    emit(document, as_json=as_json, lines=lines)


def _of_folder(folder: Path, wanted: TopicSettings) -> tuple[dict[str, object], list[str]]:
    from dataclasses import replace

    from core.encoders.embedding import open_encoder
    from core.encoders.tokens import open_counter
    from core.sources.corpus import load_corpus
    from core.sources.corpus.chunking import chunk_corpus, chunking_for
    from core.testset.corpus.topics.finding import embed, find_topics

    spec = wanted.encoder or settings().encoder
    corpus = load_corpus(folder)
    counter = open_counter(spec)
    chunks = list(chunk_corpus(corpus.documents, counter, chunking_for(counter)))
    progress = progress_line()
    vectors = embed([chunk.text for chunk in chunks], open_encoder(spec), progress=progress)
    found = find_topics(chunks, vectors, replace(wanted, encoder=spec), progress=progress)
    topic_of = {chunk.chunk_id: chunk.topic for chunk in found.chunks}
    agreement = folder_agreement(chunks, corpus.documents, topic_of, found.topics)
    document = topic_document(found.topics, found.quality, len(chunks)) | agreement
    document |= {"content_hash": found.content_hash, "settings": asdict(found.settings)}
    return document, [*topic_lines(found.topics, found.quality, len(chunks)), *agreement_lines(agreement)]


def _of_project(store: Store, model: TopicModel) -> tuple[dict[str, object], list[str]]:
    from core.store import chunks, sources, topics
    from core.testset.corpus.topics.service import is_outdated

    with store.read() as connection:
        found = topics.topics(connection, model.id)
        topic_of = topics.topic_of(connection, model.id)
        edits = topics.edits(connection, model.id)
        known = chunks.of(connection, model.source_id)
        documents = sources.documents(connection, model.source_id)
    outdated = is_outdated(store, model)
    document = topic_document(found, model.quality, model.chunks) | {
        "id": model.id,
        "content_hash": model.content_hash,
        "settings": asdict(model.settings),
        "versions": dict(model.versions),
        "outdated": outdated,
        "edits": [asdict(edit) for edit in edits],
    }
    lines = [f"{model.id}, seed {model.settings.seed}, {len(edits)} edits"]
    lines += ["The documents have changed since; find topics anew."] if outdated else []
    lines += topic_lines(found, model.quality, model.chunks)
    if not outdated:
        agreement = folder_agreement(known, documents, topic_of, found)
        document |= agreement
        lines += agreement_lines(agreement)
    return document, lines


def _chunks_of(store: Store, model: TopicModel, topic: int) -> list[Chunk]:
    from core.store import chunks, topics

    with store.read() as connection:
        topic_of = topics.topic_of(connection, model.id)
        return [chunk for chunk in chunks.of(connection, model.source_id) if topic_of.get(chunk.id) == topic]


def _weights(given: Sequence[str] | None, sizes: Mapping[Stratum, int]) -> dict[Stratum, float]:
    """The weight of a topic goes to its strata in proportion to their chunks."""
    weights: dict[Stratum, float] = {}
    for text in given or ():
        name, _, value = text.partition("=")
        try:
            topic, weight = int(name), float(value)
        except ValueError:
            raise InvalidInput(f"--weight {text!r} is not TOPIC=N.", "Write for example 3=12.5.") from None
        mine = {stratum: size for stratum, size in sizes.items() if stratum.topic == topic}
        if not mine:
            raise InvalidInput(f"There is no topic {topic} to weigh.", "See topics show for those there are.")
        weights |= {stratum: weight * size / sum(mine.values()) for stratum, size in mine.items()}
    return weights


def _share_line(share: Share) -> str:
    name = f"{share.stratum.topic}{f' / {share.stratum.value}' if share.stratum.value else ''}"
    why = f"  {share.reason}" if share.reason else ""
    return f"{name:<16} {share.requested:>6,} of {share.available:>6,} available, share {share.ideal:.1f}{why}"
