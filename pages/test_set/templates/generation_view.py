"""The model that writes now, and what the last one delivered of what was requested; a reload shows the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core import jobs as core_jobs
from core.domain.jobs import Job, JobState
from core.store.database import Store
from core.testset.generating import KIND, generation_result
from pages.kit import cache, errors, jobs, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.models import budget, form

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
        shown = jobs.panel(page, job.id, key="generate_job")
        budget.draw(page, shown or job)
        return job.state.active
    told = _told(page.store, job.id)
    if told is not None:
        with st.expander(_headline(told), expanded=state.link().job == job.id, key="generated"):
            _result(page, told, job)
    return False


@cache.kept()
def _told(store: Store, job_id: str) -> Mapping[str, Any] | None:
    return generation_result(store, job_id)


def _last(page: Page, part: str) -> Job | None:
    found = core_jobs.list_jobs(page.store, page.project.id, limit=LOOKED_AT)
    return next((job for job in found if job.kind == KIND and job.params.get("what") in PARTS[part]), None)


def _headline(told: Mapping[str, Any]) -> str:
    if told["what"] == "round_trip":
        trips = told["round_trips"]
        return f"Last round trip: {trips['flagged']:,} of {trips['passed'] + trips['flagged']:,} wordings flagged"
    thing = numbers.count(told["requested"], THING[told["what"]])
    silent = int(told.get("unanswered", 0))
    lacking = f", {numbers.count(silent, *ASKED[told['what']])} without a usable reply" if silent else ""
    return f"Written last by a model: {told['delivered']:,} of {thing} requested{lacking}"


def _result(page: Page, told: Mapping[str, Any], job: Job) -> None:
    facts = [
        errors.plain(form.at_host(str(told["model"]))),
        numbers.when(job.finished_at),
        f"by {errors.plain(job.actor)}",
    ]
    if told["calls"]:
        facts.append(f"{told['calls']:,} replies, {told['calls_from_cache']:,} of them from the ledger")
    if told["duplicates"]:
        facts.append(f"{told['duplicates']:,} repeated another one and were dropped")
    if told["surplus"]:
        facts.append(f"{told['surplus']:,} more than requested were dropped")
    st.caption(" · ".join(facts))
    budget.used(page, job.id)
    _advice(told)
    if told["criteria"]:
        st.caption(f"Further criteria: {errors.plain(str(told['criteria']))}")
    trips = told.get("round_trips")
    if trips:
        asked = trips["passed"] + trips["flagged"] + trips["failed"]
        st.markdown(
            f"Round trip: {trips['passed']:,} of {asked:,} gave equal results, {trips['flagged']:,} flagged for "
            f"review, {trips['failed']:,} without a usable reply."
        )
        for reason in trips["failures"]:
            st.caption(errors.plain(str(reason)))
    if told["by_subject"]:
        tables.plain(_deliveries(told), key="generated_by_subject", columns=DELIVERED)
    if told["rejected"]:
        st.markdown(f"**Rejected** {_shown(told)}")
        frame = _rejected(told)
        tables.plain(frame, key="generated_rejected", columns=REJECTED)
        tables.download(frame, name="rejected_proposals", key="generated_csv")


def _advice(told: Mapping[str, Any]) -> None:
    """What to do where a model was silent about something, or was asked nothing new."""
    if told.get("unanswered"):
        st.warning(
            f"{told['unanswered']:,} of {numbers.count(len(told['by_subject']), *ASKED[told['what']])} had no usable "
            "reply; the reasons are below. Ask again with the same settings: only what was not answered is sent.",
            icon=":material/warning:",
        )
    elif told["requested"] and not told["delivered"] and told["calls"] == told["calls_from_cache"]:
        st.info(
            "The same request was made before, so every reply came from the ledger and nothing was sent. Change the "
            "criteria, the number or the subjects to get other texts."
        )


def _shown(told: Mapping[str, Any]) -> str:
    shown, every = len(told["rejected"]), int(told["rejected_in_all"])
    return numbers.count(every, "proposal") if shown == every else f"{every:,} proposals, the first {shown:,} of them"


def _deliveries(told: Mapping[str, Any]) -> pd.DataFrame:
    subject = "Tables" if told["what"] == "sql" else "SQL template"
    rows = [
        {
            subject: item["subject"],
            "Form": item["form"],
            "Requested": item["requested"],
            "Delivered": item["delivered"],
            "Why fewer": item["missing"] or "-",
        }
        for item in told["by_subject"]
    ]
    frame = pd.DataFrame(rows)
    return frame.drop(columns="Form") if told["what"] == "sql" else frame


def _rejected(told: Mapping[str, Any]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "Proposal": item["proposal"],
                "Check": str(item["check"]).replace("_", " "),
                "Reason": item["reason"],
                "Asked": "at first" if item["round"] == 1 else "again",
                "For": f"{item['form']}: {item['subject']}" if item["form"] else item["subject"],
            }
            for item in told["rejected"]
        ]
    )
