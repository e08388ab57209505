"""Snapshots of reports: what was seen stays, and what came since is said; commentary on sections."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.identity import new_id
from core.domain.jobs import Report, silent
from core.domain.sources.projects import Role
from core.project.service import require
from core.report.cases import case_json, case_rows
from core.report.collecting import ReportOptions, collect
from core.report.content import ReportContent
from core.report.outline import TITLES
from core.report.record import as_text, digest, of_json
from core.store import reports
from core.store.database import Store
from core.store.reports import Comment, Snapshot
from core.store.results import runs

LONGEST_COMMENT: Final = 8_000
LONGEST_TITLE: Final = 200


def freeze(
    store: Store,
    run_id: str,
    options: ReportOptions | None = None,
    *,
    title: str = "",
    actor: str,
    progress: Report = silent,
) -> Snapshot:
    """Freezes the report of a run as it is now, with its cases.

    Args:
        store: Where the run is.
        run_id: The run.
        options: As for :func:`core.report.collecting.collect`.
        title: What it is called, such as the meeting it is for.
        actor: Who freezes it.
        progress: Told what is read.

    Raises:
        NotFound: There is no such run or calibration.
        Forbidden: The actor is no validator of the project.
        InvalidInput: The title is too long, or an option is none.
    """
    title = " ".join(title.split())
    if len(title) > LONGEST_TITLE:
        raise InvalidInput(f"The title has {len(title)} characters.", f"Use {LONGEST_TITLE} at most.")
    with store.read() as connection:
        project_id = runs.get(connection, run_id).project_id
    require(store, project_id, actor, Role.VALIDATOR)
    options = options or ReportOptions()
    content = collect(store, run_id, options, progress=progress)
    progress("Reading the cases", 0, 1)
    cases = tuple(case_json(row) for row in case_rows(store, run_id, seconds=options.seconds))
    progress("Reading the cases", 1, 1)
    content = replace(content, cases=cases)
    text = as_text(content)
    with store.read() as connection:
        marks = reports.marks(connection, project_id)
    snapshot = Snapshot(
        id=new_id("snap"),
        project_id=project_id,
        run_id=run_id,
        calibration_id=content.calibration_id,
        title=title,
        content=text,
        sha256=digest(text),
        marks=marks,
        created_at=_now(),
        created_by=actor,
    )
    detail = {"run": run_id, "sha256": snapshot.sha256, "calibration": content.calibration_id}
    with store.write(actor, "report.freeze", project_id=project_id, subject=snapshot.id, detail=detail) as connection:
        reports.put(connection, snapshot)
    return snapshot


def snapshots(store: Store, project_id: str) -> tuple[Snapshot, ...]:
    """The snapshots of a project without their content, newest first."""
    with store.read() as connection:
        return tuple(reports.all(connection, project_id))


def open_snapshot(store: Store, snapshot_id: str) -> tuple[Snapshot, ReportContent]:
    """A snapshot and its report.

    Raises:
        NotFound: There is none of that id.
        InvalidInput: Its text is not what was frozen, or is of a version that is not read here.
    """
    with store.read() as connection:
        snapshot = reports.get(connection, snapshot_id)
    if digest(snapshot.content) != snapshot.sha256:
        raise InvalidInput(
            f"Snapshot {snapshot_id} is not what was frozen: its SHA-256 differs.",
            "Check the store on the Audit trail page; do not rely on this snapshot.",
        )
    return snapshot, of_json(json.loads(snapshot.content))


def since(store: Store, snapshot: Snapshot) -> dict[str, int]:
    """What came since a snapshot was frozen, by name; empty where nothing did.

    What went is a negative number: a label that was taken back.
    """
    with store.read() as connection:
        now = reports.marks(connection, snapshot.project_id)
    changes = {name: n - snapshot.marks.get(name, 0) for name, n in now.items()}
    return {name: n for name, n in changes.items() if n}


def since_text(changes: dict[str, int]) -> str:
    """What came since, in words.

    >>> since_text({"labels": 12, "runs": 1}), since_text({"labels": -1}), since_text({})
    ('12 labels, 1 run', '1 label taken back', 'nothing changed')
    """
    said = []
    for name, n in changes.items():
        noun = name if abs(n) != 1 else _one(name)
        said.append(f"{abs(n):,} {noun}{' taken back' if n < 0 else ''}")
    return ", ".join(said) or "nothing changed"


def comment(store: Store, run_id: str, section: str, text: str, *, actor: str) -> Comment:
    """Writes commentary on a section of the report of a run; an empty text takes it away. Earlier versions stay.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of the project.
        InvalidInput: There is no such section, or the text is too long.
    """
    if section not in TITLES:
        raise InvalidInput(f"The report has no section {section!r}.", f"Its sections are: {', '.join(TITLES)}.")
    text = text.strip()
    if len(text) > LONGEST_COMMENT:
        raise InvalidInput(f"The commentary has {len(text):,} characters.", f"Use {LONGEST_COMMENT:,} at most.")
    with store.read() as connection:
        project_id = runs.get(connection, run_id).project_id
    require(store, project_id, actor, Role.VALIDATOR)
    made = Comment(project_id=project_id, run_id=run_id, section=section, text=text, at=_now(), by=actor)
    detail = {"section": section, "characters": len(text)}
    with store.write(actor, "report.comment", project_id=project_id, subject=run_id, detail=detail) as connection:
        reports.add_comment(connection, made)
    return made


def _one(name: str) -> str:
    first, _, rest = name.partition(" ")
    return f"{first.removesuffix('s')} {rest}".strip() if rest.startswith(("on ", "of ")) else name.removesuffix("s")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
