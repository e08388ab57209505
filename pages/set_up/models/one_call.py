"""One call of a model with all that was said: its facts, its messages, the reply and what it was used for."""

from __future__ import annotations

from dataclasses import asdict

import pandas as pd
import streamlit as st

from core.domain.errors import NotFound
from core.domain.llm import Call, CallState, Use
from core.llm.calls import log
from core.safety.asking import PURPOSE
from core.safety.calls import shown_calls
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.models import cost as models_cost

STATES = {
    CallState.ANSWERED: "Answered",
    CallState.MALFORMED: "Wrong form",
    CallState.TRUNCATED: "Cut off",
    CallState.TIMEOUT: "Timeout",
    CallState.FAILED: "Failed",
}
LONGEST = 20_000
"""Characters of one message on the screen; the download has all."""
ROW = 33
"""Height of a row, in pixels."""


def draw(page: Page, currency: str) -> None:
    """Draws the call that the link names; an id that names nothing is told.

    Args:
        page: The page.
        currency: Of its cost.
    """
    try:
        call, uses = log.call_with_uses(
            page.store, page.project.id, state.link().call, shown_calls(page.store, page.project.id)
        )
    except NotFound as error:
        errors.show(error)
        return
    st.markdown(f"**{errors.plain(models_cost.purpose(call.purpose))} · {STATES[call.state]}**")
    if call.purpose == PURPOSE:
        st.caption("Personal data and secrets are masked here and in downloads, as everywhere in a safety check.")
    if call.error:
        st.warning(errors.plain(call.error))
    facts = pd.DataFrame(_facts(call, currency), columns=["", "Value"])
    tables.plain(facts, key="call_facts", height=ROW * (len(facts) + 1) + 3)
    for message in call.messages:
        st.markdown(f"**{errors.plain(message.role)}**")
        _message_text(message.content)
    if call.reasoning:
        st.markdown("**Reasoning**, no part of the reply")
        _message_text(call.reasoning)
    st.markdown("**Reply**")
    _message_text(call.reply or "(none)")
    with st.expander(f"Used {numbers.count(len(uses), 'time')}", key="call_uses"):
        tables.plain(pd.DataFrame([_use(use) for use in uses]), key="call_use_rows")


def _message_text(text: str) -> None:
    """What was said, as plain text: it may hold Markdown, HTML, or an instruction, and is none of these here."""
    st.code(text[:LONGEST], language=None, wrap_lines=True)
    if len(text) > LONGEST:
        st.caption(f"{len(text) - LONGEST:,} more characters are in the download.")


def _facts(call: Call, currency: str) -> list[tuple[str, str]]:
    parameters = {name: value for name, value in call.parameters.items() if name != "response_format"}
    response_format = call.parameters.get("response_format")
    prompt = f"{call.prompt_id}, version {call.prompt_version}, {call.prompt_hash[:12]}" if call.prompt_id else "none"
    return [
        ("Call", call.id),
        ("Time", numbers.when(call.at)),
        ("Model", f"{call.model} at {call.endpoint}"),
        ("Prompt", prompt),
        ("Parameters", ", ".join(f"{name} {value}" for name, value in parameters.items()) or "none"),
        (
            "Form enforced by",
            str(response_format.get("type", "")) if isinstance(response_format, dict) else "instruction only",
        ),
        ("Draw", str(call.sample)),
        ("Tokens sent", _token_count(call.prompt_tokens)),
        ("Tokens received", _token_count(call.completion_tokens)),
        ("Cost", models_cost.money(call.cost, currency) if call.cost is not None else "not known"),
        ("Seconds of the last attempt", f"{call.latency_s:.2f}"),
        ("Attempts", str(call.attempts)),
        ("Finish reason", call.finish_reason or "-"),
    ]


def _token_count(tokens: int | None) -> str:
    return "not reported" if tokens is None else f"{tokens:,}"


def _use(use: Use) -> dict[str, object]:
    row = asdict(use)
    return {
        "Time": numbers.when(row["at"]),
        "Purpose": models_cost.purpose(row["purpose"]),
        "Case": row["case_id"],
        "Run": row["run_id"],
        "From the ledger": "yes" if row["cached"] else "no",
    }
