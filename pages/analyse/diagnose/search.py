"""The search for the documents' evidence: how far it is, and what of the diagnosis may still change."""

from __future__ import annotations

import streamlit as st

from core.diagnosis import Diagnosis
from core.diagnosis.service.rows import RunRows
from core.diagnosis.service.search_job import search_job, start_search
from core.domain.jobs import Job, JobState
from core.domain.results.runs import Run, RunState
from core.domain.sources.projects import Role
from pages.analyse.diagnose import reads
from pages.kit import errors
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.work import jobs


def draw(page: Page, run: Run, rows: RunRows, diagnosis: Diagnosis) -> None:
    """Draws nothing once every fact has its evidence; else what is still open, and the job that searches."""
    if not rows.pending:
        return
    job = _search(page, run) if run.state is RunState.FINISHED else None
    facts = f"{numbers.count(rows.facts, 'fact')} with a wrong answer"
    if job is not None and job.state.active:
        st.markdown(f"**The documents are being searched for {facts}.** {_open(diagnosis)}")
    else:
        st.markdown(f"**The documents have been searched for {len(rows.findings):,} of {facts}.** {_open(diagnosis)}")
    if job is not None:
        jobs.panel(page, job.id, key="evidence_job")
    elif run.state is not RunState.FINISHED:
        st.caption("The rest is searched for when the run is finished.")
    else:
        st.caption("A validator of the project starts the search by opening this page.")


def _open(diagnosis: Diagnosis) -> str:
    if not diagnosis.pending:
        return "No module of an answer that counts here depends on the rest."
    return (
        "Accuracy, groups and context comparison stand. The module of "
        f"{numbers.count(diagnosis.pending, 'wrong answer')} may change: in groups without a correct answer it is "
        "undecided until then, in others the ids alone decide so far."
    )


def _search(page: Page, run: Run) -> Job | None:
    """The job that searches; a new one where none is at it and none waits for a person to resume it."""
    job = search_job(page.store, run)
    if job is not None and job.state is not JobState.FINISHED:
        return job
    if job is not None and not reads.run_rows(page.store, run.id).pending:
        st.rerun()  # it ended while the page was drawn
    if not page.may(Role.VALIDATOR):
        return None
    with errors.shown():
        return start_search(page.store, run.id, actor=page.actor)
    return None
