"""Would a person agree? Answers of a run, put to people one at a time and blind; how far they agree."""

from __future__ import annotations

from pages.kit.look import numbers
from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return step(
        done=has.labels > 0,
        note=f"{numbers.count(has.labels, 'label')} in {numbers.count(has.rounds, 'round')}.",
        waits_for="" if has.finished or has.rounds else "needs a finished run",
        action="Put answers to people",
    )


PAGE = PageSpec(
    __file__,
    place=100,
    title="Label",
    question="Would a person agree?",
    about="Put answers of a run to people, one at a time and blind, and see how far they agree.",
    url_path="label",
    step=_step,
)
