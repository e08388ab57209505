"""The judge tests and the prompts on the Judges page, and the badge of a judge wherever its scores stand."""

import pytest

from core.domain.jobs import Job, JobState
from core.domain.results.judge_tests import Bar, Part
from core.judges.unit_tests.gate import set_bar
from core.judges.unit_tests.running import TestPlan, begin, judge_all
from core.judges.unit_tests.suite import own_suite
from core.llm.prompts import versions
from core.store import jobs as job_table
from core.store.results import judge_tests, runs
from pages.analyse.judges.unit_tests import reads
from tests.pages.clicks import as_viewer, captions, holding, keys, metrics, select, table
from tests.support.models.scripted_judge import judging
from tests.support.runs.compared_run import add_judge, add_run
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR, said


@pytest.fixture
def server():
    with LlmServer(judging({"distorted claim"})) as running:
        yield running


def put_to_tests(store, project, server, kind="grouse", part=Part.TRAIN, **options):
    plan = TestPlan(judge=f"{kind}:{server.spec()}", part=part, **options)
    run = begin(store, project.id, own_suite(), plan, actor=ACTOR)
    judge_all(store, run.id, actor=ACTOR)
    return run


def test_without_a_judge_test_the_part_says_what_it_needs(open_page, project):
    app = open_page("judges", project=project.id, part="tests")
    assert not app.exception
    assert app.title[0].value == "Which judge can be trusted?"
    assert "No judge has been tested yet" in said(app)
    assert "model at an address of yours" in said(app)
    assert "Give the model and its address to continue" in captions(app)
    assert "start_judge_tests" not in keys(app)


@pytest.mark.slow
def test_rates_failures_and_the_case_behind_them(open_page, store, project, server):
    put_to_tests(store, project, server, part=Part.TEST, repeats=2)
    app = open_page("judges", project=project.id, part="tests")
    assert not app.exception
    shown = metrics(app)
    assert (shown["Passed"], shown["Judged"], shown["Unreadable replies"], shown["Its own noise"]) == (
        "0.90",
        "70",
        "0",
        "0.00",
    )
    assert "untrusted" in said(app)
    assert "distorted claim 0.00 (0/7), below 0.8" in said(app)
    assert len(app.get("plotly_chart")) == 2
    failing = table(app, "jt_failing")
    assert set(failing["Failure mode"]) == {"distorted claim"}
    assert set(failing["Broken"]) == {"faithfulness ==0, is 1"}
    test_id = select(app, "jt_failing", 0, "id")
    assert app.query_params["unit_test"] == test_id
    text = said(app)
    test = next(item for item in own_suite().tests if item.id == test_id)
    for part in (test.question, test.situation, "the judge sees it first"):
        assert part in text
    assert "Faithfulness must be ==0, is 1" in text
    checks = holding(app, "The judge's reason")
    assert list(checks["Holds"])[:2] == ["✗ no", "✓ yes"]
    assert any("faithfulness_justification" in item.value for item in app.code), "the raw reply"


@pytest.mark.slow
def test_a_trusted_judge_and_the_bar_that_decides(open_page, store, project):
    with LlmServer(judging()) as server:
        put_to_tests(store, project, server, part=Part.TEST)
    app = open_page("judges", project=project.id, part="tests")
    assert "✓ trusted" in captions(app)
    assert "No test failed." in captions(app)
    app.number_input(key="bar_least").set_value(0.9)
    app.selectbox(key="bar_lower").set_value(True).run()
    app.button(key="set_bar").click().run()
    assert not app.exception
    with store.read() as connection:
        assert judge_tests.bar(connection, project.id) == Bar(least=0.9, lower=True)
    assert "untrusted" in said(app)


@pytest.mark.slow
def test_versions_of_a_prompt_side_by_side(open_page, store, project, server):
    first = put_to_tests(store, project, server)
    body = versions.wording(versions.built_in("grouse_faithfulness").text)
    body = body.replace("{% block system %}", "{% block system %}\nCompare every figure.", 1)
    versions.save(store, project.id, "grouse_faithfulness", body, actor=ACTOR)
    server.script = judging()
    second = put_to_tests(store, project, server)
    app = open_page("judges", project=project.id, part="tests", judge_test=second.id, against=first.id)
    assert not app.exception
    assert "On the same 30 tests" in said(app)
    assert "3 passed by the one above only" in said(app)
    assert "Newly passed: 01-6, 05-6, 08-6" in captions(app)
    assert len(app.get("plotly_chart")) == 3
    labels = [reads.label(run) for run in reads.test_runs(store, project.id)]
    assert "faithfulness 1.1" in labels[0]
    assert "1.1" not in labels[1]


@pytest.mark.slow
def test_a_test_on_the_training_part_gives_no_trust(open_page, store, project):
    with LlmServer(judging()) as server:
        put_to_tests(store, project, server, part=Part.TRAIN)
    app = open_page("judges", project=project.id, part="tests")
    assert metrics(app)["Passed"] == "1.00"
    assert "training part only" in said(app)


