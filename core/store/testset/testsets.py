"""Test sets and their cases; a frozen set never changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from sqlalchemy import ColumnElement, Connection, RowMapping, func, select, update
from sqlalchemy import delete as delete_rows

from core.domain.errors import Conflict, NotFound
from core.domain.testset.cases import TestCase, TestSet
from core.store.codec import from_row, to_row
from core.store.results.search import contains
from core.store.tables import cases as case_rows
from core.store.tables import runs, test_sets
from core.store.writing.upsert import add_missing
from core.store.writing.upsert import put as upsert


def put(connection: Connection, test_set: TestSet) -> None:
    """Stores a test set, or replaces the draft with its id.

    Raises:
        Conflict: The stored one is frozen, or the project has another set of this name and version.
    """
    stored = _row(connection, test_set.id)
    if stored is not None:
        _require_draft(stored)
    twin = connection.execute(
        select(test_sets.c.id).where(
            test_sets.c.project_id == test_set.project_id,
            test_sets.c.name == test_set.name,
            test_sets.c.version == test_set.version,
            test_sets.c.id != test_set.id,
        )
    ).first()
    if twin is not None:
        raise Conflict(
            f"The project has a test set {test_set.name}, version {test_set.version}, already.",
            "Give it another name or the next version.",
        )
    upsert(connection, test_sets, [to_row(test_set)], key=["id"])


def get(connection: Connection, test_set_id: str) -> TestSet:
    """The test set of that id.

    Raises:
        NotFound: There is none.
    """
    return from_row(TestSet, _existing_row(connection, test_set_id))


def all(connection: Connection, project_id: str) -> list[TestSet]:
    """The test sets of a project, newest first."""
    query = select(test_sets).where(test_sets.c.project_id == project_id).order_by(test_sets.c.seq.desc())
    return [from_row(TestSet, row) for row in connection.execute(query).mappings()]


def put_cases(connection: Connection, test_set_id: str, cases: Sequence[TestCase]) -> None:
    """Adds cases to a draft.

    Raises:
        Conflict: The set is frozen, or has a case of the same id.
        NotFound: There is no such set.
    """
    _require_draft(_existing_row(connection, test_set_id))
    rows = [
        {"test_set_id": test_set_id, "reference_text": "\n".join(case.reference_answers), **to_row(case)}
        for case in cases
    ]
    added = add_missing(connection, case_rows, rows, key=["test_set_id", "case_id"])
    if added < len(rows):
        raise Conflict(
            f"{len(rows) - added} of {len(rows)} cases have the id of another case of the set.",
            "Give each case an id of its own.",
        )


def cases(
    connection: Connection,
    test_set_id: str,
    *,
    form: str | None = None,
    sql_template_id: str | None = None,
    search: str = "",
    include_excluded: bool = False,
    limit: int | None = None,
    offset: int = 0,
) -> tuple[TestCase, ...]:
    """The cases of a test set in the order they were added.

    Args:
        connection: From the store.
        test_set_id: The set; one that does not exist has no cases.
        form: Only cases of this form.
        sql_template_id: Only cases of this SQL template.
        search: Only cases whose question or reference answers contain this text, whatever its letter case.
        include_excluded: Also those a person took out.
        limit: The most to return.
        offset: How many to leave out at the start.
    """
    query = select(case_rows).where(*_filters(test_set_id, form, sql_template_id, search, include_excluded))
    rows = connection.execute(query.order_by(case_rows.c.seq).limit(limit).offset(offset)).mappings()
    return tuple(from_row(TestCase, row) for row in rows)


def count(
    connection: Connection,
    test_set_id: str,
    *,
    form: str | None = None,
    sql_template_id: str | None = None,
    search: str = "",
    include_excluded: bool = False,
) -> int:
    """How many cases :func:`cases` would return without a limit."""
    where = _filters(test_set_id, form, sql_template_id, search, include_excluded)
    return int(connection.execute(select(func.count()).select_from(case_rows).where(*where)).scalar_one())


def values(connection: Connection, test_set_id: str, column: Literal["form", "sql_template_id"]) -> list[str]:
    """The values of a column over the cases of a test set, each once, in order of appearance; empty ones left out."""
    stored_column = case_rows.c[column]
    query = select(stored_column).where(case_rows.c.test_set_id == test_set_id, stored_column != "")
    return list(connection.execute(query.group_by(stored_column).order_by(func.min(case_rows.c.seq))).scalars())


def gold_ids(connection: Connection, test_set_id: str) -> Iterator[str]:
    """The gold ids of the cases that are not excluded, with repetitions, in the order of the cases."""
    query = select(case_rows.c.gold_document_ids).where(
        case_rows.c.test_set_id == test_set_id, case_rows.c.excluded == ""
    )
    for listed in connection.execute(query.order_by(case_rows.c.seq)).scalars():
        yield from listed


def case(connection: Connection, test_set_id: str, case_id: str) -> TestCase:
    """One case, excluded or not.

    Raises:
        NotFound: The set has none of that id.
    """
    query = select(case_rows).where(case_rows.c.test_set_id == test_set_id, case_rows.c.case_id == case_id)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise NotFound(f"The test set has no case {case_id}.", "Choose one from the list of cases.")
    return from_row(TestCase, row)


def exclude(connection: Connection, test_set_id: str, case_id: str, reason: str) -> None:
    """Takes a case out of a draft and keeps the reason.

    Raises:
        Conflict: The set is frozen.
        NotFound: There is no such set or case.
    """
    _set_excluded(connection, test_set_id, case_id, reason.strip() or "no reason given")


def include(connection: Connection, test_set_id: str, case_id: str) -> None:
    """Puts an excluded case back into a draft.

    Raises:
        Conflict: The set is frozen.
        NotFound: There is no such set or case.
    """
    _set_excluded(connection, test_set_id, case_id, "")


def freeze(connection: Connection, test_set_id: str, content_hash: str, at: str) -> None:
    """Makes a draft final.

    Raises:
        Conflict: It is frozen already.
        NotFound: There is no such set.
    """
    _require_draft(_existing_row(connection, test_set_id))
    connection.execute(
        update(test_sets).where(test_sets.c.id == test_set_id).values(content_hash=content_hash, frozen_at=at)
    )


def delete(connection: Connection, test_set_id: str) -> None:
    """Deletes a draft with its cases.

    Raises:
        Conflict: It is frozen, or a run uses it.
        NotFound: There is no such set.
    """
    row = _existing_row(connection, test_set_id)
    _require_draft(row)
    if connection.execute(select(runs.c.id).where(runs.c.test_set_id == test_set_id).limit(1)).first():
        raise Conflict(f"A run uses test set {row['name']}.", "It stays as long as the run does.")
    connection.execute(delete_rows(test_sets).where(test_sets.c.id == test_set_id))


def _set_excluded(connection: Connection, test_set_id: str, case_id: str, reason: str) -> None:
    _require_draft(_existing_row(connection, test_set_id))
    case(connection, test_set_id, case_id)
    connection.execute(
        update(case_rows)
        .where(case_rows.c.test_set_id == test_set_id, case_rows.c.case_id == case_id)
        .values(excluded=reason)
    )


def _row(connection: Connection, test_set_id: str) -> RowMapping | None:
    return connection.execute(select(test_sets).where(test_sets.c.id == test_set_id)).mappings().one_or_none()


def _existing_row(connection: Connection, test_set_id: str) -> RowMapping:
    row = _row(connection, test_set_id)
    if row is None:
        raise NotFound(f"There is no test set {test_set_id}.", "Choose one on the Test set page.")
    return row


def _require_draft(row: RowMapping) -> None:
    if row["frozen_at"]:
        raise Conflict(
            f"Test set {row['name']}, version {row['version']}, was frozen at {row['frozen_at']}.",
            "Make a new version to change it.",
        )


def _filters(
    test_set_id: str, form: str | None, sql_template_id: str | None, search: str, include_excluded: bool
) -> list[ColumnElement[bool]]:
    where: list[ColumnElement[bool]] = [case_rows.c.test_set_id == test_set_id]
    if not include_excluded:
        where.append(case_rows.c.excluded == "")
    if form is not None:
        where.append(case_rows.c.form == form)
    if sql_template_id is not None:
        where.append(case_rows.c.sql_template_id == sql_template_id)
    match = contains(search, case_rows.c.question, case_rows.c.reference_text)
    return where if match is None else [*where, match]
