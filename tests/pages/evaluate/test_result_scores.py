"""Scores on the Results page: columns, sorting and ranges, metrics in figures, agreement, evidence, edits, scoring."""

from __future__ import annotations

import json

import pytest

from core import jobs
from core.domain.jobs import Job, JobState
from core.domain.results.responses import Score
from core.domain.status import Status
from core.metrics import find_metric
from core.runs.scores.edits import edit_score
from core.runs.scores.scoring import scoring_job
from core.store import jobs as job_rows
from core.store.results import runs, scores
from core.store.results.cases.score_order import TARGET_FAILED
from pages.evaluate.results import behaviour_popover, metric_view
from pages.evaluate.results import reads as results
from pages.evaluate.results.reads import CaseQuery
from pages.kit.scores import names, reads
from tests.pages.clicks import as_viewer, captions, keys, select, table
from tests.support.runs import scored_run
from tests.support.small_bank import ACTOR, said


@pytest.fixture
def fees(store, project):
    """A run whose answers have scores with evidence; the one but last has no verdict, the last no answer."""
    failed = scored_run.Row(question="And this one?", answer=None, passages=(), correct=None)
    return scored_run.add_run(store, project.id, [*scored_run.rows(), failed])


def texts(app) -> list[str]:
    return [item.value for item in app.text]


def test_a_run_without_scores_offers_to_score_it(open_page, bank):
    app = open_page("results", project=bank.id, view="metrics")
    assert not app.exception
    assert "No metric has scored this run yet" in said(app)
    assert "start_scoring" in keys(app)
    needs = table(app, "needs_table") if any(i.key == "needs_table" for i in app.dataframe) else app.dataframe[-1].value
    reason = needs.loc[needs["Metric"] == "Recall by chunk", "Here"].item()
    assert reason.startswith("- ")
    assert needs.loc[needs["Metric"] == "Recall", "Here"].item() == "Ready"
    app = open_page("results", project=bank.id, view="agreement")
    assert "No metric has scored this run yet" in said(app)


@pytest.mark.slow
def test_chosen_metrics_are_columns_with_two_decimals_or_a_reason(open_page, fees, project):
    app = open_page("results", project=project.id, shape="table", columns="groundedness,mrr")
    assert not app.exception
    shown = table(app, "results_table").set_index("case_id")
    assert shown.loc["case-0", "groundedness"] == "0.62"
    assert shown.loc["case-0", "mrr"] == "- missing input"
    assert shown.loc["case-12", "groundedness"] == "- target failed"
    app.multiselect(key="url_columns").set_value(["recall"]).run()
    assert app.query_params["columns"] == "recall"
    assert "recall" in table(app, "results_table")
    assert "groundedness" not in table(app, "results_table")


@pytest.mark.slow
def test_two_metrics_are_columns_where_nobody_chose_any(open_page, fees, project):
    app = open_page("results", project=project.id, shape="table")
    shown = table(app, "results_table")
    # The run has no faithfulness: groundedness is next.
    assert list(shown.columns)[:5] == ["case_id", "Verdict", "groundedness", "recall", "Question"]
    assert app.multiselect(key="url_columns").value == ["groundedness", "recall"]
    app.multiselect(key="url_columns").set_value([]).run()
    assert "groundedness" not in table(app, "results_table")
    app.run()
    assert app.multiselect(key="url_columns").value == []


def test_a_cell_of_the_behaviour_has_the_usual_columns(open_page, fees, project):
    app = open_page("results", project=project.id, shape="table", cell="answered_answerable")
    assert list(table(app, "results_table").columns)[2:4] == ["groundedness", "recall"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("view", "question"),
    [
        ("", "Which answers are wrong?"),
        ("metrics", "How good are the answers?"),
        ("agreement", "Do the metrics agree?"),
        ("nonsense", "Which answers are wrong?"),
    ],
)
def test_each_view_has_its_question(open_page, fees, project, view, question):
    assert open_page("results", project=project.id, view=view).title[0].value == question


