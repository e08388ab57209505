"""The page that tells knowledge, reading and retrieval apart: experiments, chosen runs, the check of the data."""

from __future__ import annotations

import pytest

from core import jobs
from core.diagnosis.service.three_way import experiments
from core.runs.service import create_run
from core.sources.service import connect_corpus
from core.store.results import runs
from pages.kit import workflow
from tests.pages.clicks import as_viewer, captions, holding, keys, metrics, select, table
from tests.support.runs.three_runs import experiment_of, frozen_set, judged_run
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR, said, write_documents

# Eight facts of two wordings. Fine: 0, 1. Known: 2. Retrieval: 3, 4. Reading: 5, 6. Fact 7 has no live verdict once.
CLOSED = "0000110000000000"
ORACLE = "1111111111000011"
LIVE = "111111000000001-"


@pytest.fixture
def test_set(store, project):
    return frozen_set(store, project.id, 8, wordings=2)


@pytest.fixture
def experiment(store, test_set):
    return experiment_of(store, test_set, CLOSED, ORACLE, LIVE)


def test_without_a_test_set_the_step_waits_and_the_form_leads_to_one(open_page, store, project):
    assert workflow.steps(store, project.id)["three_way"].mark is workflow.Mark.WAITING
    app = open_page("three_way", project=project.id, view="start")
    assert not app.exception
    assert "No test set is frozen yet" in said(app)
    app.button(key="go_test_set").click().run()
    assert app.title[0].value == "What will be asked?"


def test_without_an_experiment_the_page_leads_to_the_form(open_page, project, test_set):
    app = open_page("three_way", project=project.id)
    assert "No experiment yet" in said(app)
    app.button(key="go_start").click().run()
    assert not app.exception
    assert app.query_params["view"] == "start"
    assert "no documents" in said(app)
    assert "start_experiment" not in keys(app)


def test_a_model_that_is_not_named_or_cannot_be_opened_is_told(open_page, store, project, test_set, tmp_path):
    connect_corpus(store, project.id, write_documents(tmp_path / "documents"), actor=ACTOR)
    app = open_page("three_way", project=project.id, view="start")
    assert "Give the model and its address" in captions(app)
    assert "start_experiment" not in keys(app)
    app.text_input(key="three_way_model").set_value("m")
    app.text_input(key="three_way_url").set_value("no address").run()
    assert not app.exception
    assert "no address" in app.error[0].value.replace("\\", "")
    assert "start_experiment" not in keys(app)
    with store.read() as connection:
        assert runs.all(connection, project.id) == []


@pytest.mark.slow
def test_an_experiment_is_planned_and_started_from_the_form(open_page, store, project, test_set, tmp_path):
    connect_corpus(store, project.id, write_documents(tmp_path / "documents"), actor=ACTOR)
    with LlmServer(lambda body: "City 1") as server:
        app = open_page("three_way", project=project.id, view="start")
        app.text_input(key="three_way_model").set_value("m")
        app.text_input(key="three_way_url").set_value(server.base_url).run()
        assert not app.exception
        assert not app.error
        shown = said(app)
        assert all(name in shown for name in ("Without documents", "With the gold document", "Live"))
        assert "model calls" in shown
        assert server.bodies == []
        app.button(key="start_experiment").click().run()
        assert not app.exception
        assert not app.error
        [found] = experiments(store, project.id)
        assert not found.missing
        assert app.query_params["view"] == "experiment"
        for run in found.runs.values():
            jobs.wait(store, run.job_id, seconds=90)
        app.run()
        assert metrics(app)["Right live"] != "-"


def test_the_figures_are_of_cases_judged_in_all_three_runs(open_page, project, experiment):
    app = open_page("three_way", project=project.id)
    assert not app.exception
    # 15 cases are judged three times: 2 right without documents, 11 with the gold one, 7 live.
    assert metrics(app) == {
        "Right without documents": "0.13",
        "Right with gold document": "0.73",
        "Right live": "0.47",
        "Retrieval costs": "0.27",
    }
    assert "15 cases, 8 groups" in captions(app)
    assert "(4/15 wrong with the gold document)" in captions(app)
    assert "15 of 16 cases are judged in all three runs" in captions(app)
    assert "1 live" in captions(app)
    assert len(app.get("plotly_chart")) == 1


@pytest.mark.slow
def test_the_combinations_sum_to_every_case_and_open_their_cases(open_page, project, experiment):
    app = open_page("three_way", project=project.id)
    frame = table(app, "combinations")
    assert frame["Cases"].sum() == 16
    counted = dict(zip(frame["id"], frame["Cases"], strict=True))
    assert counted["wrong-right-wrong"] == 4
    assert counted["wrong-wrong-wrong"] == 4
    row = list(frame["id"]).index("wrong-right-wrong")
    select(app, "combinations", row, "id")
    assert app.query_params["module"] == "wrong-right-wrong"
    cases = table(app, "three_cases")
    assert list(cases["case_id"]) == ["g3w0", "g3w1", "g4w0", "g4w1"]
    assert cases["Live"].iloc[0].endswith("Nowhere")
    select(app, "three_cases", 1, "case_id")
    app.button(key="open_oracle").click().run()
    assert not app.exception
    assert app.query_params["run"] == experiment["oracle"].id
    assert app.query_params["case"] == "g3w1"
    assert app.title[0].value == "Which answers are wrong?"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "cases"),
    [("reading", 4), ("fine", 5), ("not_judged", 1), ("lucky", 0), ("nonsense", None), ("<b>", None)],
)
def test_a_link_opens_a_part(open_page, project, experiment, module, cases):
    app = open_page("three_way", project=project.id, module=module)
    assert not app.exception
    if cases:
        assert len(table(app, "three_cases")) == cases
    else:
        assert ("No case ended like this" in said(app)) == (cases == 0)


