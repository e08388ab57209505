"""Whatever is changed in the tables behind the store's back is told, and nothing else is."""

import pytest
import sqlalchemy as sa

from core.store import projects
from core.store.database import Store
from core.store.digests import checking, manifest
from core.store.digests.checking import Kind
from core.store.digests.covered import BY_TABLE, COVERED, UNCOVERED
from core.store.tables import audit_rows, metadata, runs, scores
from tests.support.evidence import behind, broken, fill
from tests.support.stores import with_run

PARTS = sa.select(audit_rows).order_by(audit_rows.c.seq)


@pytest.fixture
def filled(store):
    fill(store)
    return store


def changed_column(covered):
    names = [name for name in covered.columns if name not in (*covered.key, covered.owner, "seq", "id")]
    plain = [name for name in names if not covered.table.c[name].foreign_keys]
    return plain[-1] if plain else names[-1]


def other_value(column):
    if isinstance(column.type, sa.JSON):
        return "'{\"other\": 1}'"
    if isinstance(column.type, sa.Boolean):
        return "false"
    if isinstance(column.type, (sa.Float, sa.Integer)):
        return "3"
    return "'\\x01'" if isinstance(column.type, sa.LargeBinary) else "'other'"


def test_every_table_is_covered_or_left_out_on_purpose():
    assert set(BY_TABLE) | UNCOVERED == set(metadata.tables)
    assert not set(BY_TABLE) & UNCOVERED


def test_owners_stand_before_what_belongs_to_them():
    places = {covered.name: place for place, covered in enumerate(COVERED)}
    for covered in COVERED:
        for key in covered.table.foreign_key_constraints:
            assert places[key.referred_table.name] < places[covered.name], covered.name


@pytest.mark.slow
def test_an_untouched_store_holds(filled):
    with filled.read() as connection:
        result = checking.check(connection)
    assert (result.rows, result.broken) == (len(COVERED), [])


@pytest.mark.slow
def test_a_changed_row_is_told_in_every_table(filled):
    for covered in COVERED:
        column = changed_column(covered)
        behind(filled, f'UPDATE {covered.name} SET "{column}" = {other_value(covered.table.c[column])}')
    with filled.read() as connection:
        result = checking.check(connection)
    assert [(row.kind, row.table) for row in result.broken] == [(Kind.CHANGED, covered.name) for covered in COVERED]
    for row, covered in zip(result.broken, COVERED, strict=True):
        assert changed_column(covered) in row.columns
        assert row.expected["digest"] != row.found["digest"]


@pytest.mark.slow
def test_a_deleted_row_is_told_in_every_table(filled):
    for covered in reversed(COVERED):
        behind(filled, f"DELETE FROM {covered.name}")
    assert broken(filled) == [("deleted", covered.name) for covered in COVERED]


@pytest.mark.slow
def test_an_added_row_is_told_in_every_table(store):
    fill(store)
    fill(store, number=2)
    # What nobody wrote down is what nobody wrote.
    behind(store, "DELETE FROM audit_rows WHERE seq > (SELECT count(*) / 2 FROM audit)")
    assert broken(store) == [("added", covered.name) for covered in COVERED]


@pytest.mark.slow
def test_a_changed_label_is_told_with_its_value_and_its_rater(filled):
    behind(filled, "UPDATE labels SET value = 1.0")
    with filled.read() as connection:
        (row,) = checking.check(connection).broken
    assert (row.kind, row.table, row.columns, row.certain) == (Kind.CHANGED, "labels", ("value",), True)
    assert (row.expected["value"], row.found["value"]) == (0.1 + 0.2, 1.0)
    assert row.key["criterion_id"] == "criteria_1"
    assert row.entry == 1 + [covered.name for covered in COVERED].index("labels")


def test_text_moved_from_one_column_to_the_next_is_told(store):
    with_run(store)
    behind(store, "UPDATE projects SET name = 'Ban', description = 'k' || description")
    assert broken(store) == [("changed", "projects")]


def test_an_added_column_is_no_change(filled):
    """A later version adds a column; rows that were written before are compared by the columns they had."""
    with filled.write("anna", "test.older"):
        pass
    with filled.pulse() as connection:
        (part,) = connection.execute(PARTS.where(audit_rows.c.kind == "members")).mappings()
    assert checking._digesting(BY_TABLE["members"], "project_id,actor")(("p", "anna", "owner")) != part["digests"]


@pytest.mark.slow
def test_what_the_store_changes_and_deletes_itself_holds(filled):
    fill(filled, number=2)
    with filled.write("ben", "test.change") as connection:
        connection.execute(sa.update(runs).where(runs.c.id == "runs_1").values(state="finished"))
        connection.execute(sa.update(scores).values(value=1.0))
    assert broken(filled) == []
    with filled.write("ben", "project.delete", project_id="projects_1") as connection:
        projects.remove(connection, "projects_1")
    assert broken(filled) == []
    with filled.read() as connection:
        assert checking.check(connection).rows == len(COVERED)
    behind(filled, "UPDATE scores SET value = 0.5")
    assert broken(filled) == [("changed", "scores")]


@pytest.mark.slow
def test_a_write_that_fails_leaves_no_digest(filled):
    def fail():
        with filled.write("ben", "test.fail") as connection:
            connection.execute(sa.update(runs).values(state="finished"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert broken(filled) == []


def test_a_row_that_comes_and_goes_within_one_write_holds(store):
    run = with_run(store)
    with store.write("ben", "test.twice", project_id=run.project_id) as connection:
        connection.execute(sa.update(runs).values(state="finished"))
        connection.execute(sa.delete(runs).where(runs.c.id == run.id))
        connection.execute(sa.insert(runs), {**_run_row(run), "id": "run_2"})
        connection.execute(sa.delete(runs).where(runs.c.id == "run_2"))
    assert broken(store) == []


def _run_row(run):
    return {
        "project_id": run.project_id,
        "test_set_id": run.test_set_id,
        "seed": 0,
        "options": {},
    }


def test_a_damaged_digest_is_told_and_ends_nothing(filled):
    behind(filled, "UPDATE audit_rows SET keys = '\\x01' WHERE kind = 'labels'")
    assert ("unreadable", "labels") in broken(filled)


def test_many_broken_rows_are_all_counted(store):
    run = with_run(store, cases=120)
    behind(store, "UPDATE cases SET question = 'other'")
    with store.read() as connection:
        result = checking.check(connection)
    assert result.counts == {(Kind.CHANGED, "cases"): 120}
    assert len(result.broken) == checking.MOST_LISTED
    assert run.id


def test_progress_counts_rows_and_a_stop_is_heard(filled):
    seen = []
    with filled.read() as connection:
        checking.check(connection, progress=lambda stage, done, total, item="": seen.append((done, total)))
        stopped = checking.check(connection, should_stop=lambda: True)
    assert seen[-1] == (len(COVERED), len(COVERED))
    assert stopped.rows == 0


@pytest.mark.slow
def test_both_databases_digest_a_row_alike(tmp_path, schemas):
    digests = []
    with schemas.blank() as postgresql:
        for url in (f"sqlite:///{tmp_path / 'a.sqlite'}", postgresql):
            with Store.open(url) as store:
                fill(store)
                with store.read() as connection:
                    parts = connection.execute(PARTS).mappings().all()
                    digests.append({part["kind"]: manifest.lines(part) for part in parts})
    assert digests[0] == digests[1]
