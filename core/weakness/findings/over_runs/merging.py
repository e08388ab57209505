"""Making two findings one, and two again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.audit.sending import sign_off
from core.domain.errors import InvalidInput
from core.domain.results.findings import Finding, FindingStatus, Severity
from core.project.service import require
from core.store.database import Store
from core.store.people import findings as stored
from core.store.trail import audit_details
from core.weakness.findings.over_runs.threads import Thread, thread_of
from core.weakness.findings.service import KEEPER

MERGE, SPLIT = "finding.merge", "finding.split"


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """A merge that can be taken back.

    Attributes:
        entry: Its entry in the audit trail.
        name: The finding that was merged into another one, as it was called.
        thread: Its id over all runs, which it gets back.
        decisions: What was decided of it, by the id of the finding in each run.
        beside: Ids of the other finding in each run.
        retests: Ids of its retests.
        at, by: When, and who merged.
    """

    entry: int
    name: str
    thread: str
    decisions: Mapping[str, Mapping[str, str]]
    beside: tuple[str, ...]
    retests: tuple[str, ...]
    at: str
    by: str


def merge_findings(store: Store, project_id: str, thread: str, into: str, *, actor: str) -> Thread:
    """Makes two findings one: the first takes the name, status, owner and due date of the second.

    Raises:
        NotFound: The project has no such finding.
        Forbidden: The actor is no validator of the project.
        InvalidInput: Both are the same.
    """
    require(store, project_id, actor, KEEPER)
    if thread == into:
        raise InvalidInput(f"Both findings are {into}.", "Choose two different ones.")
    first, second = thread_of(store, project_id, thread), thread_of(store, project_id, into)
    detail = {
        "merged": [one.id for one in first.seen],
        "name": first.name,
        "into": second.name,
        "thread": first.id,
        "into_thread": second.id,
        "decisions": {one.id: {name: str(getattr(one, name)) for name in stored.DECIDED} for one in first.seen},
        "beside": [one.id for one in second.seen],
        "retests": [one.id for one in first.retests],
    }
    with store.write(actor, MERGE, project_id=project_id, subject=second.newest.id, detail=detail) as connection:
        stored.merge(connection, project_id, thread, second.newest)
    sign_off(store, actor, MERGE)
    return thread_of(store, project_id, into)


def merges_of(store: Store, project_id: str, thread: Thread) -> tuple[Merge, ...]:
    """The merges into a finding that can be taken back, newest first.

    One that was merged into a third finding meanwhile is taken back there first. Merges by a version that did not note
    what was decided before cannot be taken back.
    """
    ids = {one.id for one in thread.seen}
    with store.read() as connection:
        entries = [
            (entry, json.loads(entry.detail))
            for finding_id in sorted(ids)
            for entry in audit_details.of_subject(connection, project_id, MERGE, finding_id)
        ]
        undone = {
            json.loads(entry.detail).get("entry")
            for finding_id in sorted(ids)
            for entry in audit_details.of_subject(connection, project_id, SPLIT, finding_id)
        }
    found = [
        _merge(entry.seq, detail, at=entry.at, by=entry.actor)
        for entry, detail in entries
        if entry.seq not in undone and detail.get("into_thread") == thread.id and set(detail["decisions"]) <= ids
    ]
    return tuple(sorted(found, key=lambda one: one.entry, reverse=True))


def split_findings(store: Store, project_id: str, thread: str, entry: int, *, actor: str) -> Thread:
    """Takes a merge back: the finding that was merged has its decisions and retests of before again.

    What a search recorded under its conditions since goes with it; what was decided and retested since stays with the
    other one.

    Args:
        store: Where they are.
        project_id: The project.
        thread: The finding that the other one was merged into.
        entry: The merge, by its entry in the audit trail.
        actor: Who takes it back.

    Returns:
        The finding that stands by itself again.

    Raises:
        NotFound: The project has no such finding.
        Forbidden: The actor is no validator of the project.
        InvalidInput: There is no such merge, or it was taken back.
    """
    require(store, project_id, actor, KEEPER)
    whole = thread_of(store, project_id, thread)
    merge = next((one for one in merges_of(store, project_id, whole) if one.entry == entry), None)
    if merge is None:
        raise InvalidInput("This merge cannot be taken back.", "Load the page again; it may be taken back already.")
    own = [one for one in whole.seen if one.id in merge.decisions]
    names = {one.names for one in own}
    # Of a run recorded since, a finding of the same conditions belongs to it, with the newest of its decisions.
    before = _decided(own[-1], merge.decisions[own[-1].id])
    apart = [
        _decided(one, merge.decisions[one.id])
        if one.id in merge.decisions
        else replace(one, **{name: getattr(before, name) for name in stored.DECIDED})
        for one in whole.seen
        if one.id in merge.decisions or (one.names in names and one.id not in merge.beside)
    ]
    detail = {"entry": entry, "split": [one.id for one in apart], "name": merge.name, "from": whole.name}
    with store.write(actor, SPLIT, project_id=project_id, subject=whole.newest.id, detail=detail) as connection:
        stored.split(connection, project_id, merge.thread, apart, merge.retests)
    sign_off(store, actor, SPLIT)
    return thread_of(store, project_id, merge.thread)


def _merge(entry: int, detail: Mapping[str, Any], *, at: str, by: str) -> Merge:
    return Merge(
        entry=entry,
        name=str(detail["name"]),
        thread=str(detail["thread"]),
        decisions=detail["decisions"],
        beside=tuple(detail["beside"]),
        retests=tuple(detail["retests"]),
        at=at,
        by=by,
    )


def _decided(finding: Finding, decisions: Mapping[str, str]) -> Finding:
    values: dict[str, Any] = dict(decisions)
    values["severity"], values["status"] = Severity(values["severity"]), FindingStatus(values["status"])
    return replace(finding, **values)
