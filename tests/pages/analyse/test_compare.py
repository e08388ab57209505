"""The Compare page: two runs side by side, what is refused, what opens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.results.runs import Run
from core.domain.testset.cases import TestSet
from core.domain.testset.variants import PARENT_SET, VARIANTS
from core.store.results import runs
from core.store.testset import testsets
from pages.analyse.compare import pair
from tests.pages.clicks import captions, metrics
from tests.support.runs.compared_run import add_again, add_run
from tests.support.runs.mixed_run import mixed_run, mixed_set
from tests.support.small_bank import ACTOR, said


@pytest.fixture
def first(store, project):
    return add_run(store, project.id)


@pytest.fixture
def better(store, first):
    """Two answers more are right, one is wrong now."""
    return add_again(store, first, "run_better", flip=("case-3", "case-7", "case-0"), target="bm25")


@pytest.mark.slow
def test_one_run_is_not_enough(open_page, project, first):
    app = open_page("compare", project=project.id)
    assert "Two finished runs are needed" in said(app)
    assert app.button(key="go_run")


@pytest.mark.slow
def test_two_runs_show_what_changed(open_page, project, first, better):
    app = open_page("compare", project=project.id, run=better.id, a=first.id)
    assert not app.exception
    shown = metrics(app)
    assert (shown["Became right"], shown["Became wrong"]) == ("2", "1")
    # One of 23 more is right.
    assert shown["Change of accuracy"] == "+0.043"
    assert "No difference in accuracy is shown" in said(app)
    assert "How many verdicts change without any change of the system is not known" in said(app)
    assert any("system from recorded" in caption.value and "to bm25" in caption.value for caption in app.caption)
    assert "Who manages fund 0?" in said(app)


@pytest.mark.slow
def test_a_case_that_changed_opens_in_results(open_page, project, first, better):
    app = open_page("compare", project=project.id, run=better.id, a=first.id, view="fixed", case="case-7")
    assert "Who manages fund 7?" in said(app)
    app.button(key="open_b").click().run()
    assert app.query_params["case"] == "case-7"
    assert app.query_params["run"] == better.id


def test_repeated_runs_are_noise(open_page, store, project, first):
    live = add_again(store, first, "run_live", target="http:system.yaml")
    again = add_again(store, first, "run_again", flip=("case-3",), target="http:system.yaml")
    app = open_page("compare", project=project.id, run=again.id, a=live.id)
    assert "Without any change, " in said(app)
    assert any("Nothing in the settings of the two runs differs" in caption.value for caption in app.caption)


def test_another_judge_is_said_before_anything_is_compared(open_page, store, project, first):
    other = add_again(store, first, "run_other", judge="match")
    app = open_page("compare", project=project.id, run=other.id, a=first.id)
    assert "differ in more than the system: judge" in said(app)
    assert not app.metric
    app.checkbox(key="accept_differences").check().run()
    assert not app.exception
    assert "Change of accuracy" in metrics(app)


def test_a_run_on_variants_is_not_offered(open_page, store, project, first):
    options = {VARIANTS: {PARENT_SET: first.test_set_id}}
    variants = TestSet(id="ts_variants", project_id=project.id, name="Variants", options=options)
    with store.write(ACTOR, "test.variants", project_id=project.id) as connection:
        testsets.put(connection, variants)
        runs.put(connection, replace(first, id="run_variants", test_set_id=variants.id))
    app = open_page("compare", project=project.id)
    assert "Two finished runs are needed" in said(app)


@pytest.mark.slow
def test_every_other_run_of_the_test_set_stands_against_the_first(open_page, project, store, first, better):
    add_again(store, first, "run_same", target="dense")
    add_again(store, first, "run_judged_otherwise", judge="match")
    app = open_page("compare", project=project.id, run=better.id, a=first.id)
    assert not app.exception
    (frame,) = [item.value for item in app.table if "Became right" in item.value]
    changes = dict(zip(frame["Became right"] + " and " + frame["Became wrong"], frame["Change"], strict=True))
    assert changes.keys() == {"2 and 1", "0 and 0"}
    assert changes["2 and 1"].replace("\\", "").startswith("+0.043 [")


def test_the_earlier_run_is_the_one_before_the_change(open_page, store, project):
    mixed_set(store, project.id)
    ids = ["run_1", "run_2", "run_3"]
    for hour, run_id in enumerate(ids):
        mixed_run(store, project.id, run_id=run_id, at=f"2026-11-21T0{hour}:00:00+00:00")
    app = open_page("compare", project=project.id)
    assert (app.query_params["a"], app.query_params["run"]) == ("run_2", "run_3")
    # A link names the first one: whatever it is compared with is later, which is said.
    app = open_page("compare", project=project.id, run="run_1")
    assert "A is the later of the two runs" in captions(app)
    app = open_page("compare", project=project.id, run="run_2")
    assert app.query_params["a"] == "run_1"
    assert "A is the later" not in captions(app)


def test_the_first_run_in_view_is_compared_with_the_one_that_followed():
    made = [Run(id=name, project_id="p", test_set_id=of, target="x") for name, of in ("ct", "bt", "xu", "at")]
    newest, second, other, oldest = made
    assert pair.after_unasked(made, oldest) == second
    assert pair.after_unasked(made, second) == second
    assert pair.after_unasked(made, None) == newest
    # Nothing has its questions: it stays, and the others follow by time.
    assert pair.after_unasked(made, other) == other
    assert pair.before(made, second) == [oldest, newest, other]
