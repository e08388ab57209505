"""The Results page: what the filters leave, one case in full, and its other wordings."""

from __future__ import annotations

import pytest

from core.diagnosis import Attribution
from core.diagnosis.service.blame import blame_of
from core.domain.results.responses import Context, Response
from core.domain.testset.cases import TestCase
from core.runs.service import create_run
from core.store.results import runs
from core.store.testset import testsets
from pages.kit.look import theme
from tests.pages.clicks import as_viewer, captions, keys, metrics, select, table
from tests.support.bank_cases import put_test_set
from tests.support.small_bank import ACTOR, said


@pytest.fixture
def run(finished, bank):
    """The small bank's finished run."""
    with finished.read() as connection:
        return runs.all(connection, bank.id)[0]


def total(app) -> int:
    """How many cases the line above the table tells."""
    lines = [item.value for item in app.caption if item.value.endswith((" cases", " case"))]
    line = next(line for line in lines if line[0].isdigit())
    return int(line.split(" of ")[-1].split()[0].replace(",", ""))


def test_without_a_run_the_page_leads_to_one(open_page, project):
    app = open_page("results", project=project.id)
    assert "No run yet" in said(app)
    app.button(key="go_run").click().run()
    assert app.title[0].value == "What does the system answer?"


@pytest.mark.slow
def test_the_figures_add_up(open_page, finished, bank, run):
    app = open_page("results", project=bank.id)
    with finished.read() as connection:
        tally = runs.tally(connection, run.id)
    shown = metrics(app)
    assert shown["Wrong"] == f"{tally.incorrect:,}"
    assert shown["Accuracy"] == f"{tally.correct / (tally.correct + tally.incorrect):.2f}"
    assert f"{tally.correct:,}/{tally.correct + tally.incorrect:,}" in said(app)
    assert total(app) == tally.cases


@pytest.mark.slow
@pytest.mark.parametrize(("verdict", "field"), [("correct", "correct"), ("incorrect", "incorrect")])
def test_a_verdict_filters_the_table(open_page, finished, bank, run, verdict, field):
    app = open_page("results", project=bank.id, shape="table", verdict=verdict)
    with finished.read() as connection:
        assert total(app) == getattr(runs.tally(connection, run.id), field)
    assert set(table(app, "results_table")["Verdict"]) == {f"{theme.MARKS[verdict]} {theme.NAMES[verdict]}"}


def test_filters_that_leave_nothing_can_be_cleared(open_page, bank):
    app = open_page("results", project=bank.id, shape="table", search="zzz <script>alert(1)</script>")
    assert "No case matches" in said(app)
    app.button(key="clear_filters").click().run()
    assert len(table(app, "results_table"))
    assert "search" not in app.query_params


@pytest.mark.slow
def test_a_row_opens_the_case_beside_its_ground_truth(open_page, finished, bank, run):
    app = open_page("results", project=bank.id, shape="table", verdict="incorrect")
    chosen = select(app, "results_table", 0, "case_id")
    assert app.query_params["case"] == chosen
    with finished.read() as connection:
        case = testsets.case(connection, run.test_set_id, chosen)
    texts = [item.value for item in app.text]
    assert case.question in texts
    assert " | ".join(case.reference_answers) in texts
    assert "Ground truth, from the database" in captions(app)
    assert "Retrieved passages: 1" in captions(app)
    app.button(key="run_reference").click().run()
    assert not app.exception
    rows = [item.value for item in app.dataframe if item.key is None]
    assert case.reference_answers[0] in rows[-1].astype(str).to_numpy().ravel().tolist()


def test_a_record_without_a_document_of_its_own_accuses_no_passage(open_page, finished, bank):
    """Several donors share a page: nobody can say that a passage is not the right one, or that there is none."""
    donor = "Donor D-4289, Yusuf Crowther, has blood group A+."
    case = TestCase(
        case_id="donor",
        question="Blood group of donor D-4289?",
        reference_answers=("A+",),
        form="short",
        group_id="donor",
        gold_document_ids=("donor:D-4289",),
    )
    contexts = (Context(document_id="elsewhere", text="Millrace House."), Context(document_id="shared", text=donor))
    answer = Response(case_id="donor", answer="A+.", contexts=contexts)
    test_set = put_test_set(finished, bank.id, [case], id="ts_donors", name="Donors")
    donors = create_run(finished, test_set.id, actor=ACTOR, target="keyword")
    with finished.write(ACTOR, "test.answer", project_id=bank.id) as connection:
        runs.save_responses(connection, donors.id, [answer])
    app = open_page("results", project=bank.id, run=donors.id, shape="table", case="donor")
    assert not app.exception
    text = said(app)
    assert "donor:D-4289 has no document of its own" in text
    assert '"D-4289" stands in passage 2.' in text
    assert "**2. shared** · :green[names D-4289]" in [item.value for item in app.markdown]
    assert "nothing could have been retrieved" not in text
    assert "not the gold document" not in text