@pytest.mark.slow
def test_the_open_domain_filter_has_its_control(open_page, project, experiment):
    app = open_page("three_way", project=project.id)
    assert "answers 1 of 8 facts" in said(app).replace("*", "")
    # Live answers facts 0, 1, 2 and 7 of 8; without fact 2, which the model knows, 3 of 7.
    shown = holding(app, "With open-domain groups")
    assert "(4/8)" in shown["With open-domain groups"].iloc[0]
    assert "(3/7)" in shown["Without"].iloc[0]
    app.selectbox(key="url_tag").set_value("closed").run()
    assert not app.exception
    assert metrics(app)["Right without documents"] == "0.00"
    assert "by construction" in captions(app)
    assert table(app, "combinations")["Cases"].sum() == 14
    assert "(4/8)" in holding(app, "With open-domain groups")["With open-domain groups"].iloc[0]


@pytest.mark.slow
def test_the_check_of_the_data_lists_what_fails_and_says_whether_it_is_a_gap(open_page, project, experiment):
    app = open_page("three_way", project=project.id)
    text = said(app)
    assert "(12/16)" in text
    assert "4 cases to look at" in text
    # Facts 5 and 6 fail in reading and are gaps; of the others 3 and 4 are gaps.
    assert "Of 2 facts with a reading failure 2 are gaps live, of 6 facts without one 2." in text
    assert "All reading failures are gaps, as the paper claims" in text
    cross = holding(app, "Gap live")
    assert cross["Gap live"].tolist() == [2, 2, 4]
    assert cross["Answered live"].tolist() == [0, 4, 4]
    assert "odds ratio" in captions(app)
    assert "8 facts" in captions(app)
    assert holding(app, "Look at")["Fact live"].tolist() == ["gap"] * 4


@pytest.mark.slow
def test_an_experiment_that_is_not_finished_shows_its_jobs_and_goes_on(open_page, store, project, test_set, tmp_path):
    connect_corpus(store, project.id, write_documents(tmp_path / "documents"), actor=ACTOR)
    experiment_of(store, test_set, CLOSED, ORACLE)
    create_run(store, test_set.id, actor=ACTOR, target="keyword", options={"mode": "retrieval", "experiment": "exp_1"})
    app = open_page("three_way", project=project.id)
    assert not app.exception
    assert "Planned and not started" in captions(app)
    assert captions(app).count("Finished") == 2
    assert not app.metric
    app.button(key="go_on").click().run()
    assert not app.exception
    [found] = experiments(store, project.id)
    assert all(run.job_id or run.finished_at or run.state == "finished" for run in found.runs.values())
    assert found.runs["retrieval"].job_id


@pytest.mark.slow
def test_a_viewer_reads_and_starts_nothing(open_page, store, project, experiment, monkeypatch):
    app = as_viewer(open_page("three_way", project=project.id), store, project, monkeypatch)
    assert metrics(app)["Right live"] == "0.47"
    app.query_params["view"] = "start"
    app.run()
    assert not app.exception
    assert "start_experiment" not in keys(app)
    assert "may read" in said(app)


@pytest.mark.slow
def test_recordings_can_be_chosen_by_hand(open_page, store, project, test_set):
    chosen = [judged_run(store, test_set, marks, target="recorded:mine") for marks in (CLOSED, ORACLE, LIVE)]
    app = open_page("three_way", project=project.id, view="runs")
    assert "Choose at least the run with the gold documents" in said(app)
    app.selectbox(key="url_b").set_value(chosen[1].id).run()
    assert not app.exception
    assert "(12/16)" in said(app)
    assert "Choose a live run" in captions(app)
    app.selectbox(key="url_run").set_value(chosen[2].id).run()
    assert "All reading failures are gaps" in said(app)
    app.selectbox(key="url_a").set_value(chosen[0].id).run()
    assert not app.exception
    assert metrics(app)["Right live"] == "0.47"


def test_runs_that_do_not_belong_together_are_told(open_page, store, project, test_set):
    other = judged_run(store, frozen_set(store, project.id, 2, name="Other"), "11")
    mine = [judged_run(store, test_set, marks) for marks in (CLOSED, ORACLE)]
    app = open_page("three_way", project=project.id, view="runs", a=mine[0].id, b=mine[1].id, run=other.id)
    assert not app.exception
    assert "not of one test set" in app.error[0].value


def test_without_a_finished_run_there_is_nothing_to_choose(open_page, project):
    app = open_page("three_way", project=project.id, view="runs")
    assert "No finished run yet" in said(app)


@pytest.mark.slow
def test_when_nothing_is_judged_no_figure_is_shown(open_page, store, project, test_set):
    experiment_of(store, test_set, "-" * 16, "-" * 16, "-" * 16)
    app = open_page("three_way", project=project.id)
    assert not app.exception
    assert set(metrics(app).values()) == {"-"}
    assert "cannot be compared" in said(app)