def test_rows_are_sorted_by_a_metric_over_all_pages_unscored_last(store, fees):
    ids = results.order(store, fees.id, CaseQuery(sort="nli_entailment"))
    assert len(ids) == 13
    page = results.frame(results.rows(store, fees.id, ids[:4], ("nli_entailment",)), ("nli_entailment",))
    values = [float(value) for value in page["nli_entailment"]]
    assert values == sorted(values)
    everything = results.export(
        store, fees.id, CaseQuery(sort="groundedness", descending=True, metrics=("groundedness",))
    )
    assert everything["case_id"].tolist()[-1] == "case-12"
    assert everything["groundedness_status"].tolist()[-1] == TARGET_FAILED
    assert not everything["groundedness_edited"].any()


@pytest.mark.slow
def test_the_direction_is_that_of_the_worst_value(open_page, store, fees, project):
    app = open_page("results", project=project.id, sort="wasserstein")
    # A distance is better the lower it is.
    assert app.selectbox(key="url_order").options == ["Highest first", "Lowest first"]
    app.selectbox(key="url_sort").set_value("groundedness").run()
    assert app.selectbox(key="url_order").options == ["Lowest first", "Highest first"]


@pytest.mark.slow
def test_a_range_and_the_unscored_are_filters_and_go_when_another_metric_sorts(open_page, fees, project):
    app = open_page("results", project=project.id, shape="table", sort="groundedness", scored="unscored")
    assert table(app, "results_table")["case_id"].tolist() == ["case-12"]
    app.selectbox(key="url_scored").set_value("").run()
    app.number_input(key="url_low").set_value(0.7).run()
    assert app.query_params["low"] == "0.7"
    assert "No case matches" in said(app)
    app.selectbox(key="url_sort").set_value("recall").run()
    assert "low" not in app.query_params
    assert len(table(app, "results_table")) == 13


def test_each_bar_leads_to_just_the_cases_it_counts(store, fees):
    on_edges = [Score(case_id=f"case-{place}", metric="recall", value=place / 10) for place in range(11)]
    with store.write(ACTOR, "test.scores") as connection:
        scores.put(connection, fees.id, on_edges)
    for metric in ("recall", "groundedness"):
        found = reads.spreads(store, fees.id, (metric,))[metric]
        for low, high, count in zip(found.edges, found.edges[1:], found.counts, strict=False):
            ends = metric_view.ends_of(f"{low!r}:{high!r}", found.edges[-1])
            assert len(results.order(store, fees.id, CaseQuery(sort=metric, low=ends[0], high=ends[1]))) == count


@pytest.mark.slow
def test_each_metric_has_its_mean_its_n_and_its_reasons(open_page, fees, project):
    app = open_page("results", project=project.id, view="metrics")
    assert not app.exception
    shown = table(app, "metrics_table").set_index("metric")
    assert shown.loc["groundedness", "Mean"].startswith("0.62 [")
    assert shown.loc["groundedness", "Scored"] == "12 of 13"
    assert shown.loc["groundedness", "Without a value"] == "1 target failed"
    assert shown.loc["mrr", "Mean"] == "- (no value)"
    assert shown.loc["mrr", "Without a value"] == "12 missing input, 1 target failed"
    assert sum(shown.loc["groundedness", "Spread"]) == 12
    chosen = select(app, "metrics_table", list(shown.index).index("groundedness"), "metric")
    assert app.query_params["metric"] == chosen == "groundedness"
    assert len(app.get("plotly_chart")) == 1
    assert "version 1" in captions(app)


def test_scores_of_an_older_version_say_so(open_page, store, fees, project):
    with store.write(ACTOR, "test.scores") as connection:
        scores.put_run_metrics(connection, fees.id, [scores.RunMetric(metric="recall", version=0, finished=True)])
    app = open_page("results", project=project.id, view="metrics", metric="recall")
    assert table(app, "metrics_table").set_index("metric").loc["recall", "State"] == "older version"


def test_values_that_wait_to_be_measured_anew_are_told(open_page, store, fees, project):
    with store.write(ACTOR, "test.begun") as connection:
        version = find_metric("recall").spec.version
        made = scores.RunMetric(metric="recall", version=version, finished=False, generation=1)
        scores.put_run_metrics(connection, fees.id, [made])
    app = open_page("results", project=project.id, view="metrics", metric="recall")
    assert table(app, "metrics_table").set_index("metric").loc["recall", "State"] == "12 not yet measured again"
    assert "12 values of 13 have other options or an older version" in said(app)


