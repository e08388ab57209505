"""Calls on the Models page: what they add up to, and which there are."""

from __future__ import annotations

from typing import TypeVar

import pandas as pd
import streamlit as st

from core.domain.llm import CallState
from core.llm.calls import log
from core.llm.calls.log import CallFilter, CallRow, Totals
from core.safety.calls import shown_calls
from core.store.database import Store
from core.store.models import reads
from pages.kit import cache, frame, project_reads, run_names, state
from pages.kit.frame import Page
from pages.kit.look import headline, numbers, tables
from pages.kit.models import cost as models_cost
from pages.set_up.models import one_call
from pages.set_up.models.one_call import STATES

Read = TypeVar("Read")

BESIDE = ("Purpose", "Case", "Outcome", "Cost")
"""Columns of the list while a call is open beside it."""

COLUMNS = {
    "Time": st.column_config.TextColumn(width=140),
    "Purpose": st.column_config.TextColumn(width=130),
    "Case": st.column_config.TextColumn(width=110),
}
COUNTED = {
    name: st.column_config.NumberColumn(format="localized")
    for name in ("Calls", "From the ledger", "Tokens sent", "Tokens received")
}


def draw(page: Page) -> None:
    """The calls of the project."""
    values = _values(page.store, page.project.id)
    if not values["model"]:
        frame.empty(
            "No language model has been asked yet.",
            "Every call will be here with its messages, its reply, its tokens and its cost.",
            "run",
            "Run a test set",
        )
        return
    call_filter = _filters(page, values)
    currency = log.currency(page.store, page.project.id)
    totals = _total_rows(page.store, page.project.id, call_filter)
    page.context(numbers.count(sum(row.calls for row in totals), "call"))
    _totals(totals, currency)
    _list(page, call_filter, currency)


def _filters(page: Page, values: dict[str, list[str]]) -> CallFilter:
    """One row of filters, which live in the URL."""
    runs = {run.id: run for run in project_reads.runs(page.store, page.project.id)}
    sets = {test_set.id: test_set for test_set in project_reads.test_sets(page.store, page.project.id)}
    purpose_at, run_at, case_at, model_at, outcome_at = st.columns([2, 3, 2, 2, 2])
    with purpose_at:
        purpose = state.choose("Purpose", values["purpose"], "purpose", every="Every purpose", name=models_cost.purpose)
    with run_at:
        run = state.choose(
            "Run", list(runs), "run", every="Every run", name=lambda run_id: run_names.run_label(runs[run_id], sets)
        )
    with case_at:
        case = state.search("Case", placeholder="its id")
    with model_at:
        model = state.choose("Model", values["model"], "model", every="Every model")
    with outcome_at:
        ended = state.choose(
            "Outcome", values["state"], "status", every="Every outcome", name=lambda value: STATES[CallState(value)]
        )
    return CallFilter(purpose=purpose, run_id=run, case_id=case, model=model, state=ended)


def _totals(totals: list[Totals], currency: str) -> None:
    calls, uses = sum(row.calls for row in totals), sum(row.uses for row in totals)
    counted, priced = sum(row.counted for row in totals), sum(row.priced for row in totals)
    cost = sum(row.cost or 0.0 for row in totals) if priced else None
    tokens = sum(row.prompt_tokens + row.completion_tokens for row in totals)
    failed = sum(row.failed for row in totals)
    headline.draw(
        [
            headline.Figure(
                key="llm_calls",
                label="Calls",
                value=f"{calls:,}",
                note=f"{uses - calls:,} more from the ledger",
                help="Calls that were sent. What was asked before is taken from the ledger and costs nothing.",
            ),
            headline.Figure(
                key="llm_tokens",
                label="Tokens",
                value=f"{tokens:,}" if counted else numbers.NONE,
                note=f"known for {counted:,} of {calls:,} calls",
            ),
            headline.Figure(
                key="llm_cost",
                label="Cost",
                value=models_cost.money(cost, currency),
                note=f"{priced:,} of {calls:,} calls priced",
                help="By the price table at the time of each call; a call that had no price then, by the one of today. "
                "A call without a price or without known tokens adds nothing.",
            ),
            headline.Figure(
                key="llm_failed",
                label="Without a usable reply",
                value=f"{failed:,}",
                note=f"of {calls:,} calls",
                help="Failed, timed out, cut off, or not in the requested form. None is used again.",
            ),
        ]
    )
    if totals:
        tables.plain(pd.DataFrame([_total(row, currency) for row in totals]), key="totals", columns=COUNTED)


