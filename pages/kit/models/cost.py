"""What work with a model will cost, what it has cost so far, and the budget that stops it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import pandas as pd
import streamlit as st

from core.domain.results.runs import Run
from core.llm import Limits
from core.llm.calls import log
from core.llm.calls.log import Totals
from core.llm.spending.estimates import Between, CallPart, Outlook
from core.runs.planning.plan import RunPlan, plan_of
from core.store.database import Store
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables

PURPOSES = {
    "target": "Answers of the system",
    "safety": "Answers in a safety check",
    "judge": "Verdicts",
    "claims": "Claims of an answer",
    "support": "Support of claims",
    "grouse": "GroUSE grades",
    "generate_sql": "SQL templates",
    "generate_text": "Wordings",
    "round_trip": "Wording back to SQL",
    "document": "Documents",
    "key_facts": "Facts of passages",
    "document_questions": "Questions from documents",
    "question_probe": "Answers to new questions",
    "question_alone": "Answers without passages",
    "topic_names": "Names of topics",
    "probe": "Form of replies",
    "endpoint_test": "Test of an endpoint",
}


def purpose(name: str) -> str:
    """What calls are for, in words; a purpose nobody named stands for itself."""
    return PURPOSES.get(name, name)


def plan(page: Page, test_set_id: str, target: str, judge: str, options: Mapping[str, object]) -> RunPlan:
    """The plan of a run with these choices, made once until the store changes.

    Args:
        page: The page.
        test_set_id: Of the questions.
        target: Target spec; the bare name of one that is waited for while its settings are not finished.
        judge: Judge spec.
        options: Of the run; a budget does not matter here.
    """
    choices = {name: value for name, value in options.items() if not name.startswith("budget") and name != "metrics"}
    described = tuple(sorted((name, str(value)) for name, value in choices.items()))
    return _plan(page.store, page.project.id, test_set_id, target, judge, choices, described)


@cache.read("runs", "answers", "test_sets", "sources", "prices", "calls", "endpoints", "prompts")
def _plan(
    store: Store,
    project_id: str,
    test_set_id: str,
    target: str,
    judge: str,
    _options: Mapping[str, object],
    described: tuple[tuple[str, str], ...],
) -> RunPlan:
    """The plan of a run; `described` is its options as texts, which can be compared."""
    return plan_of(store, project_id, test_set_id, target=target, judge=judge, options=_options)


def cost_panel(page: Page, plan: RunPlan, *, key: str = "cost") -> dict[str, object]:
    """The estimate of a run's model calls with the fields of its budget; draws nothing for a run without such calls.

    Returns:
        The run's options: ``budget`` (money) and ``budget_calls``, each only where a limit was given.
    """
    return calls_panel(plan, summary(plan), key=key, what="run")


def calls_panel(plan: Outlook, title: str, *, key: str, what: str) -> dict[str, object]:
    """The estimate of model calls with the fields of a budget; draws nothing where there are no calls.

    Args:
        plan: The calls.
        title: The line above them.
        key: Unique on the page.
        what: The work that a spent budget stops ("run").

    Returns:
        ``budget`` (money) and ``budget_calls``, each only where a limit was given.
    """
    if not plan.parts:
        return {}
    with st.container(border=True, key=f"{key}_panel"):
        st.markdown(f"**{title}**")
        tables.plain(parts_frame(plan), key=f"{key}_parts")
        notes = list(dict.fromkeys(note for part in plan.parts for note in part.notes))
        st.caption(errors.plain(" ".join([*notes, "Replies in the ledger are not asked for again and cost nothing."])))
        missing = [part.model for part in plan.parts if part.money is None]
        if missing:
            model_names = ", ".join(dict.fromkeys(missing))
            st.caption(
                errors.plain(f"No price is known for {model_names}: enter it on the Models page to see the cost.")
            )
        left, right = st.columns(2)
        spend = left.number_input(
            f"Stop after spending{f' ({plan.currency})' if plan.currency else ''}",
            min_value=0.0,
            value=None,
            key=f"{key}_budget",
            disabled=bool(missing),
            persist_state="session",
            placeholder="no limit" if not missing else "needs the prices",
            help=f"A {what} that has spent it stops with everything kept, and continues when you raise it.",
        )
        most = right.number_input(
            "Stop after this many calls",
            min_value=0,
            value=None,
            key=f"{key}_budget_calls",
            placeholder="no limit",
            persist_state="session",
            help="Calls that are really sent; replies from the ledger do not count.",
        )
    limits = {"budget": None if missing else spend, "budget_calls": None if most is None else int(most)}
    return {name: value for name, value in limits.items() if value is not None}


def limit_fields(key: str, limits: Limits) -> Limits:
    """The fields of a budget there is already; a limit left empty is none.

    Args:
        key: Unique on the page.
        limits: Those of now.
    """
    spend, most = st.columns(2)
    money = spend.number_input(
        "Stop after spending",
        0.0,
        None,
        limits.money,
        key=f"{key}_money",
        help="In the currency of your price table on the Models page. Empty: no limit.",
    )
    calls = most.number_input(
        "Stop after this many calls", 0, None, limits.calls, key=f"{key}_calls", help="Of models. Empty: no limit."
    )
    return Limits(money=money, calls=None if calls is None else int(calls))


def summary(plan: RunPlan) -> str:
    """The model calls of a run in one line, with how long it takes."""
    time = numbers.duration(plan.seconds) if plan.seconds is not None else f"no time known: {plan.untimed}"
    return f"{line(plan)}; {errors.plain(time)}."


def line(plan: Outlook) -> str:
    """Model calls, tokens and money in one line, with how many of the models have a price."""
    calls = between(plan.calls, "model call")
    tokens = f"{about(plan.tokens)} tokens"
    money = "cost unknown" if plan.money is None else amount(plan.money, plan.currency)
    of = f" ({plan.priced} of {len(plan.parts)} priced)" if plan.money is not None and len(plan.parts) > 1 else ""
    return f"{calls}, {tokens}, {money}{of}"


def parts_frame(plan: Outlook) -> pd.DataFrame:
    """The calls of a plan by purpose and model."""
    return pd.DataFrame([_part(part) for part in plan.parts])


def spent(page: Page, run: Run) -> None:
    """What a run has used so far, in one line with a way to its calls; nothing for a run that asked no model."""
    usage = log.of_run(page.store, page.project.id, run.id)
    if not usage.uses:
        return
    line, button = st.columns([5, 2], vertical_alignment="center")
    line.caption(errors.plain(used(usage, log.currency(page.store, page.project.id), run.options.get("budget"))))
    if button.button("See its model calls", key="go_calls", type="tertiary"):
        state.go("models", view="calls", run=run.id)


def used(totals: Totals, currency: str, budget: object = None) -> str:
    """Calls, tokens and money as one line; what is not known is said with its n.

    >>> used(Totals(name="all", uses=12, cached=2, calls=10, counted=10, prompt_tokens=900, completion_tokens=100,
    ...             priced=8, cost=0.5), "EUR")
    '10 model calls (2 more from the ledger), 1,000 tokens, 0.50 EUR (8 of 10 calls priced)'
    """
    more = f" ({totals.cached:,} more from the ledger)" if totals.cached else ""
    tokens = f"{totals.prompt_tokens + totals.completion_tokens:,} tokens"
    if totals.counted < totals.calls:
        tokens += f" (of {totals.counted:,} of {totals.calls:,} calls)"
    of = "" if totals.priced == totals.calls else f" ({totals.priced:,} of {totals.calls:,} calls priced)"
    cost = money(totals.cost, currency) if totals.cost is not None else "cost unknown"
    limit = f" of {money(float(str(budget)), currency)}" if budget is not None else ""
    failed = f", {totals.failed:,} without a usable reply" if totals.failed else ""
    return f"{numbers.count(totals.calls, 'model call')}{more}, {tokens}, {cost}{limit}{of}{failed}"


def money(value: float | None, currency: str) -> str:
    """A sum with as many digits as it takes to see it, "-" where it is not known.

    >>> money(12.345, "EUR"), money(0.0000123, ""), money(0.0, "USD"), money(None, "USD")
    ('12.35 EUR', '0.000012', '0.00 USD', '-')
    """
    if value is None:
        return numbers.NONE
    digits = f"{value:,.2f}" if value == 0 or value >= 0.1 else f"{Decimal(f'{value:.2g}'):f}"
    return f"{digits} {currency}".strip()


def between(range_: Between, thing: str = "") -> str:
    """A range of counts with its noun.

    >>> between(Between(low=3, high=3), "call"), between(Between(low=0, high=1200), "call")
    ('3 calls', '0 to 1,200 calls')
    """
    low, high = round(range_.low), round(range_.high)
    return numbers.count(high, thing) if low == high else f"{low:,} to {numbers.count(high, thing)}"


def about(range_: Between) -> str:
    """A range of large counts, as exact as it deserves.

    >>> about(Between(low=1234, high=5678901)), about(Between(low=10, high=10))
    ('1,200 to 5.7 million', '10')
    """
    low, high = _rounded(range_.low), _rounded(range_.high)
    return high if low == high else f"{low} to {high}"


def amount(range_: Between, currency: str) -> str:
    """A range of money.

    >>> amount(Between(low=0.5, high=2.25), "EUR"), amount(Between(low=1.0, high=1.0), "")
    ('0.50 to 2.25 EUR', '1.00')
    """
    low, high = money(range_.low, ""), money(range_.high, currency)
    return high if money(range_.high, "") == low else f"{low} to {high}"


def _rounded(value: float) -> str:
    if value >= 1_000_000:
        return f"{value / 1_000_000:.1f} million"
    figure = round(value) if value < 1_000 else round(value, 2 - len(str(round(value))))
    return f"{figure:,.0f}"


def _part(part: CallPart) -> dict[str, object]:
    return {
        "Purpose": purpose(part.purpose),
        "Model": part.model,
        "Calls": between(part.calls),
        "Tokens sent": about(part.prompt_tokens),
        "Tokens received": about(part.completion_tokens),
        "Cost": "-" if part.money is None else amount(part.money, part.currency),
        "From": f"{part.measured:,} past calls" if part.measured else "lengths of the texts",
    }
