"""The case workbench: wrong answers first, a case opened by itself, next and previous, handing a case on."""

from __future__ import annotations

import pytest

from core.domain.results.findings import Finding, FindingKind, finding_id
from core.domain.results.responses import Score
from core.labelling.chosen_cases import rounds_for_chosen
from core.labelling.criteria import ensure_default_criteria
from core.project.service import create_project
from core.store.people import findings
from core.store.results import scores
from core.weakness.findings.cases import written_findings
from pages.evaluate.results import reads as results
from pages.evaluate.results.reads import CaseQuery
from pages.evaluate.results.workbench import case_list
from tests.pages.clicks import as_viewer, captions, keys
from tests.support.runs import scored_run
from tests.support.small_bank import ACTOR, said


@pytest.fixture
def project(store):
    return create_project(store, "Loans assistant", ACTOR)


@pytest.fixture
def fees(store, project):
    """Twelve rows: every third is wrong, the last has no verdict."""
    return scored_run.add_run(store, project.id, scored_run.rows())


def test_wrong_answers_come_first_then_those_without_a_verdict(store, fees):
    ids = results.order(store, fees.id, CaseQuery(worst=True))
    places = [int(case_id.split("-")[1]) for case_id in ids]
    assert places == [0, 3, 6, 9, 11, 1, 2, 4, 5, 7, 8, 10]


def test_within_them_the_worst_score_comes_first(store, fees):
    values = [Score(case_id=f"case-{place}", metric="recall", value=1 - place / 20) for place in range(11)]
    with store.write(ACTOR, "test.scores") as connection:
        scores.put(connection, fees.id, values)
    least = results.order(store, fees.id, CaseQuery(worst=True, doubt="recall"))
    assert [int(case_id.split("-")[1]) for case_id in least] == [9, 6, 3, 0, 11, 10, 8, 7, 5, 4, 2, 1]
    greatest = results.order(store, fees.id, CaseQuery(worst=True, doubt="recall", descending=True))
    assert [int(case_id.split("-")[1]) for case_id in greatest] == [0, 3, 6, 9, 11, 1, 2, 4, 5, 7, 8, 10]


@pytest.mark.slow
def test_the_first_case_is_open_and_the_link_names_it(open_page, fees, project):
    app = open_page("results", project=project.id)
    assert not app.exception
    first = app.query_params["case"]
    assert app.query_params["run"] == fees.id
    assert "Case 1 of 12" in said(app)
    app.button(key="next_case").click().run()
    assert "Case 2 of 12" in said(app)
    assert app.query_params["case"] != first
    app.button(key="previous_case").click().run()
    assert app.query_params["case"] == first
    assert app.button(key="previous_case").disabled


@pytest.mark.slow
def test_next_goes_on_over_the_pages_of_the_list(open_page, store, project):
    scored_run.add_run(store, project.id, scored_run.rows(60))
    app = open_page("results", project=project.id, sort="test_set", case="case-49")
    assert "Case 50 of 60" in said(app)
    app.button(key="next_case").click().run()
    assert (app.query_params["case"], app.query_params["page"]) == ("case-50", "2")


@pytest.mark.slow
def test_a_filter_takes_away_a_case_that_nobody_chose(open_page, fees, project):
    app = open_page("results", project=project.id)
    app.query_params["verdict"] = "correct"
    app.run()
    assert "Case 1 of 7" in said(app)


@pytest.mark.slow
def test_a_case_of_a_link_stays_though_a_filter_leaves_it_out(open_page, fees, project):
    app = open_page("results", project=project.id, case="case-0", verdict="correct")
    assert app.query_params["case"] == "case-0"
    assert "This case is not in the list" in said(app)
    app.button(key="next_case").click().run()
    assert "Case 1 of 7" in said(app)


@pytest.mark.slow
def test_a_case_goes_into_a_new_finding_and_the_next_into_the_same(open_page, store, fees, project):
    app = open_page("results", project=project.id, sort="test_set")
    app.text_input(key="finding_title_0").set_value("Fees without their unit").run()
    app.button(key="finding_add").click().run()
    assert "In the finding: Fees without their unit" in captions(app)
    app.button(key="next_case").click().run()
    (made,) = written_findings(store, fees.id)
    app.selectbox(key="finding_target").set_value(made.id).run()
    app.button(key="finding_add").click().run()
    assert written_findings(store, fees.id)[0].case_ids == ("case-0", "case-1")
    assert not app.exception


@pytest.mark.slow
def test_a_case_goes_to_raters_in_a_round_of_picked_cases(open_page, store, fees, project):
    ensure_default_criteria(store, project.id, actor=ACTOR)
    app = open_page("results", project=project.id, sort="test_set")
    app.button(key="round_start").click().run()
    assert not app.exception
    (made,) = rounds_for_chosen(store, project.id, fees.id)
    app.button(key="next_case").click().run()
    app.button(key="round_add_case").click().run()
    assert f"The case is in the round {made.name}" in said(app)
    # A second time it is refused in words.
    app.button(key="round_add_case").click().run()
    assert "has this case already" in said(app)


@pytest.mark.slow
def test_a_viewer_reads_and_hands_nothing_on(open_page, store, fees, project, monkeypatch):
    app = as_viewer(open_page("results", project=project.id), store, project, monkeypatch)
    assert "next_case" in keys(app)
    assert "finding_add" not in keys(app)
    assert "round_start" not in keys(app)


def test_an_entry_has_the_whole_question_and_answer(store, fees):
    (row,) = results.rows(store, fees.id, ("case-1",), ("groundedness",))
    entry = case_list.entry(row, ("groundedness",))
    assert entry["question"] == "What is fee number 1?"
    assert entry["answer"] == "Fee 1 is 1 percent. It is due on the last day of the month."
    assert (entry["verdict"], entry["notes"]) == ("correct", "Groundedness 0.62")


@pytest.mark.slow
def test_a_finding_of_the_case_is_called_by_its_name(open_page, store, fees, project):
    conditions = (("difficulty", "2"),)
    found = Finding(
        id=finding_id(fees.id, "verdict", FindingKind.LEVEL, conditions),
        project_id=project.id,
        run_id=fees.id,
        kind=FindingKind.LEVEL,
        score="verdict",
        conditions=conditions,
        text="Questions of difficulty 2 are answered correctly in 0.07.",
        case_ids=("case-0",),
        created_at=fees.created_at,
        created_by=ACTOR,
    )
    with store.write(ACTOR, "test.finding", project_id=project.id) as connection:
        findings.put(connection, [found])
    app = open_page("results", project=project.id, sort="test_set")
    assert not app.exception
    assert "In the finding: Questions of difficulty 2" in captions(app)
