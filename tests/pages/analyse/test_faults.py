"""The page of planted faults: what it waits for, the form, the result, what a viewer sees."""

from dataclasses import replace

import pytest

from core import jobs
from core.domain.jobs import JobState
from core.domain.results.responses import Response
from core.domain.results.runs import Run
from core.faults import service
from core.faults.kinds import USUAL, FaultKind
from core.faults.outcome import Trial
from core.faults.result import TrialResult
from core.faults.service import ACTION, KIND, TrialPlan
from core.jobs import JobContext
from core.store import jobs as job_table
from core.store.results import runs
from core.store.testset import testsets
from pages.analyse.faults.view import SIZE
from pages.kit import workflow
from tests.pages.clicks import MARKUP, as_viewer, as_written, captions, holding, keys, metrics, rendered, select, table
from tests.support.small_bank import ACTOR, said

JOB, TRIAL = "job_1", "trial_1"


@pytest.fixture
def test_set(finished, bank):
    with finished.read() as connection:
        return testsets.all(connection, bank.id)[0]


def put_job(store, project, test_set, state=JobState.FINISHED, job_id=JOB, trial=TRIAL):
    plan = TrialPlan(test_set_id=test_set.id, target="bm25", options={"k": 1}, share=0.4)
    job = jobs.Job(
        id=job_id,
        project_id=project.id,
        kind=KIND,
        params=plan.as_params(),
        actor=ACTOR,
        subject=trial,
        created_at="2026-01-01T00:00:00.000+00:00",
        log="",
        state=state,
    )
    with store.write(ACTOR, "test.job", project_id=project.id) as connection:
        job_table.add(connection, job)
    return job


@pytest.fixture
def tried(finished, bank, test_set):
    """A trial of the small bank that is done."""
    service.trial_job(JobContext(finished, put_job(finished, bank, test_set)))
    return service.trial_result(finished, TRIAL)


def keep(store, project, result):
    with store.write(ACTOR, ACTION, project_id=project.id, subject=TRIAL, detail=result.as_detail()):
        pass


def test_without_a_test_set_the_page_leads_to_one(open_page, store, project):
    assert workflow.steps(store, project.id)["faults"].mark is workflow.Mark.WAITING
    app = open_page("faults", project=project.id)
    assert app.title[0].value == "Does the diagnosis name the right module on your own data?"
    assert "No test set is frozen yet" in said(app)
    app.button(key="go_test_set").click().run()
    assert app.title[0].value == "What will be asked?"


def test_the_form_says_how_many_questions_are_asked(open_page, bank, test_set):
    app = open_page("faults", project=bank.id)
    assert not app.exception
    assert "questions first and at most" in captions(app)
    assert "start_faults" in keys(app)
    assert list(app.multiselect[0].options) == [
        "Page deleted",
        "Value changed",
        "Value moved",
        "Reader wrong",
        "Retrieval wrong",
        "All kinds mixed",
        "Page deleted + reader wrong",
        "Value changed + reader wrong",
        "Value changed + retrieval wrong",
        "Value moved + retrieval wrong",
        "Value moved + reader wrong",
        "Retrieval wrong + reader wrong",
    ]
    assert app.multiselect[0].value == [str(fault) for fault in USUAL]


def test_it_is_started_and_watched_and_the_link_names_it(open_page, finished, bank, monkeypatch):
    monkeypatch.setattr(jobs.control, "spawn", lambda *_: None)
    app = open_page("faults", project=bank.id)
    app.number_input(key="faults_share").set_value(0.4)
    app.button(key="start_faults").click().run()
    assert not app.exception
    started = jobs.list_jobs(finished, bank.id)[0]
    assert app.query_params["job"] == started.id
    assert (started.kind, started.params["share"], started.params["target"]) == (KIND, 0.4, "bm25")
    assert "Waiting for a worker" in said(app)
    app.button(key="faults_job_stop").click().run()
    assert jobs.get(finished, started.id).state is JobState.STOPPED
    assert "faults_job_resume" in keys(app)


