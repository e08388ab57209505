"""Which steps of the work are done, ready, or waiting for what; from one read of the store."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.store.database import Store
from pages.ui import navigation, numbers, readers


class Mark(StrEnum):
    """How far a step is."""

    DONE = "done"
    READY = "ready"
    RUNNING = "running"
    WAITING = "waiting"


ICONS: Final = {
    Mark.DONE: ":material/check_circle:",
    Mark.READY: ":material/radio_button_unchecked:",
    Mark.RUNNING: ":material/pending:",
    Mark.WAITING: ":material/lock_clock:",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the workflow.

    Attributes:
        mark: How far it is.
        note: One short sentence for the hover.
        waits_for: What it waits for, in a few words; empty unless it is waiting.
        action: The verb of its button on the Overview page.
    """

    mark: Mark
    note: str = ""
    waits_for: str = ""
    action: str = ""


def steps(store: Store, project_id: str) -> dict[str, Step]:
    """Every page's step, by page key."""
    return judge(readers.progress(store, project_id))


def nothing() -> dict[str, Step]:
    """The steps where there is no project."""
    first = Step(mark=Mark.READY, note="Ready.", action="Create a project")
    rest = Step(mark=Mark.WAITING, waits_for="needs a project", note="Waiting: needs a project.")
    return {"overview": first} | {spec.key: rest for spec in navigation.PAGES if spec.key != "overview"}


def judge(has: readers.Progress) -> dict[str, Step]:
    """The steps of a project with this much in it."""
    connected = has.tables > 0 and has.documents > 0
    reviewed = has.sql_approved > 0 and has.texts_approved > 0
    return {
        "overview": _done("Ready."),
        "connect": _connect(has, connected),
        "models": Step(
            mark=Mark.DONE if has.endpoints else Mark.READY,
            note=f"{numbers.count(has.endpoints, 'endpoint')}." if has.endpoints else "No model is needed.",
            action="Set up an endpoint",
        ),
        "templates": _step(
            done=reviewed,
            note=f"{has.sql_approved} SQL templates and {has.texts_approved} wordings approved.",
            waits_for="" if has.tables else "needs a database",
            action="Review templates" if has.sql else "Propose templates",
        ),
        "topics": _step(
            done=has.topics,
            note="Topics were found in the documents." if has.topics else "Optional: for questions from documents.",
            waits_for="" if has.documents else "needs documents",
            action="Find topics",
        ),
        "questions": _step(
            done=has.questions_approved > 0,
            note=f"{has.questions_approved} of {numbers.count(has.questions, 'question')} approved.",
            waits_for="" if has.topics or has.questions else "needs topics",
            action="Review questions" if has.questions else "Write questions",
        ),
        "test_set": _step(
            done=has.frozen > 0,
            note=f"{has.frozen} frozen, {has.drafts} in draft.",
            waits_for="" if reviewed or has.questions_approved or has.frozen or has.drafts else "needs templates",
            action="Freeze a test set" if has.drafts else "Build a test set",
        ),
        "run": _step(
            done=has.finished > 0,
            running=has.running > 0,
            note=f"{has.finished} finished, {has.running} going on.",
            waits_for="" if has.frozen or has.finished or has.running else "needs a frozen test set",
            action="Watch the run" if has.running else "Run the test set",
        ),
        "results": _step(
            done=has.finished > 0,
            note="The latest run is ready to read.",
            waits_for="" if has.finished else "needs a finished run",
            action="Read the results",
        ),
        "label": _step(
            done=has.labels > 0,
            note=f"{numbers.count(has.labels, 'label')} in {numbers.count(has.rounds, 'round')}.",
            waits_for="" if has.finished or has.rounds else "needs a finished run",
            action="Put answers to people",
        ),
        "calibrate": _step(
            done=has.calibrations > 0,
            note=f"{numbers.count(has.calibrations, 'calibration')}.",
            waits_for="" if has.labels or has.calibrations else "needs labels",
            action="Calibrate scores",
        ),
        "diagnose": _step(
            done=has.finished > 0,
            note="The latest run is ready to read.",
            waits_for="" if has.finished else "needs a finished run",
            action="See which module is broken",
        ),
        "weakness": _step(
            done=has.finished > 0,
            note="The latest run is ready to read.",
            waits_for="" if has.finished else "needs a finished run",
            action="See where it is weak",
        ),
        "three_way": Step(
            mark=Mark.WAITING if not (has.frozen or has.finished) else Mark.READY,
            note="Ready: start an experiment." if has.frozen or has.finished else "Waiting: needs a frozen test set.",
            waits_for="" if has.frozen or has.finished else "needs a frozen test set",
            action="Start an experiment",
        ),
        "judges": _step(
            done=False,
            note="Compare the judges of a run.",
            waits_for="" if has.finished else "needs a finished run",
            action="Compare the judges",
        ),
        "exchange": _step(done=False, note="", waits_for="", action="Import or export a run"),
    }


def upcoming(found: dict[str, Step]) -> str:
    """The page with the next step: the first that is not done and waits for nothing; the diagnosis when all is done."""
    for key in ("connect", "templates", "test_set", "run"):
        if found[key].mark in (Mark.READY, Mark.RUNNING):
            return key
    return "diagnose" if found["diagnose"].mark is Mark.DONE else "connect"


def _connect(has: readers.Progress, connected: bool) -> Step:
    if connected:
        return _done(f"{has.tables} tables and {has.documents} documents.")
    missing = "the documents" if has.tables else "the database" if has.documents else "a database and documents"
    return Step(mark=Mark.READY, note=f"Ready: {missing} to connect.", action=f"Connect {missing}")


def _done(note: str) -> Step:
    return Step(mark=Mark.DONE, note=note)


def _step(*, done: bool, note: str, waits_for: str, action: str, running: bool = False) -> Step:
    if waits_for:
        return Step(mark=Mark.WAITING, note=f"Waiting: {waits_for}.", waits_for=waits_for, action=action)
    if running:
        return Step(mark=Mark.RUNNING, note=note, action=action)
    if done:
        return Step(mark=Mark.DONE, note=note, action=action)
    return Step(mark=Mark.READY, note=f"Ready: {action.lower()}.", action=action)