@pytest.mark.slow
def test_what_becomes_of_values_that_are_there_is_told_before_the_start(open_page, fees, project):
    app = open_page("results", project=project.id, view="metrics")
    chooser = next(item for item in app.multiselect if item.key.startswith("score_metrics"))
    chooser.set_value(["mrr"]).run()
    assert f"Scored already: {names.title('mrr')}." in captions(app)
    next(item for item in app.multiselect if item.key.startswith("score_metrics")).set_value(["hit"]).run()
    assert "Scored already" not in captions(app)


@pytest.mark.slow
def test_metrics_are_compared_pair_by_pair_down_to_the_case(open_page, fees, project):
    app = open_page("results", project=project.id, view="agreement", a="nli_entailment", b="verdict")
    assert not app.exception
    assert len(app.get("plotly_chart")) == 2
    assert "11 cases in common" in captions(app)
    chosen = select(app, "disagreement_table", 0, "case_id")
    assert app.query_params["case"] == chosen
    assert "Scores of this answer" in said(app)


def test_a_metric_is_not_compared_with_itself(open_page, fees, project):
    app = open_page("results", project=project.id, view="agreement", a="recall", b="recall")
    assert not app.exception
    assert "recall" not in app.selectbox(key="url_b").options


@pytest.mark.slow
@pytest.mark.parametrize("metric", scored_run.METRICS)
def test_the_evidence_of_every_metric_is_drawn(open_page, fees, project, metric):
    app = open_page("results", project=project.id, case="case-2", metric=metric)
    assert not app.exception
    assert app.selectbox(key="url_metric").value == metric


@pytest.mark.slow
def test_sentences_stand_beside_their_best_match(open_page, fees, project):
    app = open_page("results", project=project.id, case="case-2", metric="groundedness")
    assert texts(app).count("Fee 2 is 2 percent.") == 1
    assert "Fee 2 is 2 percent of the loan." in texts(app)
    assert "least grounded" in said(app)
    # 0.9 - 2/20 and 0.34 + 2/20.
    assert "0.80" in said(app)
    assert "0.44" in said(app)


@pytest.mark.slow
def test_nli_pairs_are_a_table(open_page, fees, project):
    app = open_page("results", project=project.id, case="case-2", metric="nli_entailment")
    pairs = next(item.value for item in app.dataframe if "Passage window" in item.value)
    assert pairs["Entailment"].tolist() == [0.8, 0.44]


@pytest.mark.slow
def test_what_a_metric_says_about_a_sentence_is_plain_text(open_page, fees, project):
    app = open_page("results", project=project.id, case="case-2", metric="lexical_precision")
    remark = "Found nowhere: Fee 2 is 2 percent. It is due on the last day of the month."
    assert texts(app).count(remark) == 2
    facts = next(item.value for item in app.dataframe if "Also known" in item.value)
    assert facts["Also known"].tolist() == ["Found nowhere"]


def test_what_was_missed_is_told(open_page, fees, project):
    app = open_page("results", project=project.id, case="case-2", metric="recall")
    facts = next(item.value for item in app.dataframe if "Also known" in item.value)
    assert dict(facts.to_numpy().tolist()) == {"Not found": "fees", "To be found": "1", "Retrieved": "2"}


@pytest.mark.slow
def test_a_case_without_scores_and_one_that_failed_are_calm(open_page, fees, project, store):
    app = open_page("results", project=project.id, case="case-12")
    assert not app.exception
    assert "No metric has scored this answer yet" in captions(app)
    with store.write(ACTOR, "test.scores") as connection:
        scores.put(
            connection,
            fees.id,
            [Score(case_id="case-12", metric="recall", value=None, status=Status.MISSING_INPUT, detail={})],
        )
    app.run()
    assert not app.exception


