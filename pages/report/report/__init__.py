"""What goes into the review, and the file that stays? The report of a run, its snapshots, its files."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return step(
        done=has.snapshots > 0,
        note="A snapshot of the report is frozen.",
        waits_for="" if has.finished else "needs a finished run",
        action="Write the report",
    )


PAGE = PageSpec(
    __file__,
    place=158,
    title="Report",
    question="What goes into the review, and which file stays?",
    about="The validation report of a run: page one for the meeting, frozen snapshots to cite, files to hand over.",
    url_path="report",
    step=_step,
)
