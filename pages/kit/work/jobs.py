"""The job panel: what a worker does, how far it is, how long it will take; stop and resume.

The panel polls the store, never a thread, so the tab may be closed. Unknown is not idle: a job whose worker went away
is shown as interrupted, with a Resume button, never as finished.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st

from core import jobs
from core.domain.errors import NotFound
from core.domain.jobs import Job, JobState
from core.domain.results.runs import Run
from core.domain.sources.projects import Role
from core.faults.service import KIND as FAULTS
from core.llm.detecting import KIND as DETECTING
from core.runs.scores.scoring import KIND as SCORING
from core.runs.service import EVIDENCE
from core.sources.loading import KIND as LOADING
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers

_SAYS: Final = {
    JobState.QUEUED: "Waiting for a worker",
    JobState.RUNNING: "Running",
    JobState.STOPPING: "Stopping after the current case",
    JobState.STOPPED: "Stopped",
    JobState.FINISHED: "Finished",
    JobState.FAILED: "Failed",
    JobState.INTERRUPTED: "Interrupted: its worker ended",
}

_STOPS: Final = {
    LOADING: "Stopping after the current document",
    EVIDENCE: "Stopping after the current fact",
    DETECTING: "Stopping after the current question",
}
"""The text beside a job that is asked to stop, by its kind."""

KEPT: Final = "What was answered is kept. Resume continues with the rest and asks nothing twice."
_KEPT: Final = {
    SCORING: "What was scored is kept. Resume scores the rest.",
    FAULTS: "Of an unfinished trial only replies of models are kept. Resume begins it anew and pays for none twice.",
    EVIDENCE: "What was found is kept. Resume searches for the facts that are left.",
    DETECTING: "What was known of the model stands. Resume asks it anew from the beginning.",
    LOADING: "The documents that were there are as they were. Resume reads the files that are left.",
}
"""The text beside an interrupted job, by its kind."""


def panel(
    page: Page, job_id: str, *, key: str = "job", resumable: Callable[[Job], bool] = lambda job: True
) -> Job | None:
    """Draws a job and keeps it current while it is live.

    Args:
        page: The page.
        job_id: The job; an unknown id is told, not hidden.
        key: Unique on the page.
        resumable: Whether there is something left to resume, where that is not always so.

    Returns:
        The job as it stood when the page was drawn; None when it is unknown. When it ends, the page runs again.
    """
    job = read(page, job_id)
    live = job is not None and job.state.active
    st.fragment(_draw, run_every=1 if live else None)(page, job_id, key, live, resumable)
    return job


def of_run(page: Page, run: Run, kind: str, *, key: str) -> bool:
    """Draws the newest job of a kind that works on a run, while it is at work, can be resumed, or is the one in view.

    Returns:
        Whether it is at work, so that no other one should be started.
    """
    of_project = jobs.list_jobs(page.store, page.project.id)
    job = next((job for job in of_project if job.kind == kind and job.subject == run.id), None)
    if job is None or not (job.state.active or job.state.resumable or job.id == state.link().job):
        return False
    current = panel(page, job.id, key=key)
    return current is not None and current.state.active


def in_view(page: Page, kind: str) -> Job | None:
    """The job that the URL names where it is of this kind, else None."""
    job_id = state.link().job
    job = read(page, job_id) if job_id else None
    return job if job is not None and job.kind == kind else None


def read(page: Page, job_id: str) -> Job | None:
    """The job, or None when nothing has that id."""
    try:
        return jobs.get(page.store, job_id)
    except NotFound:
        return None


def _draw(page: Page, job_id: str, key: str, was_live: bool, resumable: Callable[[Job], bool]) -> None:
    job = read(page, job_id)
    with st.container(border=True, key=f"{key}_panel"):
        if job is None:
            st.warning(
                f"**There is no record of job {errors.plain(job_id)}.**\n\nIt may belong to another store; "
                "what it saved is where it was.",
                icon=":material/help:",
            )
            return
        if was_live and not job.state.active:
            st.rerun()
        _bar(job)
        _buttons(page, job, key, resumable(job))


def _within(stage: str) -> str:
    """A stage's name within a sentence.

    >>> _within("Asking for SQL templates")
    'asking for SQL templates'
    """
    return stage[:1].lower() + stage[1:]


def _bar(job: Job) -> None:
    progress = job.progress
    says = _STOPS.get(job.kind, _SAYS[job.state]) if job.state is JobState.STOPPING else _SAYS[job.state]
    if progress is None or not progress.total:
        st.markdown(f"**{says}**" + (", counting the work" if job.state is JobState.RUNNING else ""))
    else:
        parts = [f"**{says}**: {_within(progress.stage)} {progress.done:,} of {progress.total:,}"]
        if job.state is JobState.RUNNING and progress.rate:
            parts.append(rate(progress.rate))
        if job.state is JobState.RUNNING and progress.seconds_left is not None:
            parts.append(f"{numbers.duration(progress.seconds_left)} left")
        st.markdown(" · ".join(parts))
        st.progress(min(1.0, progress.done / progress.total))
        if job.state.active and progress.item:
            st.caption(errors.plain(progress.item))
    if awaited := jobs.silence(job):
        st.caption(errors.plain(awaited))
    if job.state is JobState.FAILED:
        why = errors.plain(job.error) or "The worker ended without a reason."
        st.error(f"**{why}**\n\n{errors.plain(job.hint)}", icon=":material/error:")
    if job.state is JobState.INTERRUPTED:
        st.warning(_KEPT.get(job.kind, KEPT), icon=":material/power_off:")


def _buttons(page: Page, job: Job, key: str, resumable: bool) -> None:
    if not page.may(Role.VALIDATOR):
        return
    if job.state in (JobState.QUEUED, JobState.RUNNING):
        if st.button("Stop", key=f"{key}_stop", icon=":material/stop_circle:"):
            with errors.shown():
                jobs.stop(page.store, job.id, page.actor)
                st.rerun()
    elif (
        resumable
        and job.state.resumable
        and st.button("Resume", key=f"{key}_resume", type="primary", icon=":material/play_circle:")
    ):
        with errors.shown():
            jobs.resume(page.store, job.id, page.actor)
            state.say("Resumed. What was committed is not repeated.")
            st.rerun()


def rate(per_second: float) -> str:
    """A rate as people say it.

    >>> rate(12.34), rate(0.5), rate(0.001)
    ('12.3 a second', '30.0 a minute', '3.60 an hour')
    """
    for factor, unit in ((1, "a second"), (60, "a minute")):
        if per_second * factor >= 1:
            return f"{numbers.figure(per_second * factor)} {unit}"
    return f"{numbers.figure(per_second * 3600)} an hour"
