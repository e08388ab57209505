"""Does it know, read or retrieve? One test set asked without documents, with the gold ones, and live."""

from __future__ import annotations

from pages.kit.page_spec import Mark, PageSpec, Step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return Step(
        mark=Mark.WAITING if not (has.frozen or has.finished) else Mark.READY,
        note="Ready: start an experiment." if has.frozen or has.finished else "Waiting: needs a test set.",
        waits_for="" if has.frozen or has.finished else "needs a test set",
        action="Start an experiment",
    )


PAGE = PageSpec(
    __file__,
    place=140,
    title="Know, read, retrieve",
    question="Does it know, read or retrieve?",
    about="The same questions without documents, with the gold documents and live, and a check of the test data.",
    url_path="know-read-retrieve",
    step=_step,
)