@pytest.mark.slow
def test_a_person_changes_a_verdict_with_a_reason(open_page, store, fees, project):
    app = open_page("results", project=project.id, shape="table", case="case-1", metric="verdict")
    app.selectbox(key="edit_value_case-1_verdict").set_value(0.0)
    app.button(key="edit_save_case-1_verdict").click().run()
    assert "has a reason" in said(app)
    app.text_input(key="edit_reason_case-1_verdict").set_value("It names another fee :red[x].")
    app.button(key="edit_save_case-1_verdict").click().run()
    assert not app.exception
    with store.read() as connection:
        changed = scores.get(connection, fees.id, "case-1", "verdict")
    assert (changed.value, changed.edited) == (0.0, True)
    assert "The computed value is Correct" in said(app)
    assert ":red[x]" not in said(app)
    row = table(app, "results_table").set_index("case_id").loc["case-1"]
    assert row["Verdict"].endswith("Wrong (edited)")
    assert row["Rule"] == "a person"
    app.text_input(key="edit_reason_case-1_verdict").set_value("I misread it.")
    app.button(key="edit_restore_case-1_verdict").click().run()
    assert "The computed value is restored" in said(app)


@pytest.mark.slow
def test_two_people_at_one_score_do_not_overwrite_each_other(open_page, store, fees, project):
    app = open_page("results", project=project.id, case="case-1", metric="groundedness")
    app.number_input(key="edit_value_case-1_groundedness").set_value(0.9)
    app.text_input(key="edit_reason_case-1_groundedness").set_value("It is all there.")
    edit_score(store, fees.id, "case-1", "groundedness", value=0.1, reason="It is not there.", actor=ACTOR)
    app.button(key="edit_save_case-1_groundedness").click().run()
    assert f"{ACTOR} changed the groundedness of case case-1 to 0.1 meanwhile" in said(app)
    with store.read() as connection:
        assert scores.get(connection, fees.id, "case-1", "groundedness").value == 0.1
    app.button(key="edit_save_case-1_groundedness").click().run()
    with store.read() as connection:
        assert scores.get(connection, fees.id, "case-1", "groundedness").value == 0.9


@pytest.mark.slow
def test_a_viewer_sees_edits_and_cannot_make_one(open_page, store, fees, project, monkeypatch):
    edit_score(store, fees.id, "case-1", "groundedness", value=0.1, reason="It is not there.", actor=ACTOR)
    app = open_page(
        "results", project=project.id, shape="table", case="case-1", metric="groundedness", columns="groundedness"
    )
    as_viewer(app, store, project, monkeypatch)
    assert not app.exception
    assert "A person changed this score" in said(app)
    assert table(app, "results_table").set_index("case_id").loc["case-1", "groundedness"] == "0.10 edited"
    assert not {key for key in keys(app) if key.startswith(("edit_save", "edit_restore"))}
    app.query_params["view"] = "metrics"
    app.run()
    assert "start_scoring" not in keys(app)


@pytest.mark.slow
def test_scoring_is_started_watched_and_read(open_page, finished, bank):
    with finished.read() as connection:
        run = runs.all(connection, bank.id)[0]
    app = open_page("results", project=bank.id, view="metrics")
    app.multiselect(key=next(item.key for item in app.multiselect if item.key.startswith("score_metrics"))).set_value(
        ["recall", "mrr"]
    )
    app.multiselect(key="score_depths").set_value([1])
    app.button(key="start_scoring").click().run()
    assert not app.exception
    job_id = app.query_params["job"]
    ended = jobs.wait(finished, job_id, seconds=180)
    assert ended.state is JobState.FINISHED, ended
    assert scoring_job(finished, run) is None
    app.run()
    assert {"recall", "recall@1", "mrr", "mrr@1"} == set(table(app, "metrics_table")["metric"])


def interrupted(store, project_id, kind, subject):
    """A job whose worker is gone."""
    job = Job(id="job_gone", project_id=project_id, kind=kind, actor=ACTOR, subject=subject)
    with store.write(ACTOR, "test.job", project_id=project_id) as connection:
        job_rows.add(connection, job)
        job_rows.replace_state(connection, job_rows.get(connection, job.id), JobState.INTERRUPTED)


def test_an_interrupted_scoring_speaks_of_scores(open_page, store, fees, project):
    interrupted(store, project.id, "score", fees.id)
    app = open_page("results", project=project.id, view="metrics")
    assert "What was scored is kept. Resume scores the rest." in said(app)
    assert "answered is kept" not in said(app)


