"""What judging models say of one answer: their reasons, each claim with what decides on it, and the calls behind it.

Every word of a model, an answer or a passage is drawn as plain text, which interprets nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd
import streamlit as st

from core.domain.errors import NotFound
from core.domain.llm import Call
from core.domain.results.responses import Score
from core.domain.results.runs import Run
from core.llm.calls import log
from core.metrics import MetricSpec, Need, Sample
from core.metrics.evidence import words_at
from core.metrics.prepared import Part
from core.store.database import Store
from pages.evaluate.results.case.evidence_view import place
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables, theme, verbatim
from pages.kit.models import cost
from pages.kit.scores import lit_text
from pages.kit.scores.lit_text import Lit

VALUES: Final = {"Yes": 1.0, "No": 0.0}
VERDICTS: Final = {"Yes": "supported", "No": "not supported", "Null": "cannot be checked"}
MARKS: Final = {"Yes": theme.MARKS["correct"], "No": theme.MARKS["incorrect"], "Null": numbers.NONE}
AGAINST: Final = {"contexts": "the passages", "reference": "the reference answers", "answer": "the answer"}
ANALYSIS: Final = {
    "sentence": "Sentence of the answer",
    "criterion_1": "Is it cited",
    "criterion_2": "Is it the right source",
    "criterion_3": "Does it agree",
}
LONGEST: Final = 20_000


def is_judged(spec: MetricSpec) -> bool:
    """Whether a metric's values come from judging models."""
    return Need.JUDGE in spec.needs


def draw(page: Page, run: Run, sample: Sample, score: Score) -> None:
    """Draws everything a judge said for a score.

    Args:
        page: The page.
        run: The run.
        sample: The texts that the claims point into.
        score: The score.
    """
    judges = score.detail.get("judges")
    if not isinstance(judges, list):
        _said(page, run, sample, score.detail, score.value)
        return
    _panel(score.detail, judges)
    names = [str(part.get("judge", "")) for part in judges]
    chosen = st.segmented_control(
        "In the words of",
        names,
        key="judge_of_panel",
        default=names[0],
        required=True,
        format_func=_model,
    )
    part = judges[names.index(chosen)] if chosen in names else judges[0]
    _said(page, run, sample, part, part.get("value"))


def _panel(detail: Mapping[str, object], judges: Sequence[Mapping[str, Any]]) -> None:
    """The judges side by side, and how far they are apart."""
    spread = detail.get("spread")
    apart = f"{spread:g} apart" if isinstance(spread, int | float) else "no two values"
    agree = "All judges agree." if detail.get("agree") else f"The judges do not agree: {apart}."
    st.markdown(f"**{len(judges):,} judges.** {agree}")
    rows = [
        {
            "Judge": _model(str(part.get("judge", ""))),
            "Value": numbers.share(part.get("value")),
            "What it says": str(part.get("reason", "")),
        }
        for part in judges
    ]
    tables.plain(
        pd.DataFrame(rows),
        key="judges_table",
        columns={
            "Judge": st.column_config.TextColumn(width=200),
            "Value": st.column_config.TextColumn(width=70),
            "What it says": st.column_config.TextColumn(width=560),
        },
    )


def _said(page: Page, run: Run, sample: Sample, detail: Mapping[str, Any], value: float | None) -> None:
    for flag in detail.get("flags", ()):
        st.warning(f"Contradiction: {errors.plain(str(flag))}", icon=":material/warning:")
    if detail.get("claims"):
        _claims(sample, detail["claims"], str(detail.get("checked_against", "contexts")))
    elif value is not None and (reason := detail.get("reason")):
        st.caption("What the judge says")
        with st.container(border=True, key="judge_reason"):
            verbatim.show(str(reason))
    if (expected := detail.get("expected_answer")) is not None:
        st.caption(f"The judge saw the reference answer beside it and gave that {numbers.share(float(expected))}.")
    if analysis := detail.get("analysis"):
        _analysis(analysis)
    calls(page, run, detail)


