"""The form of a new round: five fields first, the rest behind a fold, since it has good values already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from core.domain.results.labels import Criterion, ScaleKind
from core.domain.results.runs import Run
from core.labelling.rounds import LONGEST_NAME, create_round
from core.labelling.sampling.draw import DrawPlan
from core.labelling.sampling.service import draw_for_run, practice_items
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.scores import names as metric_names
from pages.kit.scores import reads

NOTHING: Final = ""


def draw(page: Page, run: Run, criteria: Sequence[Criterion]) -> None:
    """Draws the form; a round that is made is opened, with the links of its raters."""
    names = {criterion.id: criterion.name for criterion in criteria}
    metrics = reads.metrics(page.store, run.id)
    with st.form("round_form", border=False):
        name_at, criteria_at = st.columns(2)
        name = name_at.text_input(
            "Name", key=state.fresh("round_name"), max_chars=LONGEST_NAME, placeholder="Pilot round"
        )
        criterion_ids = criteria_at.multiselect(
            "Criteria", list(names), default=list(names)[:1], key="round_criteria", format_func=names.__getitem__
        )
        raters = st.text_area(
            "Raters, one per line",
            key="round_raters",
            height=90,
            placeholder="ada@example.com\ngrace@example.com",
            help="Names; where people sign in, the names they sign in with.",
        )
        cases_at, overlap_at = st.columns(2)
        total = cases_at.number_input("Cases", key="round_cases", min_value=1, max_value=100_000, value=60)
        overlap = overlap_at.number_input("Raters per case", key="round_overlap", min_value=1, max_value=20, value=2)
        with st.expander("More: how the cases are drawn, practice, repetitions", key="round_more"):
            more = _more(metrics)
        submitted = st.form_submit_button("Create round", key="round_save", type="primary")
    if submitted:
        with errors.shown():
            plan = DrawPlan(
                total=int(total),
                seed=more.seed,
                random_share=more.shares["random_share"] / 100,
                uncertainty=more.shares["uncertainty"] / 100,
                disagreement=more.shares["disagreement"] / 100,
                coverage=more.shares["coverage"] / 100,
            )
            run_draw = draw_for_run(
                page.store,
                run.id,
                plan,
                metrics=more.metrics,
                threshold=more.threshold if more.metrics else None,
                leave_labelled=more.leave_labelled,
            )
            levelled = [
                criterion
                for criterion in criteria
                if criterion.id in criterion_ids and criterion.kind is not ScaleKind.COMMENT
            ]
            exercises = (
                practice_items(
                    page.store,
                    run.id,
                    [criterion.id for criterion in levelled],
                    n=more.practice,
                    avoid=[item.case_id for item in run_draw.items],
                    seed=more.seed,
                )
                if more.practice and levelled
                else ()
            )
            label_round = create_round(
                page.store,
                run.id,
                name=name,
                criteria=criterion_ids,
                raters=[line.strip() for line in raters.splitlines() if line.strip()],
                items=[*exercises, *run_draw.items],
                overlap=int(overlap),
                overlap_share=more.overlap_share / 100,
                repeat_share=more.repeat_share / 100,
                show_reference=more.show_reference,
                seed=more.seed,
                design=run_draw.design(),
                actor=page.actor,
            )
            missing = more.practice - len(exercises)
            note = f" {numbers.count(missing, 'practice case')} could not be found." if missing else ""
            state.say(
                f"{errors.plain(label_round.name)} is open with {numbers.count(len(run_draw.items), 'case')}. Send "
                f"each rater the link that stands with the name below.{note}"
            )
            state.update(round=label_round.id)
            # A second click must not make a second round; raters and numbers stay for the next one.
            state.renew("round_name")
            st.rerun()


@dataclass(frozen=True, slots=True, kw_only=True)
class _More:
    """What the form of a round asks besides its first fields.

    Attributes:
        practice: Practice cases.
        seed: Of the draw and the deal.
        shares: Percent of the cases for each reason of the draw.
        metrics: The score of the draw first, then those compared with it.
        threshold: Of that score.
        overlap_share, repeat_share: Percent of the cases.
        show_reference: Whether raters see the reference answer.
        leave_labelled: Whether cases of earlier random draws are left out.
    """

    practice: int
    seed: int
    shares: Mapping[str, float]
    metrics: list[str]
    threshold: float
    overlap_share: float
    repeat_share: float
    show_reference: bool
    leave_labelled: bool


def _more(metrics: Sequence[str]) -> _More:
    """The fields that have good values already."""
    st.markdown("**How the cases are drawn** (shares of the cases, together 100 %)")
    shares = _shares()
    metric_at, threshold_at, other_at = st.columns(3)
    first = metric_at.selectbox(
        "Score for the draw",
        [NOTHING, *metrics],
        key="round_metric",
        format_func=lambda entry: metric_names.title(entry) if entry else "None",
    )
    threshold = threshold_at.number_input("Threshold", key="round_threshold", value=0.5, step=0.05)
    others = other_at.multiselect("Scores to compare", metrics, key="round_others", format_func=metric_names.title)
    practice_at, share_at, repeat_at, seed_at = st.columns(4)
    practice = practice_at.number_input(
        "Practice cases",
        key="round_practice",
        min_value=0,
        max_value=50,
        value=0,
        help="From cases on which earlier raters agreed; raters learn the expected answer after each.",
    )
    share = share_at.number_input(
        "Shared cases (%)",
        key="round_share",
        min_value=0,
        max_value=100,
        value=100,
        help="Share of the cases that several raters see; one rater sees each of the others.",
    )
    repeat = repeat_at.number_input(
        "Repeated cases (%)",
        key="round_repeat",
        min_value=0,
        max_value=100,
        value=10,
        help="To see whether raters agree with themselves.",
    )
    seed = seed_at.number_input(
        "Seed", key="round_seed", min_value=0, value=0, help="Fixes which cases are drawn and who gets them."
    )
    reference = st.checkbox("Raters see the reference answer", value=True, key="round_reference")
    again = st.checkbox("Leave out what earlier rounds drew at random", value=False, key="round_leave")
    return _More(
        practice=int(practice),
        seed=int(seed),
        shares=shares,
        metrics=[first, *(other for other in others if other != first)] if first else list(others),
        threshold=float(threshold),
        overlap_share=float(share),
        repeat_share=float(repeat),
        show_reference=reference,
        leave_labelled=again,
    )


def _shares() -> dict[str, float]:
    """Percent of the cases for each reason."""
    reasons = (
        ("random_share", "At random", 100, "Promises are made and checked on these cases only."),
        ("uncertainty", "Near the threshold", 0, "Where the score says least."),
        ("disagreement", "Where scores differ", 0, "Needs two scores."),
        ("coverage", "Over the whole range", 0, "As many from each part of the score's range."),
    )
    shares = {}
    for cell, (key, label, value, help_) in zip(st.columns(4), reasons, strict=True):
        shares[key] = float(
            cell.number_input(f"{label} (%)", key=f"share_{key}", min_value=0, max_value=100, value=value, help=help_)
        )
    return shares
