"""Slices, failure clusters, holding and findings on the Weakness page."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from core.domain.results.findings import FindingStatus, Severity
from core.domain.results.responses import Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.testset.cases import TestCase, TestSet, cases_hash
from core.settings import settings
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.scores import RunMetric
from core.store.testset import testsets
from core.weakness.clusters.finder import ClusterReport, FailureCluster
from core.weakness.findings.service import findings
from core.weakness.table import CaseTable, ScoreColumn
from pages.analyse.weakness import dots
from pages.analyse.weakness.discovery import cluster_map, clusters, slices
from tests.pages.clicks import as_viewer, captions, keys, select, table
from tests.support.small_bank import ACTOR, said
from tests.support.stores import blank_url
from tests.support.weakness.failing_map import AT, METRIC, failing_map


@pytest.fixture(scope="module")
def mapped_data(tmp_path_factory):
    base = tmp_path_factory.mktemp("mapped")
    with Store.open(blank_url(base / "data")) as store:
        failing_map(store, base / "documents")
    return base / "data"


@pytest.fixture
def mapped(data, mapped_data):
    """The app's store with a run whose topic map has one failure cluster."""
    shutil.copytree(mapped_data, data)
    with Store.open(settings().database_url) as opened:
        yield opened


def run_of(store, project):
    """A run of 240 questions in groups of two: of the 40 long ones about cards one in four is right, else 9 in 10."""
    cases, verdicts = [], []
    for number in range(240):
        form = "long" if number // 2 % 2 else "short"
        topic = ("cards", "loans", "accounts")[number // 4 % 3]
        weak = (form, topic) == ("long", "cards")
        right = number // 2 % 8 == 1 if weak else number // 2 % 10 != 4
        case = TestCase(
            case_id=f"c{number}",
            question=f"Question {number}?",
            reference_answers=("1",),
            form=form,
            group_id=f"g{number // 2}",
            attributes={"topic": topic},
        )
        cases.append(case)
        verdicts.append(Score(case_id=case.case_id, metric=VERDICT_METRIC, value=float(right), detail={}))
    _finished(store, project, cases, verdicts)


def pooled(store, project):
    """Two corpora of 60 groups each: wiki is mostly right and scores high, news is neither; inside, chance."""
    draw = np.random.default_rng(7)
    cases, verdicts, measured = [], [], []
    for number in range(240):
        corpus, share, level = ("wiki", 0.8, 0.7) if number < 120 else ("news", 0.3, 0.3)
        case = TestCase(
            case_id=f"c{number}",
            question=f"Question {number}?",
            reference_answers=("1",),
            form="plain",
            group_id=f"g{number // 2}",
            attributes={"corpus": corpus},
        )
        cases.append(case)
        right = float(draw.random() < share)
        verdicts.append(Score(case_id=case.case_id, metric=VERDICT_METRIC, value=right, detail={}))
        measured.append(Score(case_id=case.case_id, metric=METRIC, value=level + draw.uniform(-0.2, 0.2), detail={}))
    _finished(store, project, cases, [*verdicts, *measured])


def _finished(store, project, cases, given):
    """A finished run with these scores."""
    run = Run(
        id="run_x",
        project_id=project.id,
        test_set_id="ts_x",
        target="recorded:x",
        judge="recorded",
        state=RunState.FINISHED,
        created_at=AT,
        created_by=ACTOR,
        finished_at=AT,
    )
    with store.write(ACTOR, "test.prepare", project_id=project.id) as connection:
        testsets.put(connection, TestSet(id="ts_x", project_id=project.id, name="Made"))
        testsets.put_cases(connection, "ts_x", cases)
        testsets.freeze(connection, "ts_x", cases_hash(cases), AT)
        runs.put(connection, run)
        runs.save_responses(connection, run.id, [Response(case_id=case.case_id, answer="1") for case in cases])
        scores.put(connection, run.id, given)
        done = RunMetric(metric=METRIC, version=1, finished=True, scored_at=AT, scored_by=ACTOR)
        scores.put_run_metrics(connection, run.id, [done])


def told(app):
    """Every bold line and message of the page as one text."""
    return " ".join([*(item.value for item in app.markdown), said(app), captions(app)]).replace("\\", "")


@pytest.mark.slow
def test_the_weak_slice_is_named_with_how_it_was_shown(open_page, store, project):
    run_of(store, project)
    app = open_page("weakness", project=project.id, view="slices")
    assert not app.exception
    assert "1 weak slice: questions about cards in long form (16 of 20 failing)" in told(app)
    assert "which had no part in choosing" in captions(app)
    frame = table(app, "slices_table")
    assert frame["Verdict"].iloc[0] == "▼ Weak"
    # Every figure of the row is of the held-out half: 16 of 20 fail, so 4 of 20 are right.
    assert (frame["n"].iloc[0], frame["Failing"].iloc[0]) == ("20", "16/20")
    assert frame["Mean"].iloc[0].startswith("0.20 ")
    select(app, "slices_table", 0, "id")
    assert not app.exception
    assert app.query_params["cell"] in (frame["id"].iloc[0], [frame["id"].iloc[0]])
    assert "of its 20 cases in the held-out half; below are all 40" in captions(app)
    assert "too large, because it was chosen for being large" in captions(app)
    assert "weakness_case_list" in {item.key.rpartition("_")[0] for item in app.dataframe if item.key}


@pytest.mark.slow
def test_a_run_without_weak_slices_says_so(open_page, mapped):
    app = open_page("weakness", view="slices")
    assert not app.exception
    assert "not shown to be weak" in told(app)
    assert "▼ Weak" not in set(table(app, "slices_table")["Verdict"])


@pytest.mark.slow
def test_a_cluster_is_outlined_with_its_topic_and_words(open_page, mapped):
    app = open_page("weakness", view="clusters")
    assert not app.exception
    assert "14 of 16 cases that lie together in Cards are failing, 5 of 47 elsewhere" in told(app)
    assert "1 case without a score" in captions(app)
    row = table(app, "clusters_table").iloc[0]
    assert (row["Failing"], row["Topics"]) == ("14/16", "Cards (16)")
    assert "contactless limit" in row["Words of failures"]
    select(app, "clusters_table", 0, "id")
    assert not app.exception
    assert len(table(app, "weakness_case_list")) == 16


@pytest.mark.slow
def test_a_case_of_the_map_is_opened_by_its_link(open_page, mapped):
    app = open_page("weakness", view="clusters", case="loans-pewter-1")
    assert not app.exception
    assert "How many years does the Pewter mortgage loan run?" in [item.value for item in app.text]
    assert "open_map_case" in keys(app)
    assert "open_map_case" not in keys(open_page("weakness", view="clusters", case="nobody"))


def test_without_topics_the_map_says_what_it_waits_for(open_page, store, project):
    run_of(store, project)
    app = open_page("weakness", project=project.id, view="clusters")
    assert not app.exception
    assert "No topics are found yet." in told(app)
    assert "go_topics" in keys(app)


def test_whether_a_score_holds_needs_a_score(open_page, mapped):
    app = open_page("weakness", view="holding")
    assert not app.exception
    assert "Choose a score other than the verdict" in said(app)


@pytest.mark.slow
def test_a_score_is_compared_inside_the_levels(open_page, mapped):
    app = open_page("weakness", view="holding", score=METRIC, attribute="form")
    assert not app.exception
    assert "Holds inside the levels" in told(app)
    frame = table(app, "holding_table")
    assert set(frame["Level"]) == {"long", "short"}
    assert "1 case without form" not in captions(app)
    select(app, "holding_table", 0, "id")
    assert not app.exception
    assert table(app, "weakness_case_list").shape[0] > 0


@pytest.mark.slow
def test_a_score_that_only_tells_two_pooled_corpora_apart_is_seen_through(open_page, store, project):
    pooled(store, project)
    app = open_page("weakness", project=project.id, view="holding", score=METRIC, attribute="corpus")
    assert not app.exception
    assert "✗ Comes from differences between levels" in told(app)
    frame = table(app, "holding_table").set_index("Level")
    assert all(float(area.split()[0]) < 0.65 for area in frame["AUC"])


@pytest.mark.slow
def test_findings_are_recorded_and_decided_on(open_page, mapped):
    app = open_page("weakness", view="findings")
    assert "No finding is recorded for this run." in told(app)
    app.button(key="record_findings").click().run()
    assert not app.exception
    recorded = findings(mapped, "run_map")
    # The topic says it: the place on the map where they lie is not told beside it.
    assert [one.conditions for one in recorded] == [(("topic", "cards"),)]
    assert len(table(app, "findings_table")) == len(recorded)

    own = select(app, "findings_table", 0, "id")
    app.selectbox(key=f"status_{own}_0").set_value(FindingStatus.ACCEPTED)
    app.selectbox(key=f"severity_{own}_0").set_value(Severity.LOW)
    app.text_input(key=f"owner_{own}_0").set_value("Ada <b>")
    app.text_area(key=f"comment_{own}_0").set_value("We know.")
    app.button(key=f"save_{own}_0").click().run()
    assert not app.exception
    (now,) = (one for one in findings(mapped, "run_map") if one.id == own)
    assert (now.status, now.severity, now.owner, now.comment) == ("accepted", "low", "Ada <b>", "We know.")
    assert "status from open to accepted" in " ".join(
        str(item.value.to_dict()) for item in app.dataframe if "What" in item.value.columns
    )

    app.button(key="record_findings").click().run()
    (again,) = (one for one in findings(mapped, "run_map") if one.id == own)
    assert (again.status, again.owner) == ("accepted", "Ada <b>")


@pytest.mark.slow
def test_findings_are_filtered_by_status(open_page, mapped):
    app = open_page("weakness", view="findings")
    app.button(key="record_findings").click().run()
    app.selectbox(key="url_status").set_value("resolved").run()
    assert "No finding is resolved." in said(app)


@pytest.mark.slow
def test_who_may_only_look_records_and_decides_nothing(open_page, mapped, monkeypatch):
    app = open_page("weakness", view="findings")
    app.button(key="record_findings").click().run()
    own = str(table(app, "findings_table")["id"].iloc[0])
    with mapped.read() as connection:
        run = runs.get(connection, "run_map")
    app.query_params["cell"] = own
    app = as_viewer(app, mapped, _Named(run.project_id), monkeypatch)
    assert not app.exception
    assert not {"record_findings", f"save_{own}_0"} & keys(app)
    assert "Only a validator of the project may decide on findings." in captions(app)


class _Named:
    """A project by its id."""

    def __init__(self, project_id):
        self.id = project_id


@pytest.mark.slow
@pytest.mark.parametrize("cell", ["nothing", "99", "fnd_0"])
@pytest.mark.parametrize("view", ["slices", "clusters", "findings"])
def test_a_link_to_a_row_that_is_not_there_opens_nothing(open_page, mapped, view, cell):
    app = open_page("weakness", view=view, cell=cell)
    assert not app.exception
    assert not any((item.key or "").startswith("weakness_case_list") for item in app.dataframe)


def test_words_of_a_level_are_no_markup():
    assert "<b>" not in dots.wrapped("<b>thick</b>")


def test_an_outline_holds_its_points_even_where_they_are_one():
    ring = cluster_map.outline(np.zeros((3, 2)), 1.0)
    assert np.allclose(ring[0], ring[-1])
    assert np.allclose(np.hypot(*ring.T), 1.0)


def test_a_cluster_without_words_is_called_by_its_topic():
    one = FailureCluster(
        cases=np.array([0]),
        failing=np.array([0]),
        groups=1,
        mean=None,
        rest=1.0,
        effect=1.0,
        p_adjusted=0.01,
        topics=(("Loans", 1),),
    )
    assert clusters.terms_of(one) == "Loans"
    report = ClusterReport(
        clusters=(),
        failing=np.array([True]),
        failing_means="failing",
        looked_at=1,
        groups=1,
        no_place=0,
        no_score=0,
        neighbourhoods=0,
        reason="Too few.",
    )
    assert clusters.headline(report) == "The map could not be searched"


def test_cases_are_listed_worst_first_and_those_without_a_score_last():
    score = ScoreColumn(name="f1", values=np.array([0.9, np.nan, 0.1]), higher_is_better=True)
    cases = CaseTable(case_ids=("a", "b", "c"), clusters=np.arange(3), score=score, attributes=())
    assert slices.worst_first(cases, np.arange(3)) == ["c", "a", "b"]