def _total(row: Totals, currency: str) -> dict[str, object]:
    ways = ", ".join(f"{count:,} {STATES[CallState(name)].lower()}" for name, count in row.failures.items())
    return {
        "Purpose": models_cost.purpose(row.name),
        "Calls": row.calls,
        "From the ledger": row.cached,
        "Tokens sent": row.prompt_tokens if row.counted else None,
        "Tokens received": row.completion_tokens if row.counted else None,
        "Cost": models_cost.money(row.cost, currency),
        "Priced": f"{row.priced:,} of {row.calls:,}",
        "Failures": ways or "none",
    }


def _list(page: Page, call_filter: CallFilter, currency: str) -> None:
    offset_from = (max(1, state.link().page) - 1) * tables.PAGE
    rows, total = log.page(page.store, page.project.id, call_filter, offset=offset_from)
    if not total:
        st.info("No call fits these filters.")
        return
    opened = bool(state.link().call)
    listed, beside = st.columns([6, 5]) if opened else (st.container(), None)
    with listed:
        offset = tables.pages(total, thing="call")
        if offset != offset_from:
            rows, _ = log.page(page.store, page.project.id, call_filter, offset=offset)
        table = pd.DataFrame([_row(row, currency) for row in rows])
        if tables.follow(
            table,
            key="calls",
            id_column="id",
            parameter="call",
            columns=COLUMNS,
            order=BESIDE if opened else None,
            height=560 if len(table) > 15 else "auto",
        ):
            st.rerun()
        _downloads(page, call_filter)
    if beside is None:
        st.caption("Choose a call to read the messages and the reply.")
        return
    with beside:
        one_call.draw(page, currency)


def _row(row: CallRow, currency: str) -> dict[str, object]:
    more = f" and {row.uses - len(row.cases):,} more" if row.uses > len(row.cases) and row.cases else ""
    return {
        "id": row.id,
        "Time": numbers.when(row.at).removesuffix(" UTC"),
        "Purpose": models_cost.purpose(row.purpose),
        "Case": ", ".join(row.cases) + more,
        "Model": row.model,
        "Outcome": STATES[row.state],
        "Tokens": "-" if row.prompt_tokens is None else f"{row.prompt_tokens:,} + {row.completion_tokens or 0:,}",
        "Cost": models_cost.money(row.cost, currency),
        "Seconds": f"{row.latency_s:.2f}",
    }


def _downloads(page: Page, call_filter: CallFilter) -> None:
    lines, table = st.columns(2)
    lines.download_button(
        "Download JSONL",
        lambda: log.as_jsonl(page.store, page.project.id, call_filter, shown_calls(page.store, page.project.id)),
        "calls.jsonl",
        "application/x-ndjson",
        key="download_jsonl",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
        help="Every call that fits the filters, with messages and reply.",
    )
    table.download_button(
        "Download CSV",
        lambda: log.as_csv(page.store, page.project.id, call_filter, shown_calls(page.store, page.project.id)),
        "calls.csv",
        "text/csv",
        key="download_csv",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
    )


@cache.read("calls", "prices")
def _values(store: Store, project_id: str) -> dict[str, list[str]]:
    with store.read() as connection:
        return reads.values(connection, project_id)


@cache.read("calls", "prices")
def _total_rows(store: Store, project_id: str, call_filter: CallFilter) -> list[Totals]:
    return log.totals(store, project_id, call_filter)
