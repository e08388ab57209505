"""Questions from the project's documents as a job: in a process of its own, with progress, stop and resume.

Nothing is stored until all questions are there. What a model answered stands in the ledger before it is used, so a job
that was stopped or killed asks only what is left when it is resumed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from core.domain.chunks import Chunk
from core.domain.errors import InvalidInput, Stopped
from core.domain.projects import Role, Source
from core.domain.question_drafts import DraftStatus, QuestionBatch, QuestionDraft
from core.domain.topics import Topic, TopicModel
from core.encoders.cache import StoreCache
from core.encoders.embedding import open_encoder
from core.encoders.languages import main_language
from core.jobs import Job, JobContext, job, start
from core.llm import NothingAnswered, load_prompt, open_chat
from core.project.service import require
from core.sources.corpora import corpus_chunks
from core.store import question_drafts, sources, topics
from core.store.database import Store
from core.testset.corpus.allocation import Share, allocate
from core.testset.corpus.question_model import FACTS_PROMPT, PROMPT, QuestionModel
from core.testset.corpus.question_plan import QuestionPlan, requests_of
from core.testset.corpus.question_rules import QuestionRules
from core.testset.corpus.selecting import Examined, Selection
from core.testset.corpus.strata import Stratum, crossing_of, strata
from core.testset.corpus.writing import QuestionSource, Request, RequestOutcome, Written, write_questions

KIND = "write_questions"
ACTION = "questions.write"
LANGUAGE_SAMPLE = 200
"""Chunks, evenly spread, that tell the language of the documents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What questions are written from.

    Attributes:
        source: The corpus.
        chunks: Its chunks.
        titles: Titles of its documents by id.
        model: The topics, as they are now.
        topics: Each topic by number.
        strata: Chunk ids of each stratum.
    """

    source: Source
    chunks: tuple[Chunk, ...]
    titles: Mapping[str, str]
    model: TopicModel
    topics: Mapping[int, Topic]
    strata: Mapping[Stratum, tuple[str, ...]]

    def label(self, stratum: Stratum) -> str:
        """What people call a stratum."""
        topic = self.topics.get(stratum.topic)
        name = topic.label if topic is not None else f"topic {stratum.topic}"
        return f"{name} · {stratum.value}" if stratum.value else name


def ground_of(store: Store, project_id: str, plan: QuestionPlan, *, actor: str) -> Ground:
    """Reads what a plan's questions are written from.

    Raises:
        NotFound: No documents are loaded.
        InvalidInput: No topics were found yet, the documents have changed since, or every topic was dropped.
        Forbidden: The documents must be cut first, and the actor may not change the project.
    """
    source, chunks = corpus_chunks(store, project_id, actor=actor)
    with store.read() as connection:
        model = topics.latest(connection, project_id)
        if model is None:
            raise InvalidInput("No topics were found in the documents yet.", "Find them on the Topics page.")
        found = {topic.number: topic for topic in topics.topics(connection, model.id)}
        topic_of = topics.topic_of(connection, model.id)
        documents = {document.id: document for document in sources.documents(connection, source.id)}
    if model.source_id != source.id or set(topic_of) != {chunk.id for chunk in chunks}:
        raise InvalidInput(
            "The documents have changed since their topics were found.", "Find the topics again on the Topics page."
        )
    values = {key: crossing_of(document, plan.crossing) for key, document in documents.items()}
    dropped = {number for number, topic in found.items() if topic.dropped}
    parts = strata(chunks, topic_of, dropped=dropped, outliers=plan.outliers, value_of=lambda key: values.get(key, ""))
    if not parts:
        raise InvalidInput(
            "No topic is left to ask about.", "Restore a topic on the Topics page, or ask about outliers too."
        )
    titles = {key: document.title for key, document in documents.items()}
    return Ground(source=source, chunks=chunks, titles=titles, model=model, topics=found, strata=parts)


def shares_of(ground: Ground, plan: QuestionPlan) -> tuple[Share, ...]:
    """How a plan's budget is divided among the strata.

    Raises:
        InvalidInput: As :func:`core.testset.corpus.allocation.allocate`.
    """
    sizes = {stratum: len(chunk_ids) for stratum, chunk_ids in ground.strata.items()}
    weights = {stratum: plan.weights.get(stratum.topic, 0.0) for stratum in sizes}
    # A chunk gives several questions, of every kind: its stratum is never the limit before its candidates are.
    return allocate(
        sizes, plan.budget, allocation=plan.allocation, weights=weights, minimum=plan.minimum, per_chunk=plan.budget
    )


@job(KIND)
def write_job(context: JobContext) -> bool:
    """Writes what the job's parameters describe; whether it is done."""
    with context.store.read() as connection:
        if any(batch.id == context.job.id for batch in question_drafts.batches(connection, context.job.project_id)):
            return True  # it was killed after its last write
    try:
        draft_questions(context)
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
    if plan.model:
        open_chat(store, project_id, plan.model, budget=plan.spending.budget(store))
    return start(store, project_id=project_id, kind=KIND, params=plan.as_params(), actor=actor)