def _claims(sample: Sample, claims: Sequence[Mapping[str, Any]], against: str) -> None:
    """Each claim, lit by its verdict, beside the sentence that decides; the passage of one is shown below."""
    rows = [
        Lit(
            words=str(claim["claim"]),
            value=VALUES.get(str(claim["verdict"])),
            beside=words_at(sample, Part(claim["best_of"]), _at(claim["best"])) if "best" in claim else "",
            where=place(Part(claim["best_of"]), _at(claim["best"])) if "best" in claim else _passage(claim),
            remark=str(claim.get("reason", "")),
            notes=(f"{MARKS[str(claim['verdict'])]} {VERDICTS[str(claim['verdict'])]}",),
        )
        for claim in claims
    ]
    counted = sum(claim["verdict"] == "Yes" for claim in claims)
    checked = sum(claim["verdict"] in VALUES for claim in claims)
    st.caption(f"{counted:,} of {numbers.count(checked, 'claim')} that can be checked are supported.")
    lit_text.draw(rows, key="claims", heads=("Verdict", "Claim", f"Checked against {AGAINST.get(against, against)}"))
    placed = [number for number, claim in enumerate(claims) if "best" in claim]
    if not placed:
        return
    number = st.selectbox(
        "Show the text that decides on a claim",
        placed,
        key="claim_shown",
        format_func=lambda shown: f"{shown + 1}. {claims[shown]['claim']}",
    )
    _decider(sample, claims[number])


def _decider(sample: Sample, claim: Mapping[str, Any]) -> None:
    """The whole text that a claim was checked against, the sentence that decides lit within it."""
    part, (index, start, end) = Part(claim["best_of"]), _at(claim["best"])
    whole = words_at(sample, part, (index, 0, LONGEST))
    value = VALUES.get(str(claim["verdict"]))
    name = "none" if (step := lit_text.step(value)) is None else f"{step}"
    st.caption(" ".join((place(part, (index, start, end)) or AGAINST[part.value], "as it was checked")).capitalize())
    with st.container(border=True, key="decider", gap="xsmall", height=260 if len(whole) > 600 else "content"):
        if before := whole[:start].strip():
            verbatim.show(before)
        with st.container(key=f"lit-{name}-plain-decider"):
            verbatim.show(whole[start:end])
        if after := whole[end:].strip():
            verbatim.show(after)


def _analysis(analysis: Sequence[Mapping[str, str]]) -> None:
    columns = [name for name in ANALYSIS if any(name in sentence for sentence in analysis)]
    rows = [{ANALYSIS[name]: sentence.get(name, "") for name in columns} for sentence in analysis]
    st.caption("Sentence by sentence, as the judge sees it")
    tables.plain(
        pd.DataFrame(rows),
        key="judge_analysis",
        columns={ANALYSIS[name]: st.column_config.TextColumn(width=220) for name in columns},
    )


def calls(page: Page, run: Run, detail: Mapping[str, Any]) -> None:
    """Draws the model, the prompts with their versions, the cost and the raw replies behind a judged value.

    Args:
        page: The page.
        run: The run.
        detail: Of the score; without calls nothing is drawn.
    """
    ids = [str(call) for call in (*detail.get("call_ids", ()), *((detail["call_id"],) if "call_id" in detail else ()))]
    ids = [call for call in dict.fromkeys(ids) if call]
    if not ids:
        return
    made = [call for call_id in ids if (call := _call(page.store, run.project_id, call_id)) is not None]
    currency = log.currency(page.store, run.project_id)
    known = [call.cost for call in made if call.cost is not None]
    total = cost.money(sum(known), currency) if known and len(known) == len(made) else "cost not known"
    title = f"How it was judged: {numbers.count(len(ids), 'call')}, {errors.plain(total)}"
    with st.expander(title, key="judge_calls", icon=":material/forum:"):
        for call in made:
            _reply(call, currency)


def _reply(call: Call, currency: str) -> None:
    at, button = st.columns([5, 1], vertical_alignment="center")
    prompt = f"{call.prompt_id}, version {call.prompt_version}" if call.prompt_id else "no prompt"
    paid = cost.money(call.cost, currency) if call.cost is not None else "cost not known"
    tokens = f"{call.prompt_tokens or 0:,} + {call.completion_tokens or 0:,} tokens"
    at.markdown(
        f"**{errors.plain(cost.purpose(call.purpose))}** · prompt {errors.plain(prompt)} · "
        f"{errors.plain(call.model)} · {tokens} · {errors.plain(paid)}"
    )
    with button:
        if st.button("Whole call", key=f"open_{call.id}", type="tertiary", help="Messages, parameters and uses."):
            state.go("models", view="calls", call=call.id)
    st.code(call.reply[:LONGEST] or call.error or "(no reply)", language=None, wrap_lines=True)


@cache.read("calls", "prices")
def _call(store: Store, project_id: str, call_id: str) -> Call | None:
    try:
        return log.call_with_uses(store, project_id, call_id)[0]
    except NotFound:
        return None


def _model(spec: str) -> str:
    return spec.rpartition("@")[0] or spec


def _passage(claim: Mapping[str, Any]) -> str:
    return f"passage {claim['passage']}" if "passage" in claim else ""


def _at(place_json: Sequence[int]) -> tuple[int, int, int]:
    index, start, end = place_json
    return index, start, end
