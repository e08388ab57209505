"""The Calibrate page: what it needs, calibrating, deciding, estimating, trusting, auditing."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select as select_rows
from sqlalchemy import update
from streamlit.testing.v1 import AppTest

from core.calibration.decisions import Threshold, ThresholdBy
from core.calibration.service.cases.results import calibrated_case, calibrated_cases, queue
from core.calibration.service.report import LevelsKept
from core.calibration.service.stored import calibrations_of, report_of
from core.calibration.service.thresholds import chosen_threshold
from core.domain.results.labels import LabelRule, Part, RoundOrigin
from core.labelling.adjudication import adjudicate
from core.labelling.criteria import change_criterion
from core.labelling.rating.tasks import Given, save_labels, tasks
from core.labelling.rounds import create_round, list_rounds
from core.labelling.sampling.records import Drawn
from core.settings import settings
from core.store import projects, tables
from core.store.database import Store
from core.store.results import scores
from pages.kit.calibrations import reads, words
from pages.people.calibrate import form
from tests.pages.clicks import MARKUP, as_viewer, as_written, captions, keys, metrics, rendered, select, table
from tests.support.labels import labelled_run
from tests.support.labels.labelled_store import LABELLED, N, calibrated, more, unlabelled
from tests.support.small_bank import ACTOR, said


@pytest.fixture
def labelled(data: Path, labelled_base):
    """The app's store with the labelled run in it."""
    data.mkdir(parents=True)
    shutil.copy(labelled_base[0], data / "plumbline.sqlite")
    with Store.open(settings().database_url) as opened:
        yield opened


@pytest.fixture
def calibration(labelled, made):
    """The newest calibration: groundedness, under the criterion Correct."""
    return calibrated(labelled, made)


@pytest.fixture
def open_view(open_page, made):
    def opened(view="", **query):
        return open_page(
            "calibrate", project=made.run.project_id, **{"criterion": made.binary.id, "view": view, **query}
        )

    return opened


def test_without_a_run_the_page_leads_to_one(open_page, project):
    app = open_page("calibrate", project=project.id)
    assert "No run yet" in said(app)
    assert "go_run" in keys(app)


@pytest.mark.slow
def test_a_calibration_of_an_untested_judges_score_is_marked(open_view, labelled, calibration):
    with labelled.write(ACTOR, "score.run", project_id=calibration.project_id) as connection:
        stored = scores.run_metric(connection, calibration.run_id, "groundedness")
        judged = replace(stored, options={"judge": "grouse:m@http://127.0.0.1:9/v1"})
        scores.put_run_metrics(connection, calibration.run_id, [judged])
    for view in ("", "decide", "promise"):
        app = open_view(view, calibration=calibration.id)
        assert not app.exception
        assert "The scores of this judge do not count yet." in said(app)
    app.button(key="calibration_to_tests").click().run()
    assert app.query_params["part"] == "tests"


def test_without_a_criterion_or_a_label_the_page_leads_to_labelling(open_page, store, project):
    run = labelled_run.add_run(store, project.id, n=20)
    app = open_page("calibrate", project=project.id)
    assert "Nobody has labelled an answer yet" in said(app)
    labelled_run.add_criteria(store, project.id)
    app = open_page("calibrate", project=project.id, run=run.id)
    assert "No answer of this run has a label under Correct" in said(app)
    app.button(key="go_label").click().run()
    assert not app.exception
    assert app.query_params["run"] == run.id


def test_without_a_run_in_the_link_the_newest_with_labels_is_shown(open_page, store, project):
    run, _ = one_sided(store, project)
    later = labelled_run.add_run(store, project.id, n=20, name="Later")
    with store.write(ACTOR, "run.edit", project_id=project.id, subject=later.id) as connection:
        moment = "2026-11-22T05:00:00+00:00"
        connection.execute(update(tables.runs).where(tables.runs.c.id == later.id).values(created_at=moment))
    app = open_page("calibrate", project=project.id)
    assert not app.exception
    assert app.query_params["run"] == run.id
    assert "No answer of this run has a label" not in said(app)
    assert "a later run is finished" in captions(app)
    # A link that names the other run is followed.
    assert "No answer of this run has a label" in said(open_page("calibrate", project=project.id, run=later.id))


