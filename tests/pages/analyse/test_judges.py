"""The Judges page: who can be trusted, disagreements down to the case, the threshold, starting further judges."""

from dataclasses import replace

import pytest
from sqlalchemy import delete

from core.store import jobs as job_table
from core.store.results import runs
from core.store.tables import scores as score_rows
from pages.analyse.judges import form, reads
from pages.kit import workflow
from tests.pages.clicks import as_viewer, captions, keys, metrics, select, table
from tests.support.labels import labelled_run
from tests.support.runs.compared_run import add_judge, add_run, right
from tests.support.small_bank import ACTOR, said

N = 120
MODEL = "m@http://127.0.0.1:9/v1"


@pytest.fixture
def run(store, project):
    """A run of 120 answers with people's verdicts, a harsh model and a kind RAGAS-Fact."""
    made = add_run(store, project.id, N)
    add_judge(store, made, "judge_llm_m", {f"case-{n}": float(n % 4 == 0) for n in range(N - 1)}, f"llm:{MODEL}")
    add_judge(store, made, "ragas_fact", {f"case-{n}": 0.75 if right(n) else 0.6 for n in range(N - 1)}, MODEL)
    return made


@pytest.mark.slow
def test_without_a_run_the_page_leads_to_one(open_page, store, project):
    # A judge can be tested before there is any run.
    assert workflow.steps(store, project.id)["judges"].mark is workflow.Mark.READY
    app = open_page("judges", project=project.id)
    assert "No run yet" in said(app)
    app.button(key="go_run").click().run()
    assert app.title[0].value == "What does the system answer?"


@pytest.mark.slow
def test_every_judge_with_its_figures_and_the_picture(open_page, project, run):
    app = open_page("judges", project=project.id)
    assert not app.exception
    assert app.title[0].value == "Which judge can be trusted?"
    assert "reference: the run's verdict" in captions(app)
    # 119 answers have a verdict; 30 of them (3, 7, ..., 115 and not 119) are wrong: 29 wrong, 90 right.
    assert metrics(app)["Correct answers"] == "0.76"
    assert "90/119" in captions(app)
    rows = table(app, "judges_table").set_index("key")
    assert list(rows.index) == ["judge_llm_m", "match", "ragas_fact"]
    assert rows.loc["match", "Tendency"] == "✓ trusted"
    assert rows.loc["judge_llm_m", "Judge"] == "m with the true answer"
    assert rows.loc["judge_llm_m", "Tendency"] == "▼ cynical"
    assert "(30/90)" in rows.loc["judge_llm_m", "Recall"]
    assert "(90/119)" in rows.loc["ragas_fact", "Precision"]
    assert all("[" in cell for cell in rows["Recall"])
    assert len(app.get("plotly_chart")) == 1
    assert "1 case without a reference verdict" in captions(app)


@pytest.mark.slow
def test_one_model_at_two_addresses_is_two_judges_told_apart(open_page, store, project, run):
    other = "m@http://127.0.0.1:8/v1"
    add_judge(store, run, "judge_llm_m_at_other", {f"case-{n}": 1.0 for n in range(N - 1)}, f"llm:{other}")
    app = open_page("judges", project=project.id)
    rows = table(app, "judges_table").set_index("key")
    assert rows.loc["judge_llm_m", "Judge"] == "m with the true answer (http://127.0.0.1:9/v1)"
    assert rows.loc["judge_llm_m_at_other", "Judge"] == "m with the true answer (http://127.0.0.1:8/v1)"
    assert rows.loc["ragas_fact", "Judge"] == "RAGAS-Fact by m"


@pytest.mark.slow
def test_a_judge_is_opened_down_to_the_case(open_page, project, run):
    app = open_page("judges", project=project.id)
    assert select(app, "judges_table", 0, "key") == "judge_llm_m"
    assert app.query_params["metric"] == "judge_llm_m"
    assert "Cynical" in said(app)
    assert "60 disagreements" in captions(app)
    case = select(app, "disagreements", 0, "case_id")
    assert case == "case-1"
    shown = table(app, "disagreements").iloc[0]
    assert (shown["Its verdict"], shown["Reference"]) == ("✗ wrong", "✓ correct")
    assert shown["Its reason"] == "judge_llm_m says 0."
    app.button(key="open_case").click().run()
    assert app.title[0].value == "Which answers are wrong?"
    assert app.query_params["case"] == "case-1"
    assert not app.exception


@pytest.mark.slow
def test_the_threshold_is_in_the_url_and_moves_the_figures(open_page, project, run):
    app = open_page("judges", project=project.id, view="threshold")
    assert not app.exception
    assert "(90/119)" in said(app)
    app.slider(key="url_threshold").set_value(0.7).run()
    assert app.query_params["threshold"] == "0.7"
    # From 0.7 on only the right answers are supported enough.
    assert "(90/90)" in said(app)
    del app.query_params["view"]
    app.run()
    assert table(app, "judges_table").set_index("key").loc["ragas_fact", "Tendency"] == "✓ trusted"


@pytest.mark.slow
def test_agreement_of_the_judges_that_see_the_true_answer(open_page, project, run):
    app = open_page("judges", project=project.id, view="agreement")
    assert not app.exception
    frame = next(item.value for item in app.dataframe if "Only the first" in item.value.columns)
    assert len(frame) == 3
    assert "1.00" in " ".join(frame["Kappa"])


