"""What a calibration says of one case, the newest of the run where a link names none; for the Results page."""

from __future__ import annotations

import streamlit as st

from core.domain.results.runs import Run
from pages.kit import errors, state
from pages.kit.calibrations import charts, reads, words
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.scores import names as metric_names


def draw(page: Page, run: Run, case_id: str) -> None:
    """Draws the chance that a person accepts the answer, its prediction set and what follows; nothing without one."""
    calibration = reads.in_view(page.store, run.id, state.link().calibration)
    if calibration is None:
        return
    # A copied link shows the same chance after a later calibration.
    state.update(calibration=calibration.id)
    options, report = reads.report(page.store, calibration)
    case = reads.of_case(page.store, calibration, case_id)
    names = ", ".join(metric_names.title(name) for name in options.metrics)
    with st.container(border=True, key="calibrated_case"):
        if case is None:
            st.caption(f"Calibrated {errors.plain(names)}: {numbers.NONE} (no score, so no probability)")
            return
        decision = case.decision.value
        st.markdown(
            f"{charts.MARKS[decision]} **{charts.DECISIONS[decision]}** · chance that a person "
            f"accepts **{case.chance:.2f}** · set **{errors.plain(words.braces(case.levels, report))}** "
            f"({errors.plain(words.meaning(case.levels, report))})"
        )
        old = " · stale: calibrate again" if reads.changed(page.store, calibration) else ""
        simulated = " · simulated raters" if report.simulated else ""
        insisted = (
            " · calibrated although the raters' agreement is not distinguishable from chance" if report.insisted else ""
        )
        promise = f"{100 * (1 - report.result.alpha):g}%"
        st.caption(
            errors.plain(
                f"Criterion {report.criterion}, from {names}; promised coverage {promise}{simulated}{insisted}{old}"
            )
        )
        if st.button("Open the calibration", key="open_calibration", type="tertiary"):
            state.go(
                "calibrate",
                run=run.id,
                criterion=calibration.criterion_id,
                calibration=calibration.id,
                view="decide",
                case=case_id,
            )
