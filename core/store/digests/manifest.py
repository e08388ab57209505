"""What a transaction left in the covered tables, stored beside its audit entry and sealed by it."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, insert, select

from core.domain.identity import canonical_json
from core.store.digests.changes import Changes, Known
from core.store.digests.covered import BY_TABLE, COVERED, Covered
from core.store.digests.rows import GONE, PART, Key, asked_columns, by_key, digest, of_owner, picked
from core.store.tables import audit_rows

SIZE: Final = 32
"""Bytes of a digest."""

_QUICK: Final = 1
"""Level of the deflation: a write waits for it."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The rows of one owner that a transaction left: keys with what is shown, and digests, in the same order."""

    listed: list[tuple[Key, tuple[Any, ...]]] = field(default_factory=list)
    digests: list[bytes] = field(default_factory=list)

    def add(self, key: Key, shown: tuple[Any, ...], row_digest: bytes) -> None:
        """Adds one row."""
        self.listed.append((key, shown))
        self.digests.append(row_digest)


def store(connection: Connection, seq: int, changes: Changes) -> str:
    """Stores what a transaction left of the rows it touched.

    Args:
        connection: Of the transaction, before its audit entry is written.
        seq: Number of that entry.
        changes: What was noted.

    Returns:
        The digest of all of it, for the entry; "" where no covered row was touched.
    """
    parts: list[dict[str, Any]] = []
    for covered in COVERED:
        if covered.name not in changes.rows and covered.name not in changes.cleared:
            continue
        left = _left(connection, covered, changes.rows.get(covered.name, {}))
        cleared = changes.cleared.get(covered.name, set())
        # What stands there now counts: other rows may have come since, or the deletion was taken back.
        left |= {owner: _standing(connection, covered, owner) for owner in cleared}
        for owner in sorted(left):
            parts += _parts(seq, covered, owner, left[owner], cleared=owner in cleared)
    return keep(connection, parts)


def cover(connection: Connection, seq: int, names: Iterable[str]) -> str:
    """Stores the digests of every row that some tables hold now, in place of whatever was stored of them before."""
    parts: list[dict[str, Any]] = []
    for name in names:
        covered = BY_TABLE[name]
        for owner in owners(connection, covered):
            parts += _parts(seq, covered, owner, _standing(connection, covered, owner), cleared=True)
    return keep(connection, parts)


def owners(connection: Connection, covered: Covered) -> list[str]:
    """What the rows of a table belong to, each once; "" for rows of none."""
    if not covered.owner:
        return [""]
    query = select(covered.table.c[covered.owner]).distinct()
    return sorted({str(owner or "") for owner in connection.execute(query).scalars()})


def keep(connection: Connection, parts: Sequence[dict[str, Any]]) -> str:
    """Stores parts and returns their common digest, "" for none."""
    if not parts:
        return ""
    connection.execute(insert(audit_rows), list(parts))
    return root(seal(part) for part in parts)


def seal(part: RowMapping | dict[str, Any]) -> bytes:
    """The digest of one stored part, of all that it says."""
    head = [part["seq"], part["kind"], part["owner"], part["part"], part["columns"], bool(part["cleared"])]
    keys, digests = bytes(part["keys"]), bytes(part["digests"])
    body = sha256(keys).hexdigest(), sha256(digests).hexdigest()
    return sha256(canonical_json([*head, part["count"], *body]).encode("utf-8")).digest()


def root(seals: Iterable[bytes]) -> str:
    """The digest of all parts of an entry, whatever their order, as hexadecimal digits."""
    return sha256(b"".join(sorted(seals))).hexdigest()


def lines(part: RowMapping) -> tuple[tuple[str, ...], list[tuple[Key, tuple[Any, ...]]], bytes]:
    """What a stored part says.

    Returns:
        The names of the columns that are shown; key and shown columns of each row; the digests, 32 bytes a row.

    Raises:
        ValueError: It was damaged.
    """
    digests = bytes(part["digests"])
    try:
        listed = json.loads(zlib.decompress(bytes(part["keys"])))
        rows = [(tuple(key), tuple(shown)) for key, shown in listed["rows"]]
        names = tuple(str(name) for name in listed["shown"])
    except (zlib.error, KeyError, TypeError) as error:
        raise ValueError(str(error)) from error
    if len(digests) != SIZE * len(rows):
        raise ValueError(f"{len(rows)} keys come with {len(digests)} bytes of digests")
    return names, rows, digests


def _standing(connection: Connection, covered: Covered, owner: str) -> Batch:
    """Every row of an owner as it stands."""
    key, shown = picked(covered.columns, covered.key), picked(covered.columns, covered.shown)
    batch = Batch()
    for row in of_owner(connection, covered, owner, covered.columns):
        batch.add(key(row), shown(row), digest(row))
    return batch


def _left(connection: Connection, covered: Covered, noted: dict[Key, Known | str | None]) -> dict[str, Batch]:
    """What is left of rows, by owner; a row that came and went within the transaction leaves nothing."""
    if not noted:
        return {}
    left: defaultdict[str, Batch] = defaultdict(Batch)
    missing: dict[Key, str | None] = {}
    for asked_key, state in noted.items():
        if isinstance(state, tuple):
            left[state[0]].add(*state[1:])
        else:
            missing[asked_key] = state
    columns = covered.columns
    asked, key, shown = (picked(columns, names) for names in (asked_columns(covered), covered.key, covered.shown))
    owner_place = columns.index(covered.owner) if covered.owner else None
    for row in by_key(connection, covered, list(missing)):
        missing.pop(asked(row), None)
        left["" if owner_place is None else (row[owner_place] or "")].add(key(row), shown(row), digest(row))
    skip = len(asked_columns(covered)) - len(covered.key)
    for gone, owner in missing.items():
        if owner is not None:
            left[owner].add(gone[skip:], (), GONE)
    return left


def _parts(seq: int, covered: Covered, owner: str, batch: Batch, *, cleared: bool) -> Iterator[dict[str, Any]]:
    for number, start in enumerate(range(0, max(len(batch.listed), 1), PART)):
        listed = batch.listed[start : start + PART]
        yield {
            "seq": seq,
            "kind": covered.name,
            "owner": owner,
            "part": number,
            "columns": ",".join(covered.columns),
            "cleared": cleared and number == 0,
            "count": len(listed),
            "keys": zlib.compress(_packed({"shown": covered.shown, "rows": listed}), _QUICK),
            "digests": b"".join(batch.digests[start : start + PART]),
        }


def _packed(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), default=_hexadecimal).encode("ascii")


def _hexadecimal(value: object) -> str:
    """Bytes that are shown; no table shows any today, and a column that is changed to bytes must not end the write."""
    return bytes(value).hex() if isinstance(value, (bytes, memoryview)) else str(value)
