"""The head of the Calibrate page: which run, criterion and calibration; what is missing, and where to get it."""

from __future__ import annotations

import streamlit as st

from core.domain.errors import NotFound
from core.domain.results.labels import Criterion
from core.domain.results.runs import Run
from core.store.people.calibrations import StoredCalibration
from pages.kit import errors, frame, state
from pages.kit.calibrations import reads, words
from pages.kit.calibrations.reads import Labels
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.people.calibrate import notes


def chosen(page: Page) -> tuple[Run, Criterion, Labels]:
    """The run and the criterion in view with its labels; what is missing is told with the next step."""
    run_at, criterion_at, calibration_at = st.columns([5, 3, 4], vertical_alignment="bottom")
    with run_at:
        # A run without a label has nothing to show here, however new it is.
        run = page.choose_run(
            preferred=reads.labelled_runs(page.store, page.project.id, state.link().criterion),
        )
    if run is None:
        page.no_run("This page says what the scores of a run promise.")
        st.stop()
    metrics = reads.metrics(page.store, run.id)
    criteria = {criterion.id: criterion for criterion in reads.criteria(page.store, page.project.id)}
    if not metrics:
        page.context(f"run {run.id}")
        frame.empty(
            "No score yet.",
            "This page turns scores into the chance that a person would agree.",
            "results",
            "Score the run",
            run=run.id,
            view="metrics",
        )
        st.stop()
    if not criteria:
        page.context(f"run {run.id}")
        _to_label_page(page, run, "Nobody has labelled an answer yet.")
    linked = state.link().criterion
    if linked and linked not in criteria:
        _unknown(NotFound(f"The project has no criterion {linked}.", "Choose one of its criteria."), "criterion")
    with criterion_at:
        selected = state.choose(
            "Criterion",
            list(criteria),
            "criterion",
            default=_most_labelled(page, run, criteria),
            name=lambda key: criteria[key].name + (" (retired)" if criteria[key].retired else ""),
            pinned=True,
        )
    criterion = criteria[selected]
    labels = reads.labels(page.store, run.id, criterion)
    page.context(f"run {run.id}", f"{errors.plain(criterion.question)}", notes.labels_line(labels))
    if not labels.given:
        _to_label_page(
            page,
            run,
            f"No answer of this run has a label under {errors.plain(criterion.name)}."
            + (f" {numbers.count(labels.open, 'answer')} with labels wait for adjudication." if labels.open else ""),
        )
    with calibration_at:
        _pick(page, run, criterion)
    return run, criterion, labels


def in_view(page: Page, run: Run, criterion: Criterion) -> StoredCalibration | None:
    """The calibration in view: the URL's, else the newest; None where there is none."""
    calibrations = {calibration.id: calibration for calibration in reads.calibrations(page.store, run.id, criterion.id)}
    linked = state.link().calibration
    return calibrations.get(linked) or next(iter(calibrations.values()), None)


def first(view: str, name: str) -> None:
    """Says why another part than the asked one is shown."""
    if view:
        st.info(f"{name} needs a calibration. Make one first.")


def _pick(page: Page, run: Run, criterion: Criterion) -> None:
    calibrations = {calibration.id: calibration for calibration in reads.calibrations(page.store, run.id, criterion.id)}
    if calibrations:
        state.choose(
            "Calibration",
            list(calibrations),
            "calibration",
            default=next(iter(calibrations)),
            name=lambda key: words.called(calibrations[key]),
            pinned=True,
        )


def _most_labelled(page: Page, run: Run, criteria: dict[str, Criterion]) -> str:
    """The criterion with most labels of the run, the first of equals."""
    counts = reads.counts(page.store, run.id, tuple(criteria))
    return max(criteria, key=lambda key: counts[key])


def _to_label_page(page: Page, run: Run, what: str) -> None:
    with st.container(border=True, key="empty_state"):
        st.markdown(
            f"**{what}**  \nScores are calibrated to what people say. About 30 answers drawn at random are the least "
            "for a promise of 90%; 100 make it useful."
        )
        if st.button("Label answers", key="go_label", type="primary"):
            notes.label_more(page, run)
    st.stop()


def _unknown(error: NotFound, parameter: str) -> None:
    errors.show(error)
    if st.button("Show the first instead", key="show_first"):
        state.update(**{parameter: "", "calibration": ""})
        st.rerun()
    st.stop()
