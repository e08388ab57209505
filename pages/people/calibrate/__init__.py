"""What does a score promise? Scores become the chance that a person would agree, with sets that keep a promise."""

from __future__ import annotations

from pages.kit.look import numbers
from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return step(
        done=has.calibrations > 0,
        note=f"{numbers.count(has.calibrations, 'calibration')}.",
        waits_for="" if has.labels or has.calibrations else "needs labels",
        action="Calibrate scores",
    )


PAGE = PageSpec(
    __file__,
    place=110,
    title="Calibrate",
    question="What does a score promise?",
    about="Turn scores into the chance that a person would agree, say how certain that is, and send the doubtful "
    "answers to people.",
    url_path="calibrate",
    step=_step,
)
