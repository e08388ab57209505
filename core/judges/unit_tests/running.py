"""A judge run over a suite as a job: what it said is kept test by test, and a resumed one asks only for the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import product

from core.domain.errors import Conflict, InvalidInput
from core.domain.identity import new_id
from core.domain.llm import PromptVariant
from core.domain.results.judge_tests import JudgeTestOutcome, JudgeTestRun, Part, UnitTest, Way
from core.domain.sources.projects import Role
from core.jobs import Job, JobContext, job
from core.jobs import start as start_job
from core.judges.prompts import picked_prompts, prompt_names
from core.judges.unit_tests.judges import TestedJudge, open_tested
from core.judges.unit_tests.suite import Suite
from core.llm import Limits, open_chat
from core.llm.prompts.catalogue import SHORT
from core.net.gate.refusals import recorded
from core.project.service import require
from core.runs.stages.in_flight import batches
from core.store.database import Store
from core.store.results import judge_tests

KIND = "judge_tests"
"""The kind of the jobs that put a judge to unit tests."""

STAGE = "Judging tests"
MOST_REPEATS = 10
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestPlan:
    """How a judge is tested.

    Attributes:
        judge: Its spec.
        part: Of the suite.
        way: Paired or single.
        repeats: How often each test is judged.
        picked: Versions of prompts other than those in use, by prompt id.
        limits: What may be spent.
        variant: Of the prompts; None leaves it to what is known of the model.
    """

    __test__ = False

    judge: str
    part: Part = Part.TEST
    way: Way = Way.PAIRED
    repeats: int = 1
    picked: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    variant: PromptVariant | None = None


def begin(store: Store, project_id: str, suite: Suite, plan: TestPlan, *, actor: str) -> JudgeTestRun:
    """Stores a run without outcomes; no model is asked yet.

    Raises:
        Forbidden: The actor is no validator of the project.
        InvalidInput: The judge cannot be opened, no test of the part is for it, or the repeats are out of range.
        UnreadableFile: A recording cannot be read.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    with recorded(store, project_id, actor):
        judge = _opened(store, project_id, plan.judge, plan.way, plan.picked, plan.variant)
    run = replace(
        unstored(judge, suite, plan), id=new_id("jt"), project_id=project_id, created_at=_now(), created_by=actor
    )
    detail = {"judge": run.judge, "suite": run.suite, "part": run.part.value, "tests": len(run.tests)}
    with store.write(actor, "judge_test.begin", project_id=project_id, subject=run.id, detail=detail) as connection:
        judge_tests.add(connection, run)
    return run


def start_judge_tests(store: Store, project_id: str, suite: Suite, plan: TestPlan, *, actor: str) -> Job:
    """Begins a run and starts the worker that does it.

    Raises:
        Forbidden, InvalidInput, UnreadableFile: As for `begin`.
    """
    run = begin(store, project_id, suite, plan, actor=actor)
    params = {"picked": dict(plan.picked), **plan.limits.as_params()}
    return start_job(store, project_id=project_id, kind=KIND, params=params, actor=actor, subject=run.id)


@job(KIND)
def judge_tests_job(context: JobContext) -> bool:
    """Does the run that the job is about; returns whether all of its tests are judged."""
    picked = context.params.get("picked")
    return judge_all(
        context.store,
        context.job.subject,
        actor=context.actor,
        picked={str(name): str(version) for name, version in picked.items()} if isinstance(picked, dict) else {},
        limits=Limits.of(context.params),
        job_id=context.job.id,
        progress=context.progress,
        should_stop=context.should_stop,
    )


