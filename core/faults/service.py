"""Trials of a project's own set-up: checked, made here or by a worker, and kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from core.diagnosis.computed.rows import DatabaseRows
from core.domain.errors import Conflict, InvalidInput, Stopped
from core.domain.identity import new_id
from core.domain.results.responses import Response, Score
from core.domain.sources.documents import Corpus
from core.domain.sources.projects import Role, SourceKind
from core.domain.testset.cases import TestCase
from core.faults.keeping import kept_of
from core.faults.kinds import kinds_named
from core.faults.plan import (
    Asking,
    Setup,
    TrialPlan,
    asking,
    fitting,
    searches_documents,
    usual,
)
from core.faults.result import TrialResult
from core.faults.trial import Trial, check, facts_of, run_trial
from core.jobs import Job, JobContext, job, start
from core.llm import open_chat
from core.project.service import require
from core.runs.models import Chat, run_judge
from core.runs.stages.kept_answers import KeptAnswers, copy_name
from core.runs.stages.unstored import answers_of, verdicts_of
from core.runs.target import run_target
from core.store import document_mappings, sources
from core.store.database import Store
from core.store.testset import testsets
from core.store.trail import audit_details

KIND = "plant_faults"
LOCK_SECONDS = 5.0
"""A worker that was just killed may take a moment to go."""
ACTION = "faults.try"

Told = Callable[[str, int, int], None]


def set_up(store: Store, plan: TrialPlan, *, actor: str) -> Setup:
    """Reads what a trial works on and refuses what cannot be tried, before anything is asked.

    Raises:
        NotFound: There is no such test set.
        Forbidden: The actor is no validator of its project.
        Conflict: It is not frozen.
        InvalidInput: There are no documents, no filled queries, a share or a kind that cannot be, or a target or judge
            that cannot be opened.
    """
    with store.read() as connection:
        test_set = testsets.get(connection, plan.test_set_id)
        source = sources.latest(connection, test_set.project_id, SourceKind.CORPUS)
        cases: Sequence[TestCase] = testsets.cases(connection, plan.test_set_id)
        mapping = None
        if source is not None:
            cases = document_mappings.named(cases, document_mappings.known(connection, test_set.project_id, source.id))
            mapping = document_mappings.latest(connection, test_set.project_id, source.id)
    require(store, test_set.project_id, actor, Role.VALIDATOR)
    if not test_set.frozen:
        raise Conflict(f"Test set {test_set.name} is not frozen.", "Freeze it on the Test set page first.")
    searches = searches_documents(plan.target, plan.options)
    kinds = plan.kinds or usual(plan.target, plan.options)
    check(kinds, plan.share, searches_documents=searches)
    facts_of(cases)
    if source is None:
        raise InvalidInput(
            "The project has no documents, so that no fact can be looked up in them.",
            "Load them on the Connect page, or build them there from the database.",
        )
    setup = Setup(
        plan=replace(plan, kinds=kinds),
        test_set=test_set,
        cases=cases,
        source=source,
        searches=searches,
        mapping_id=mapping.id if mapping else "",
    )
    chat = _chat(store, setup, "")
    run_target(store, setup.run, cases, chat)
    run_judge(store, setup.run, chat)
    return setup


def try_setup(
    store: Store,
    setup: Setup,
    *,
    job_id: str = "",
    progress: Told = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> tuple[Trial, TrialResult]:
    """Plants the faults and diagnoses what becomes wrong; answers are kept as they arrive until the trial is done.

    A trial that was stopped or killed goes on where it was: no question that was answered on the same documents is
    asked again. `keep_result` stores what the trial came to and forgets the answers.

    Args:
        store: Where the project is.
        setup: What is tried.
        job_id: The job whose spending counts towards the budget; without one the count begins here.
        progress: Told the stage and the questions asked in it.
        should_stop: Asked before each question.

    Raises:
        Stopped: A stop was requested.
        InvalidInput: Too few facts are sound; what was answered is forgotten, since something has to change.
        BudgetSpent: Nothing more may be spent.
        Conflict: The same set-up is being tried by another process.
    """
    kept = kept_of(store, setup.plan, setup.test_set, setup.source)
    with store.exclusive(f"trial_{kept.set_up}", what="A trial of this set-up", seconds=LOCK_SECONDS):
        try:
            return _tried(store, setup, kept, job_id=job_id, progress=progress, should_stop=should_stop)
        except InvalidInput:
            kept.forget()
            raise


def _tried(
    store: Store,
    setup: Setup,
    kept: KeptAnswers,
    *,
    job_id: str,
    progress: Told,
    should_stop: Callable[[], bool],
) -> tuple[Trial, TrialResult]:
    started = time.perf_counter()
    run, chat = setup.run, _chat(store, setup, job_id)
    with store.read() as connection:
        corpus = sources.corpus(connection, setup.source.id)
        database = sources.latest(connection, setup.test_set.project_id, SourceKind.DATABASE)
    judge = run_judge(store, run, chat)
    stage = ""

    def tell(name: str, done: int, total: int) -> None:
        nonlocal stage
        stage = name
        if done == total:
            progress(name, done, total)

    def ask(documents: Corpus, cases: Sequence[TestCase]) -> Mapping[str, Response]:
        copy = copy_name(documents, corpus)
        answered = kept.on(copy)
        progress(stage, sum(case.case_id in answered for case in cases), len(cases))
        if all(case.case_id in answered for case in cases):
            return {case.case_id: answered[case.case_id] for case in cases}
        return answers_of(
            run_target(store, run, cases, chat, documents),
            cases,
            progress=lambda _, done, total: progress(stage, done, total),
            should_stop=should_stop,
            kept=answered,
            keep=partial(kept.put, copy),
        )

    def judged(cases: Sequence[TestCase], responses: Mapping[str, Response]) -> Mapping[str, Score]:
        return verdicts_of(judge, cases, responses, should_stop=should_stop)

    with DatabaseRows(database) as behind:
        trial = run_trial(
            setup.cases,
            corpus,
            ask,
            judged,
            kinds=setup.plan.kinds,
            share=setup.plan.share,
            seed=setup.plan.seed,
            searches_documents=setup.searches,
            behind=behind if database is not None else None,
            progress=tell,
            should_stop=should_stop,
        )
    made_from = {
        **setup.plan.as_params(),
        "test_set_hash": setup.test_set.content_hash,
        "corpus_id": setup.source.id,
        "corpus_fingerprint": setup.source.fingerprint,
        "document_mapping": setup.mapping_id,
        "database": f"{database.name} {database.fingerprint}" if database is not None else "",
    }
    at = datetime.now(UTC).isoformat(timespec="seconds")
    seconds = round(time.perf_counter() - started, 3)
    return trial, TrialResult.of(trial, made_from=made_from, seconds=seconds, at=at)


def start_trial(store: Store, plan: TrialPlan, *, actor: str) -> Job:
    """Starts a worker that tries a set-up; `trial_result` finds what it kept by the job.

    Raises:
        NotFound: There is no such test set.
        Forbidden: The actor is no validator of its project.
        Conflict: It is not frozen.
        InvalidInput: The set-up cannot be tried.
    """
    setup = set_up(store, plan, actor=actor)
    return start(
        store,
        project_id=setup.test_set.project_id,
        kind=KIND,
        params=setup.plan.as_params(),
        actor=actor,
        subject=new_id("trial"),
    )


def trial_result(store: Store, trial_id: str) -> TrialResult | None:
    """What a trial came to, by its id, which is the subject of its job; None while it is not done."""
    with store.read() as connection:
        detail = audit_details.latest(connection, ACTION, trial_id)
    return None if detail is None else TrialResult.of_detail(detail)


def kept_answers(store: Store, plan: TrialPlan) -> KeptAnswers | None:
    """The answers that a trial of this plan goes on with; None where the project has no documents.

    Raises:
        NotFound: There is no such test set.
    """
    with store.read() as connection:
        test_set = testsets.get(connection, plan.test_set_id)
        source = sources.latest(connection, test_set.project_id, SourceKind.CORPUS)
    return None if source is None else kept_of(store, plan, test_set, source)


@job(KIND)
def trial_job(context: JobContext) -> bool:
    """Tries the set-up that the job's parameters describe and keeps what came of it; whether it is done."""
    store, trial_id = context.store, context.job.subject
    if trial_result(store, trial_id) is not None:
        return True
    setup = set_up(store, TrialPlan.of(context.params), actor=context.actor)
    try:
        _, result = try_setup(
            store, setup, job_id=context.job.id, progress=context.progress, should_stop=context.should_stop
        )
    except Stopped:
        return False
    keep_result(store, setup, trial_id, result, actor=context.actor)
    return True


def keep_result(store: Store, setup: Setup, trial_id: str, result: TrialResult, *, actor: str) -> None:
    """Keeps what a trial came to and forgets the answers that it got, in one."""
    kept = kept_of(store, setup.plan, setup.test_set, setup.source)
    with store.write(
        actor, ACTION, project_id=kept.project_id, subject=trial_id, detail=result.as_detail()
    ) as connection:
        kept.drop(connection)


def _chat(store: Store, setup: Setup, job_id: str) -> Chat:
    """What opens the models of a trial; all of them share its budget."""
    budget = setup.plan.limits.budget(store, job_id=job_id)
    return partial(open_chat, store, setup.test_set.project_id, job_id=job_id, budget=budget)


__all__ = [
    "ACTION",
    "KIND",
    "Asking",
    "Setup",
    "TrialPlan",
    "asking",
    "fitting",
    "keep_result",
    "kept_answers",
    "kinds_named",
    "searches_documents",
    "set_up",
    "start_trial",
    "trial_job",
    "trial_result",
    "try_setup",
    "usual",
]
