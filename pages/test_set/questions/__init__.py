"""Which questions do the documents answer? Write them for each topic, review them, see what was turned down and why."""

from __future__ import annotations

from pages.kit.look import numbers
from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return step(
        done=has.questions_approved > 0,
        note=f"{has.questions_approved} of {numbers.count(has.questions, 'question')} approved.",
        waits_for="" if has.topics or has.questions else "needs topics",
        action="Review questions" if has.questions else "Write questions",
    )


PAGE = PageSpec(
    __file__,
    place=60,
    title="Questions",
    question="Which questions do the documents answer?",
    about="Questions written from passages of every topic, examined by checks and reviewed by a person.",
    url_path="questions",
    step=_step,
)
