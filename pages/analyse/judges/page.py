"""Which judge can be trusted? Every judge of a run against verdicts that are taken for true."""

import streamlit as st

from pages.analyse.judges import form, parts, reads, scores_view, view
from pages.kit import errors, frame, run_names
from pages.kit.frame import Page
from pages.kit.look import numbers


def of_a_run(page: Page) -> None:
    """The judges of a run; without one, or without a verdict, what to do first."""
    run_at, reference_at = st.columns(2, vertical_alignment="bottom")
    with run_at:
        run = page.choose_run()
    if run is None:
        page.no_run("This page says how far each judge of a run can be trusted.")
        return
    with reference_at:
        reference = view.reference(page, run)
    if not reference:
        page.context(f"run {run.id}")
        frame.empty(
            "No answer is judged yet.", "Judges are compared with verdicts.", "run", "Go on with the run", run=run.id
        )
        return
    with st.spinner("Comparing the judges of the run"):
        comparison = reads.comparison(page.store, run.id, reference, view.threshold())
    page.context(
        f"run {run.id}",
        f"target {errors.plain(run_names.target_name(run))}",
        f"reference: {errors.plain(comparison.title)}",
        numbers.count(comparison.base.den, "case"),
    )
    if comparison.judges:
        view.figures(comparison)
        view.draw(page, run, comparison)
    else:
        view.alone(comparison)
        if scores_view.judged(page.store, run.id):
            st.subheader("Claims and GroUSE grades", anchor=False)
            scores_view.draw(page, run)
    form.draw(page, run, opened=not comparison.judges)


page = frame.begin(__file__)
if not parts.draw(page):
    of_a_run(page)
