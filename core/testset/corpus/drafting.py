"""Questions from the project's documents as a job: in a process of its own, with progress, stop and resume.

Nothing is stored until all questions are there. A model's reply is in the ledger before it is used, so a job that was
stopped or killed sends only the remaining requests when it is resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from core.domain.errors import NothingAnswered, Stopped
from core.domain.sources.chunks import Chunk
from core.domain.sources.projects import Role
from core.domain.testset.question_drafts import DraftStatus, QuestionBatch, QuestionDraft
from core.domain.testset.questions import DocumentQuestion
from core.encoders.cache import StoreCache
from core.encoders.embedding import open_encoder
from core.encoders.protocols import SentenceEncoder
from core.jobs import Job, JobContext, job, start
from core.llm import ChatModel, load_prompt, open_chat
from core.net.gate.refusals import recorded
from core.project.service import require
from core.store.database import Store
from core.store.testset import question_drafts
from core.testset.corpus.making_up import REASON as MADE_UP
from core.testset.corpus.making_up import ROUNDS, Fresh, Sparing, further_requests, share_of_a_document
from core.testset.corpus.questions.ground import Ground, ground_of, shares_of
from core.testset.corpus.questions.model import FACTS_PROMPT, PROMPT, QuestionModel
from core.testset.corpus.questions.plan import QuestionPlan, requests_of
from core.testset.corpus.questions.rules import QuestionRules
from core.testset.corpus.selection.ambiguity import Readings
from core.testset.corpus.selection.probe import NEAREST, WITH_PROMPT, WITHOUT_PROMPT, QuestionProbe
from core.testset.corpus.selection.selecting import Examined, Selection
from core.testset.corpus.writing import QuestionSource, Request, RequestOutcome, Written, write_questions
from core.testset.topics.strata import Stratum
from core.text.languages import main_language

KIND = "write_questions"
ACTION = "questions.write"
Settle = Callable[[Sequence[DocumentQuestion]], None]
LANGUAGE_SAMPLE = 200
"""Chunks, evenly spread, that the language of the documents is detected from."""


@job(KIND)
def write_job(context: JobContext) -> bool:
    """Writes what the job's parameters describe; whether it is done."""
    with context.store.read() as connection:
        if any(batch.id == context.job.id for batch in question_drafts.batches(connection, context.job.project_id)):
            return True  # it was killed after its last write
    try:
        write_batch(
            context.store,
            context.job.project_id,
            QuestionPlan.of(context.params),
            actor=context.actor,
            batch_id=context.job.id,
            progress=context.progress,
            should_stop=context.should_stop,
        )
    except Stopped:
        return False
    return True


def start_questions(store: Store, project_id: str, plan: QuestionPlan, *, actor: str) -> Job:
    """Starts a worker that writes questions; the batch they will be in has the job's id.

    Raises:
        InvalidInput: The plan cannot be met, or its model cannot be used.
        NotFound: No documents are loaded.
        Forbidden: The actor may not change the project, or nobody agreed to send passages to the model.
    """
    plan.check()
    require(store, project_id, actor, Role.VALIDATOR)
    shares_of(ground_of(store, project_id, plan, actor=actor), plan)
    for spec in plan.models:
        with recorded(store, project_id, actor):
            open_chat(store, project_id, spec, budget=plan.spending.budget(store))
    return start(store, project_id=project_id, kind=KIND, params=plan.as_params(), actor=actor)


