"""What stands above every part of the Calibrate page: simulated raters, what changed since, raters who disagree."""

from __future__ import annotations

import streamlit as st

from core.calibration.service.pass_rate import PassRate
from core.calibration.service.report import CalibrationReport
from core.domain.results.runs import Run
from core.labelling.rating.progress import unfinished_rounds
from core.store.people.calibrations import StoredCalibration
from pages.kit import errors, state
from pages.kit.calibrations import reads
from pages.kit.calibrations.reads import Failed, Labels
from pages.kit.frame import Page
from pages.kit.look import numbers


def simulated(n: int, of: int, where: str = "of this calibration") -> None:
    """Says that a machine played the raters, wherever figures rest on such labels."""
    if n:
        share = "All" if n == of else f"{n:,} of"
        st.warning(
            f"**Simulated raters.** {share} {of:,} labels {where} are not by people; they only show how "
            "the page works.",
            icon=":material/smart_toy:",
        )


def standing(
    page: Page, calibration: StoredCalibration, report: CalibrationReport, estimate: PassRate | None = None
) -> None:
    """Says what a reader of this calibration must know first.

    Args:
        page: The page.
        calibration: The one in view.
        report: What it found.
        estimate: The pass rate where that is what is read: it rests on every label there is now.
    """
    alpha = report.agreement
    if estimate is None:
        simulated(report.simulated, len(report.labels))
    else:
        simulated(estimate.simulated, estimate.labels, "that the estimate uses")
    if report.insisted:
        st.error(
            "**Agreement of the raters is not distinguishable from chance; calibrated anyway by "
            f"{errors.plain(calibration.created_by)}.**  \n"
            f"Krippendorff's alpha is {numbers.share(alpha.value)} {numbers.interval(alpha.low, alpha.high)} on "
            f"{numbers.count(alpha.n, 'case')}, which may be chance alone. The figures describe these labels and "
            "promise nothing.",
            icon=":material/error:",
        )
    elif report.usable == "warned":
        st.warning(errors.plain(report.reading), icon=":material/group:")
    old = reads.changed(page.store, calibration)
    if old:
        st.warning(
            f"**This calibration is stale.** {errors.plain(' '.join(old))} Calibrate again to bring it up to date.",
            icon=":material/history:",
        )


def refused(labels: Labels) -> None:
    """Says that calibrating is refused, with the figure and what to do."""
    if labels.one_sided:
        what = "The raters agree, and their labels are too one-sided to calibrate against."
        remedy = (
            "  \nA new round over the whole range of a score brings more of the rarer kind than one at random: it is "
            "among the shares under 'More' where the round is set up."
        )
    else:
        what, remedy = "The raters do not agree enough to calibrate against their labels.", ""
    st.error(f"**{what}**  \n{errors.plain(labels.reading)}{remedy}", icon=":material/error:")


def label_more(page: Page, run: Run) -> None:
    """Opens where more answers of a run can be labelled: its round that is not finished, else the form of a new one."""
    waiting = unfinished_rounds(page.store, page.project.id, run.id)
    if waiting:
        state.go("label", run=run.id, round=waiting[0].id)
    state.go("label", run=run.id, view="setup", part="round")


def failed(failure: Failed) -> None:
    """Says why a figure cannot be told."""
    st.info(f"**{errors.plain(failure.error)}**  \n{errors.plain(failure.hint)}")


def open_case(run_id: str, case_id: str, *, key: str) -> None:
    """The way from a case to all there is to know of it."""
    if st.button("Open this case in the results", key=key):
        state.go("results", run=run_id, case=case_id)


def labels_line(labels: Labels) -> str:
    """How many labels there are, for the line under the title."""
    return f"{numbers.count(labels.given, 'labelled case')} by {numbers.count(len(labels.raters), 'rater')}"
