"""What a job has used of models, and the fields that raise the budget that stopped it."""

from __future__ import annotations

import streamlit as st

from core import jobs
from core.domain.jobs import Job, JobState
from core.domain.sources.projects import Role
from core.llm import Limits
from core.llm.calls import log
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.models import cost

POLL_SECONDS = 2


def draw(page: Page, job: Job) -> None:
    """What a job has used so far; and where it failed within a budget, the fields that raise it."""
    st.fragment(used, run_every=POLL_SECONDS if job.state.active else None)(page, job.id, job.params.get("budget"))
    limits = Limits.of(job.params)
    if job.state is JobState.FAILED and limits != Limits() and page.may(Role.VALIDATOR):
        _raise(page, job, limits)


def used(page: Page, job_id: str, budget: object = None) -> None:
    """Calls, tokens and money of a job in one line; nothing for one that asked no model."""
    totals = log.of_job(page.store, page.project.id, job_id)
    if totals.uses:
        currency = log.currency(page.store, page.project.id)
        st.caption(errors.plain(f"{cost.used(totals, currency, budget)}."))


def _raise(page: Page, job: Job, limits: Limits) -> None:
    with st.form(f"raise_{job.id}"):
        st.markdown("**This work has a budget.** What it has spent still counts; raise it, then resume.")
        wanted = cost.limit_fields(f"raise_{job.id}", limits)
        if st.form_submit_button("Change the budget", key="change_job_budget"):
            with errors.shown():
                jobs.change(page.store, job.id, page.actor, **wanted.as_params())
                state.say("The budget is changed. Resume continues with the rest.")
                st.rerun()
