"""The Diagnose page: figures, groups, the hypothesis test, and runs that leave little to diagnose."""

from __future__ import annotations

import json

import pytest

from core.runs.exchange.recordings import import_recording
from core.runs.service import create_run
from core.store.results import runs
from pages.analyse.diagnose import frames, reads
from tests.pages.clicks import as_viewer, captions, holding, metrics, select, table
from tests.support.files.recordings import recorded_rows
from tests.support.runs.mixed_run import mixed_run, mixed_set
from tests.support.small_bank import ACTOR, said


@pytest.fixture
def imported(store, project, tmp_path):
    """Imports rows as a finished run of the empty project."""

    def run(rows, **more):
        files = []
        for form, part in {"short": rows, **more}.items():
            files.append(tmp_path / f"results_{form}.json")
            files[-1].write_text(json.dumps(part), encoding="utf-8")
        return import_recording(store, project.id, files, actor=ACTOR, name="Recording")

    return run


def figures(app) -> dict[str, str]:
    """The table of figures: name to its cells as one text."""
    shown = next(item.value for item in app.table if "Figure" in item.value.columns)
    return {row.iloc[0].split("**")[1]: " ".join(row.iloc[1:]).replace("\\", "") for _, row in shown.iterrows()}


@pytest.mark.slow
def test_without_a_run_the_page_leads_to_one(open_page, project):
    app = open_page("diagnose", project=project.id)
    assert "No run yet" in said(app)
    app.button(key="go_run").click().run()
    assert app.title[0].value == "What does the system answer?"


@pytest.mark.slow
def test_a_run_without_verdicts_leads_back_to_it(open_page, finished, bank):
    with finished.read() as connection:
        first = runs.all(connection, bank.id)[0]
    planned = create_run(finished, first.test_set_id, actor=ACTOR, target="keyword")
    app = open_page("diagnose", project=bank.id, run=planned.id)
    assert "No answer is judged yet" in said(app)
    app.button(key="go_run").click().run()
    assert app.query_params["run"] == planned.id


@pytest.mark.slow
def test_every_figure_has_its_interval_counts_and_clusters(open_page, finished, bank):
    app = open_page("diagnose", project=bank.id)
    assert not app.exception
    with finished.read() as connection:
        run = runs.all(connection, bank.id)[0]
        tally = runs.tally(connection, run.id)
    shown = figures(app)
    assert len(shown) == len(frames.FIGURES)
    assert f"{tally.correct:,}/{tally.correct + tally.incorrect:,}" in shown["Accuracy"]
    assert all("clusters" in cell and "[" in cell for cell in shown.values())
    assert "Equation 3 holds" in captions(app)
    assert set(metrics(app)) == {"Accuracy", "Groups with an answer", "Refined accuracy", "Document recall"}
    groups = holding(app, "Facts over all forms")
    assert len(groups) == 4
    assert len(app.get("plotly_chart")) == 1


@pytest.mark.slow
def test_the_partition_adds_up_to_every_question(open_page, finished, bank):
    app = open_page("diagnose", project=bank.id)
    with finished.read() as connection:
        tally = runs.tally(connection, runs.all(connection, bank.id)[0].id)
    partition = holding(app, "Module")
    forms = [name for name in partition.columns[1:] if "paper" not in name]
    counted = sum(int(cell.split("(")[1].split("/")[0].replace(",", "")) for form in forms for cell in partition[form])
    assert counted == tally.cases


@pytest.mark.slow
def test_groups_are_filtered_and_opened_down_to_the_case(open_page, bank):
    app = open_page("diagnose", project=bank.id, view="groups", tag="gap")
    assert set(table(app, "groups_table")["Kind"]) == {"Gap"}
    chosen = select(app, "groups_table", 0, "id")
    assert app.query_params["group"] == chosen
    assert "Ground truth, from the database" in captions(app)
    assert "What the documents say" in captions(app)
    case = select(app, "wordings_table", 0, "case_id")
    app.button(key="open_case").click().run()
    assert app.title[0].value == "Which answers are wrong?"
    assert app.query_params["case"] == case


@pytest.mark.slow
def test_a_clicked_part_of_the_bar_stands_for_form_and_module(finished, bank):
    with finished.read() as connection:
        run = runs.all(connection, bank.id)[0]
    found = reads.diagnosis(finished, run.id, "")
    assert reads.segment(found, "retrieval:Long questions") == {"module": "retrieval", "form": "long"}


@pytest.mark.slow
def test_filters_that_leave_no_group_say_so(open_page, bank):
    app = open_page("diagnose", project=bank.id, view="groups", tag="robust", module="knowledge_gap")
    assert not app.exception
    assert "No group matches" in said(app)


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [{"group": "nothing:short"}, {"tag": "nonsense"}, {"module": "<b>"}, {"reading": "x"}, {"form": ":red[x]"}],
)
def test_nonsense_in_the_url_is_met_calmly(open_page, bank, query):
    app = open_page("diagnose", project=bank.id, view="groups", **query)
    assert not app.exception
    assert len(table(app, "groups_table"))


