"""Which rows a transaction touches: noted from its statements, those that a delete takes along among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Engine,
    Table,
    event,
    func,
    literal,
    select,
    true,
    tuple_,
)
from sqlalchemy.sql.dml import Delete, Insert, Update, UpdateBase

from core.store.digests.covered import BY_TABLE, Covered
from core.store.digests.rows import Key, asked_columns, digest, picked
from core.store.tables import metadata

_CHANGES: Final = "plumbline_changes"
_HIGHEST: Final = "plumbline_highest_number"


Known = tuple[str, Key, tuple[Any, ...], bytes]
"""A row whose every column was written: what it belongs to, its key, what is shown of it, and its digest."""


@dataclass(slots=True)
class Changes:
    """What a transaction has touched so far.

    Attributes:
        rows: By table, what rows are looked up by; with the row where it is known, else with its owner where that
            was known beforehand.
        cleared: By table, the owners whose rows all went.
        before: Called once before the first statement that touches a covered table.
    """

    rows: dict[str, dict[Key, Known | str | None]] = field(default_factory=dict)
    cleared: dict[str, set[str]] = field(default_factory=dict)
    before: Callable[[], object] | None = None

    def expect(self) -> None:
        """Says that a covered table is about to be touched."""
        if self.before is not None:
            before, self.before = self.before, None
            before()


def watch(engine: Engine) -> None:
    """Makes an engine's connections note the covered rows that their statements touch."""
    event.listen(engine, "before_execute", _before)
    event.listen(engine, "after_execute", _after)


def begin(connection: Connection, before: Callable[[], object] | None = None) -> Changes:
    """Starts noting; `before` is called ahead of the first statement that touches a covered table."""
    changes = Changes(before=before)
    connection.info[_CHANGES] = changes
    return changes


def end(connection: Connection) -> Changes:
    """What was noted; nothing is noted any more."""
    changes: Changes = connection.info.pop(_CHANGES)
    return changes


def _before(
    connection: Connection,
    statement: object,
    several: Sequence[Mapping[str, Any]],
    values: Mapping[str, Any],
    options: Mapping[str, Any],
) -> None:
    changes: Changes | None = connection.info.get(_CHANGES)
    if changes is None or not isinstance(statement, UpdateBase) or not isinstance(statement.table, Table):
        return
    table = statement.table
    touches = table.name in BY_TABLE or (isinstance(statement, Delete) and any(_children(table)))
    if not touches:
        return
    changes.expect()
    if isinstance(statement, Update):
        where = true() if statement.whereclause is None else statement.whereclause
        for bound in several or [values]:
            _note_matching(connection, changes, BY_TABLE[table.name], where, bound)
    elif isinstance(statement, Delete):
        where = true() if statement.whereclause is None else statement.whereclause
        _note_deleted(connection, changes, table, where)
    elif BY_TABLE[table.name].counted:
        highest = connection.execute(select(func.coalesce(func.max(table.c.seq), 0))).scalar_one()
        connection.info[_HIGHEST] = highest


def _after(
    connection: Connection,
    statement: object,
    several: Sequence[Mapping[str, Any]],
    values: Mapping[str, Any],
    options: Mapping[str, Any],
    result: Any,
) -> None:
    changes: Changes | None = connection.info.get(_CHANGES)
    if changes is None or not isinstance(statement, Insert) or statement.table.name not in BY_TABLE:
        return
    covered = BY_TABLE[statement.table.name]
    if covered.counted:
        new = covered.table.c.seq > connection.info.pop(_HIGHEST)
        numbers = connection.execute(select(covered.table.c.seq).where(new)).scalars()
        changes.rows.setdefault(covered.name, {}).update({(number,): None for number in numbers})
        return
    names = asked_columns(covered)
    clean = [getattr(covered.table.c[name].type, "process_bind_param", None) for name in names]
    keys = changes.rows.setdefault(covered.name, {})
    for row in result.context.compiled_parameters:
        key = tuple(
            step(row[name], connection.dialect) if step else row[name] for name, step in zip(names, clean, strict=True)
        )
        keys[key] = _owner_of(keys.get(key))


def expect(connection: Connection, table: Table) -> None:
    """Says that a table is about to be written past the events, before :func:`note_written`."""
    changes: Changes | None = connection.info.get(_CHANGES)
    if changes is not None and table.name in BY_TABLE:
        changes.expect()