def test_a_judge_test_is_started_with_what_was_chosen(open_page, store, project, monkeypatch):
    started = {}

    def start(store, project_id, suite, plan, *, actor):
        started.update(suite=suite.name, plan=plan, actor=actor)
        run = begin(store, project_id, suite, plan, actor=actor)
        job = Job(id="job_jt", project_id=project_id, kind="judge_tests", actor=actor, subject=run.id)
        with store.write(actor, "job.start", project_id=project_id) as connection:
            job_table.add(connection, job)
        return job

    monkeypatch.setattr("pages.analyse.judges.unit_tests.form.start_judge_tests", start)
    app = open_page("judges", project=project.id, part="tests")
    app.text_input(key="judge_tests_url").set_value("http://127.0.0.1:9/v1")
    app.text_input(key="judge_tests_model").set_value("m").run()
    assert "70 tests; at most 280 model calls" in captions(app)
    app.selectbox(key="judge_tests_part").set_value(Part.TRAIN)
    app.selectbox(key="judge_tests_way").set_value("single")
    app.number_input(key="judge_tests_repeats").set_value(3).run()
    assert "30 tests; at most 360 model calls" in captions(app)
    app.button(key="start_judge_tests").click().run()
    assert not app.exception
    plan = started["plan"]
    assert (started["suite"], plan.judge, plan.part, plan.way, plan.repeats) == (
        "Harbour",
        "grouse:m@http://127.0.0.1:9/v1",
        Part.TRAIN,
        "single",
        3,
    )
    assert app.query_params["job"] == "job_jt"
    assert JobState.QUEUED.active


@pytest.mark.slow
def test_a_viewer_reads_and_starts_nothing(open_page, store, project, server, monkeypatch):
    put_to_tests(store, project, server)
    app = as_viewer(open_page("judges", project=project.id, part="tests"), store, project, monkeypatch)
    assert not app.exception
    assert "Only a validator of the project may test judges" in captions(app)
    assert {"start_judge_tests", "set_bar"}.isdisjoint(keys(app))


def test_prompts_of_judges_are_edited_on_the_same_page(open_page, store, project):
    app = open_page("judges", project=project.id, part="prompts", prompt="grouse_completeness")
    assert not app.exception
    shown = set(table(app, "prompts")["id"])
    assert {"grouse_completeness", "grouse_completeness/short", "reference_verdict", "claims"} <= shown
    assert "sql_templates" not in shown
    app.segmented_control(key="prompt_part_grouse_completeness").set_value("Edit").run()
    body = app.text_area(key="prompt_body_grouse_completeness_").value
    app.text_area(key="prompt_body_grouse_completeness_").set_value(
        body.replace("{% block system %}", "{% block system %}\nBe strict.", 1)
    ).run()
    app.button(key="save_prompt").click().run()
    assert not app.exception
    known = next(item for item in versions.of_project(store, project.id) if item.built_in.id == "grouse_completeness")
    assert known.chosen.version == "1.1"
    app.button(key="prompts_to_tests").click().run()
    assert app.query_params["part"] == "tests"


MODEL = "m@http://127.0.0.1:9/v1"


@pytest.mark.slow
@pytest.mark.parametrize(("page", "key"), [("results", "verdicts"), ("diagnose", "verdicts"), ("weakness", "weakness")])
def test_verdicts_of_an_untested_model_are_marked(open_page, store, project, page, key):
    run = add_run(store, project.id, judge=f"llm:{MODEL}")
    app = open_page(page, project=project.id, run=run.id)
    assert not app.exception
    assert "untrusted" in said(app)
    assert "It was never put to judge tests in this project." in said(app)
    app.button(key=f"{key}_to_tests").click().run()
    assert app.title[0].value == "Which judge can be trusted?"
    assert app.query_params["part"] == "tests"


@pytest.mark.slow
@pytest.mark.parametrize("page", ["results", "diagnose", "weakness"])
def test_verdicts_of_rules_and_people_have_no_badge(open_page, store, project, page):
    add_run(store, project.id)
    app = open_page(page, project=project.id)
    assert not app.exception
    assert "trusted" not in said(app)


@pytest.mark.slow
def test_the_judges_of_a_run_say_whether_they_are_trusted(open_page, store, project):
    run = add_run(store, project.id)
    with LlmServer(judging()) as server:
        put_to_tests(store, project, server, "llm", Part.TEST)
        tested = f"llm:{server.spec()}"
        add_judge(store, run, "judge_llm_tested", {f"case-{n}": 1.0 for n in range(20)}, tested)
    add_judge(store, run, "judge_llm_m", {f"case-{n}": 1.0 for n in range(20)}, f"llm:{MODEL}")
    app = open_page("judges", project=project.id, metric="judge_llm_m")
    assert not app.exception
    rows = table(app, "judges_table").set_index("key")["Judge tests"]
    assert dict(rows) == {"judge_llm_tested": "✓ trusted", "judge_llm_m": "✗ untrusted", "match": "-"}
    assert "never put to judge tests" in said(app)


@pytest.mark.slow
def test_the_bar_of_one_project_is_not_anothers(store, project, server):
    put_to_tests(store, project, server, part=Part.TEST)
    set_bar(store, project.id, Bar(least=0.0), actor=ACTOR)
    run = reads.test_runs(store, project.id)[0]
    assert reads.trust(store, run.id).trusted
    set_bar(store, project.id, Bar(), actor=ACTOR)
    assert reads.trust(store, run.id).trusted is False
    with store.read() as connection:
        assert runs.all(connection, project.id) == []