def draft_questions(context: JobContext) -> None:
    """Does the work of a job: writes, examines and stores the questions.

    Raises:
        Stopped: It was asked to stop; nothing is stored but a model's replies.
        NothingAnswered: A model was asked and had no usable reply at all.
        BudgetSpent: The model's budget is used up, likewise; with another one it can be resumed.
    """
    store, project_id = context.store, context.job.project_id
    plan = QuestionPlan.of(context.params)
    plan.check()
    context.progress("Reading passages", 0, 1)
    ground = ground_of(store, project_id, plan, actor=context.actor)
    wanted = requests_of(plan, shares_of(ground, plan), ground.strata)
    requests = [request for _, request in wanted]
    writer = _writer(context, plan, ground, requests)
    with store.read() as connection:
        known = [
            draft.question
            for draft in question_drafts.drafts(connection, project_id)
            if draft.status is not DraftStatus.TURNED_DOWN
        ]
    selection = Selection(
        {chunk.id: chunk for chunk in ground.chunks},
        open_encoder(cache=StoreCache(store, project_id)),
        limits=plan.limits,
        language=_language(ground.chunks),
    )
    selection.know(known)
    written = write_questions(
        requests,
        writer,
        selection,
        progress=lambda done, total: context.progress("Writing questions", done, total),
        should_stop=context.should_stop,
    )
    _store(context, plan, ground, wanted, written)


def _writer(context: JobContext, plan: QuestionPlan, ground: Ground, requests: Sequence[Request]) -> QuestionSource:
    if not plan.model:
        return QuestionRules(ground.chunks, ground.titles, seed=plan.seed)
    store, project_id = context.store, context.job.project_id
    budget = plan.spending.budget(store, job_id=context.job.id)
    asked = QuestionModel(
        open_chat(store, project_id, plan.model, job_id=context.job.id, budget=budget),
        facts_prompt=load_prompt(FACTS_PROMPT, store=store, project_id=project_id),
        prompt=load_prompt(PROMPT, store=store, project_id=project_id),
        chunks=ground.chunks,
        titles=ground.titles,
        seed=plan.seed,
    )
    asked.prepare(
        requests,
        progress=lambda done, total: context.progress("Asking the model", done, total),
        should_stop=context.should_stop,
    )
    failed = [outcome.reason for outcome in asked.outcomes if outcome.status == "failed"]
    if failed and len(failed) == len(asked.outcomes):
        raise NothingAnswered("passages", failed)
    return asked


def _language(chunks: Sequence[Chunk]) -> str:
    step = max(1, len(chunks) // LANGUAGE_SAMPLE)
    return main_language(chunk.text for chunk in chunks[::step])


def _store(
    context: JobContext,
    plan: QuestionPlan,
    ground: Ground,
    wanted: Sequence[tuple[Stratum, Request]],
    written: Written,
) -> None:
    by_name = {request.stratum: stratum for stratum, request in wanted}
    rows = tuple(
        _delivered(ground.label(stratum), outcome)
        for (stratum, _), outcome in zip(wanted, written.outcomes, strict=True)
    )
    batch = QuestionBatch(
        id=context.job.id,
        project_id=context.job.project_id,
        source_id=ground.source.id,
        topics_id=ground.model.id,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        plan=plan.as_params(),
        delivered=rows,
    )
    drafts = [_draft(batch.id, by_name[found.question.topic_id], found) for found in written.examined]
    detail = {**plan.as_params(), "questions": len(drafts), "accepted": len(written.accepted)}
    with context.store.write(
        context.actor, ACTION, project_id=batch.project_id, subject=batch.id, detail=detail
    ) as connection:
        question_drafts.put_batch(connection, batch, drafts)


def _delivered(label: str, outcome: RequestOutcome) -> dict[str, object]:
    return {
        "stratum": label,
        "kind": outcome.request.kind.value,
        "passages": len(outcome.request.chunk_ids),
        "requested": outcome.request.n,
        "candidates": outcome.candidates,
        "delivered": outcome.accepted,
        "turned_down": {check.value: n for check, n in sorted(outcome.turned_down.items())},
        "reason": outcome.reason,
    }


def _draft(batch_id: str, stratum: Stratum, found: Examined) -> QuestionDraft:
    question = found.question
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
        failed=found.failed.value if found.failed is not None else "",
        reason=found.reason,
        similarity=found.similarity,
        copied=found.copy,
        duplicate_of=found.duplicate_of,
        status=DraftStatus.DRAFT if found.accepted else DraftStatus.TURNED_DOWN,
    )
