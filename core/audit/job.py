"""The check of a whole store as a job, whose result stands in the audit trail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from core.audit.verification import Verification, verify
from core.domain.sources.projects import Role
from core.jobs import Job, JobContext, job, list_jobs, start
from core.project.service import require
from core.store.database import Store
from core.store.trail import audit_details

KIND = "audit_verify"
"""Of the jobs, and of the entries that hold what they found."""

ACTION = "audit.verify"

MOST_KEPT = 100
"""Problems that an entry holds in full; all of them are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the newest check found.

    Attributes:
        ok: Whether everything is as it was written.
        entries: Audit entries checked.
        rows: Rows checked.
        problems: What is wrong, as `core.audit.verification.Problem` says it; at most `MOST_KEPT`.
        faults: How many things are wrong.
        counts: How many rows are wrong, by ``table: kind``.
        unchecked: Entries sealed with a key that was not given.
        covered_from: Number and time of the first entry that seals rows.
        head: Number and hash of the newest entry then.
        checked_at: When; UTC, ISO 8601.
        checked_by: Who asked for it.
    """

    ok: bool
    entries: int
    rows: int
    problems: tuple[Mapping[str, object], ...]
    faults: int
    counts: Mapping[str, int]
    unchecked: int
    covered_from: tuple[int, str]
    head: tuple[int, str]
    checked_at: str
    checked_by: str


def start_check(store: Store, project_id: str, *, actor: str) -> Job:
    """Starts a worker that checks the store; one that is at it already is returned instead.

    Raises:
        NotFound: There is no such project.
        Forbidden: The actor is no validator of the project.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    at_work = next((item for item in list_jobs(store, project_id) if item.kind == KIND and item.state.active), None)
    return at_work or start(store, project_id=project_id, kind=KIND, params={}, actor=actor)


@job(KIND)
def check_job(context: JobContext) -> bool:
    """Checks the store and records what it found; whether it came to its end."""
    result = verify(context.store, progress=context.progress, should_stop=context.should_stop)
    if context.should_stop():
        return False
    record(context.store, result, actor=context.actor)
    return True


def record(store: Store, result: Verification, *, actor: str) -> None:
    """Writes down what a check found."""
    faults = sum(problem.what != "row" for problem in result.broken) + sum(result.counts.values())
    problems = [{**asdict(problem), "columns": list(problem.columns)} for problem in result.broken[:MOST_KEPT]]
    detail: dict[str, object] = {
        "ok": result.ok,
        "entries": result.entries,
        "rows": result.rows,
        "problems": problems,
        "faults": faults,
        "counts": dict(result.counts),
        "unchecked": result.unchecked,
        "covered_from": list(result.covered_from),
        "head": list(result.head),
        "checked_at": result.checked_at,
        "checked_by": actor,
    }
    with store.write(actor, ACTION, detail=detail):
        pass


def latest(store: Store) -> Checked | None:
    """What the newest check found, None where there was none."""
    with store.read() as connection:
        detail = audit_details.latest(connection, ACTION, "")
    if detail is None:
        return None
    found: dict[str, object] = {name: detail.get(name) for name in Checked.__slots__}
    for name in ("problems", "covered_from", "head"):
        listed = found[name]
        found[name] = tuple(listed) if isinstance(listed, list) else ()
    return Checked(**found)  # type: ignore[arg-type]