def write_batch(
    store: Store,
    project_id: str,
    plan: QuestionPlan,
    *,
    actor: str,
    batch_id: str,
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> QuestionBatch:
    """Writes, examines and stores the questions of a plan.

    Args:
        store: Where the project lives.
        project_id: The project.
        plan: What is wanted.
        actor: Who does it.
        batch_id: The id the batch gets: the job's.
        progress: Called with the stage and how far it is.
        should_stop: Called between batches of calls and of candidates.

    Raises:
        Stopped: A stop was requested; nothing is stored but a model's replies.
        NothingAnswered: A model was asked to write or to answer, and had no usable reply at all.
        BudgetSpent: The models' budget is used up, likewise; with another one it can be resumed.
        NotFound, InvalidInput, Forbidden: As for `start_questions`.
    """
    plan.check()
    require(store, project_id, actor, Role.VALIDATOR)
    progress("Reading passages", 0, 1)
    ground = ground_of(store, project_id, plan, actor=actor)
    planned = requests_of(plan, shares_of(ground, plan), ground.strata)
    requests = [request for _, request in planned]
    by_id = {chunk.id: chunk for chunk in ground.chunks}
    encoder = open_encoder(ground.model.settings.encoder, cache=StoreCache(store, project_id))
    budget = plan.spending.budget(store, job_id=batch_id)
    chats = {
        spec: open_chat(store, project_id, spec, job_id=batch_id, budget=budget, prompts=plan.prompts)
        for spec in plan.models
    }
    probe: QuestionProbe | None = None
    if plan.answered_by:
        probe = _probe(store, project_id, chats[plan.answered_by], ground, by_id, encoder)
    writer: QuestionSource
    settle: Settle | None = None
    if plan.model:
        writer = question_model = _question_model(store, project_id, chats[plan.model], plan, ground)
        _prepare(question_model, requests, probe, progress, should_stop)
    else:
        share = share_of_a_document(plan.questions, len({chunk.document_id for chunk in ground.chunks}))
        rules = QuestionRules(ground.chunks, ground.titles, seed=plan.seed)
        writer = sparing = Sparing(rules, most_of_a_document=share)
        settle = sparing.settle
    with store.read() as connection:
        before = question_drafts.drafts(connection, project_id)
    selection = Selection(
        by_id,
        encoder,
        limits=plan.limits,
        language=_language(ground.chunks),
        probe=probe,
        readings=Readings(ground.chunks, ground.titles),
    )
    selection.know([draft.question for draft in before if draft.status is not DraftStatus.TURNED_DOWN])
    written = write_questions(
        requests,
        writer,
        selection,
        progress=lambda done, total: progress("Writing questions", done, total),
        should_stop=should_stop,
        settle=settle,
    )
    if not plan.model:
        written, planned = _made_up(plan, planned, written, writer, selection, progress, should_stop, settle)
    if probe is not None and probe.failures and not probe.replies:
        raise NothingAnswered("questions", probe.failures)
    batch, drafts = _batch(project_id, plan, ground, planned, written, batch_id)
    detail = {**plan.as_params(), "written": len(drafts), "accepted": len(written.accepted)}
    with store.write(actor, ACTION, project_id=project_id, subject=batch_id, detail=detail) as connection:
        question_drafts.put_batch(connection, batch, drafts)
    return batch


def _made_up(
    plan: QuestionPlan,
    planned: tuple[tuple[Stratum, Request], ...],
    written: Written,
    writer: QuestionSource,
    selection: Selection,
    progress: Callable[[str, int, int], None],
    should_stop: Callable[[], bool],
    settle: Settle | None,
) -> tuple[Written, tuple[tuple[Stratum, Request], ...]]:
    """The questions with those that make up for kinds which a stratum did not give, and the requests for all of them."""  # noqa: E501
    strata = {request.stratum: stratum for stratum, request in planned}
    latest, missing = written.outcomes, sum(outcome.missing for outcome in written.outcomes)
    for _ in range(ROUNDS):
        further = further_requests(latest, plan.kinds)
        if not further:
            break
        more = write_questions(
            further,
            Fresh(writer, (item.question.id for item in written.examined)),
            selection,
            progress=lambda done, total: progress("Making up for missing kinds", done, missing),
            should_stop=should_stop,
            settle=settle,
        )
        latest = more.outcomes
        extra = tuple(replace(outcome, made_up=True) for outcome in more.outcomes)
        written = Written(examined=written.examined + more.examined, outcomes=written.outcomes + extra)
        planned += tuple((strata[request.stratum], request) for request in further)
    return written, planned


def _question_model(
    store: Store, project_id: str, chat: ChatModel, plan: QuestionPlan, ground: Ground
) -> QuestionModel:
    return QuestionModel(
        chat,
        facts_prompt=load_prompt(FACTS_PROMPT, variant=chat.prompts, store=store, project_id=project_id),
        prompt=load_prompt(PROMPT, variant=chat.prompts, store=store, project_id=project_id),
        chunks=ground.chunks,
        titles=ground.titles,
        seed=plan.seed,
    )


def _probe(
    store: Store,
    project_id: str,
    chat: ChatModel,
    ground: Ground,
    chunks: Mapping[str, Chunk],
    encoder: SentenceEncoder,
) -> QuestionProbe:
    vectors = encoder.encode([chunk.text for chunk in ground.chunks])

    def nearest(text: str) -> list[str]:
        order = np.argsort(-(vectors @ encoder.encode([text])[0]), kind="stable")[:NEAREST]
        return [ground.chunks[place].id for place in order]

    return QuestionProbe(
        chat,
        with_prompt=load_prompt(WITH_PROMPT, variant=chat.prompts, store=store, project_id=project_id),
        without_prompt=load_prompt(WITHOUT_PROMPT, variant=chat.prompts, store=store, project_id=project_id),
        chunks=chunks,
        titles=ground.titles,
        nearest=nearest,
    )


def _prepare(
    question_model: QuestionModel,
    requests: Sequence[Request],
    probe: QuestionProbe | None,
    progress: Callable[[str, int, int], None],
    should_stop: Callable[[], bool],
) -> None:
    """Gets the model's replies into the ledger.

    Raises:
        NothingAnswered: There was no usable reply.
    """
    question_model.prepare(
        requests,
        probe=probe.probe if probe is not None else lambda question: None,
        progress=lambda done, total: progress("Asking the model", done, total),
        should_stop=should_stop,
    )
    failed = [outcome.reason for outcome in question_model.outcomes if outcome.status == "failed"]
    if failed and len(failed) == len(question_model.outcomes):
        raise NothingAnswered("passages", failed)


def _language(chunks: Sequence[Chunk]) -> str:
    step = max(1, len(chunks) // LANGUAGE_SAMPLE)
    return main_language(chunk.text for chunk in chunks[::step])


def _batch(
    project_id: str,
    plan: QuestionPlan,
    ground: Ground,
    planned: Sequence[tuple[Stratum, Request]],
    written: Written,
    batch_id: str,
) -> tuple[QuestionBatch, list[QuestionDraft]]:
    by_name = {request.stratum: stratum for stratum, request in planned}
    rows = tuple(
        _delivered(ground.label(stratum), outcome)
        for (stratum, _), outcome in zip(planned, written.outcomes, strict=True)
        if outcome.accepted or not outcome.made_up
    )
    batch = QuestionBatch(
        id=batch_id,
        project_id=project_id,
        source_id=ground.source.id,
        topics_id=ground.model.id,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        plan=plan.as_params(),
        delivered=rows,
    )
    return batch, [_draft(batch_id, by_name[examined.question.topic_id], examined) for examined in written.examined]


def _delivered(label: str, outcome: RequestOutcome) -> dict[str, object]:
    return {
        "stratum": label,
        "kind": outcome.request.kind.value,
        "passages": len(outcome.request.chunk_ids),
        "requested": 0 if outcome.made_up else outcome.request.n,
        "candidates": outcome.candidates,
        "delivered": outcome.accepted,
        "turned_down": {check.value: n for check, n in sorted(outcome.turned_down.items())},
        "reason": MADE_UP if outcome.made_up else outcome.reason,
    }


def _draft(batch_id: str, stratum: Stratum, examined: Examined) -> QuestionDraft:
    question = examined.question
    return QuestionDraft(
        id=question.id,
        batch_id=batch_id,
        kind=question.kind,
        text=question.text,
        reference=question.reference,
        support=question.support,
        options=question.options,
        made_by=question.made_by,
        near_chunk_id=question.near_chunk_id,
        topic=stratum.topic,
        value=stratum.value,
        failed=examined.failed.value if examined.failed is not None else "",
        reason=examined.reason,
        similarity=examined.similarity,
        copied=examined.copy,
        duplicate_of=examined.duplicate_of,
        nearest=examined.nearest,
        probed=examined.probed,
        answered=examined.answered,
        known=examined.known,
        status=DraftStatus.DRAFT if examined.accepted else DraftStatus.TURNED_DOWN,
    )