@pytest.mark.slow
def test_nothing_is_promised_before_somebody_calibrates(open_view, labelled):
    app = open_view()
    assert not app.exception
    assert "Not calibrated yet" in said(app)
    assert "Simulated raters" in said(app)
    assert app.multiselect(key="url_columns").value == ["verdict"]
    assert "Verdict comes first in a fixed order for such a criterion, whatever the labels say" in captions(app)
    for view in ("decide", "estimate", "promise"):
        app = open_view(view)
        assert "needs a calibration" in said(app)
        assert "calibrate" in keys(app)


def test_the_score_that_nobody_chose_is_what_the_criterion_asks_for(made):
    metrics = ["completeness", "faithfulness", "groundedness", "verdict"]
    assert form.usual(metrics, made.binary) == "verdict"
    assert form.usual(metrics, made.likert) == "faithfulness", "it asks for what the passages say"
    assert form.usual(metrics[:-1], made.binary) == "faithfulness"
    assert form.usual(["completeness"], made.binary) == "completeness"
    assert form.usual([], made.binary) == ""


@pytest.mark.slow
def test_calibrating_shows_what_is_promised_with_n_and_interval(open_view, labelled, made):
    app = open_view()
    app.button(key="calibrate").click().run()
    assert not app.exception
    (stored,) = calibrations_of(labelled, made.run.id)
    report = report_of(stored)
    assert app.query_params["calibration"] == stored.id
    shown = metrics(app)
    covered = report.result.coverage
    assert shown["Coverage, promised 90%"] == f"{covered.num / covered.den:.2f}"
    assert f"{covered.num}/{covered.den} test labels" in captions(app)
    assert f"was {report.result.figure('ece').before.value:.3f}" in captions(app)
    decided = sum(one.n for one in report.result.decisions_all if one.decision.value != "human")
    assert f"{decided}/{N - 2}" in captions(app)
    assert f"{LABELLED} labels, {N - 1} answers" in captions(app)
    assert "Simulated raters" in said(app)
    assert "All 110 labels" in said(app)
    assert "Before you rely on it" in said(app)


@pytest.mark.slow
def test_the_same_labels_and_choices_are_calibrated_once(open_view, labelled, made):
    app = open_view(method="logistic")
    app.button(key="calibrate").click().run()
    (first,) = calibrations_of(labelled, made.run.id)
    app.button(key="calibrate").click().run()
    assert not app.error
    assert calibrations_of(labelled, made.run.id) == (first,)
    assert "this calibration is up to date" in said(app)
    # Another choice, or one label more, is another calibration.
    app.selectbox(key="url_alpha").set_value("0.2").run()
    app.button(key="calibrate").click().run()
    assert len(calibrations_of(labelled, made.run.id)) == 2
    more(labelled, made, unlabelled(labelled, made)[:1], probability=0.5)
    app = open_view(method="logistic", alpha="0.1")
    app.button(key="calibrate").click().run()
    assert len(calibrations_of(labelled, made.run.id)) == 3


@pytest.mark.slow
def test_metrics_are_compared_once_for_the_same_labels(open_view, labelled, made):
    open_view("trust")
    found = reads.trusted(labelled, made.run.id, made.binary.id)
    calibrated(labelled, made)  # which writes to the store and changes no label
    again = reads.trusted(labelled, made.run.id, made.binary.id)
    assert again == found
    more(labelled, made, unlabelled(labelled, made)[:10], probability=0.5)
    assert reads.trusted(labelled, made.run.id, made.binary.id).labels == found.labels + 10


@pytest.mark.slow
def test_choices_of_the_form_are_kept_and_used(open_view, labelled, made):
    app = open_view(
        columns="groundedness,wasserstein", method="logistic", alpha="0.2", conformal="aps", attribute="topic"
    )
    app.button(key="calibrate").click().run()
    assert not app.exception
    options = calibrations_of(labelled, made.run.id)[0].options
    assert options["metrics"] == ["groundedness", "wasserstein"]
    assert (options["method"], options["alpha"], options["conformal"]) == ("logistic", 0.2, "aps")
    assert options["group_attribute"] == "topic"
    groups = table(app, "groups_table") if any(i.key == "groups_table" for i in app.dataframe) else None
    rows = groups if groups is not None else next(i.value for i in app.dataframe if "Source" in i.value.columns)
    assert set(rows["Group"]) <= set(labelled_run.TOPICS)
    assert app.selectbox(key="url_group").value == "(all)"


