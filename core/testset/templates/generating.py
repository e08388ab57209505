"""Templates by a language model as a job: in a process of its own, with progress, stop and resume.

Each reply is in the ledger before it is used and nothing is stored until all replies are there, so a job that was
stopped or killed sends only the remaining requests when it is resumed, and a repeated request costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from core.domain.errors import InvalidInput, NothingAnswered, Stopped
from core.domain.sources.projects import Role
from core.domain.testset.templates import SqlTemplate, TemplateStatus, TextTemplate
from core.jobs import Job, JobContext, job, start
from core.llm import ChatModel, load_prompt, open_chat
from core.net.gate.refusals import recorded
from core.project.service import require
from core.sources.database import DatabaseSource
from core.sources.service import open_database, project_database
from core.store.database import Store
from core.store.testset import templates
from core.store.trail import audit_details
from core.testset.grounded.llm import round_trip, sql_generator, text_generator
from core.testset.grounded.llm.table_sets import table_sets
from core.testset.templates.generation_cost import expected_calls
from core.testset.templates.llm_requests import Generation, result_document
from core.testset.templates.text_review import example_answers, form_name

KIND = "generate_templates"
ACTION = "templates.generate"


@job(KIND)
def generate_job(context: JobContext) -> bool:
    """Writes what the job's parameters describe; whether it is done."""
    with context.store.read() as connection:
        if audit_details.latest(connection, ACTION, context.job.id) is not None:
            return True  # it was killed after its last write
    try:
        generate(context)
    except Stopped:
        return False
    return True


def start_generation(store: Store, project_id: str, generation: Generation, *, actor: str) -> Job:
    """Starts a worker that writes templates or wordings by a model.

    Raises:
        InvalidInput: The generation cannot be made, the model cannot be used, or there is a budget in money and no
            price of it.
        NotFound: No database is connected.
        Forbidden: The actor may not change the project.
    """
    generation.check()
    require(store, project_id, actor, Role.VALIDATOR)
    with recorded(store, project_id, actor):
        open_chat(store, project_id, generation.model, budget=generation.limits.budget(store))
    expected = expected_calls(store, project_id, generation)
    if not expected.requests:
        raise InvalidInput(
            "There is nothing to ask a model for.",
            "Choose other tables or sizes."
            if generation.what == "sql"
            else "Approve an SQL template first."
            if generation.what == "text"
            else "Write wordings first; only drafts are checked.",
        )
    return start(store, project_id=project_id, kind=KIND, params=generation.as_params(), actor=actor)


def generation_result(store: Store, job_id: str) -> Mapping[str, object] | None:
    """What a job wrote: the document of :func:`result_document`; None until it is done."""
    with store.read() as connection:
        return audit_details.latest(connection, ACTION, job_id)


def generate(context: JobContext) -> None:
    """Does the work of a job: asks the model, checks the replies, stores the new drafts and the results.

    Raises:
        Stopped: A stop was requested; nothing is stored but the replies.
        NothingAnswered: No call had a usable reply.
        BudgetSpent: Its budget is used up, likewise; with another one it can be resumed.
    """
    store, project_id = context.store, context.job.project_id
    generation = Generation.of(context.params)
    job_id = context.job.id
    budget = generation.limits.budget(store, job_id=job_id)
    chat = open_chat(store, project_id, generation.model, job_id=job_id, budget=budget)
    with open_database(project_database(store, project_id)) as database:
        {"sql": _sql, "text": _text, "round_trip": _round_trips}[generation.what](context, generation, chat, database)


def _sql(context: JobContext, generation: Generation, chat: ChatModel, database: DatabaseSource) -> None:
    store, project_id = context.store, context.job.project_id
    with store.read() as connection:
        stored = templates.sql(connection, project_id)
    proposed = sql_generator.generate_sql_templates_by_llm(
        chat,
        load_prompt(sql_generator.PROMPT, variant=chat.prompts, store=store, project_id=project_id),
        database,
        table_sets(database.schema, sizes=generation.sizes, tables=generation.tables),
        per_set=generation.per_set,
        criteria=generation.criteria,
        stored=stored,
        progress=context.progress,
        should_stop=context.should_stop,
    )
    detail: dict[str, object] = result_document(generation, proposed.deliveries)
    with store.write(context.actor, ACTION, project_id=project_id, subject=context.job.id, detail=detail) as connection:
        stored_ids = {template.id for template in templates.sql(connection, project_id)}
        templates.put_sql(connection, project_id, [item for item in proposed.templates if item.id not in stored_ids])


def _text(context: JobContext, generation: Generation, chat: ChatModel, database: DatabaseSource) -> None:
    store, project_id = context.store, context.job.project_id
    with store.read() as connection:
        approved = templates.sql(connection, project_id, status=TemplateStatus.APPROVED)
        stored = templates.text(connection, project_id)
    proposed = text_generator.generate_text_templates_by_llm(
        chat,
        load_prompt(text_generator.PROMPT, variant=chat.prompts, store=store, project_id=project_id),
        database.schema,
        approved,
        forms={form_name(form): words for form, words in generation.forms.items()},
        n=generation.n,
        criteria=generation.criteria,
        stored=stored,
        example_answers=cache(lambda template: example_answers(database, template)),
        progress=context.progress,
        should_stop=context.should_stop,
    )
    texts, trips = proposed.texts, None
    if generation.round_trip and texts:
        by_id = {template.id: template for template in approved}
        trips = _turned_back(context, chat, database, texts, by_id)
        texts = trips.texts
    detail = result_document(generation, proposed.deliveries, trips)
    with store.write(context.actor, ACTION, project_id=project_id, subject=context.job.id, detail=detail) as connection:
        sql_ids = {template.id for template in templates.sql(connection, project_id)}
        stored_ids = {text.id for text in templates.text(connection, project_id)}
        templates.put_text(
            connection,
            project_id,
            [text for text in texts if text.id not in stored_ids and text.sql_template_id in sql_ids],
        )


def _round_trips(context: JobContext, generation: Generation, chat: ChatModel, database: DatabaseSource) -> None:
    store, project_id = context.store, context.job.project_id
    with store.read() as connection:
        by_id = {template.id: template for template in templates.sql(connection, project_id)}
        drafts = templates.text(connection, project_id, status=TemplateStatus.DRAFT)
    trips = _turned_back(context, chat, database, drafts, by_id)
    if trips.failures and not trips.passed + trips.flagged:
        raise NothingAnswered("wordings", trips.failures)
    with store.write(
        context.actor,
        ACTION,
        project_id=project_id,
        subject=context.job.id,
        detail=result_document(generation, (), trips),
    ) as connection:
        # Read under the store's lock: somebody may have approved or deleted a wording meanwhile.
        now = {text.id: text for text in templates.text(connection, project_id)}
        templates.put_text(
            connection,
            project_id,
            [replace(now[text.id], checks=text.checks) for text in trips.texts if text.id in now],
        )


def _turned_back(
    context: JobContext,
    chat: ChatModel,
    database: DatabaseSource,
    texts: Sequence[TextTemplate],
    by_id: Mapping[str, SqlTemplate],
) -> round_trip.RoundTrips:
    prompt = load_prompt(
        round_trip.PROMPT, variant=chat.prompts, store=context.store, project_id=context.job.project_id
    )
    return round_trip.check_round_trips(
        chat, prompt, database, texts, by_id, progress=context.progress, should_stop=context.should_stop
    )
