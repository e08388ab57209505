"""Asking again, from the command line, what failed of a run."""

from __future__ import annotations

from pathlib import Path

from core.cli.models.endpoints import Access
from core.cli.models.run_models import UNSAID, with_models
from core.cli.output import tell
from core.cli.workspace import absolute
from core.domain.errors import Conflict
from core.domain.results.runs import Run
from core.domain.testset.cases import cases_hash
from core.io.cases import read_cases
from core.runs.retrying import forget_failures
from core.settings import settings
from core.store.database import Store
from core.store.testset import testsets


def same_plan(store: Store, run: Run, *, cases_file: Path, target: str, judge: str) -> None:
    """Refuses to go on with a run of another test set, target or judge; an address that was left out is no other.

    Raises:
        Conflict: The folder holds the run of another plan.
    """
    with store.read() as connection:
        stored = testsets.get(connection, run.test_set_id).content_hash
    given = {"test set": stored == cases_hash(read_cases(cases_file))}
    for name, spec, of_run in (("target", target, run.target), ("judge", judge, run.judge)):
        given[name] = of_run in (spec, absolute(spec)) or of_run.startswith(f"{spec}@")
    if other := [name for name, same in given.items() if not same]:
        raise Conflict(
            f"The folder holds a run of another {' and another '.join(other)}.",
            "Retry with what it was started with, or choose another --out folder.",
        )


def retry(store: Store, run: Run, access: Access, at_once: int | None) -> None:
    """Makes a run go on with the cases that failed; what else there is of it stays."""
    lend(store, run, access, at_once)
    failures = forget_failures(store, run.id, actor=settings().actor)
    tell(f"Cases asked again: {failures.unanswered:,}; answers judged again: {failures.unjudged:,}.")


def lend(store: Store, run: Run, access: Access, at_once: int | None) -> None:
    """The run's models are called as the options say from now on."""
    if access == UNSAID:
        return
    options = {**run.options} if at_once is None else {**run.options, "concurrency": at_once}
    with_models(store, run.project_id, access, (run.target, run.judge), options)
