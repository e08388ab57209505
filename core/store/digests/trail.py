"""Checking the audit trail itself: every entry, its place, its seal, and the digests that it seals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from typing import Final

from sqlalchemy import Connection, RowMapping, select

from core.domain.jobs import Report, silent
from core.store.digests import manifest
from core.store.tables import audit as entries
from core.store.tables import audit_rows
from core.store.trail import audit
from core.store.trail.audit_key import AuditKeys

MOST_LISTED: Final = 200
"""Entries that are named; all of them are counted."""

CHECKING: Final = "Checking entries"
NO_KEYS: Final = AuditKeys()
_BATCH: Final = 200
_REPORT: Final = 500


class EntryFault(StrEnum):
    """What is wrong with the trail at an entry."""

    MISSING = "missing"
    CHANGED = "changed"
    UNLINKED = "unlinked"
    UNKEYED = "unkeyed"
    DIGESTS = "digests"
    CUT = "cut"
    HEAD = "head"


@dataclass(frozen=True, slots=True)
class BrokenEntry:
    """A place where the trail does not hold.

    Attributes:
        seq: Number of the entry; of the first one where several are missing.
        fault: What is wrong.
        last: Number of the last one where several are missing, else that of the entry.
    """

    seq: int
    fault: EntryFault
    last: int


@dataclass(slots=True)
class TrailCheck:
    """What a check of the trail found.

    Attributes:
        entries: How many entries there are.
        head: The newest of them: its number and hash.
        keyed: How many are sealed with a key.
        unchecked: How many of these could not be checked, because that key was not given.
        key_name: Name of the key that the trail was in at the place that was reached, "" before the first.
        newest_key: Name of the key that the newest entry is sealed with, "" for none.
        covered_from: Number of the first entry that seals rows, 0 where none does.
        faults: How many places do not hold.
        broken: Those of them that are named, in order.
    """

    entries: int = 0
    head: tuple[int, str] = (0, audit.GENESIS)
    keyed: int = 0
    unchecked: int = 0
    key_name: str = ""
    newest_key: str = ""
    covered_from: int = 0
    faults: int = 0
    broken: list[BrokenEntry] = field(default_factory=list)

    def tell(self, seq: int, fault: EntryFault, last: int | None = None) -> None:
        """Counts a fault, and names it where not too many are."""
        self.faults += 1
        if len(self.broken) < MOST_LISTED:
            self.broken.append(BrokenEntry(seq, fault, seq if last is None else last))


def check(connection: Connection, keys: AuditKeys = NO_KEYS, *, progress: Report = silent) -> TrailCheck:
    """Recomputes every seal, and compares the digests of rows with what the entries say of them.

    Args:
        connection: One that sees one state of the store throughout.
        keys: The keys of the trail, as far as they are given.
        progress: Called with the entries done and in all.
    """
    result, total = TrailCheck(), audit.count(connection)
    roots = _roots(connection)
    sealed = next(roots, None)
    last, previous = 0, audit.GENESIS
    for entry in _entries(connection):
        seq = int(entry["seq"])
        if seq > last + 1:
            result.tell(last + 1, EntryFault.MISSING, seq - 1)
        _check_entry(entry, result, keys, linked=seq > last + 1 or entry["previous"] == previous)
        while sealed is not None and sealed[0] < seq:
            result.tell(sealed[0], EntryFault.DIGESTS)
            sealed = next(roots, None)
        root = ""
        if sealed is not None and sealed[0] == seq:
            root, sealed = sealed[1], next(roots, None)
        if root != entry["rows"]:
            result.tell(seq, EntryFault.DIGESTS)
        if entry["rows"] and not result.covered_from:
            result.covered_from = seq
        last, previous = seq, str(entry["hash"])
        result.entries += 1
        if result.entries % _REPORT == 0:
            progress(CHECKING, result.entries, total)
    for seq, _ in [] if sealed is None else [sealed, *roots]:
        result.tell(seq, EntryFault.DIGESTS)
    result.head = (last, previous)
    _check_head(connection, result, keys)
    progress(CHECKING, total, total)
    return result


def _check_entry(entry: RowMapping, result: TrailCheck, keys: AuditKeys, *, linked: bool) -> None:
    seq, name = int(entry["seq"]), str(entry["key_name"])
    if not linked:
        result.tell(seq, EntryFault.UNLINKED)
    result.key_name = result.key_name or name
    if name != result.key_name:
        result.tell(seq, EntryFault.UNKEYED)
    result.newest_key = name
    key = keys.named(name) if name else None
    result.keyed += bool(name)
    if name and key is None:
        result.unchecked += 1
    elif entry["hash"] != audit.seal(entry, key):
        result.tell(seq, EntryFault.CHANGED)
        return
    if entry["action"] == audit.REKEY and name == result.key_name:
        # Only who has the key can hand the trail on to another one.
        result.key_name = _next_key(str(entry["detail"])) or name


def _next_key(detail: str) -> str:
    """The name of the key that an entry hands the trail on to, "" where it names none."""
    try:
        found = json.loads(detail)
    except ValueError:
        return ""
    return str(found.get("to", "")) if isinstance(found, dict) else ""


def _check_head(connection: Connection, result: TrailCheck, keys: AuditKeys) -> None:
    """Whether the head names the newest entry, and whether that is sealed with the key that is given."""
    seq, digest = audit.lock_free_head(connection)
    last = result.head[0]
    if seq > last:
        result.tell(last + 1, EntryFault.CUT, seq)
    elif (seq, digest) != (result.head if last else (0, digest)):
        result.tell(max(last, 1), EntryFault.HEAD)
    if keys.current is None or not last:
        return
    if not result.keyed:
        result.tell(1, EntryFault.UNKEYED, last)
    elif result.newest_key not in ("", keys.current.name):
        result.tell(last, EntryFault.UNKEYED)


def _entries(connection: Connection) -> Iterator[RowMapping]:
    query = select(entries).order_by(entries.c.seq)
    yield from connection.execute(query, execution_options={"yield_per": _BATCH}).mappings()


def _roots(connection: Connection) -> Iterator[tuple[int, str]]:
    """The common digest of what is stored of each entry's rows, in the order of the entries."""
    query = select(audit_rows).order_by(audit_rows.c.seq)
    parts = connection.execute(query, execution_options={"yield_per": _BATCH}).mappings()
    for seq, some in groupby(parts, key=lambda part: int(part["seq"])):
        yield seq, manifest.root(manifest.seal(part) for part in some)
