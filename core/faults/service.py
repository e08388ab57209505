"""Trials of a project's own set-up: checked, made here or by a worker, and kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial

from core.domain.errors import Conflict, InvalidInput, Stopped
from core.domain.identity import new_id
from core.domain.results.responses import Response, Score
from core.domain.results.runs import Run
from core.domain.sources.documents import Corpus
from core.domain.sources.projects import Role, Source, SourceKind
from core.domain.testset.cases import TestCase, TestSet
from core.faults.kinds import IN_DOCUMENTS, FaultKind
from core.faults.result import TrialResult
from core.faults.trial import Trial, check, drawn, facts_of, run_trial
from core.jobs import Job, JobContext, job, start
from core.llm import Limits, open_chat
from core.project.service import require
from core.runs.models import Chat, run_judge
from core.runs.target import run_target
from core.runs.unstored import answers_of, verdicts_of
from core.store import audit_details, sources
from core.store.database import Store
from core.store.testset import testsets
from core.targets import list_targets
from core.targets.protocol import RETRIEVAL

KIND = "plant_faults"
ACTION = "faults.try"

Told = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPlan:
    """What is to be tried.

    Attributes:
        test_set_id: A frozen test set.
        target: Target spec.
        judge: Judge spec.
        options: Of the target and the judge, as for a run.
        kinds: Which faults; none for all that fit the target.
        share: Of the sound facts, how many get a fault of each kind.
        seed: Of the draw.
        limits: What may be spent on models.
    """

    test_set_id: str
    target: str
    judge: str = "match"
    options: Mapping[str, object] = field(default_factory=dict)
    kinds: tuple[FaultKind, ...] = ()
    share: float = 0.1
    seed: int = 0
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def of(cls, params: Mapping[str, object]) -> TrialPlan:
        """The plan that a job's parameters describe.

        Raises:
            InvalidInput: A kind of another name.
        """
        options, kinds = params.get("options"), params.get("kinds")
        return cls(
            test_set_id=str(params["test_set_id"]),
            target=str(params["target"]),
            judge=str(params.get("judge", "match")),
            options=dict(options) if isinstance(options, Mapping) else {},
            kinds=kinds_named(map(str, kinds)) if isinstance(kinds, list | tuple) else (),
            share=float(str(params.get("share", 0.1))),
            seed=int(str(params.get("seed", 0))),
            limits=Limits.of(params),
        )

    def as_params(self) -> dict[str, object]:
        """Plain JSON, for a job and for the record of its result."""
        return {
            "test_set_id": self.test_set_id,
            "target": self.target,
            "judge": self.judge,
            "options": dict(self.options),
            "kinds": [str(kind) for kind in self.kinds],
            "share": self.share,
            "seed": self.seed,
            **self.limits.as_params(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a trial works on, read and checked.

    Attributes:
        plan: The plan, with the kinds that fit where it names none.
        test_set: Frozen.
        cases: Those of it that are not excluded.
        source: The documents' source.
        searches: Whether the target searches the documents it is given.
    """

    plan: TrialPlan
    test_set: TestSet
    cases: Sequence[TestCase]
    source: Source
    searches: bool

    @property
    def run(self) -> Run:
        """The set-up as the run that is not stored."""
        return Run(
            id="",
            project_id=self.test_set.project_id,
            test_set_id=self.test_set.id,
            target=self.plan.target,
            judge=self.plan.judge,
            corpus_id=self.source.id,
            seed=self.plan.seed,
            options=self.plan.options,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How many questions a trial asks the target.

    Attributes:
        first: Before any fault.
        most: After the faults, at most: where every fact is sound and can take its fault.
        facts: Facts with a filled query.
        faults: Facts that get a fault of each kind, at most.
    """

    first: int
    most: int
    facts: int
    faults: int


def kinds_named(names: Iterable[str]) -> tuple[FaultKind, ...]:
    """Kinds by their names, each once.

    Raises:
        InvalidInput: There is no such kind.
    """
    kinds: dict[FaultKind, None] = {}
    for name in names:
        if name not in set(FaultKind):
            raise InvalidInput(f"There is no kind of fault {name!r}.", f"Choose some of: {', '.join(FaultKind)}.")
        kinds[FaultKind(name)] = None
    return tuple(kinds)


def searches_documents(target: str, options: Mapping[str, object]) -> bool:
    """Whether a target searches the documents of the project, so that faults in a copy of them reach it.

    One that does not exist counts as such; opening it tells.
    """
    own = {spec.name for spec in list_targets() if not spec.needs_corpus}
    return str(options.get("mode") or RETRIEVAL) == RETRIEVAL and target.partition(":")[0].strip() not in own


def fitting(target: str, options: Mapping[str, object]) -> tuple[FaultKind, ...]:
    """The kinds of fault that can be planted for a target."""
    searches = searches_documents(target, options)
    return tuple(kind for kind in FaultKind if searches or kind not in IN_DOCUMENTS)


def asking(cases: Sequence[TestCase], kinds: Sequence[FaultKind], share: float, *, searches: bool) -> Asking:
    """How many questions a trial asks; a wrong reader is asked none, and neither is a target with its own documents.

    Raises:
        InvalidInput: Too few cases have a filled query.
    """
    groups = facts_of(cases)
    sizes = sorted((len(members) for members in groups.values()), reverse=True)
    faults = drawn(len(groups), share)
    asked = [kind for kind in kinds if searches and kind is not FaultKind.READER]
    return Asking(first=sum(sizes), most=len(asked) * sum(sizes[:faults]), facts=len(groups), faults=faults)


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
        cases = testsets.cases(connection, plan.test_set_id)
    require(store, test_set.project_id, actor, Role.VALIDATOR)
    if not test_set.frozen:
        raise Conflict(f"Test set {test_set.name} is not frozen.", "Freeze it on the Test set page first.")
    searches = searches_documents(plan.target, plan.options)
    kinds = plan.kinds or fitting(plan.target, plan.options)
    check(kinds, plan.share, searches_documents=searches)
    facts_of(cases)
    if source is None:
        raise InvalidInput(
            "The project has no documents, so that no fact can be looked up in them.",
            "Load them on the Connect page, or build them there from the database.",
        )
    setup = Setup(plan=replace(plan, kinds=kinds), test_set=test_set, cases=cases, source=source, searches=searches)
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
    """Plants the faults and diagnoses what becomes wrong; nothing but calls of models is stored.

    Args:
        store: Where the project is.
        setup: What is tried.
        job_id: The job whose spending counts towards the budget; without one the count begins here.
        progress: Told the stage and the questions asked in it.
        should_stop: Asked before each question.

    Raises:
        Stopped: A stop was requested.
        InvalidInput: Too few facts are sound.
        BudgetSpent: Nothing more may be spent.
    """
    started = time.perf_counter()
    run, chat = setup.run, _chat(store, setup, job_id)
    with store.read() as connection:
        corpus = sources.corpus(connection, setup.source.id)
    judge = run_judge(store, run, chat)
    stage = ""

    def tell(name: str, done: int, total: int) -> None:
        nonlocal stage
        stage = name
        progress(name, done, total)

    def ask(documents: Corpus, cases: Sequence[TestCase]) -> Mapping[str, Response]:
        target = run_target(store, run, cases, chat, documents)
        return answers_of(
            target, cases, progress=lambda _, done, total: progress(stage, done, total), should_stop=should_stop
        )

    def judged(cases: Sequence[TestCase], responses: Mapping[str, Response]) -> Mapping[str, Score]:
        return verdicts_of(judge, cases, responses, should_stop=should_stop)

    trial = run_trial(
        setup.cases,
        corpus,
        ask,
        judged,
        kinds=setup.plan.kinds,
        share=setup.plan.share,
        seed=setup.plan.seed,
        searches_documents=setup.searches,
        progress=tell,
        should_stop=should_stop,
    )
    made_from = {
        **setup.plan.as_params(),
        "test_set_hash": setup.test_set.content_hash,
        "corpus_id": setup.source.id,
        "corpus_fingerprint": setup.source.fingerprint,
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
    with store.write(
        context.actor, ACTION, project_id=context.job.project_id, subject=trial_id, detail=result.as_detail()
    ):
        return True


def _chat(store: Store, setup: Setup, job_id: str) -> Chat:
    """What opens the models of a trial; all of them share its budget."""
    budget = setup.plan.limits.budget(store, job_id=job_id)
    return partial(open_chat, store, setup.test_set.project_id, job_id=job_id, budget=budget)
