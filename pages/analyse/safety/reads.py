"""What the page of safety reads: the newest result of a run, the settings, the jobs."""

from __future__ import annotations

from core import jobs
from core.domain.estimates import Estimate, Proportion
from core.domain.jobs import Job
from core.safety.options import SafetyOptions
from core.safety.service import KIND, SafetyResult, latest_result, options_of
from core.store.database import Store
from pages.kit import cache
from pages.kit.frame import Page


@cache.read("safety", "runs")
def result(store: Store, run_id: str) -> SafetyResult | None:
    """The newest result of a run; None where nothing was measured."""
    return latest_result(store, run_id)


@cache.read("safety")
def options(store: Store, project_id: str) -> SafetyOptions:
    """The project's settings."""
    return options_of(store, project_id)


def check(page: Page, run_id: str) -> Job | None:
    """The newest job that checks a run, where it is not done."""
    of_run = [job for job in jobs.list_jobs(page.store, page.project.id) if job.kind == KIND and job.subject == run_id]
    return of_run[0] if of_run and of_run[0].state != "finished" else None


def proportion(stored: dict[str, object]) -> Proportion:
    """A proportion of a result."""
    clusters = stored.get("clusters")
    return Proportion(
        num=int(str(stored["num"])),
        den=int(str(stored["den"])),
        low=_number(stored["low"]),
        high=_number(stored["high"]),
        method=str(stored["method"]),
        clusters=None if clusters is None else int(str(clusters)),
    )


def estimate(stored: dict[str, object]) -> Estimate:
    """An estimate of a result."""
    return Estimate(
        value=_number(stored["value"]),
        low=_number(stored["low"]),
        high=_number(stored["high"]),
        n=int(str(stored["n"])),
        method=str(stored["method"]),
    )


def _number(value: object) -> float | None:
    return None if value is None else float(str(value))