@pytest.mark.slow
def test_a_promise_the_labels_cannot_make_decides_nothing_and_says_why(open_view, labelled):
    app = open_view(alpha="0.01", method="logistic")
    app.button(key="calibrate").click().run()
    assert not app.exception
    assert metrics(app)["Decided without a person"] == "0.00"
    assert f"0/{N - 2}" in captions(app)
    assert "labels cannot promise 99%" in said(app)
    assert "infinite" in captions(app)
    app = open_view("decide")
    assert metrics(app)["To a human"] == f"{N - 2}"


@pytest.mark.slow
def test_the_verdict_can_be_calibrated_like_a_score(open_view, labelled, made):
    app = open_view(columns="verdict", method="logistic")
    app.button(key="calibrate").click().run()
    assert not app.exception
    report = report_of(calibrations_of(labelled, made.run.id)[0])
    # Two verdicts give two probabilities.
    assert len({row.chance for row in report.labels if row.chance is not None}) == 2


@pytest.mark.slow
def test_each_level_of_a_scale_has_its_place_in_the_sets(open_page, labelled, made):
    app = open_page("calibrate", project=made.run.project_id, criterion=made.likert.id, method="ordinal")
    app.selectbox(key="calibrate_levels").set_value("each").run()
    app.button(key="calibrate").click().run()
    assert not app.exception
    (stored,) = calibrations_of(labelled, made.run.id)
    assert stored.options["levels"] == LevelsKept.EACH.value
    report = report_of(stored)
    assert words.braces((0, 3), report) == "{1, 4}"
    assert words.braces((), report) == "{ }"


@pytest.mark.slow
def test_how_several_raters_are_combined_is_chosen_for_a_scale(open_page, open_view, labelled, made):
    assert "calibrate_raters" not in {box.key for box in open_view(method="logistic").selectbox}, "yes or no: one vote"
    app = open_page("calibrate", project=made.run.project_id, criterion=made.likert.id, method="ordinal")
    choice = app.selectbox(key="calibrate_raters")
    assert choice.options == ["The criterion's rule: majority", "Median", "Vote after the cut-off", "Mean"]
    choice.set_value("median").run()
    app.button(key="calibrate").click().run()
    assert not app.exception
    (stored,) = calibrations_of(labelled, made.run.id)
    assert (stored.options["raters"], report_of(stored).rule) == ("median", "median")
    assert app.selectbox(key="calibrate_raters").value == "median"


def test_without_a_score_the_refusal_stands_in_its_place(open_view, labelled, made):
    app = open_view()
    app.multiselect(key="url_columns").set_value([]).run()
    assert app.multiselect(key="url_columns").value == []
    app.button(key="calibrate").click().run()
    assert "No score was chosen" in app.error[0].value
    assert calibrations_of(labelled, made.run.id) == ()


@pytest.mark.slow
def test_too_few_labels_say_how_many_more(open_page, store, project):
    run = labelled_run.add_run(store, project.id, n=40)
    binary, _ = labelled_run.add_criteria(store, project.id)
    quality = {f"case-{number}": float(value) for number, value in enumerate(labelled_run.qualities(40))}
    ids = [f"case-{number}" for number in range(12)]
    labelled_run.add_labels(store, run, (binary,), ids, quality=quality, slip=0.0)
    app = open_page("calibrate", project=project.id)
    # Thirty for 90%: nine for the quantile are three tenths of them.
    assert "18 more labels are needed for a promise of 90%" in said(app)
    app.selectbox(key="url_alpha").set_value("0.2").run()
    assert "more labels are needed for a promise of 80%" in said(app)
    app.button(key="calibrate").click().run()
    assert not app.exception
    assert "needs at least" in app.error[0].value
    app.button(key="label_more").click().run()
    assert (app.query_params["run"], app.query_params["view"]) == (run.id, "setup")
    assert next(part for part in app.expander if part.label == "New round").proto.expanded


CASE_SCRIPT = """
from pages.evaluate.results.case import calibrated_case
from pages.kit import frame
page = frame.begin("results")
calibrated_case.draw(page, page.run(), page.link.case)
"""


