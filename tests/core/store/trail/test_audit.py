"""The chain shows every change made behind the store's back."""

from itertools import pairwise

import pytest
from sqlalchemy import text

from core.store.trail import audit


@pytest.fixture
def chained(store):
    for number in range(1, 6):
        with store.write(f"actor {number}", "test.step", project_id=f"p{number % 2}", detail={"number": number}):
            pass
    return store


def tampered(store, *statements):
    with store.pulse() as connection:
        for statement in statements:
            connection.execute(text(statement))
    with store.read() as connection:
        return audit.verify(connection)


def test_an_untouched_chain_holds(chained):
    with chained.read() as connection:
        assert audit.verify(connection) == (True, 5, None)
        listed = audit.entries(connection)
        assert [entry.seq for entry in listed] == [5, 4, 3, 2, 1]
        assert all(newer.previous == older.hash for newer, older in pairwise(listed))
        assert [entry.seq for entry in audit.entries(connection, "p1", limit=2, offset=1)] == [3, 1]
        assert audit.count(connection) == 5
        assert audit.count(connection, "p0") == 2


@pytest.mark.parametrize("column", ["at", "actor", "action", "project_id", "subject", "detail", "previous", "hash"])
def test_a_changed_field_is_found(chained, column):
    assert tampered(chained, f"UPDATE audit SET {column} = 'other' WHERE seq = 3") == (False, 5, 3)


@pytest.mark.parametrize(("gone", "first_bad"), [(1, 1), (3, 3), (5, 5)])
def test_a_deleted_entry_is_found_even_the_last(chained, gone, first_bad):
    assert tampered(chained, f"DELETE FROM audit WHERE seq = {gone}") == (False, 4, first_bad)


def test_an_inserted_entry_is_found(chained):
    columns = "at, actor, action, project_id, subject, detail, previous, hash"
    copy = f"INSERT INTO audit (seq, {columns}) SELECT 6, {columns} FROM audit WHERE seq = 5"
    assert tampered(chained, copy) == (False, 6, 6)


def test_an_inserted_entry_that_is_sealed_properly_is_found_by_the_head(chained):
    with chained.read() as connection:
        head = audit.lock_free_head(connection)
    with chained.pulse() as connection:
        audit.append(connection, head, "eve", "test.forged")
        connection.execute(text("UPDATE audit_head SET seq = :seq, hash = :hash"), {"seq": head[0], "hash": head[1]})
    with chained.read() as connection:
        assert audit.verify(connection) == (False, 6, 6)


def test_a_moved_or_missing_head_is_found(chained):
    assert tampered(chained, "UPDATE audit_head SET seq = 4") == (False, 5, 5)
    assert tampered(chained, "DELETE FROM audit_head") == (False, 5, 1)


def test_odd_text_can_be_read_back_and_checked(store):
    with store.write("a\x00nna \ud800", "x", detail={"text": "\ud800", "bytes": b"\x00"}):
        pass
    with store.read() as connection:
        assert audit.verify(connection).ok
        assert audit.entries(connection)[0].actor == "a\ufffdnna \ufffd"
