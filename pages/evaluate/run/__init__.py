"""What does the system answer? Choose test set, target and judge, see what it will take, start, watch, stop, resume."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return step(
        done=has.finished > 0,
        running=has.running > 0,
        note=f"{has.finished} finished, {has.running} running.",
        waits_for="" if has.frozen or has.finished or has.running else "needs a test set",
        action="Watch the run" if has.running else "Run the test set",
    )


PAGE = PageSpec(
    __file__,
    place=80,
    title="Run",
    question="What does the system answer?",
    about="Put a frozen test set to a system and judge its answers.",
    url_path="evaluate",
    step=_step,
    milestone=True,
)
