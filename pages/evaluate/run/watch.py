"""A run in view: what to do when it waits, stopped for its budget, failed on cases, or is done."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.domain.jobs import Job, JobState
from core.domain.results.runs import Run, RunState
from core.domain.sources.projects import Role
from core.llm import Limits
from core.runs.service import accept_answers, set_budget, start_run
from core.runs.stages.first_answers import doubt_of
from core.runs.stages.first_failures import only_failures
from core.runs.summary import RunSummary
from core.store.database import Store
from core.store.results import runs
from core.store.results.failures import CommonFailure, common_failure
from core.store.testset import testsets
from pages.evaluate.run import launch
from pages.kit import cache, errors, project_reads, state
from pages.kit.frame import Page
from pages.kit.models import budget, cost
from pages.kit.run_names import run_label
from pages.kit.work import failed_cases, jobs

FAILING_S: Final = 5
"""Seconds between two looks why questions fail."""


def draw(page: Page, run: Run) -> None:
    """The run in view: progress, figures so far, what to do next."""
    sets = {test_set.id: test_set for test_set in project_reads.test_sets(page.store, page.project.id)}
    st.subheader(errors.plain(run_label(run, sets)), anchor=False)
    if run.job_id and run.state is not RunState.FINISHED:
        job = jobs.panel(page, run.job_id, key="run_job", resumable=lambda job: not _stopped_in_doubt(page, run, job))
        if job is not None and job.state.active:
            st.fragment(_failing, run_every=FAILING_S)(page, run)
            return
        if page.may(Role.VALIDATOR):
            _raise_budget(page, run, job)
        if job is not None and _stopped_in_doubt(page, run, job):
            _in_doubt(page, run)
        elif job is not None and job.state is JobState.FAILED and _only_failures(page.store, run.id):
            _ask_all_the_same(page, run)
    elif run.state is RunState.PLANNED and page.may(Role.VALIDATOR):
        st.info("This run is planned and not started.")
        if st.button("Start it", key="start_planned", type="primary"):
            with errors.shown():
                start_run(page.store, run.id, actor=page.actor)
                st.rerun()
    summary = project_reads.summary(page.store, run.id)
    launch.figures(summary)
    cost.spent(page, run)
    if run.state is RunState.FINISHED:
        _after(page, run, summary)


def _after(page: Page, run: Run, summary: RunSummary) -> None:
    results, diagnose, retry = st.columns([2, 2, 4])
    if results.button("Read the results", key="go_results", width="stretch"):
        state.go("results", run=run.id)
    if diagnose.button("See which module is broken", key="go_diagnose", width="stretch"):
        state.go("diagnose", run=run.id)
    with retry:
        failed_cases.retry(page, run, summary, key="retry_failed")


def _stopped_in_doubt(page: Page, run: Run, job: Job) -> bool:
    """Whether its first answers looked misread: then it only goes on where a person has said that they are not."""
    return job.state is JobState.FAILED and bool(_doubt(page.store, run.id))


def _in_doubt(page: Page, run: Run) -> None:
    """What was seen in the first answers, and the button with which a person lets the run go on."""
    doubt = _doubt(page.store, run.id)
    st.warning(
        f"**Stopped before the run is spent.** {errors.plain(doubt)} Its answers so far are kept. "
        "Test the system below, correct its settings and start a new run; or let this one go on "
        "if its replies are as they should be.",
        icon=":material/warning:",
    )
    if page.may(Role.VALIDATOR) and st.button("Go on with these answers", key="accept_answers"):
        with errors.shown():
            accept_answers(page.store, run.id, actor=page.actor)
            start_run(page.store, run.id, actor=page.actor)
            st.rerun()


def _failing(page: Page, run: Run) -> None:
    """Why questions fail, while others are still asked."""
    failed_cases.reason(_failure(page.store, run.id))


def _ask_all_the_same(page: Page, run: Run) -> None:
    """The button with which a person lets a run go on whose first questions all failed."""
    if page.may(Role.VALIDATOR) and st.button("Ask the others all the same", key="accept_failures", type="tertiary"):
        with errors.shown():
            accept_answers(page.store, run.id, actor=page.actor)
            start_run(page.store, run.id, actor=page.actor)
            st.rerun()


@cache.read("answers")
def _failure(store: Store, run_id: str) -> CommonFailure | None:
    with store.read() as connection:
        return common_failure(connection, run_id)


@cache.read("runs", "answers")
def _only_failures(store: Store, run_id: str) -> bool:
    with store.read() as connection:
        run = runs.get(connection, run_id)
    return only_failures(store, run)


@cache.read("runs", "answers", "test_sets", "sources")
def _doubt(store: Store, run_id: str) -> str:
    with store.read() as connection:
        run = runs.get(connection, run_id)
        cases = testsets.cases(connection, run.test_set_id)
    return doubt_of(store, run, cases)


def _raise_budget(page: Page, run: Run, job: Job | None) -> None:
    """Where a budget ended the run: the fields that raise it."""
    limits = Limits.of(run.options)
    if job is None or job.state is not JobState.FAILED or limits == Limits():
        return
    budget.raise_fields(
        run.id,
        limits,
        "run",
        lambda wanted: set_budget(page.store, run.id, actor=page.actor, money=wanted.money, calls=wanted.calls),
    )