@pytest.mark.slow
def test_the_colours_of_a_metric_below_zero_say_so(open_page, fees, project):
    app = open_page("results", project=project.id, case="case-2", metric="groundedness")
    assert any("<span>0 or less</span>" in item.proto.body for item in app.get("html"))
    app = open_page("results", project=project.id, case="case-2", metric="completeness_weighted")
    scales = [item.proto.body for item in app.get("html") if 'lit-scale"' in item.proto.body]
    spec = find_metric("completeness_weighted").spec
    assert all(("or less" in scale) is (spec.low < 0) for scale in scales)


@pytest.mark.slow
def test_a_case_opened_by_its_address_is_the_row_that_is_marked(open_page, fees, project):
    def marked(app):
        shown = next(item for item in app.dataframe if item.key and item.key.startswith("results_table"))
        default = shown.proto.selection_default
        return shown.value["case_id"].tolist()[json.loads(default)["selection"]["rows"][0]] if default else ""

    app = open_page("results", project=project.id, shape="table", sort="test_set", case="case-3")
    assert marked(app) == "case-3"
    app.run()
    assert app.query_params["case"] == "case-3"
    select(app, "results_table", 5, "case_id")
    assert app.query_params["case"] == "case-5"
    app.button(key="close_case").click().run()
    assert "case" not in app.query_params
    assert marked(open_page("results", project=project.id, shape="table")) == ""


@pytest.mark.slow
def test_a_metric_whose_scoring_is_not_finished_is_left_out_of_agreement(open_page, store, fees, project):
    app = open_page("results", project=project.id, view="agreement")
    assert "not finished" not in captions(app)
    with store.write(ACTOR, "test.begun") as connection:
        scores.put_run_metrics(connection, fees.id, [scores.RunMetric(metric="groundedness", version=1)])
    app = open_page("results", project=project.id, view="agreement")
    assert "Left out because their scoring is not finished: Groundedness" in captions(app)
    app = open_page("results", project=project.id, view="agreement", columns="groundedness,recall")
    assert "Left out" not in captions(app)


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        {"sort": "no_such_metric"},
        {"columns": "no_such_metric,recall"},
        {"metric": "no_such_metric", "case": "case-2"},
        {"view": "nonsense"},
        {"cell": "nonsense"},
        {"sort": "recall", "scored": "nonsense", "order": "sideways"},
        {"view": "agreement", "a": "<b>", "b": ":red[x]"},
        {"sort": "recall", "low": "-99999", "high": "99999"},
    ],
)
def test_nonsense_in_the_url_is_met_calmly(open_page, fees, project, query):
    app = open_page("results", project=project.id, **query)
    assert not app.exception
    assert app.dataframe


@pytest.mark.slow
def test_behaviour_is_one_click_away_and_leads_to_its_cases(open_page, fees, project):
    app = open_page("results", project=project.id, shape="table", columns="groundedness")
    assert "Answered, answerable: 12 of 12" in said(app)
    app.button(key="show_behaviour_answered_answerable").click().run()
    assert not app.exception
    assert app.query_params["cell"] == "answered_answerable"
    shown = table(app, "results_table")
    # Twelve answered; the target failed on the last case, which is in no cell.
    assert shown["case_id"].tolist() == [f"case-{number}" for number in range(12)]
    assert shown["groundedness"].tolist()[0] == "0.62"
    app.button(key="leave_cell").click().run()
    assert "cell" not in app.query_params
    assert len(table(app, "results_table")) == 13


@pytest.mark.slow
def test_many_answers_that_nobody_has_scored_are_read_when_somebody_asks(open_page, fees, project, monkeypatch):
    monkeypatch.setattr(behaviour_popover, "READ_AT_ONCE", 5)
    app = open_page("results", project=project.id)
    assert "Which of 12 answers decline is not measured yet" in said(app)
    app.button(key="read_behaviour").click().run()
    assert not app.exception
    assert "Answered, answerable: 12 of 12" in said(app)


def test_an_empty_cell_says_so(open_page, fees, project):
    app = open_page("results", project=project.id, cell="declined_answerable")
    assert not app.exception
    assert "No case is in this cell" in said(app)
