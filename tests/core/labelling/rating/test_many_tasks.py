"""A round of thousands of cases: each question finds its rows by the key and does not walk over the others'."""

import pytest
from sqlalchemy import Engine, event, text

from core.labelling.criteria import create_criterion
from core.labelling.rating.tasks import Given, next_task, previous_task, save_labels, task
from core.labelling.rounds import create_round
from core.labelling.sampling.records import Drawn
from core.store.database import Store
from tests.support.runs.answered_run import answered_run
from tests.support.stores import store_url

CASES = 5_000
RATERS = ("anna", "ben", "cleo")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def many(request, tmp_path_factory):
    """5,000 cases put to three raters: 15,000 tasks."""
    with store_url(request.param, tmp_path_factory.mktemp("many")) as url, Store.open(url) as store:
        yield store, *filled(store)


def filled(store):
    run = answered_run(store, CASES + 1)
    correct = create_criterion(store, run.project_id, name="Correct", question="Is it?", kind="binary", actor="val")
    made = create_round(
        store,
        run.id,
        name="Many",
        criteria=[correct.id],
        raters=RATERS,
        items=[Drawn(case_id=f"c{number}") for number in range(CASES)],
        overlap=3,
        actor="val",
    )
    return made, correct


def plans(store, ask):
    """How the database finds the rows of each query about tasks or labels that a call makes."""
    asked = []

    def note(connection, cursor, statement, parameters, context, executemany):
        # What somebody reads, not what is inserted.
        if statement.startswith("SELECT") and ("FROM label_tasks" in statement or "FROM labels" in statement):
            asked.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        ask()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert asked
    found = []
    with store.read() as connection:
        lite = connection.dialect.name == "sqlite"
        if not lite:
            # Without it PostgreSQL may rightly walk over a table that fits on a page.
            connection.execute(text("SET LOCAL enable_seqscan = off"))
        for statement, parameters in asked:
            words = "EXPLAIN QUERY PLAN " if lite else "EXPLAIN "
            found.append("\n".join(str(row) for row in connection.exec_driver_sql(words + statement, parameters)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("what", ["next_task", "task", "previous_task", "save_labels"])
def test_a_rater_s_questions_go_by_the_key(many, what):
    store, made, correct = many
    first = next_task(store, made.id, "anna")
    assert first is not None
    save_labels(store, made.id, "anna", first.case_id, given={correct.id: Given(value=1)}, seconds=1, actor="lab")
    asks = {
        "next_task": lambda: next_task(store, made.id, "anna", after=(first.case_id, 0)),
        "task": lambda: task(store, made.id, "anna", first.case_id),
        "previous_task": lambda: previous_task(store, made.id, "anna"),
        "save_labels": lambda: save_labels(
            store, made.id, "anna", first.case_id, given={correct.id: Given(value=0)}, seconds=1, actor="lab"
        ),
    }
    for plan in plans(store, asks[what]):
        assert "SCAN label" not in plan, plan
        assert "Seq Scan on label" not in plan, plan
        by_key = ("sqlite_autoindex_label", "label_tasks_pkey", "labels_pkey", "pk_label")
        assert any(key in plan for key in by_key), plan
        assert "round_id" in plan, plan
