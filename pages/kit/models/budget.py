"""What a job has used of models, and the fields that raise the budget that stopped it."""

from __future__ import annotations

from collections.abc import Callable

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
        raise_fields(
            job.id, limits, "work", lambda wanted: jobs.change(page.store, job.id, page.actor, **wanted.as_params())
        )


def used(page: Page, job_id: str, budget: object = None) -> None:
    """Calls, tokens and money of a job in one line; nothing for one that asked no model."""
    totals = log.of_job(page.store, page.project.id, job_id)
    if totals.uses:
        currency = log.currency(page.store, page.project.id)
        st.caption(errors.plain(f"{cost.used(totals, currency, budget)}."))


def raise_fields(key: str, limits: Limits, what: str, change: Callable[[Limits], object]) -> None:
    """Where a budget ended a work: the fields that raise it.

    Args:
        key: The id of the work.
        limits: Those of now.
        what: What the budget is of ("run").
        change: Stores the new limits.
    """
    with st.form(f"raise_{key}"):
        st.markdown(f"**This {what} has a budget.** What it has spent still counts; raise it, then resume.")
        wanted = cost.limit_fields(f"raise_{key}", limits)
        if st.form_submit_button("Change the budget", key="change_budget"):
            with errors.shown():
                change(wanted)
                state.say("The budget is changed. Resume continues with the rest.")
                st.rerun()
