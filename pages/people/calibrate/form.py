"""What to calibrate, and how: the scores, the model, the promise, the groups; one button."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.calibration.splits import labels_needed
from core.domain.labels import Criterion
from core.domain.runs import Run
from core.evaluation.calibrating import MOST_METRICS, ROLE, calibrate_run
from core.evaluation.calibration_report import CalibrationOptions, ConformalMethod, LevelsKept
from core.store.calibrations import StoredCalibration
from pages.ui import calibrate_notes, calibrate_reads, calibrate_words, errors, metric_names, numbers, state
from pages.ui.calibrate_reads import Labels
from pages.ui.frame import Page

FIRST: Final = ("faithfulness", "groundedness", "nli_entailment", "answer_relevancy")
"""The score that is calibrated unless another is chosen: the first of these that the run has."""


def draw(page: Page, run: Run, criterion: Criterion, known: Labels, last: StoredCalibration | None) -> None:
    """Draws the choices and the button; what was chosen last is chosen again."""
    if not page.may(ROLE):
        st.caption("Only a validator of the project may calibrate.")
        return
    if known.usable == "refused":
        calibrate_notes.disagreement(known)
    before = calibrate_reads.report(page.store, last)[0] if last else None
    metrics = calibrate_reads.metrics(page.store, run.id)
    chosen = state.several(
        "Scores, one or several together",
        metrics,
        "columns",
        name=metric_names.title,
        most=MOST_METRICS,
        default=before.metrics if before else (usual(metrics),),
    )
    columns = st.columns(4 if len(criterion.levels) == 2 else 5)
    with columns[0]:
        method = state.choose(
            "Probability model", list(calibrate_words.METHODS), "method", default=before.method if before else "auto",
            name=calibrate_words.METHODS.__getitem__,
            help="How the chance of acceptance follows from the score. Automatic compares the models on labels left "
            "out in turn and takes the simplest that is not worse. HCAT 5.1.",
        )  # fmt: skip
    with columns[1]:
        alpha = state.choose(
            "Promise", list(calibrate_words.ALPHAS), "alpha", default=f"{before.alpha:g}" if before else "0.1",
            name=calibrate_words.ALPHAS.__getitem__,
            help="How many of the prediction sets hold what people say: 1 - alpha. A stronger promise sends more "
            "answers to people.",
        )  # fmt: skip
    with columns[2]:
        conformal = state.choose(
            "Prediction sets", list(calibrate_words.CONFORMAL), "conformal",
            default=before.conformal.value if before else "lac", name=calibrate_words.CONFORMAL.__getitem__,
            help="LAC: the levels whose probability is at least 1 - q. APS: the most probable levels together. "
            "HCAT 5.2.",
        )  # fmt: skip
    with columns[3]:
        attribute = state.choose(
            "A promise for each", list(calibrate_reads.attributes(page.store, run.id)), "attribute",
            every="No, one for all", default=before.group_attribute if before else "",
            help="Mondrian: each group with enough labels gets its own quantile, so that the promise holds in it.",
        )  # fmt: skip
    levels = "accepted"
    if len(criterion.levels) > 2:
        with columns[4]:
            levels = st.selectbox(
                "Calibrate to", list(calibrate_words.LEVELS), key="calibrate_levels",
                format_func=calibrate_words.LEVELS.__getitem__,
                index=list(calibrate_words.LEVELS).index(before.levels) if before else 0,
                help="Accepted or not needs fewer labels; each level gives sets of levels.",
            )  # fmt: skip
    _missing(run, known, float(alpha))
    insist = known.usable == "refused" and st.checkbox(
        "Calibrate all the same; the result says that I insisted", key="calibrate_insist"
    )
    if st.button("Calibrate", key="calibrate", type="primary", disabled=known.usable == "refused" and not insist):
        with errors.shown():
            options = CalibrationOptions(
                metrics=tuple(chosen),
                criterion_id=criterion.id,
                method=method,
                conformal=ConformalMethod(conformal),
                alpha=float(alpha),
                group_attribute=attribute,
                levels=LevelsKept(levels),
                insist=bool(insist),
            )
            same = calibrate_reads.up_to_date(page.store, run.id, options, known.given)
            made = same or _calibrated(page, run, options, known)
            state.update(calibration=made.id, case="", group="", threshold="")
            state.say(
                "Labels, scores and choices are as they were: this calibration is up to date."
                if same
                else "Calibrated. What it promises is below."
            )
            st.rerun()


def _calibrated(page: Page, run: Run, options: CalibrationOptions, known: Labels) -> StoredCalibration:
    models = "Comparing probability models on" if options.method == "auto" else "Fitting the probability model to"
    with st.spinner(
        f"{models} {numbers.count(known.given, 'label')}, then setting the quantile and testing the promise; thousands "
        "of labels take some seconds",
        show_time=True,
    ):
        return calibrate_run(page.store, run.id, options, actor=page.actor)


def _missing(run: Run, known: Labels, alpha: float) -> None:
    """How many more labels drawn at random the promise takes, where there are too few."""
    needed = labels_needed(alpha)
    if known.random >= needed:
        return
    with st.container(border=True, key="too_few"):
        st.markdown(
            f"**{needed - known.random:,} more labels are needed for a promise of {100 * (1 - alpha):g}%.**  \n"
            f"It takes {needed:,} answers drawn at random with a label, to fit, to conformalise and to test; there are "
            f"{known.random:,}."
        )
        if st.button("Label more answers", key="label_more"):
            state.go("label", run=run.id)


def usual(metrics: list[str]) -> str:
    """The score that is calibrated when nobody chose one."""
    return next((name for name in FIRST if name in metrics), metrics[0] if metrics else "")
