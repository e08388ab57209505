"""What did other tools measure, and who needs ours? Their files become runs here, and a run becomes a file for them."""

from __future__ import annotations

from pages.kit.page_spec import PageSpec, Step, step
from pages.kit.project_reads import Progress


def _step(has: Progress) -> Step:
    return step(done=False, note="", waits_for="", action="Import or export a run")


PAGE = PageSpec(
    __file__,
    place=160,
    title="Import and export",
    question="What did other tools measure, and who needs ours?",
    about="Files of Ragas, DeepEval, GroUSE, TruLens, MLflow, RAGChecker, GRAMMAR and InspectorRAGet, in and out.",
    url_path="exchange",
    step=_step,
)
