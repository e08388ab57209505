"""What stands above every part of the Calibrate page: simulated raters, what changed since, raters who disagree."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.evaluation.calibration_report import CalibrationReport
from core.store.calibrations import StoredCalibration
from pages.ui import calibrate_reads, errors, numbers, state
from pages.ui.calibrate_reads import Failed, Labels, PassRate
from pages.ui.frame import Page


def simulated(n: int, of: int, where: str = "of this calibration") -> None:
    """Says that a machine played the raters, wherever figures rest on such labels."""
    if n:
        share = "All" if n == of else f"{n:,} of"
        st.warning(
            f"**Simulated raters.** {share} {of:,} labels {where} were made by a machine to show the page; they say "
            "nothing about what people think.",
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
            f"**The raters do not agree, and {errors.plain(calibration.created_by)} insisted on this calibration.**  \n"
            f"Krippendorff's alpha is {numbers.share(alpha.value)} {numbers.interval(alpha.low, alpha.high)} on "
            f"{numbers.count(alpha.n, 'case')}, which chance alone may give. The figures describe these labels and "
            "promise nothing.",
            icon=":material/error:",
        )
    elif report.usable == "warned":
        st.warning(errors.plain(report.reading), icon=":material/group:")
    old = calibrate_reads.changed(page.store, calibration)
    if old:
        st.warning(
            f"**This calibration is stale.** {errors.plain(' '.join(old))} Calibrate again to bring it up to date.",
            icon=":material/history:",
        )


def disagreement(known: Labels) -> None:
    """Says that calibrating is refused, with the figure."""
    st.error(
        f"**The raters do not agree enough to calibrate against their labels.**  \n{errors.plain(known.reading)}",
        icon=":material/error:",
    )


def failed(found: Failed) -> None:
    """Says why a figure cannot be told."""
    st.info(f"**{errors.plain(found.error)}**  \n{errors.plain(found.hint)}")


def open_case(run_id: str, case_id: str, *, key: str) -> None:
    """The way from a case to all there is to know of it."""
    if st.button("Open this case in the results", key=key):
        state.go("results", run=run_id, case=case_id)


def labels_line(known: Labels) -> str:
    """How many labels there are, for the line under the title."""
    return f"{numbers.count(known.given, 'labelled case')} by {numbers.count(len(known.raters), 'rater')}"


def bullets(texts: Sequence[str]) -> str:
    """Texts as a list in Markdown, shown as they are."""
    return "\n".join(f"- {errors.plain(text)}" for text in texts)