@pytest.mark.slow
def test_a_case_shows_what_the_newest_calibration_says_of_it(labelled, made, app, calibration):
    def shown(case_id):
        view = AppTest.from_string(CASE_SCRIPT, default_timeout=120)
        view.query_params["project"] = made.run.project_id
        view.query_params["case"] = case_id
        return view.run()

    view = shown("case-3")
    assert not view.exception
    found = calibrated_case(labelled, calibration, "case-3")
    assert f"accepts {found.chance:.2f}" in said(view).replace("**", "")
    assert "simulated raters" in captions(view)
    assert "promised coverage 90%" in captions(view)
    assert "no score, so no probability" in captions(shown(f"case-{N - 1}"))


@pytest.mark.slow
def test_raters_who_do_not_agree_are_refused_unless_somebody_insists(open_page, store, project):
    run = labelled_run.add_run(store, project.id, n=80)
    binary, _ = labelled_run.add_criteria(store, project.id)
    quality = {f"case-{number}": float(value) for number, value in enumerate(labelled_run.qualities(80))}
    ids = [f"case-{number}" for number in range(60)]
    labelled_run.add_labels(store, run, (binary,), ids, quality=quality, slip=0.5, origin=RoundOrigin.PEOPLE)
    app = open_page("calibrate", project=project.id, criterion=binary.id)
    assert "do not agree enough" in said(app)
    assert "alpha" in said(app)
    assert "Simulated raters" not in said(app)
    assert app.button(key="calibrate").disabled
    app.checkbox(key="calibrate_insist").check().run()
    app.button(key="calibrate").click().run()
    assert not app.exception
    assert f"calibrated anyway by {ACTOR}" in said(app)
    for view in ("decide", "estimate", "promise"):
        app = open_page("calibrate", project=project.id, criterion=binary.id, view=view)
        assert "calibrated anyway" in said(app)


def one_sided(store, project):
    """A run of which two raters labelled twenty answers, the same on nineteen; two were accepted, one by both."""
    run = labelled_run.add_run(store, project.id, n=40)
    binary, _ = labelled_run.add_criteria(store, project.id)
    quality = {f"case-{number}": 1.0 if number in (3, 7) else 0.0 for number in range(40)}
    ids = [f"case-{number}" for number in range(20)]
    made = labelled_run.add_labels(
        store, run, (binary,), ids, quality=quality, slip=0.0, raters=("Ada", "Bo"), origin=RoundOrigin.PEOPLE
    )
    save_labels(store, made.id, "Bo", "case-7", given={binary.id: Given(value=0.0)}, seconds=8.0, actor=ACTOR)
    return run, binary


def test_raters_who_agree_are_not_told_that_they_do_not(open_page, store, project):
    run, binary = one_sided(store, project)
    app = open_page("calibrate", project=project.id, criterion=binary.id)
    assert "do not agree" not in said(app)
    assert "The raters agree on 19 of 20 cases" in said(app)
    assert 'only 2 of them have a label other than "Incorrect"' in said(app)
    assert app.button(key="calibrate").disabled
    app.button(key="label_more").click().run()
    assert not app.exception
    assert (app.query_params["run"], app.query_params["view"]) == (run.id, "setup")


def test_more_labels_come_from_the_round_that_is_not_finished(open_page, store, project):
    run, binary = one_sided(store, project)
    items = [Drawn(case_id="case-30")]
    waiting = create_round(store, run.id, name="Next", criteria=[binary.id], raters=["Ada"], items=items, actor=ACTOR)
    app = open_page("calibrate", project=project.id, criterion=binary.id)
    app.button(key="label_more").click().run()
    assert app.query_params["round"] == waiting.id


@pytest.mark.slow
def test_a_stale_calibration_says_so(open_view, labelled, made, calibration):
    assert "stale" not in said(open_view())
    change_criterion(labelled, made.binary.id, rule=LabelRule.ADJUDICATED, actor=ACTOR)
    assert "This calibration is stale" in said(open_view())


@pytest.mark.slow
def test_a_viewer_sees_and_cannot_calibrate_or_open_a_round(open_view, labelled, made, calibration, monkeypatch):
    app = open_view()
    with labelled.read() as connection:
        project = projects.get(connection, made.run.project_id)
    app = as_viewer(app, labelled, project, monkeypatch)
    assert not app.exception
    assert "calibrate" not in keys(app)
    assert "Coverage, promised 90%" in metrics(app)
    app.segmented_control(key="url_view").set_value("decide").run()
    assert "open_round" not in keys(app)