def put_run(store, project, test_set, target):
    run = Run(
        id="run_other",
        project_id=project.id,
        test_set_id=test_set.id,
        target=target,
        options={"k": 7, "budget_calls": 3},
        created_at="2026-01-01T00:00:00+00:00",
    )
    with store.write(ACTOR, "test.run", project_id=project.id) as connection:
        runs.put(connection, run)
    return run


@pytest.mark.slow
def test_a_system_with_its_own_documents_is_offered_what_fits(open_page, finished, bank, test_set):
    run = put_run(finished, bank, test_set, "recorded:answers.jsonl")
    app = open_page("faults", project=bank.id)
    app.selectbox(key="faults_system").set_value(run.id).run()
    assert not app.exception
    assert list(app.multiselect[0].options) == ["Reader wrong", "Retrieval wrong", "Retrieval wrong + reader wrong"]
    assert "This system has documents of its own" in captions(app)
    assert "and at most 0 more" in captions(app)
    app.button(key="start_faults").click().run()
    assert "answers.jsonl" in said(app)
    assert jobs.list_jobs(finished, bank.id) == []


def test_a_system_with_a_model_gets_the_settings_of_its_run_and_a_budget(
    open_page, finished, bank, test_set, monkeypatch
):
    monkeypatch.setattr(jobs.control, "spawn", lambda *_: None)
    run = put_run(finished, bank, test_set, "openai:m@http://127.0.0.1:9/v1")
    app = open_page("faults", project=bank.id)
    app.selectbox(key="faults_system").set_value(run.id).run()
    assert app.number_input(key=f"faults_k_{run.id}").value == 7
    app.number_input(key="faults_calls").set_value(5)
    app.button(key="start_faults").click().run()
    assert not app.exception
    params = jobs.list_jobs(finished, bank.id)[0].params
    assert (params["options"], params["budget_calls"]) == ({"k": 7}, 5)


@pytest.mark.slow
def test_another_trial_closes_the_answer_that_was_open(open_page, finished, bank, test_set, tried):
    put_job(finished, bank, test_set, JobState.STOPPED, "job_0", "trial_0")
    app = open_page("faults", project=bank.id, job=JOB, status="all", case="a0")
    app.selectbox(key="url_job").set_value("job_0").run()
    assert app.query_params["job"] == "job_0"
    assert "case" not in app.query_params


@pytest.mark.slow
def test_what_cannot_be_tried_is_told_and_starts_nothing(open_page, finished, bank):
    app = open_page("faults", project=bank.id)
    app.multiselect[0].set_value([]).run()
    assert app.button(key="start_faults").disabled
    assert jobs.list_jobs(finished, bank.id) == []


@pytest.mark.slow
def test_a_result_shows_four_figures_the_table_and_the_rates(open_page, bank, tried):
    app = open_page("faults", project=bank.id, job=JOB)
    assert not app.exception
    assert list(metrics(app)) == ["Named correctly", "Undecided", "False gaps", "Usable facts"]
    named = tried.confusion.named
    assert f"{named.num}/{named.den}" in captions(app)
    assert len(app.get("plotly_chart")) == 1
    rows = holding(app, "Wrong answers").set_index("Planted")
    assert rows.loc["Reader wrong", "Language model"] == tried.confusion.planted["reader"]["reader"]
    rates = holding(app, "Cause")
    assert all("(" in cell for cell in rates.iloc[:, 1])
    assert "target bm25" in captions(app)


@pytest.mark.slow
def test_an_answer_is_opened_with_what_was_planted(open_page, bank, tried):
    app = open_page("faults", project=bank.id, job=JOB, status="all")
    answers = table(app, "faulty_answers")
    assert (len(answers), tried.wrong) == (SIZE, 84)
    key = select(app, "faulty_answers", 0, "id")
    assert app.query_params["case"] == key
    opened = tried.answers[int(key.removeprefix("a"))]
    texts = [item.value for item in app.text]
    assert opened.question in texts
    assert opened.fault.before in texts
    assert opened.reason in texts
    app.selectbox(key="url_kind").set_value("reader").run()
    assert set(table(app, "faulty_answers")["Planted"]) == {"Reader wrong"}


@pytest.mark.slow
def test_without_a_wrongly_named_answer_the_list_says_so(open_page, finished, bank, tried):
    assert tried.misnamed == 0
    app = open_page("faults", project=bank.id, job=JOB)
    assert "every wrong answer was called by its name" in said(app)