def note_written(
    connection: Connection, table: Table, names: Sequence[str], values: Sequence[Sequence[Any]], *, as_given: bool
) -> None:
    """Notes rows that were inserted or replaced past the events.

    Args:
        connection: Of the write.
        table: The table; its rows do not have to be covered, but are not named by a number.
        names: The columns given.
        values: Of each row, as they were bound.
        as_given: Whether every row has these values now.
    """
    changes: Changes | None = connection.info.get(_CHANGES)
    covered = BY_TABLE.get(table.name)
    if changes is None or covered is None:
        return
    keys = changes.rows.setdefault(covered.name, {})
    asked = picked(names, asked_columns(covered))
    if not as_given or set(names) != set(covered.columns):
        keys.update({(key := asked(row)): _owner_of(keys.get(key)) for row in values})
        return
    whole, key_of = picked(names, covered.columns), picked(covered.columns, covered.key)
    shown = picked(covered.columns, covered.shown)
    owner = covered.columns.index(covered.owner) if covered.owner else None
    truths = [place for place, name in enumerate(covered.columns) if isinstance(covered.table.c[name].type, Boolean)]
    for given in values:
        row = _with_numbers(whole(given), truths) if truths else whole(given)
        keys[asked(given)] = ((row[owner] or "") if owner is not None else "", key_of(row), shown(row), digest(row))


def _with_numbers(row: tuple[Any, ...], truths: Sequence[int]) -> tuple[Any, ...]:
    """A row with its truth values as they count in a digest."""
    changed = list(row)
    for place in truths:
        if changed[place] is not None:
            changed[place] = int(changed[place])
    return tuple(changed)


def _owner_of(noted: Known | str | None) -> str | None:
    return noted[0] if isinstance(noted, tuple) else noted


def _note_matching(
    connection: Connection, changes: Changes, covered: Covered, where: ColumnElement[bool], bound: Mapping[str, Any]
) -> None:
    """Notes the rows that a condition finds, before a statement changes or deletes them."""
    names = asked_columns(covered)
    owner = covered.table.c[covered.owner] if covered.owner else literal("")
    query = select(*(covered.table.c[name] for name in names), owner.label("owner_of_row")).where(where)
    for row in connection.execute(query, dict(bound)).all():
        changes.rows.setdefault(covered.name, {})[tuple(row[: len(names)])] = row[len(names)] or ""


def _note_deleted(connection: Connection, changes: Changes, table: Table, where: ColumnElement[bool]) -> None:
    """Notes the rows that a condition finds in a table, and those that go with them."""
    if table.name in BY_TABLE:
        _note_matching(connection, changes, BY_TABLE[table.name], where, {})
    _note_children(connection, changes, table, where)


def _note_children(
    connection: Connection, changes: Changes, table: Table, where: ColumnElement[bool], owner: str | None = None
) -> None:
    """Notes what goes with the rows that a condition finds; with `owner` these are all rows of that owner."""
    parent = BY_TABLE.get(table.name)
    for child, here, there in _children(table):
        covered = BY_TABLE.get(child.name)
        gone = select(*there).where(where)
        if covered is not None and [column.name for column in here] == [covered.owner]:
            for value in connection.execute(gone.distinct()).scalars().all():
                _note_cleared(connection, changes, covered, str(value))
        elif covered is not None and parent is not None and owner is not None and covered.owner == parent.owner:
            _note_cleared(connection, changes, covered, owner)
        else:
            matches = here[0].in_(gone) if len(here) == 1 else tuple_(*here).in_(gone)
            _note_deleted(connection, changes, child, matches)


def _note_cleared(connection: Connection, changes: Changes, covered: Covered, owner: str) -> None:
    """Notes that every row of an owner goes; they need not be listed."""
    owners = changes.cleared.setdefault(covered.name, set())
    if owner not in owners:
        owners.add(owner)
        noted = changes.rows.get(covered.name, {})
        # What was written earlier in the transaction goes with the rest.
        noted.update({key: owner for key, row in noted.items() if isinstance(row, tuple) and row[0] == owner})
        _note_children(connection, changes, covered.table, covered.table.c[covered.owner] == owner, owner)


def _children(table: Table) -> Iterator[tuple[Table, list[Column[Any]], list[Column[Any]]]]:
    """The tables that lose rows with those of a table: their columns, and the columns these point at."""
    for child in metadata.tables.values():
        for key in child.foreign_key_constraints:
            if key.ondelete == "CASCADE" and key.referred_table is table:
                yield child, list(key.columns), [element.column for element in key.elements]
