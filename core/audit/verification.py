"""Checking a whole store: its rows, its trail, and the anchors of its heads, told in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, select

from core.audit import words
from core.audit.anchors import Anchor
from core.domain.jobs import Report, silent
from core.store.database import Store
from core.store.digests import checking, trail
from core.store.digests.checking import BrokenRow, Kind
from core.store.digests.covered import BY_TABLE
from core.store.tables import audit, label_rounds, projects, runs, sources, test_sets, topic_models
from core.store.trail import audit_key

_PROJECT_OF = {
    "run_id": runs,
    "test_set_id": test_sets,
    "source_id": sources,
    "round_id": label_rounds,
    "model_id": topic_models,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is not as it was written.

    Attributes:
        what: ``row``, ``entry`` or ``anchor``.
        kind: What is wrong: ``changed``, ``deleted``, ``added``, ``missing``, ``cut`` and so on.
        text: One sentence.
        table: Of a row.
        key: What names the row, by column.
        project_id: The project it belongs to, as far as that can be said.
        project: Its name, where it still has one.
        expected: What the row was, by column, as far as that is kept.
        found: What it is.
        columns: The columns that differ.
        entry: Number of the audit entry that wrote the row last, or that is wrong itself.
        written_at: When that was; UTC, ISO 8601.
        written_by: Who did it.
        action: What they did.
    """

    what: str
    kind: str
    text: str
    table: str = ""
    key: Mapping[str, object] | None = None
    project_id: str = ""
    project: str = ""
    expected: Mapping[str, object] | None = None
    found: Mapping[str, object] | None = None
    columns: tuple[str, ...] = ()
    entry: int = 0
    written_at: str = ""
    written_by: str = ""
    action: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a check of a store found.

    Attributes:
        ok: Whether everything is as it was written, and all of it could be checked.
        entries: How many audit entries there are.
        rows: How many rows were compared with their digests.
        head: Number and hash of the newest entry; what to note down outside.
        broken: What is wrong; rows that are many of a kind are counted in `counts` and not all listed.
        counts: How many rows are wrong, by ``table: kind``.
        covered_from: Number and time of the first entry that seals rows; rows of before were digested then as they
            stood.
        keyed: How many entries are sealed with a key.
        unchecked: How many of them could not be checked because the key was not given.
        anchors: How many anchors were compared.
        checked_at: When; UTC, ISO 8601.
    """

    ok: bool
    entries: int
    rows: int
    head: tuple[int, str]
    broken: tuple[Problem, ...]
    counts: Mapping[str, int]
    covered_from: tuple[int, str]
    keyed: int
    unchecked: int
    anchors: int
    checked_at: str

    def as_json(self) -> dict[str, object]:
        """The whole result as plain JSON."""
        return {
            **asdict(self),
            "head": {"seq": self.head[0], "hash": self.head[1]},
            "covered_from": {"seq": self.covered_from[0], "at": self.covered_from[1]},
        }


def verify(
    store: Store,
    *,
    anchors: Sequence[Anchor] = (),
    progress: Report = silent,
    should_stop: Callable[[], bool] = lambda: False,
) -> Verification:
    """Checks rows, trail and anchors in one state of the store; nothing is written.

    Args:
        store: The store.
        anchors: Heads that were kept outside.
        progress: Called with stage, done and total.
        should_stop: Called now and then; what was checked until then is returned.
    """
    with store.read() as connection:
        checked_trail = trail.check(connection, audit_key.all_given(), progress=progress)
        checked_rows = checking.check(connection, progress=progress, should_stop=should_stop)
        contradicted = [problem for anchor in anchors if (problem := _contradiction(connection, anchor, checked_trail))]
        rows = [_row_problem(connection, row) for row in checked_rows.broken]
        covered_from = _entry(connection, checked_trail.covered_from)
    entries = [_entry_problem(entry) for entry in checked_trail.broken]
    broken = (*entries, *contradicted, *rows)
    counts = {f"{table}: {kind.value}": number for (kind, table), number in sorted(checked_rows.counts.items())}
    return Verification(
        ok=not (broken or counts or checked_trail.faults or checked_trail.unchecked),
        entries=checked_trail.entries,
        rows=checked_rows.rows,
        head=checked_trail.head,
        broken=broken,
        counts=counts,
        covered_from=(checked_trail.covered_from, covered_from.get("at", "")),
        keyed=checked_trail.keyed,
        unchecked=checked_trail.unchecked,
        anchors=len(anchors),
        checked_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _entry(connection: Connection, seq: int) -> dict[str, str]:
    query = select(audit.c.at, audit.c.actor, audit.c.action, audit.c.project_id).where(audit.c.seq == seq)
    row = connection.execute(query).mappings().one_or_none() if seq else None
    return {} if row is None else {name: str(value) for name, value in row.items()}


def _entry_problem(broken: trail.BrokenEntry) -> Problem:
    return Problem(what="entry", kind=broken.fault.value, text=words.entry(broken), entry=broken.seq)


def _row_problem(connection: Connection, row: BrokenRow) -> Problem:
    written = _entry(connection, row.entry)
    project_id = _project_id(connection, row) or written.get("project_id", "")
    name = connection.execute(select(projects.c.name).where(projects.c.id == project_id)).scalar_one_or_none()
    problem = Problem(
        what="row",
        kind=row.kind.value,
        text="",
        table=row.table,
        key=dict(row.key),
        project_id=project_id,
        project=str(name or ""),
        expected=dict(row.expected) or None,
        found=dict(row.found) or None,
        columns=row.columns,
        entry=row.entry,
        written_at=written.get("at", ""),
        written_by=written.get("actor", ""),
        action=written.get("action", ""),
    )
    text = words.row(
        row, project=problem.project or project_id, by=problem.written_by, at=problem.written_at, action=problem.action
    )
    return Problem(**{**{name: getattr(problem, name) for name in Problem.__slots__}, "text": text})


def _project_id(connection: Connection, row: BrokenRow) -> str:
    owner = BY_TABLE[row.table].owner
    if row.table == "projects":
        return str(row.key.get("id", ""))
    if owner == "project_id" or (row.kind is Kind.UNREADABLE and not owner):
        return row.owner
    table = _PROJECT_OF.get(owner)
    if table is None:
        return ""
    return str(connection.execute(select(table.c.project_id).where(table.c.id == row.owner)).scalar_one_or_none() or "")


def _contradiction(connection: Connection, anchor: Anchor, checked: trail.TrailCheck) -> Problem | None:
    query = select(audit.c.hash).where(audit.c.seq == anchor.seq)
    found = connection.execute(query).scalar_one_or_none()
    if found == anchor.hash:
        return None
    return Problem(
        what="anchor",
        kind="cut" if found is None else "rewritten",
        text=words.anchor(anchor.seq, anchor.at, last=checked.head[0], missing=found is None),
        entry=anchor.seq,
        expected={"hash": anchor.hash},
        found={"hash": found} if found else None,
    )
