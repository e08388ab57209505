"""Comparing the rows that stand in the tables with the digests of what was written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, func, select
from sqlalchemy.exc import DBAPIError

from core.domain.jobs import Report, silent
from core.store.digests import manifest
from core.store.digests.covered import BY_TABLE, COVERED, Covered
from core.store.digests.rows import GONE, Key, digest, of_owner, picked
from core.store.tables import audit_rows

MOST_LISTED: Final = 50
"""Rows of one owner that are named; all of them are counted."""

CHECKING: Final = "Checking rows"


class Kind(StrEnum):
    """What is wrong with a row."""

    CHANGED = "changed"
    DELETED = "deleted"
    ADDED = "added"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenRow:
    """A row that does not stand as it was written.

    Attributes:
        kind: What is wrong.
        table: Its table.
        owner: What it belongs to: a project, run, test set, source or label round.
        key: Names it among the rows of its owner.
        entry: Number of the audit entry that wrote it last, 0 for none.
        expected: What it was, by column, as far as that was kept; with its ``digest``.
        found: What it is, by the same names.
        columns: The columns that differ, where that can be said; those among which the change is, where it cannot.
        certain: Whether each of `columns` differs.
    """

    kind: Kind
    table: str
    owner: str
    key: Mapping[str, object] = field(default_factory=dict)
    entry: int = 0
    expected: Mapping[str, object] = field(default_factory=dict)
    found: Mapping[str, object] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    certain: bool = True


@dataclass(slots=True, kw_only=True)
class RowCheck:
    """What a check of rows found.

    Attributes:
        rows: How many rows stand in the covered tables.
        counts: How many are wrong, by kind and table.
        broken: Those of them that are named.
    """

    rows: int = 0
    counts: Counter[tuple[Kind, str]] = field(default_factory=Counter)
    broken: list[BrokenRow] = field(default_factory=list)


def check(
    connection: Connection, *, progress: Report = silent, should_stop: Callable[[], bool] = lambda: False
) -> RowCheck:
    """Compares every row of the covered tables with what was written of it last; linear in rows and digests.

    Args:
        connection: One that sees one state of the store throughout.
        progress: Called with the rows done and in all.
        should_stop: Called for each owner of rows; what was checked until then is returned.
    """
    total = sum(
        int(connection.execute(select(func.count()).select_from(covered.table)).scalar_one()) for covered in COVERED
    )
    written = _written(connection)
    result = RowCheck()
    progress(CHECKING, 0, total)
    for covered in COVERED:
        for owner in sorted({*written.get(covered.name, ()), *manifest.owners(connection, covered)}):
            if should_stop():
                return result
            _check_owner(connection, covered, owner, result)
            progress(CHECKING, result.rows, total)
    return result


def _written(connection: Connection) -> dict[str, set[str]]:
    """By table, the owners whose rows have digests."""
    owners: dict[str, set[str]] = {}
    for kind, owner in connection.execute(select(audit_rows.c.kind, audit_rows.c.owner).distinct()):
        owners.setdefault(kind, set()).add(owner)
    return owners


@dataclass(slots=True)
class _Expected:
    """What the rows of one owner were when they were written last.

    Attributes:
        parts: The stored parts, oldest first.
        digests: Of each part.
        places: Of each row's key, where its last digest stands: the number of the part, and its place in it.
    """

    parts: list[RowMapping] = field(default_factory=list)
    digests: list[bytes] = field(default_factory=list)
    places: dict[Key, tuple[int, int]] = field(default_factory=dict)

    def digest_at(self, place: tuple[int, int]) -> bytes:
        part, line = place
        return self.digests[part][line * manifest.SIZE : (line + 1) * manifest.SIZE]

    def shown_at(self, place: tuple[int, int]) -> dict[str, object]:
        """What was kept readable of a row."""
        part, line = place
        names, rows, _ = manifest.lines(self.parts[part])
        return dict(zip(names, rows[line][1], strict=False))


def _check_owner(connection: Connection, covered: Covered, owner: str, result: RowCheck) -> None:
    expected = _expected(connection, covered, owner, result)
    listed = 0

    def tell(broken: BrokenRow) -> None:
        nonlocal listed
        result.counts[broken.kind, covered.name] += 1
        listed += 1
        if listed <= MOST_LISTED:
            result.broken.append(broken)

    key_of = picked(covered.columns, covered.key)
    digesting = [_digesting(covered, part["columns"]) for part in expected.parts]
    places, waiting = expected.places, dict(expected.places)
    for row in _rows(connection, covered, owner, tell):
        result.rows += 1
        key = key_of(row)
        place = waiting.pop(key, None)
        if place is None or expected.digest_at(place) == GONE:
            tell(_broken(Kind.ADDED, covered, owner, key, row, expected, places.get(key)))
        elif digesting[place[0]](row) != expected.digest_at(place):
            tell(_broken(Kind.CHANGED, covered, owner, key, row, expected, place))
    for key, place in waiting.items():
        if expected.digest_at(place) != GONE:
            tell(_broken(Kind.DELETED, covered, owner, key, None, expected, place))


def _expected(connection: Connection, covered: Covered, owner: str, result: RowCheck) -> _Expected:
    expected = _Expected()
    query = select(audit_rows).where(audit_rows.c.kind == covered.name, audit_rows.c.owner == owner)
    for part in connection.execute(query.order_by(audit_rows.c.seq, audit_rows.c.part)).mappings():
        try:
            _, rows, digests = manifest.lines(part)
        except ValueError:
            result.counts[Kind.UNREADABLE, covered.name] += 1
            result.broken.append(
                BrokenRow(kind=Kind.UNREADABLE, table=covered.name, owner=owner, entry=int(part["seq"]))
            )
            continue
        if part["cleared"]:
            expected.places.clear()
        number = len(expected.parts)
        expected.places.update({key: (number, place) for place, (key, _) in enumerate(rows)})
        expected.parts.append(part)
        expected.digests.append(digests)
    return expected


def _rows(
    connection: Connection, covered: Covered, owner: str, tell: Callable[[BrokenRow], None]
) -> Iterator[Sequence[Any]]:
    """The rows of an owner; where the database cannot give them, for bytes that are no text, this is told."""
    try:
        yield from of_owner(connection, covered, owner, covered.columns)
    except DBAPIError as error:
        reason = str(error.orig).strip().splitlines()[0]
        tell(BrokenRow(kind=Kind.UNREADABLE, table=covered.name, owner=owner, found={"reason": reason}))


def _digesting(covered: Covered, columns: str) -> Callable[[Sequence[Any]], bytes]:
    """How a row is digested by the columns that a part has digests of; a column that was added later is no part."""
    names = columns.split(",")
    if tuple(names) == covered.columns:
        return digest
    pick = picked(covered.columns, names)
    return lambda row: digest(pick(row))


def _broken(
    kind: Kind,
    covered: Covered,
    owner: str,
    key: Key,
    row: Sequence[Any] | None,
    expected: _Expected,
    place: tuple[int, int] | None,
) -> BrokenRow:
    part = expected.parts[place[0]] if place else None
    was = expected.shown_at(place) if place and kind is not Kind.ADDED else {}
    names = tuple(was) or covered.shown
    found = {} if row is None else dict(zip(names, picked(covered.columns, names)(row), strict=False))
    differing = tuple(name for name in was if row is not None and was[name] != found[name])
    others = tuple(name for name in covered.columns if name not in (*covered.key, covered.owner, *names))
    return BrokenRow(
        kind=kind,
        table=covered.name,
        owner=owner,
        key=dict(zip(covered.key, key, strict=True)),
        entry=int(part["seq"]) if part else 0,
        expected=was | ({"digest": expected.digest_at(place).hex()} if place and kind is not Kind.ADDED else {}),
        found=found | ({} if row is None else {"digest": digest(row).hex()}),
        columns=differing or (others if kind is Kind.CHANGED else ()),
        certain=bool(differing) or len(others) == 1,
    )


def owner_of(table: str) -> str:
    """The column that a table's rows belong to something by, "" for a project."""
    return BY_TABLE[table].owner
