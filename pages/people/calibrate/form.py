"""What to calibrate, and how: the scores, the model, the promise, the groups; one button."""

from __future__ import annotations

import re
from typing import Final

import streamlit as st

from core.calibration.service.calibrating import MOST_METRICS, ROLE, calibrate_run
from core.calibration.service.report import CalibrationOptions, ConformalMethod, LevelsKept
from core.calibration.splits import labels_needed
from core.domain.results.labels import Criterion, LabelRule
from core.domain.results.runs import VERDICT_METRIC, Run
from core.store.people.calibrations import StoredCalibration
from pages.kit import errors, state
from pages.kit.calibrations import reads, words
from pages.kit.calibrations.reads import Labels
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.scores import names
from pages.people.calibrate import notes

GROUNDED: Final = ("faithfulness", "groundedness", "nli_entailment", "answer_relevancy")
"""Scores of what an answer takes from its passages, the first that the run has before the others."""
PASSAGES: Final = re.compile(r"passage|ground|faithful|support|source|document|context", re.IGNORECASE)
"""Words of a criterion that asks for just that; any other asks whether an answer is right, as the judge does."""


def draw(page: Page, run: Run, criterion: Criterion, labels: Labels, last: StoredCalibration | None) -> None:
    """Draws the choices and the button; what was chosen last is chosen again."""
    if not page.may(ROLE):
        st.caption("Only a validator of the project may calibrate.")
        return
    if labels.usable == "refused":
        notes.refused(labels)
    before = reads.report(page.store, last)[0] if last else None
    metrics = reads.metrics(page.store, run.id)
    chosen = state.several(
        "Scores, one or several together",
        metrics,
        "columns",
        name=names.title,
        most=MOST_METRICS,
        default=before.metrics if before else (usual(metrics, criterion),),
    )
    if before is None and chosen == [usual(metrics, criterion)]:
        st.caption(
            f"{errors.plain(names.title(chosen[0]))} comes first in a fixed order for such a criterion, whatever the "
            "labels say: of a score that is chosen because it fits these labels best, they promise too much. Trust "
            "shows how well each score tells accepted answers from rejected ones."
        )
    scale, several = len(criterion.levels) > 2, len(labels.raters) > 1
    columns = [*st.columns(3), *st.columns(3)] if scale and several else st.columns(5 if scale else 4)
    with columns[0]:
        method = state.choose(
            "Probability model",
            list(words.METHODS),
            "method",
            default=before.method if before else "auto",
            name=words.METHODS.__getitem__,
            help="How the chance of acceptance follows from the score. Automatic compares the models on labels left "
            "out in turn and takes the simplest that is not worse. HCAT 5.1.",
        )
    with columns[1]:
        alpha = state.choose(
            "Promise",
            list(words.ALPHAS),
            "alpha",
            default=f"{before.alpha:g}" if before else "0.1",
            name=words.ALPHAS.__getitem__,
            help="How many of the prediction sets hold what people say: 1 - alpha. A stronger promise sends more "
            "answers to people.",
        )
    with columns[2]:
        conformal = state.choose(
            "Prediction sets",
            list(words.CONFORMAL),
            "conformal",
            default=before.conformal.value if before else "lac",
            name=words.CONFORMAL.__getitem__,
            help="LAC: the levels whose probability is at least 1 - q. APS: the most probable levels together. "
            "HCAT 5.2.",
        )
    with columns[3]:
        attribute = state.choose(
            "A promise for each",
            list(reads.attributes(page.store, run.id)),
            "attribute",
            every="No, one for all",
            default=before.group_attribute if before else "",
            help="Mondrian: each group with enough labels gets its own quantile, so that the promise holds in it.",
        )
    levels, raters = "accepted", ""
    if scale:
        with columns[4]:
            levels = st.selectbox(
                "Calibrate to",
                list(words.LEVELS),
                key="calibrate_levels",
                format_func=words.LEVELS.__getitem__,
                index=list(words.LEVELS).index(before.levels) if before else 0,
                help="Accepted or not needs fewer labels; each level gives sets of levels.",
            )
    if scale and several:
        with columns[5]:
            raters = st.selectbox(
                "Several raters",
                ["", *words.RATERS],
                key="calibrate_raters",
                format_func=lambda rule: words.RATERS.get(rule, f"The criterion's rule: {criterion.rule.value}"),
                index=["", *words.RATERS].index(before.raters or "") if before else 0,
                help="How the labels of several raters become one. Median and vote accept the same answers: those that "
                "more than half of the raters accept; there is no label where half do and half do not. A mean follows "
                "a rater who is far off. Agreement is measured on the labels as they were given.",
            )
    _missing(page, run, labels, float(alpha))
    insist = labels.usable == "refused" and st.checkbox(
        "Calibrate anyway; the result records that agreement is not distinguishable from chance", key="calibrate_insist"
    )
    if st.button("Calibrate", key="calibrate", type="primary", disabled=labels.usable == "refused" and not insist):
        with errors.shown():
            options = CalibrationOptions(
                metrics=tuple(chosen),
                criterion_id=criterion.id,
                method=method,
                conformal=ConformalMethod(conformal),
                alpha=float(alpha),
                group_attribute=attribute,
                levels=LevelsKept(levels),
                raters=LabelRule(raters) if raters else None,
                insist=bool(insist),
            )
            same = reads.up_to_date(page.store, run.id, options, labels.given)
            calibration = same or _calibrated(page, run, options, labels)
            state.update(calibration=calibration.id, case="", group="", threshold="")
            state.say(
                "Labels, scores and choices are as they were: this calibration is up to date."
                if same
                else "Calibrated. What it promises is below."
            )
            st.rerun()


def _calibrated(page: Page, run: Run, options: CalibrationOptions, labels: Labels) -> StoredCalibration:
    models = "Comparing probability models on" if options.method == "auto" else "Fitting the probability model to"
    with st.spinner(
        f"{models} {numbers.count(labels.given, 'label')}, then setting the quantile and testing the promise; "
        f"thousands "
        "of labels take some seconds",
        show_time=True,
    ):
        return calibrate_run(page.store, run.id, options, actor=page.actor)


def _missing(page: Page, run: Run, labels: Labels, alpha: float) -> None:
    """How many more labels drawn at random the promise takes, where there are too few."""
    needed = labels_needed(alpha)
    if labels.random >= needed:
        if labels.one_sided and st.button("Label more answers", key="label_more"):
            notes.label_more(page, run)
        return
    with st.container(border=True, key="too_few"):
        st.markdown(
            f"**{needed - labels.random:,} more labels are needed for a promise of {100 * (1 - alpha):g}%.**  \n"
            f"It takes {needed:,} answers drawn at random with a label, to fit, to conformalise and to test; there are "
            f"{labels.random:,}."
        )
        if st.button("Label more answers", key="label_more"):
            notes.label_more(page, run)


def usual(metrics: list[str], criterion: Criterion) -> str:
    """The score that is calibrated when nobody chose one: what the criterion asks for, never what the labels like.

    The order is fixed before any label is read, so that the labels that test the promise did not choose its score.
    """
    grounded = PASSAGES.search(f"{criterion.name} {criterion.question}")
    order = (*GROUNDED, VERDICT_METRIC) if grounded else (VERDICT_METRIC, *GROUNDED)
    return next((name for name in order if name in metrics), metrics[0] if metrics else "")
