"""The badge of a judge: whether its scores count, by its judge tests, and why not."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.domain.results.runs import VERDICT_METRIC
from core.judges.unit_tests.gate import Trust, run_trusts, score_trust
from core.store.database import Store
from core.store.results import runs
from pages.kit import cache, errors, state

TRUSTED, UNTRUSTED = "✓ trusted", "✗ untrusted"


def word(trust: Trust | None) -> str:
    """The badge in a cell of a table; empty where no model judges.

    >>> word(Trust(judge="llm:m", trusted=False, reason="")), word(None)
    ('✗ untrusted', '')
    """
    return "" if trust is None or trust.trusted is None else TRUSTED if trust.trusted else UNTRUSTED


def columns(trust: Trust | None) -> dict[str, object]:
    """The columns of a file: whether the judge is trusted, and why; empty where no model judges."""
    return {
        "judge_trusted": None if trust is None else trust.trusted,
        "judge_trust_reason": "" if trust is None else trust.reason,
    }


def badge(trust: Trust | None, *, key: str, link: bool = True) -> None:
    """A line that says whether a judge's scores count; nothing where no model judges.

    Args:
        trust: Of the judge.
        key: Unique on the page.
        link: Whether a button leads to the judge tests where it is not trusted.
    """
    if trust is None or trust.trusted is None:
        return
    if trust.trusted:
        st.caption(f":green-badge[{TRUSTED}] {errors.plain(trust.reason)}")
        return
    with st.container(border=True, key=f"{key}_trust"):
        line, button = st.columns([5, 1], vertical_alignment="center") if link else (st.container(), None)
        line.markdown(
            f":orange-badge[{UNTRUSTED}] **The scores of this judge do not count yet.** {errors.plain(trust.reason)}"
        )
        if button is not None and button.button("Judge tests", key=f"{key}_to_tests", width="stretch"):
            state.go("judges", part="tests")


@cache.read("runs", "scores", "judge_tests")
def all_of_run(store: Store, run_id: str) -> dict[str, Trust]:
    """By metric, whether the scores of a run count that a judge gave."""
    with store.read() as connection:
        run = runs.get(connection, run_id)
    return run_trusts(store, run)


def of_run(store: Store, run_id: str, metric: str = VERDICT_METRIC) -> Trust | None:
    """Whether the scores of a run by one metric count; None for a metric that no judge gives."""
    return all_of_run(store, run_id).get(metric)


def of_metrics(store: Store, run_id: str, metrics: Sequence[str]) -> Trust | None:
    """Whether a figure counts that rests on these metrics of a run; None where no model judged any."""
    return score_trust(all_of_run(store, run_id), metrics)
