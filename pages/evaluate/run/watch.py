"""A run in view: what to do when it waits, stopped for its budget, failed on cases, or is done."""

from __future__ import annotations

import streamlit as st

from core.domain.jobs import Job, JobState
from core.domain.results.runs import Run, RunState
from core.domain.sources.projects import Role
from core.llm import Limits
from core.runs.first_answers import doubt_of
from core.runs.service import accept_answers, retry_failed, set_budget, start_run
from core.runs.summary import RunSummary
from core.store.database import Store
from core.store.results import failures, runs
from core.store.testset import testsets
from pages.evaluate.run import launch
from pages.kit import cache, errors, jobs, project_reads, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.models import budget, cost
from pages.kit.run_names import run_label


def draw(page: Page, run: Run) -> None:
    """The run in view: progress, figures so far, what to do next."""
    sets = {test_set.id: test_set for test_set in project_reads.test_sets(page.store, page.project.id)}
    st.subheader(errors.plain(run_label(run, sets)), anchor=False)
    if run.job_id and run.state is not RunState.FINISHED:
        job = jobs.panel(page, run.job_id, key="run_job")
        if job is not None and job.state.active:
            return
        if page.may(Role.VALIDATOR):
            _raise_budget(page, run, job)
        if job is not None and job.state is JobState.FAILED:
            _in_doubt(page, run)
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
    label = _again(summary.failed, _unjudged(page.store, run.id))
    if label and page.may(Role.VALIDATOR) and retry.button(label, key="retry_failed"):
        with errors.shown():
            retry_failed(page.store, run.id, actor=page.actor)
            st.rerun()


def _again(failed: int, unjudged: int) -> str:
    """The label of the button that does again what failed; "" where nothing did."""
    retries = f"ask the {numbers.count(failed, 'failed case')} again" if failed else ""
    rejudgements = f"judge the {numbers.count(unjudged, 'unjudged case')} again" if unjudged else ""
    label = " and ".join(part for part in (retries, rejudgements) if part)
    return f"{label[:1].upper()}{label[1:]}"


@cache.read("runs", "answers", "scores", "test_sets")
def _unjudged(store: Store, run_id: str) -> int:
    with store.read() as connection:
        return len(failures.unjudged_ids(connection, run_id))


def _in_doubt(page: Page, run: Run) -> None:
    """Where the first answers looked misread: what was seen, and the button with which a person lets it go on."""
    doubt = _doubt(page.store, run.id)
    if not doubt:
        return
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
