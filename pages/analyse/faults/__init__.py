"""Does the diagnosis name the right module on your own data? Faults planted in copies of a working set-up."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    waits_for = "" if has.frozen else "needs a test set"
    return step(
        done=False,
        note="Plant faults and see what the diagnosis calls them.",
        waits_for=waits_for or ("" if has.documents else "needs documents"),
        action="Plant faults",
    )


PAGE = PageSpec(
    __file__,
    place=125,
    title="Planted faults",
    question="Does the diagnosis name the right module on your own data?",
    about="Faults of known kinds are planted in copies of a working set-up, and the diagnosis has to name each.",
    url_path="planted-faults",
    step=_step,
)
