"""The reading check on the Test set page: what it says, and the way to it where nothing was checked."""

import pytest

from tests.pages.clicks import captions, keys
from tests.support.runs.three_runs import frozen_set, judged_run
from tests.support.small_bank import said


@pytest.fixture
def test_set(store, project):
    return frozen_set(store, project.id, 4, wordings=2)


def made(open_page, project, test_set):
    return open_page("test_set", project=project.id, test_set=test_set.id, view="counts")


def test_where_nothing_was_checked_it_leads_to_the_experiment(open_page, project, test_set):
    app = made(open_page, project, test_set)
    assert not app.exception
    assert "Not checked yet" in captions(app)
    app.button(key="check_data").click().run()
    assert not app.exception
    assert app.title[0].value == "Does it know, read or retrieve?"
    assert app.query_params["view"] == "start"


def test_the_newest_check_is_told_with_what_fails_and_opens(open_page, store, project, test_set):
    oracle = judged_run(store, test_set, "110011-1", options={"mode": "oracle"})
    live = judged_run(store, test_set, "10001111")
    app = made(open_page, project, test_set)
    assert not app.exception
    assert "(5/7) are answered right; 2 cases to look at, 1 case without a verdict" in said(app)
    assert "Of 1 fact with a reading failure 1 is a gap live" in said(app)
    assert "check_data" not in keys(app)
    app.button(key="open_reading").click().run()
    assert not app.exception
    assert (app.query_params["b"], app.query_params["run"]) == (oracle.id, live.id)
    assert "Do reading failures coincide with gaps?" in said(app)
