"""What are the documents about? Find topics, see how good they are, put them right by hand."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return step(
        done=has.topics,
        note="Topics were found in the documents." if has.topics else "Optional: for questions from documents.",
        waits_for="" if has.documents else "needs documents",
        action="Find topics",
    )


PAGE = PageSpec(
    __file__,
    place=50,
    title="Topics",
    question="What are the documents about?",
    about="Groups of passages that say similar things; questions from documents are drawn from each of them.",
    url_path="topics",
    step=_step,
)