@pytest.mark.slow
def test_a_trial_without_a_wrong_answer_is_shown(open_page, finished, bank, tried):
    empty = Trial(cases=12, facts=6, sound=5, planted={FaultKind.VALUE_MOVED: 2})
    keep(finished, bank, TrialResult.of(empty, made_from=tried.made_from, seconds=1.0, at=tried.at))
    app = open_page("faults", project=bank.id, job=JOB)
    assert not app.exception
    assert metrics(app)["Named correctly"] == "-"
    assert "No wrong answer." in said(app)


@pytest.mark.slow
def test_texts_of_documents_and_systems_are_no_markup(open_page, finished, bank, tried):
    first = tried.answers[0]
    fault = replace(first.fault, before=MARKUP, after=f"{MARKUP} now", home=MARKUP, document_ids=(MARKUP,))
    odd = replace(first, question=MARKUP, answer=MARKUP, reason=MARKUP, fault=fault)
    keep(finished, bank, replace(tried, answers=(odd,), made_from={**tried.made_from, "target": MARKUP}))
    app = open_page("faults", project=bank.id, job=JOB, status="all", case="a0")
    assert not app.exception
    assert MARKUP in as_written(app)
    assert MARKUP in [item.value for item in app.text]
    assert not [text for text in rendered(app) if MARKUP in text]


@pytest.mark.slow
def test_a_viewer_reads_the_result_and_cannot_start(open_page, finished, bank, tried, monkeypatch):
    app = as_viewer(open_page("faults", project=bank.id, job=JOB), finished, bank, monkeypatch)
    assert not app.exception
    assert "Named correctly" in metrics(app)
    assert "start_faults" not in keys(app)


def test_a_viewer_of_a_project_without_a_trial_is_told(open_page, finished, bank, monkeypatch):
    app = as_viewer(open_page("faults", project=bank.id), finished, bank, monkeypatch)
    assert not app.exception
    assert "Nobody has planted faults in this project yet" in said(app)
    assert "start_faults" not in keys(app)


def test_a_stopped_trial_can_be_resumed_and_another_started(open_page, finished, bank, test_set):
    put_job(finished, bank, test_set, JobState.STOPPED)
    app = open_page("faults", project=bank.id, job=JOB)
    assert not app.exception
    assert {"faults_job_resume", "start_faults"} <= keys(app)


def test_the_chosen_trial_stays_chosen_when_its_state_changes(open_page, finished, bank, test_set):
    """The browser sends back what the entry said: it has to say the same when the trial goes on or ends."""
    put_job(finished, bank, test_set, JobState.STOPPED, "job_0", "trial_0")
    put_job(finished, bank, test_set, JobState.STOPPED)
    app = open_page("faults", project=bank.id, job="job_0")
    said_before = app.selectbox(key="url_job").options
    assert len(set(said_before)) == 2
    with finished.write(ACTOR, "test.job", project_id=bank.id) as connection:
        job_table.replace_state(connection, jobs.get(finished, "job_0"), JobState.FAILED)
    app.run()
    assert not app.exception
    assert app.selectbox(key="url_job").options == said_before
    assert app.query_params["job"] == "job_0"


def test_answers_of_an_unfinished_trial_are_kept_until_a_person_asks_again(open_page, finished, bank, test_set):
    plan = TrialPlan(test_set_id=test_set.id, target="bm25", options={"k": 1})
    kept = service.kept_answers(finished, plan)
    kept.put("", [Response(case_id="a", answer="Yes."), Response(case_id="b", answer="No.")])
    app = open_page("faults", project=bank.id)
    app.number_input(key="faults_k_bm25").set_value(1).run()
    assert "2 answers of a trial that was not finished are kept and not asked again" in captions(app)
    app.button(key="forget_answers").click().run()
    assert not app.exception
    assert "forget_answers" not in keys(app)
    assert kept.count() == 0


@pytest.mark.slow
def test_the_diagnose_page_leads_here(open_page, bank):
    app = open_page("diagnose", project=bank.id)
    app.button(key="try_faults").click().run()
    assert app.title[0].value == "Does the diagnosis name the right module on your own data?"
