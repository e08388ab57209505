"""Whatever statements a write makes, the digests are of what it leaves."""

import random

import pytest
import sqlalchemy as sa

from core.store import tables
from core.store.tables import metadata
from core.store.writing.upsert import add_missing, put
from tests.support.evidence import broken, fill
from tests.support.stores import with_run


def score_row(case, metric, value, **more):
    return {
        "run_id": "run_1",
        "case_id": case,
        "metric": metric,
        "value": value,
        "status": "scored",
        "detail": {"sentences": [0.1, "ü"]},
        **more,
    }


WHOLE = {"edited": False, "generation": 1}
KEY = ["run_id", "case_id", "metric"]


@pytest.mark.parametrize("more", [{}, WHOLE], ids=["some columns", "every column"])
@pytest.mark.parametrize("value", [0.1, 1, None, -0.0, 1e-300])
def test_rows_that_are_put_hold(store, value, more):
    with_run(store)
    for number in range(2):
        with store.write("anna", "run.score", project_id="prj_1", subject="run_1") as connection:
            rows = [score_row(f"c{case}", "m\u00e9", value, **more) for case in range(number + 2)]
            put(connection, tables.scores, rows, key=KEY)
        assert broken(store) == []


def test_rows_that_are_left_alone_keep_their_digest(store):
    with_run(store)
    for value in (0.1, 0.2):
        with store.write("anna", "run.score", project_id="prj_1", subject="run_1") as connection:
            rows = [score_row(f"c{case}", "m", value, **WHOLE) for case in range(int(value * 10))]
            assert add_missing(connection, tables.scores, rows, key=KEY) == 1
        assert broken(store) == []


def test_text_that_no_database_can_hold_is_digested_as_it_is_stored(store):
    with_run(store)
    with store.write("anna", "run.score", project_id="prj_1", subject="run_1") as connection:
        put(connection, tables.scores, [score_row("c\x00 \ud800", "m", 1.0, **WHOLE)], key=KEY)
        connection.execute(sa.insert(tables.score_columns), {"run_id": "run_1", "metric": "\x00", "values": b"\x00"})
    assert broken(store) == []


def test_a_row_that_is_put_and_goes_with_its_run_holds(store):
    with_run(store)
    with store.write("anna", "run.score", project_id="prj_1", subject="run_1") as connection:
        put(connection, tables.scores, [score_row("c1", "m", 1.0, **WHOLE)], key=KEY)
        connection.execute(sa.delete(tables.runs))
    assert broken(store) == []


@pytest.mark.slow
def test_rows_of_two_writers_at_the_same_number_hold(store):
    """Rows that the database numbers are found by their numbers, whatever they say."""
    with_run(store)
    for _ in range(2):
        with store.pulse("prj_1", "run_1") as connection:
            connection.execute(sa.insert(tables.score_edits), [edit_row(), edit_row()])
    assert broken(store) == []
    with store.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(tables.score_edits)).scalar_one() == 4


def edit_row():
    return {
        "run_id": "run_1",
        "case_id": "c1",
        "metric": "m",
        "before_edited": False,
    }


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_any_deletion_and_any_change_through_the_store_holds(store, seed):
    """Rows go with others by foreign keys in every table; what is left must be what the digests say."""
    chance = random.Random(seed)
    for number in range(1, 4):
        fill(store, number=number)
    covered = [table for name, table in metadata.tables.items() if name not in {"audit", "audit_head", "audit_rows"}]
    for _ in range(12):
        table = chance.choice(covered)
        with store.write("anna", "test.any") as connection:
            column = chance.choice([column for column in table.c if isinstance(column.type, sa.Text)] or [None])
            where = sa.true() if column is None else column.like(f"%{chance.randint(1, 3)}")
            if column is None or column.primary_key or column.foreign_keys or chance.random() < 0.4:
                delete(connection, table, where)
            else:
                connection.execute(sa.update(table).where(where).values({column.name: column + "!"}))
        assert broken(store) == [], table.name


def delete(connection, table, where):
    """Deletes rows, unless others that do not go with them point at them."""
    try:
        with connection.begin_nested():
            connection.execute(sa.delete(table).where(where))
    except sa.exc.IntegrityError:
        pass
