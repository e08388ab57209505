"""Finding topics as a job: in a process of its own, with progress, stop and resume.

Vectors and a model's replies are stored at once, topics as a whole; so a job that was stopped or killed does only the
remaining work when it is resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.domain.errors import Stopped
from core.domain.identity import new_id
from core.domain.llm import PromptVariant
from core.domain.sources.projects import Role
from core.domain.sources.topics import TopicModel, TopicSettings
from core.jobs import Job, JobContext, job, start
from core.llm import Limits, load_prompt, open_chat
from core.net.gate.refusals import recorded
from core.project.service import require
from core.sources.corpora import corpus_chunks
from core.store.codec import from_row, to_row
from core.store.database import Store
from core.store.testset import chunks, topics
from core.store.trail import audit_details
from core.testset.topics.finding import Progress
from core.testset.topics.geometry.clustering import settled
from core.testset.topics.naming import PROMPT, Naming, name_topics
from core.testset.topics.service import build_topics, edit_topics

KIND = "find_topics"
NAMED = "topics.name"


@job(KIND)
def topics_job(context: JobContext) -> bool:
    """Finds the topics that the job's parameters describe, and names them where a model is given."""
    params = context.params
    store, project_id = context.store, context.job.project_id
    stored_settings = params.get("settings")
    settings = from_row(TopicSettings, stored_settings if isinstance(stored_settings, Mapping) else {})
    try:
        model = build_topics(
            store,
            project_id,
            settings,
            actor=context.actor,
            model_id=str(params["model_id"]),
            progress=context.progress,
            should_stop=context.should_stop,
        )
        if spec := str(params.get("namer", "")):
            give_names(store, model, spec, context=context)
    except Stopped:
        return False
    return True


def start_topics(
    store: Store,
    project_id: str,
    settings: TopicSettings,
    *,
    actor: str,
    namer: str = "",
    spending: Limits | None = None,
) -> Job:
    """Starts a worker that finds topics.

    Args:
        store: Where the project lives.
        project_id: The project.
        settings: How topics are found.
        actor: Who does it.
        namer: A model that names them, ``MODEL@BASE_URL``; it is sent some passages of each topic.
        spending: The spending limits for that model.

    Returns:
        The job; the id the topics will have is its subject.

    Raises:
        NotFound: No documents are loaded.
        InvalidInput: A setting is out of its bounds, or the model cannot be used.
        Forbidden: The actor may not change the project.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    _, document_chunks = corpus_chunks(store, project_id, actor=actor)
    settled(settings, len(document_chunks))
    limits = spending or Limits()
    if namer:
        with recorded(store, project_id, actor):
            open_chat(store, project_id, namer, budget=limits.budget(store))
    params = {"model_id": new_id("topics"), "settings": to_row(settings), "namer": namer, **limits.as_params()}
    return start(store, project_id=project_id, kind=KIND, params=params, actor=actor, subject=str(params["model_id"]))


def give_names(store: Store, model: TopicModel, spec: str, *, context: JobContext) -> None:
    """Names the topics of a job once; after a kill the stored names are not requested again."""
    with store.read() as connection:
        if audit_details.latest(connection, NAMED, context.job.id) is not None:
            return
    naming = names_of(
        store,
        model,
        spec,
        actor=context.actor,
        job_id=context.job.id,
        spending=Limits.of(context.params),
        progress=context.progress,
        should_stop=context.should_stop,
    )
    if naming.edits:
        edit_topics(store, model.id, naming.edits, actor=context.actor)
    detail = {"named": len(naming.edits), "failures": {str(key): why for key, why in naming.failures.items()}}
    with store.write(context.actor, NAMED, project_id=model.project_id, subject=context.job.id, detail=detail):
        pass


def names_of(
    store: Store,
    model: TopicModel,
    spec: str,
    *,
    actor: str,
    job_id: str = "",
    spending: Limits | None = None,
    prompts: PromptVariant | None = None,
    progress: Progress = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Naming:
    """Asks a model for names of unnamed topics; only its replies are stored.

    Raises:
        InvalidInput: The model cannot be used.
        Stopped: A stop was requested.
        BudgetSpent: Nothing more may be sent.
    """
    with store.read() as connection:
        model_topics = topics.topics(connection, model.id)
        example_ids = {chunk for topic in model_topics for chunk in topic.examples}
        texts = {chunk.id: chunk.text for chunk in chunks.of(connection, model.source_id) if chunk.id in example_ids}
    budget = (spending or Limits()).budget(store, job_id=job_id)
    chat = open_chat(store, model.project_id, spec, job_id=job_id, budget=budget, prompts=prompts)
    return name_topics(
        chat,
        load_prompt(PROMPT, variant=chat.prompts, store=store, project_id=model.project_id),
        model_topics,
        texts,
        actor=actor,
        progress=progress,
        should_stop=should_stop,
    )