@pytest.mark.slow
def test_another_reference_is_chosen_in_the_url(open_page, store, project, run):
    app = open_page("judges", project=project.id, reading="judge_llm_m")
    assert not app.exception
    rows = table(app, "judges_table").set_index("key")
    assert "verdict" in rows.index
    assert "judge_llm_m" not in rows.index
    assert "verdict of llm:m" in captions(app)


@pytest.mark.slow
def test_labels_of_people_can_be_the_reference(open_page, store, project):
    made = labelled_run.add_run(store, project.id, n=60)
    binary, _ = labelled_run.add_criteria(store, project.id)
    quality = dict(zip([f"case-{n}" for n in range(60)], labelled_run.qualities(60), strict=True))
    labelled_run.add_labels(
        store, made, [binary], [f"case-{n}" for n in range(40)], quality=quality, raters=("rater-1",)
    )
    app = open_page("judges", project=project.id, reading=f"label:{binary.id}")
    assert not app.exception
    assert "people's labels under Correct" in captions(app)
    assert set(table(app, "judges_table")["key"]) == {"verdict", "match"}


def test_a_run_judged_by_match_alone_offers_further_judges(open_page, store, project):
    add_run(store, project.id, 8, judge="match")
    app = open_page("judges", project=project.id)
    assert not app.exception
    assert "No other judge has judged this run yet" in said(app)
    assert {"start_judging", "go_label"} <= keys(app)
    app.button(key="go_label").click().run()
    assert app.title[0].value == "Would a person agree?"


def test_a_run_without_verdicts_leads_back_to_it(open_page, store, project, run):

    with store.write(ACTOR, "test") as connection:
        connection.execute(delete(score_rows))
    app = open_page("judges", project=project.id)
    assert "No answer is judged yet" in said(app)


@pytest.mark.slow
def test_starting_further_judges(open_page, store, project, run):
    app = open_page("judges", project=project.id)
    assert "no model is asked" in captions(app)
    app.multiselect(key="judges_chosen").set_value(["match", "llm", "ragas_fact"]).run()
    # 120 answers: one verdict and two calls of RAGAS-Fact each.
    assert "at most 360 model calls" in captions(app)
    assert "Give the model and its address" in captions(app)
    assert app.button(key="start_judging").disabled
    app.text_input(key="compare_model").set_value("m").run()
    app.text_input(key="compare_url").set_value("http://127.0.0.1:9/v1").run()
    assert not app.button(key="start_judging").disabled
    app.number_input(key="compare_money").set_value(1.0).run()
    app.button(key="start_judging").click().run()
    assert "no price for the model m" in app.error[0].value.replace("\\", "")
    app.multiselect(key="judges_chosen").set_value(["match"]).run()
    app.button(key="start_judging").click().run()
    assert not app.exception
    with store.read() as connection:
        (job,) = [item for item in job_table.all(connection, project.id) if item.kind == "compare_judges"]
    assert job.params["judges"] == ["match"]
    assert app.query_params["job"] == job.id


@pytest.mark.slow
def test_a_judge_of_the_targets_family_is_told(open_page, store, project):
    made = add_run(store, project.id, 8)
    with store.write(ACTOR, "test") as connection:
        runs.put(connection, replace(made, target="openai:gpt-4o-mini@https://llm.example/v1"))
    app = open_page("judges", project=project.id)
    app.multiselect(key="judges_chosen").set_value(["llm"]).run()
    app.text_input(key="compare_model").set_value("gpt-4o").run()
    app.text_input(key="compare_url").set_value("https://llm.example/v1").run()
    assert "of one family, GPT" in app.warning[0].value


@pytest.mark.slow
def test_a_viewer_reads_and_starts_nothing(open_page, store, project, run, monkeypatch):
    app = as_viewer(open_page("judges", project=project.id), store, project, monkeypatch)
    assert not app.exception
    assert "start_judging" not in keys(app)
    assert len(table(app, "judges_table")) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        {"reading": "<b>"},
        {"metric": "judge_llm_none"},
        {"case": "case-none"},
        {"threshold": "7"},
        {"view": "x"},
        {"reading": "label:none"},
    ],
)
def test_nonsense_in_the_url_is_met_calmly(open_page, project, run, query):
    app = open_page("judges", project=project.id, **query)
    assert not app.exception
    assert len(table(app, "judges_table")) == 3


def test_data_that_looks_like_markup_is_shown_as_it_is(open_page, store, project):
    made = add_run(store, project.id, 8, judge="recorded::red[x].jsonl")
    add_judge(store, made, "judge_llm_x", {"case-0": 0.0}, "llm:<b>*x*</b>:red[y]@http://a/v1")
    app = open_page("judges", project=project.id, metric="judge_llm_x")
    assert not app.exception
    assert all("<b>" not in item.value and ":red[" not in item.value for item in [*app.markdown, *app.caption])


def test_words():
    assert reads.reasons({"api_error": 1, "not reached": 2}) == "1 api error, 2 not reached"
    assert form.calls(["self_check_qa"], 10, 1) == 90