@pytest.mark.slow
def test_decisions_are_counted_filtered_and_opened(open_view, labelled, made, calibration):
    app = open_view("decide")
    assert not app.exception
    found = calibrated_cases(labelled, calibration.id, limit=None)
    counts = {one.value: count for one, count in found.counts.items()}
    shown = metrics(app)
    assert (shown["Accept"], shown["Reject"], shown["To a human"]) == tuple(
        f"{counts[one]:,}" for one in ("accept", "reject", "human")
    )
    assert shown["Not scored"] == "2"
    app.segmented_control(key="url_decision").set_value("human").run()
    rows = table(app, "decisions_table")
    assert set(rows["Decision"]) == {"? To a human"}
    assert len(rows) == min(50, counts["human"])
    chosen = select(app, "decisions_table", 0, "case_id")
    assert app.query_params["case"] == chosen
    app.button(key="open_decided").click().run()
    assert app.title[0].value == "Which answers are wrong?"
    assert app.query_params["case"] == chosen


@pytest.mark.slow
def test_a_link_opens_a_case_that_stands_on_another_page(open_view, labelled, calibration):
    last = calibrated_cases(labelled, calibration.id, limit=None).cases[-1]
    app = open_view("decide", case=last.case_id)
    assert last.case_id not in set(table(app, "decisions_table")["case_id"])
    assert f"Case {last.case_id}" in said(app)
    assert f"chance {last.chance:.2f}" in said(app)
    assert "Select an answer" in captions(open_view("decide", case="case_none"))


@pytest.mark.slow
def test_the_queue_opens_a_round(open_view, labelled, made, calibration):
    app = open_view("decide")
    _, left = queue(labelled, calibration.id)
    assert f"{len(left)} of them have no label yet" in said(app)
    app.text_input(key="queue_raters").set_value("ada, bob, ada").run()
    app.number_input(key="queue_most").set_value(3).run()
    app.button(key="open_round").click().run()
    assert not app.exception
    opened = next(one for one in list_rounds(labelled, made.run.project_id) if one.id != made.round.id)
    assert opened.raters == ("ada", "bob")
    assert (opened.origin, opened.design["drawn"]) == (RoundOrigin.PEOPLE, 3)
    assert app.query_params["round"] == opened.id


@pytest.mark.slow
def test_a_round_without_a_rater_is_refused_in_its_place(open_view, labelled, calibration):
    app = open_view("decide")
    app.text_input(key="queue_raters").set_value(" , ").run()
    app.button(key="open_round").click().run()
    assert not app.exception
    assert app.error


@pytest.mark.slow
def test_the_threshold_moves_the_errors_and_can_be_chosen_by_cost(open_view, labelled, calibration):
    app = open_view("decide", threshold="0.7")
    assert app.slider(key="url_threshold").value == 0.7
    app.segmented_control(key="threshold_by").set_value("By cost").run()
    app.number_input(key="cost_accept").set_value(20.0).run()
    app.button(key="use_threshold").click().run()
    assert not app.exception
    rule = Threshold(by=ThresholdBy.COST, false_accept=20.0, false_reject=1.0)
    found = chosen_threshold(report_of(calibration), rule)
    assert app.slider(key="url_threshold").value == pytest.approx(found.value)
    app.segmented_control(key="threshold_by").set_value("By a bound").run()
    app.number_input(key="bound_most").set_value(0.002).run()
    assert "none can be promised" in captions(app).lower()
    assert "use_threshold" not in keys(app)


@pytest.mark.slow
def test_the_pass_rate_stands_beside_the_labels_alone(open_view, labelled, calibration):
    app = open_view("estimate")
    assert not app.exception
    shown = metrics(app)
    assert set(shown) == {"Pass rate, scores and labels", "Pass rate, labels only", "What the labels are worth"}
    assert f"{LABELLED} labels, {N - 1} answers" in captions(app)
    app.slider(key="budget_width").set_value(0.3).run()
    assert "narrow enough" in said(app)
    app.slider(key="budget_width").set_value(0.02).run()
    assert "This run cannot give an interval" in said(app)