def test_a_wrong_answer_has_its_module_and_the_way_to_its_diagnosis(open_page, finished, bank, run):
    blames = blame_of(finished, run.id)
    case_id, blame = next((id, one) for id, one in blames.items() if one.module is not Attribution.CORRECT)
    app = open_page("results", project=bank.id, run=run.id, shape="table", case=case_id)
    assert f"Module: **{theme.NAMES[blame.module]}** · {blame.reason}" in said(app)
    app.button(key="open_diagnosis").click().run()
    assert not app.exception
    assert app.title[0].value == "Which module is broken?"
    assert not any("this run does not have" in item.value for item in app.warning)
    assert app.query_params["case"] == case_id
    right = next(id for id, one in blames.items() if one.module is Attribution.CORRECT)
    app = open_page("results", project=bank.id, run=run.id, shape="table", case=right)
    assert "open_diagnosis" not in keys(app)


@pytest.mark.slow
def test_another_wording_of_the_fact_is_opened_and_closed(open_page, bank):
    app = open_page("results", project=bank.id, shape="table")
    first = select(app, "results_table", 0, "case_id")
    other = select(app, "wordings_table", 0, "case_id")
    assert app.query_params["case"] == other != first
    app.run()
    assert app.query_params["case"] == other
    app.button(key="close_case").click().run()
    assert "case" not in app.query_params


@pytest.mark.slow
def test_a_page_or_a_filter_does_not_open_a_row_nobody_chose(open_page, bank):
    app = open_page("results", project=bank.id, shape="table")
    chosen = select(app, "results_table", 1, "case_id")
    app.selectbox(key="url_form").set_value("long").run()
    assert app.query_params["case"] == chosen


@pytest.mark.slow
def test_a_case_that_does_not_exist_is_told_with_a_way_back(open_page, bank):
    app = open_page("results", project=bank.id, shape="table", case="nothing")
    assert "nothing" in app.error[0].value
    app.button(key="close_case").click().run()
    assert not app.error


@pytest.mark.slow
def test_a_run_of_another_project_is_not_shown(open_page, bank):
    app = open_page("results", project=bank.id, shape="table", run="run_elsewhere")
    assert "This project has no run run_elsewhere" in said(app)
    app.button(key="show_latest").click().run()
    assert len(table(app, "results_table"))


def test_a_run_without_an_answer_yet_counts_nothing_as_wrong(open_page, finished, bank, run):
    planned = create_run(finished, run.test_set_id, actor=ACTOR, target="keyword")
    app = open_page("results", project=bank.id, shape="table", run=planned.id)
    assert not app.exception
    assert (metrics(app)["Accuracy"], metrics(app)["Wrong"]) == ("-", "0")
    assert set(table(app, "results_table")["Verdict"]) == {"○ Not judged"}
    select(app, "results_table", 0, "case_id")
    assert "not asked yet" in " ".join(item.value for item in app.text)


@pytest.mark.slow
def test_a_viewer_reads_everything(open_page, finished, bank, monkeypatch):
    app = open_page("results", project=bank.id, shape="table")
    select(app, "results_table", 0, "case_id")
    as_viewer(app, finished, bank, monkeypatch)
    assert not app.exception
    assert "close_case" in keys(app)


@pytest.mark.parametrize("page", ["run", "results"])
def test_why_the_target_failed_is_told_with_its_count(open_page, finished, bank, run, page):
    with finished.read() as connection:
        case_ids = sorted(runs.answered_ids(connection, run.id))[:3]
    failing = create_run(finished, run.test_set_id, actor=ACTOR, target="keyword")
    reasons = ["The reply has nothing at $.choices[0].", "HTTP 404.", "The reply has nothing at $.choices[0]."]
    failed = [Response(case_id=case_id, answer=None, error=why) for case_id, why in zip(case_ids, reasons, strict=True)]
    with finished.write(ACTOR, "test.fail", project_id=bank.id) as connection:
        runs.save_responses(connection, failing.id, failed)
    app = open_page(page, project=bank.id, run=failing.id)
    assert not app.exception
    assert "2 of 3 failures: The reply has nothing at $.choices[0]." in said(app)