@pytest.mark.slow
def test_the_hypothesis_test_says_what_it_shows_and_what_it_cannot(open_page, bank):
    app = open_page("diagnose", project=bank.id, view="hypothesis")
    assert not app.exception
    tests = holding(app, "p, Holm-adjusted")
    assert tests["Module"].tolist() == list(reads.MODULES.values())
    assert "What this cannot show" in said(app)
    assert "seed 0" in captions(app)
    assert app.query_params.get("a", "short") == "short"


@pytest.mark.slow
def test_a_value_is_not_compared_with_itself(open_page, bank):
    app = open_page("diagnose", project=bank.id, view="hypothesis", attribute="form", a="short", b="short")
    assert not app.exception
    assert app.error


def test_one_form_only(open_page, project, imported):
    imported(recorded_rows(groups=6))
    app = open_page("diagnose", project=project.id)
    assert not app.exception
    # Groups 0, 2, 4 of 6 are right in both wordings.
    assert metrics(app)["Accuracy"] == "0.50"
    assert "6/12" in figures(app)["Accuracy"]
    app.query_params["view"] = "hypothesis"
    app.run()
    assert not app.exception
    assert "nothing to compare" in said(app) or app.selectbox(key="url_attribute").value


def test_when_every_group_is_a_gap_the_page_says_what_that_means(open_page, project, imported):
    imported(recorded_rows(right=False))
    app = open_page("diagnose", project=project.id)
    assert not app.exception
    assert "every group is a gap" in app.warning[0].value
    assert metrics(app)["Refined accuracy"] == "-"
    assert "nothing to count (0/0)" in captions(app)
    assert figures(app)["Refined accuracy"].startswith("- (0/0)")


def test_a_recording_without_verdicts_is_not_judged(open_page, project, imported):
    imported(recorded_rows(judged=False))
    app = open_page("diagnose", project=project.id)
    assert not app.exception
    assert "No answer is judged yet" in said(app)


@pytest.mark.slow
def test_answers_that_are_not_judged_are_told_beside_the_figures(open_page, project, imported):
    imported(recorded_rows() + recorded_rows(judged=False))
    app = open_page("diagnose", project=project.id)
    assert not app.exception
    assert "8 answers of 16 not judged" in captions(app)
    assert metrics(app)["Accuracy"] == "0.50"
    app.selectbox(key="url_reading").set_value("paper").run()
    # 4 of 16 are right when the 8 without a verdict count as wrong.
    assert metrics(app)["Accuracy"] == "0.25"


def test_two_recorded_forms_are_compared(open_page, project, imported):
    # 12 facts are known in the short form and in no long one, and none the other way round.
    imported(recorded_rows(groups=24), long=recorded_rows(groups=24, right=False))
    app = open_page("diagnose", project=project.id, view="hypothesis")
    assert not app.exception
    assert "long are answered worse than those with short" in said(app)


def test_data_that_looks_like_markup_is_shown_as_it_is(open_page, project, imported):
    rows = recorded_rows()
    for row in rows:
        row["query"] = f"{row['query']} :red[x] $\\alpha$ <script>alert(1)</script> **bold**"
        row["answer"] = "[Artist.Name] O'Brien' OR 1=1 --"
    imported(rows)
    app = open_page("diagnose", project=project.id, view="groups")
    select(app, "groups_table", 0, "id")
    assert not app.exception
    assert all(":red[x]" not in item.value and "<script>" not in item.value for item in app.markdown)
    assert all(":red[x]" not in item.value for item in app.caption)
    assert "[Artist.Name] O'Brien' OR 1=1 --" in [item.value for item in app.text]


@pytest.mark.slow
def test_a_viewer_reads_the_diagnosis(open_page, finished, bank, monkeypatch):
    app = as_viewer(open_page("diagnose", project=bank.id), finished, bank, monkeypatch)
    assert not app.exception
    assert metrics(app)["Accuracy"] != "-"


def test_questions_from_documents_are_named_beside_the_forms(open_page, store, project):
    mixed_set(store, project.id)
    run = mixed_run(store, project.id)
    found = reads.diagnosis(store, run.id, "")
    assert list(reads.bars(found)) == ["Short questions", "Long questions", "Questions from documents"]
    assert reads.segment(found, "correct:Questions from documents") == {"module": "correct", "form": "from documents"}
    assert "of 2 ones" not in reads.finding(found)
    assert list(frames.tags_frame(found))[:4] == ["Groups", "Short", "Long", "From documents"]
    assert list(frames.figures_frame(found)) == ["Figure", "Short", "Long", "From documents", "All"]
    app = open_page("diagnose", project=project.id, run=run.id, view="groups", form="from documents")
    assert not app.exception
    assert table(app, "groups_table")["Form"].tolist() == ["from documents", "from documents"]
    select(app, "groups_table", 0, "id")
    assert "Ground truth, from the documents" in captions(app)


def test_the_reason_for_the_only_wording_of_a_group_is_shown_at_once(open_page, store, project):
    mixed_set(store, project.id)
    run = mixed_run(store, project.id)
    app = open_page("diagnose", project=project.id, run=run.id, view="groups", form="short", group="g1:short")
    assert not app.exception
    listed = table(app, "groups_table")
    assert (listed["Kind"][0], listed["Modules"][0]) == ("Gap", "Unresolved gap 1")
    assert "Select a wording" not in captions(app)
    assert "Unresolved gap: " in captions(app)
    app.button(key="open_case").click().run()
    assert app.query_params["case"] == "short1"
