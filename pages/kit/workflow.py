"""Which steps of the work are done, ready, or waiting for what: each page says it, from one read of the store."""

from __future__ import annotations

import logging
from typing import Final

from core.store.database import Store
from pages.kit import navigation, project_reads, state
from pages.kit.page_spec import Mark, PageSpec, Step

log = logging.getLogger(__name__)

ICONS: Final = {
    Mark.DONE: ":material/check_circle:",
    Mark.READY: ":material/radio_button_unchecked:",
    Mark.RUNNING: ":material/pending:",
    # No lock: every page opens, and one that waits says what for.
    Mark.WAITING: ":material/hourglass_empty:",
}

AFTER: Final = ("label", "calibrate", "weakness", "report")
"""The pages that follow the diagnosis, by key."""

FROM_DATABASE: Final = "templates"
FROM_DOCUMENTS: Final = ("topics", "questions")
"""Where a project's questions come from, by key; those from documents lead on where there is no database."""


def steps(store: Store, project_id: str) -> dict[str, Step]:
    """Every page's step, by page key."""
    has = project_reads.progress(store, project_id)
    return {spec.key: _step(spec, has) for spec in navigation.PAGES}


def nothing() -> dict[str, Step]:
    """The steps where there is no project."""
    first = Step(mark=Mark.READY, note="Ready.", action="Create a project")
    rest = Step(mark=Mark.WAITING, waits_for="needs a project", note="Waiting: needs a project.")
    return {spec.key: rest if spec.url_path else first for spec in navigation.PAGES}


def upcoming(steps: dict[str, Step]) -> str:
    """The page with the next step: the first milestone that waits for nothing, then what makes a finding of a run.

    After the milestones the diagnosis is read; once it was opened in this session, or where scores are calibrated
    already, people label, scores are calibrated, findings are recorded and a snapshot of the report is frozen, as far
    as they are not done; the diagnosis when all is.
    """
    open_steps = {key for key, step in steps.items() if step.mark in (Mark.READY, Mark.RUNNING)}
    for key in _milestones(steps):
        if key in open_steps:
            return key
    if steps["diagnose"].mark is not Mark.DONE:
        return "connect"
    read = state.note(state.visited("diagnose")) or steps["calibrate"].mark is Mark.DONE
    return next((key for key in AFTER if read and key in open_steps), "diagnose")


def path(steps: dict[str, Step]) -> list[Step]:
    """The steps on the way to a report, which Overview counts: the milestones, the diagnosis, what follows it."""
    return [steps[key] for key in (*_milestones(steps), "diagnose", *AFTER)]


def _milestones(steps: dict[str, Step]) -> list[str]:
    """The pages without which nothing goes on, by key; of documents alone, topics and questions stand for templates."""
    documents_alone = steps[FROM_DATABASE].mark is Mark.WAITING and steps[FROM_DOCUMENTS[0]].mark is not Mark.WAITING
    left_out = {FROM_DATABASE} if documents_alone else set()
    added = set(FROM_DOCUMENTS) if documents_alone else set()
    return [spec.key for spec in navigation.PAGES if (spec.milestone or spec.key in added) and spec.key not in left_out]


def _step(spec: PageSpec, has: project_reads.Progress) -> Step:
    try:
        return spec.step(has)
    except Exception:  # one page's mistake must not take the sidebar from every other page
        log.exception("The page %s could not say how far its step is.", spec.declared)
        return Step(mark=Mark.READY)


__all__ = ["ICONS", "Mark", "Step", "nothing", "path", "steps", "upcoming"]
