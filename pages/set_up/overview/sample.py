"""How many questions it takes: for an interval, to pass a threshold, to show a change."""

from __future__ import annotations

import math
from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.domain.results.runs import Run
from core.stats.intervals import score_interval
from core.stats.planning import (
    Grouping,
    Plan,
    groups_for_change,
    groups_for_width,
    groups_to_pass,
    half_width,
)
from pages.kit import errors, run_names
from pages.kit.frame import Page
from pages.kit.look import headline, numbers
from pages.kit.look.headline import Figure
from pages.set_up.overview import reads

WIDTH, PASS, CHANGE = "width", "pass", "change"
GOALS = {
    WIDTH: "Estimate a share",
    PASS: "Pass a threshold on the lower bound",
    CHANGE: "Show a change between two runs",
}
ALIKE = 0.5
"""Likeness of the wordings of a fact where no run shows it."""
SHARE = "%.3f"
"""How shares are written in the fields: what is typed is what stands there."""


def draw(page: Page, run: Run | None) -> None:
    """What is wanted, how cases hang together, and the plan."""
    accuracy, measured = reads.grouping(page.store, run.id) if run else (None, None)
    st.markdown(
        "The wordings of a fact form one group. A further wording adds less information than a further fact, and the "
        "intervals of a run account for that; so the plan counts facts."
    )
    goal = st.segmented_control(
        "Goal", list(GOALS), default=WIDTH, format_func=GOALS.__getitem__, key="plan_goal", required=True
    )
    fields = st.columns(4)
    share = accuracy if accuracy is not None else 0.8
    size_at, alike_at = fields[2], fields[3]
    size = size_at.number_input(
        "Wordings of each fact",
        1.0,
        100.0,
        round(measured.size, 1) if measured else 4.0,
        step=1.0,
        key="plan_size",
        help="Cases that share a source, on average.",
    )
    likeness = alike_at.number_input(
        "How alike their verdicts are",
        0.0,
        1.0,
        round(measured.likeness, 2) if measured else ALIKE,
        step=0.05,
        format=SHARE,
        key="plan_likeness",
        help="0: as if each wording were a fact of its own. 1: all wordings of a fact right, or all wrong.",
    )
    grouping = Grouping(size=float(size), likeness=float(likeness))
    with errors.shown():
        if goal == PASS:
            plan, told = _to_pass(fields, share, grouping)
        elif goal == CHANGE:
            plan, told = _for_change(fields, grouping)
        else:
            plan, told = _for_width(fields, share, grouping)
        _plan(plan, told, grouping)
    if run is not None and measured is not None and accuracy is not None:
        st.caption(
            f"Measured on {errors.plain(run_names.target_name(run))}, run {run.id}: {measured.size:.1f} wordings of "
            f"each fact, likeness of their verdicts {measured.likeness:.2f}, design effect "
            f"{measured.design_effect:.2f}, accuracy {numbers.share(accuracy)}."
        )
    else:
        st.caption("No run has finished yet, so these two figures are guesses; plan again after a first run.")


Fields = Sequence[DeltaGenerator]


def _for_width(fields: Fields, share: float, grouping: Grouping) -> tuple[Plan, str]:
    expected = fields[0].number_input(
        "Expected share",
        0.0,
        1.0,
        round(share, 2),
        step=0.01,
        format=SHARE,
        key="plan_share",
        help="At 0.5 the interval is widest.",
    )
    wanted = fields[1].number_input(
        "Half-width of the interval", 0.005, 0.45, 0.05, step=0.005, format=SHARE, key="plan_width"
    )
    plan = groups_for_width(float(expected), float(wanted), grouping)
    # Near 0 and 1 the interval is not centred on the share, so its ends are told.
    low, high = score_interval(float(expected), plan.effective)
    return plan, (
        f"A share of {expected:.3f} then has a 95% interval of about [{low:.3f}, {high:.3f}], a half-width of "
        f"{plan.reached:.3f}."
    )


def _to_pass(fields: Fields, share: float, grouping: Grouping) -> tuple[Plan, str]:
    true = fields[0].number_input(
        "True share",
        0.0,
        1.0,
        round(min(max(share, 0.55), 0.99), 2),
        step=0.01,
        format=SHARE,
        key="plan_true",
        help="Of right answers, which the system would reach over all questions of this kind.",
    )
    threshold = fields[1].number_input(
        "Threshold",
        0.0,
        1.0,
        round(max(min(share, 0.99) - 0.05, 0.5), 2),
        step=0.01,
        format=SHARE,
        key="plan_threshold",
        help="Which the lower end of the 95% interval must reach.",
    )
    power = _power()
    plan = groups_to_pass(float(true), float(threshold), power, grouping)
    return plan, (
        f"A system whose true share is {true:.3f} then has a lower bound of {threshold:.3f} or more in "
        f"{plan.reached:.0%} of such test sets."
    )


def _for_change(fields: Fields, grouping: Grouping) -> tuple[Plan, str]:
    difference = fields[0].number_input(
        "Difference in accuracy", 0.005, 1.0, 0.05, step=0.005, format=SHARE, key="plan_change"
    )
    changing = fields[1].number_input(
        "Share of verdicts that change",
        0.0,
        1.0,
        0.1,
        step=0.01,
        format=SHARE,
        key="plan_changing",
        help="In either direction, between the two runs. The Compare page shows it for two runs.",
    )
    power = _power()
    plan = groups_for_change(float(difference), float(changing), power, grouping=grouping)
    return plan, (f"A true difference of {difference:.3f} is then shown in {plan.reached:.0%} of such pairs of runs.")


def _power() -> float:
    chance = st.slider(
        "Power", 0.5, 0.99, 0.8, step=0.01, key="plan_power", help="The share of such test sets that show it."
    )
    return float(chance)


def _plan(plan: Plan, told: str, grouping: Grouping) -> None:
    wide = half_width(0.5, plan.groups, grouping)
    headline.draw(
        [
            Figure(key="plan_groups", label="Facts", value=f"{plan.groups:,}", note="each is one group of cases"),
            Figure(
                key="plan_cases",
                label="Cases",
                value=f"{plan.cases:,}",
                note=f"{grouping.size:g} {'wording' if grouping.size == 1 else 'wordings'} of each fact",
            ),
            Figure(
                key="plan_effective",
                label="Effective cases",
                value=f"{math.floor(plan.effective):,}",
                note="as many independent cases would do",
                help=f"Design effect {grouping.design_effect:.2f}: the number of cases that carry as much information "
                "as one independent case.",
            ),
        ]
    )
    st.markdown(told)
    st.caption(
        f"At a share of 0.5, where it is widest, the interval of this test set has a half-width of "
        f"{numbers.figure(wide)}. Plans use Wilson's interval at the effective number of cases, as runs do."
    )