@pytest.mark.slow
def test_the_estimate_counts_the_labels_it_uses_those_after_the_calibration_among_them(
    open_view, labelled, made, calibration
):
    assert f"All {LABELLED} labels that the estimate uses" in said(open_view("estimate"))
    more(labelled, made, unlabelled(labelled, made)[:10], probability=0.5, origin=RoundOrigin.PEOPLE)
    app = open_view("estimate")
    assert f"{LABELLED} of {LABELLED + 10} labels that the estimate uses" in said(app)
    assert f"{LABELLED + 10} labels, {N - 1} answers" in captions(app)
    # The calibration itself rests on its own.
    assert f"All {LABELLED} labels of this calibration" in said(open_view())


@pytest.mark.slow
def test_answers_that_nobody_could_judge_are_counted_beside_the_pass_rate(open_view, labelled, made, calibration):
    assert "that people looked at" not in captions(open_view("estimate"))
    for task in tasks(labelled, made.round.id, labelled_run.RATERS[0])[:3]:
        look = {"value": None, "reason": "The passages do not say."}
        adjudicate(labelled, made.run.id, task.case_id, made.binary.id, **look, actor=ACTOR)
    app = open_view("estimate")
    assert not app.exception
    assert "3 answers that people rated are no part of the share: they have no label" in captions(app)
    assert f"{LABELLED - 3} labels, {N - 1} answers" in captions(app)


@pytest.mark.slow
def test_metrics_are_ranked_and_the_worst_misses_open(open_view, labelled):
    app = open_view("trust")
    assert not app.exception
    assert app.title[0].value == "Which metric can be trusted?"
    rows = table(app, "trust_table")
    assert rows["metric"].iloc[0] != "lexical_precision"
    assert rows["Behind the best"].iloc[0] == "best"
    assert set(rows["metric"]) == {*labelled_run.METRICS, "verdict"}
    select(app, "trust_table", 0, "metric")
    chosen = select(app, "misses_table", 0, "case_id")
    app.button(key="open_miss").click().run()
    assert app.title[0].value == "Which answers are wrong?"
    assert app.query_params["case"] == chosen


@pytest.mark.slow
def test_a_name_with_markup_is_shown_as_it_is_everywhere(open_view, labelled, made):
    anchors = [{"value": value, "anchor": f"{value} {MARKUP}"} for value in (0, 1)]
    with labelled.write(ACTOR, "test_set.attributes") as connection:
        for row in connection.execute(select_rows(tables.cases.c.case_id, tables.cases.c.attributes)).all():
            own = update(tables.cases).where(tables.cases.c.case_id == row.case_id)
            connection.execute(own.values(attributes={MARKUP: f"{row.attributes['topic']} {MARKUP}"}))
        own = update(tables.criteria).where(tables.criteria.c.id == made.binary.id)
        connection.execute(own.values(name=MARKUP, question=MARKUP, levels=anchors))
    app = open_view(attribute=MARKUP, method="logistic")
    app.button(key="calibrate").click().run()
    assert not app.error
    for view in ("", "decide", "estimate", "trust", "promise"):
        app = open_view(view, case="case-3")
        assert not app.exception
        assert [text for text in rendered(app) if MARKUP in text] == [], view
        assert [text for text in as_written(app) if "\\*" in text] == [], view
        assert MARKUP in app.selectbox(key="url_criterion").options


@pytest.mark.slow
def test_the_promise_waits_for_labels_and_then_reads_them(open_view, labelled, made, calibration):
    app = open_view("promise")
    assert "No label came after" in said(app)
    assert "go_label" in keys(app)
    left = [case_id for case_id in unlabelled(labelled, made) if case_id != f"case-{N - 2}"]
    more(labelled, made, left[:5], part=Part.TARGETED, probability=0.5)
    app = open_view("promise")
    assert "None of the 5 new labels was drawn at random" in said(app)
    more(labelled, made, left[5:25], probability=0.5, name="Third")
    app = open_view("promise")
    assert not app.exception
    assert metrics(app)["New labels"] == "20"
    assert "5 labels of them targeted" in captions(app)


@pytest.mark.slow
@pytest.mark.parametrize("query", [{"criterion": "crt_none"}, {"calibration": "cal_none"}, {"alpha": "7"}])
def test_a_link_to_nothing_breaks_nothing(open_view, labelled, calibration, query):
    app = open_view(**query)
    assert not app.exception
