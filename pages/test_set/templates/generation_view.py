"""The model that writes now, and what the last one delivered of what was requested; a reload shows the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core import jobs as core_jobs
from core.domain.jobs import Job, JobState
from core.store.database import Store
from core.testset.templates.generating import KIND, generation_result
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.models import budget, form
from pages.kit.work import jobs

LOOKED_AT = 50
"""Jobs among which the last one that wrote is looked for."""
PARTS = {"sql": ("sql",), "text": ("text", "round_trip")}
THING = {"sql": "template", "text": "wording"}
ASKED = {"sql": ("table set", "table sets"), "text": ("pair of template and form", "pairs of template and form")}
DELIVERED = {
    "SQL template": st.column_config.TextColumn(width=250),
    "Why fewer": st.column_config.TextColumn(width="large"),
}
REJECTED = {
    "Proposal": st.column_config.TextColumn(width="large"),
    "Reason": st.column_config.TextColumn(width="large"),
    "Asked": st.column_config.TextColumn(width=84, help="Rejected proposals are sent back once, with their reasons."),
}


def draw(page: Page, part: str) -> bool:
    """The last job that wrote for this part of the page, or nothing.

    Returns:
        Whether a job is at work, so that no other one should be started.
    """
    job = _last(page, part)
    if job is None:
        return False
    if job.state is not JobState.FINISHED:
        latest = jobs.panel(page, job.id, key="generate_job")
        budget.draw(page, latest or job)
        return job.state.active
    outcome = _outcome(page.store, job.id)
    if outcome is not None:
        with st.expander(_headline(outcome), expanded=state.link().job == job.id, key="generated"):
            _result(page, outcome, job)
    return False


@cache.constant()
def _outcome(store: Store, job_id: str) -> Mapping[str, Any] | None:
    return generation_result(store, job_id)


def _last(page: Page, part: str) -> Job | None:
    newest = core_jobs.list_jobs(page.store, page.project.id, limit=LOOKED_AT)
    return next((job for job in newest if job.kind == KIND and job.params.get("what") in PARTS[part]), None)


def _headline(outcome: Mapping[str, Any]) -> str:
    if outcome["what"] == "round_trip":
        trips = outcome["round_trips"]
        return f"Last round trip: {trips['flagged']:,} of {trips['passed'] + trips['flagged']:,} wordings flagged"
    thing = numbers.count(outcome["requested"], THING[outcome["what"]])
    silent = int(outcome.get("unanswered", 0))
    lacking = f", {numbers.count(silent, *ASKED[outcome['what']])} without a usable reply" if silent else ""
    return f"Written last by a model: {outcome['delivered']:,} of {thing} requested{lacking}"


def _result(page: Page, outcome: Mapping[str, Any], job: Job) -> None:
    facts = [
        errors.plain(form.at_host(str(outcome["model"]))),
        numbers.when(job.finished_at),
        f"by {errors.plain(job.actor)}",
    ]
    if outcome["calls"]:
        facts.append(f"{outcome['calls']:,} replies, {outcome['calls_from_cache']:,} of them from the ledger")
    if outcome["duplicates"]:
        facts.append(f"{outcome['duplicates']:,} repeated another one and were dropped")
    if outcome["surplus"]:
        facts.append(f"{outcome['surplus']:,} more than requested were dropped")
    st.caption(" · ".join(facts))
    budget.used(page, job.id)
    _advice(outcome)
    if outcome["criteria"]:
        st.caption(f"Further criteria: {errors.plain(str(outcome['criteria']))}")
    trips = outcome.get("round_trips")
    if trips:
        trip_count = trips["passed"] + trips["flagged"] + trips["failed"]
        st.markdown(
            f"Round trip: {trips['passed']:,} of {trip_count:,} gave equal results, {trips['flagged']:,} flagged for "
            f"review, {trips['failed']:,} without a usable reply."
        )
        for reason in trips["failures"]:
            st.caption(errors.plain(str(reason)))
    if outcome["by_subject"]:
        tables.plain(_deliveries(outcome), key="generated_by_subject", columns=DELIVERED)
    if outcome["rejected"]:
        st.markdown(f"**Rejected** {_extent(outcome)}")
        frame = _rejected(outcome)
        tables.plain(frame, key="generated_rejected", columns=REJECTED)
        tables.download(frame, name="rejected_proposals", key="generated_csv")


def _advice(outcome: Mapping[str, Any]) -> None:
    """What to do where a model was silent about something, or was asked nothing new."""
    if outcome.get("unanswered"):
        requests = numbers.count(len(outcome["by_subject"]), *ASKED[outcome["what"]])
        st.warning(
            f"{outcome['unanswered']:,} of {requests} had no usable reply; the reasons are below. Ask again with the "
            "same settings: only what was not answered is sent.",
            icon=":material/warning:",
        )
    elif outcome["requested"] and not outcome["delivered"] and outcome["calls"] == outcome["calls_from_cache"]:
        st.info(
            "The same request was made before, so every reply came from the ledger and nothing was sent. Change the "
            "criteria, the number or the subjects to get other texts."
        )


def _extent(outcome: Mapping[str, Any]) -> str:
    listed, every = len(outcome["rejected"]), int(outcome["rejected_in_all"])
    return numbers.count(every, "proposal") if listed == every else f"{every:,} proposals, the first {listed:,} of them"


def _deliveries(outcome: Mapping[str, Any]) -> pd.DataFrame:
    subject = "Tables" if outcome["what"] == "sql" else "SQL template"
    rows = [
        {
            subject: item["subject"],
            "Form": item["form"],
            "Requested": item["requested"],
            "Delivered": item["delivered"],
            "Why fewer": item["missing"] or "-",
        }
        for item in outcome["by_subject"]
    ]
    frame = pd.DataFrame(rows)
    return frame.drop(columns="Form") if outcome["what"] == "sql" else frame


def _rejected(outcome: Mapping[str, Any]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "Proposal": item["proposal"],
                "Check": str(item["check"]).replace("_", " "),
                "Reason": item["reason"],
                "Asked": "at first" if item["round"] == 1 else "again",
                "For": f"{item['form']}: {item['subject']}" if item["form"] else item["subject"],
            }
            for item in outcome["rejected"]
        ]
    )
