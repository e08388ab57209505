"""What the page of planted faults reads: the trials of the project, what they came to, what a new one would ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core import jobs
from core.domain.jobs import Job
from core.domain.results.runs import Run
from core.faults.kinds import kinds_named
from core.faults.result import TrialResult
from core.faults.service import KIND, Asking, asking, trial_result
from core.store.database import Store
from core.store.testset import testsets
from core.targets import list_targets
from core.targets.protocol import RETRIEVAL
from pages.kit import cache, project_reads, run_names
from pages.kit.frame import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A system that faults can be planted for.

    Attributes:
        title: For people.
        target: Its spec.
        judge: The judge of its answers.
        options: Of the target and the judge, as for a run.
        default_k: Documents it retrieves, None where k has no meaning.
    """

    title: str
    target: str
    judge: str = "match"
    options: Mapping[str, object] = field(default_factory=dict)
    default_k: int | None = None


def trials(page: Page) -> list[Job]:
    """The jobs of the project that plant faults, newest first."""
    return [job for job in jobs.list_jobs(page.store, page.project.id) if job.kind == KIND]


def result(page: Page, trial: Job) -> TrialResult | None:
    """What a trial came to; None while it is not done."""
    return trial_result(page.store, trial.subject)


def systems(page: Page) -> dict[str, System]:
    """The built-in searches, and each system of the project's runs with the settings of its newest run."""
    specs = {spec.name: spec for spec in list_targets()}
    found = {
        name: System(title=spec.title, target=name, default_k=spec.default_k)
        for name, spec in specs.items()
        if spec.needs_corpus and not spec.argument
    }
    seen: set[str] = set()
    for run in project_reads.runs(page.store, page.project.id):
        spec = specs.get(run.target.partition(":")[0])
        if spec is None or not spec.argument or run.target in seen or not _as_it_works(run):
            continue
        seen.add(run.target)
        options = {name: value for name, value in run.options.items() if name in KEPT_OPTIONS}
        k = run.options.get("k")
        found[run.id] = System(
            title=f"{run_names.target_name(run)}, as in its latest run",
            target=run.target,
            judge=run.judge,
            options=options,
            default_k=None if spec.default_k is None else int(str(k or spec.default_k)),
        )
    return found


KEPT_OPTIONS = frozenset(
    {
        "k",
        "mode",
        "retriever",
        "concurrency",
        "rate",
        "timeout_s",
        "judge_repeats",
        "judge_match_first",
        "judge_tolerance",
        "judge_coarse_dates",
        "encoder",
        "prompts",
    }
)
"""Options of a run that a trial of its system takes over."""


def _as_it_works(run: Run) -> bool:
    return str(run.options.get("mode") or RETRIEVAL) == RETRIEVAL and not run.judge.startswith("recorded")


@cache.read("test_sets")
def asking_of(store: Store, test_set_id: str, kinds: Sequence[str], share: float, searches: bool) -> Asking:
    """How many questions a trial would ask.

    Raises:
        InvalidInput: Too few cases of the test set have a filled query.
    """
    with store.read() as connection:
        cases = testsets.cases(connection, test_set_id)
    return asking(cases, kinds_named(kinds), share, searches=searches)
