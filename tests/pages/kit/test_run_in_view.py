"""Which run a page shows where its link names none, how it says so, and what it writes into the link."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.results.runs import RunState
from core.store.results import runs
from tests.pages.clicks import captions


@pytest.mark.slow
def test_a_page_opens_no_run_that_is_still_going(open_page, finished, bank):
    with finished.read() as connection:
        run = runs.all(connection, bank.id)[0]
    going = replace(run, id="run_going", state=RunState.RUNNING, finished_at="")
    with finished.write("local", "run.create", project_id=bank.id, subject=going.id) as connection:
        runs.put(connection, going)
    for page in ("results", "diagnose", "weakness", "judges", "safety"):
        app = open_page(page, project=bank.id)
        assert app.query_params["run"] == run.id
        assert "Showing the newest finished run" in captions(app)
        assert "a later run is still going" in captions(app)
    app = open_page("results", project=bank.id, run="run_going")
    assert "its figures still change" in captions(app)


def test_without_a_finished_run_a_page_says_so_and_shows_it_on_request(open_page, finished, bank):
    with finished.read() as connection:
        run = runs.all(connection, bank.id)[0]
    with finished.write("local", "run.state", project_id=bank.id, subject=run.id) as connection:
        runs.put(connection, replace(run, state=RunState.RUNNING, finished_at=""))
    app = open_page("diagnose", project=bank.id)
    assert "run" not in app.query_params
    assert "No run is finished yet" in " ".join(item.value for item in app.markdown)
    app.button(key="show_unfinished").click().run()
    assert app.query_params["run"] == run.id
    assert not app.exception


def test_a_page_writes_what_it_chose_into_the_link(open_page, bank):
    app = open_page("weakness", project=bank.id)
    assert {"run", "score", "attribute", "by"} <= set(app.query_params)
    app = open_page("diagnose", project=bank.id, view="hypothesis")
    assert {"run", "attribute", "a", "b"} <= set(app.query_params)