def judge_all(
    store: Store,
    run_id: str,
    *,
    actor: str,
    picked: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    job_id: str = "",
    progress: Progress = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Judges the tests of a run that have no outcome yet, and finishes it when none is left.

    Each reply of a model is in the ledger before it counts, so after a kill at most what was in flight is asked again.

    Args:
        store: Where the run is.
        run_id: The run.
        actor: Who asked for it.
        picked: Versions of prompts other than those in use.
        limits: What may be spent.
        job_id: The job whose calls they are.
        progress: Told the judgements done.
        should_stop: Asked before each test.

    Returns:
        Whether all are done.

    Raises:
        NotFound: There is no such run.
        Conflict: Its prompts are not what they were when it began, or another process works on it.
        BudgetSpent: Nothing more may be asked; what was judged is kept.
    """
    with store.exclusive(f"judge-test-{run_id}", what=f"Judge test {run_id}"):
        with store.read() as connection:
            run = judge_tests.get(connection, run_id)
            have = {(item.test_id, item.draw) for item in judge_tests.outcomes(connection, run_id)}
        variant = PromptVariant.SHORT if any(name.endswith(SHORT) for name in run.prompts) else PromptVariant.FULL
        judge = _opened(store, run.project_id, run.judge, run.way, picked or {}, variant, limits, job_id)
        if prompt_names(judge.prompts) != dict(run.prompts):
            raise Conflict(
                f"The prompts of judge test {run_id} were changed since it began.", "Start a new one with those in use."
            )
        todo = [pair for pair in pairs(run.tests, run.repeats) if (pair[0].id, pair[1]) not in have]
        total = len(run.tests) * run.repeats
        done = total - len(todo)
        progress(STAGE, done, total)
        for batch in batches(partial(outcome, judge), todo, judge.concurrency, should_stop):
            detail = {"outcomes": len(batch)}
            with store.write(
                actor, "judge_test.judge", project_id=run.project_id, subject=run_id, detail=detail
            ) as connection:
                judge_tests.put_outcomes(connection, run_id, batch)
            done += len(batch)
            progress(STAGE, done, total)
        if done < total:
            return False
        if not run.finished_at:
            with store.write(actor, "judge_test.finish", project_id=run.project_id, subject=run_id) as connection:
                judge_tests.finish(connection, run_id, _now())
        return True


def unstored(judge: TestedJudge, suite: Suite, plan: TestPlan) -> JudgeTestRun:
    """A run that no project keeps.

    Raises:
        InvalidInput: As for `begin`.
    """
    return JudgeTestRun(
        id="",
        project_id="",
        judge=judge.spec,
        suite=suite.name,
        suite_hash=suite.hash,
        part=plan.part,
        way=plan.way,
        repeats=plan.repeats,
        prompts=prompt_names(judge.prompts),
        tests=tests_for(judge, suite, plan),
    )


def judge_once(
    judge: TestedJudge,
    tests: Sequence[UnitTest],
    repeats: int = 1,
    *,
    progress: Progress = lambda stage, done, total: None,
) -> list[JudgeTestOutcome]:
    """What a judge says in each test, for work outside any project.

    Raises:
        BudgetSpent: Nothing more may be asked.
    """
    todo = pairs(tests, repeats)
    found: list[JudgeTestOutcome] = []
    for batch in batches(partial(outcome, judge), todo, judge.concurrency, lambda: False):
        found += batch
        progress(STAGE, len(found), len(todo))
    return found


def tests_for(judge: TestedJudge, suite: Suite, plan: TestPlan) -> tuple[UnitTest, ...]:
    """The tests of a part that have a condition for a judge.

    Raises:
        InvalidInput: There is none, or the repeats are out of range.
    """
    if not 1 <= plan.repeats <= MOST_REPEATS:
        raise InvalidInput(f"{plan.repeats} is not a number of repeats.", f"Give 1 to {MOST_REPEATS}.")
    tests = tuple(test for test in suite.of(plan.part) if any(name in judge.metrics for name in test.conditions))
    if not tests:
        raise InvalidInput(
            f"No test of {suite.name} has a condition that {judge.spec.partition(':')[0]} judges can be asked about.",
            f"It judges {', '.join(judge.metrics)}; use a suite with conditions on one of them.",
        )
    return tests


def pairs(tests: Sequence[UnitTest], repeats: int) -> list[tuple[UnitTest, int]]:
    """Each test and the number of each time it is judged, all first times before the second ones."""
    return [(test, draw) for draw, test in product(range(repeats), tests)]


def outcome(judge: TestedJudge, pair: tuple[UnitTest, int]) -> JudgeTestOutcome:
    """What a judge says in one test, one time.

    Raises:
        BudgetSpent: Nothing more may be asked.
    """
    test, draw = pair
    return JudgeTestOutcome(test_id=test.id, draw=draw, judged=judge.judge(test, draw))


def _opened(
    store: Store,
    project_id: str,
    spec: str,
    way: Way,
    picked: Mapping[str, str],
    variant: PromptVariant | None,
    limits: Limits | None = None,
    job_id: str = "",
) -> TestedJudge:
    budget = limits.budget(store, job_id=job_id) if limits else None
    chat = partial(open_chat, store, project_id, job_id=job_id, budget=budget, prompts=variant)
    return open_tested(spec, chat=chat, prompts=picked_prompts(store, project_id, picked), way=way)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
