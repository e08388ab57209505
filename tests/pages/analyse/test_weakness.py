"""The Weakness page: the map, one attribute, the cases of a part, filters in the URL, runs with little to test."""

from __future__ import annotations

import base64
import json
import re

import numpy as np
import pytest
from sqlalchemy import update

from core.runs.exchange.recordings import import_recording
from core.runs.service import create_run
from core.store import tables
from core.store.results import runs
from core.weakness import CaseTable, Parts, ScoreColumn, attribute_of, bivariate, marginal
from pages.analyse.weakness import reads, words
from pages.analyse.weakness.attributes import cells_chart, colours, distributions, frames, margin_chart, squares
from pages.analyse.weakness.controls import Shown
from tests.pages.clicks import as_viewer, as_written, captions, keys, metrics, rendered, table
from tests.support.files.recordings import recorded_rows
from tests.support.labels import labelled_run
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


def figure(app) -> dict:
    """The picture of the page."""
    found = app.get("plotly_chart")
    assert len(found) == 1
    return json.loads(found[0].proto.spec)


def numbers_of(column) -> np.ndarray:
    """A column of a picture, which Plotly writes as numbers or as bytes."""
    if not isinstance(column, dict):
        return np.array(column, dtype=float)
    flat = np.frombuffer(base64.b64decode(column["bdata"]), dtype=column["dtype"])
    return flat.reshape([int(size) for size in column.get("shape", str(flat.size)).split(",")])


def title(app) -> str:
    """What the picture says it shows."""
    return figure(app)["layout"]["title"]["text"]


def open_row(app, key: str, row: int) -> None:
    """Clicks a row of a table."""
    key = next(item.key for item in app.dataframe if item.key and item.key.startswith(key))
    app.session_state[key] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    app.run()


def test_without_a_run_the_page_leads_to_one(open_page, project):
    app = open_page("weakness", project=project.id)
    assert "No run yet" in said(app)
    app.button(key="go_run").click().run()
    assert app.title[0].value == "What does the system answer?"


@pytest.mark.slow
def test_a_run_without_a_score_leads_back_to_it(open_page, finished, bank):
    with finished.read() as connection:
        first = runs.all(connection, bank.id)[0]
    planned = create_run(finished, first.test_set_id, actor=ACTOR, target="keyword")
    app = open_page("weakness", project=bank.id, run=planned.id)
    assert "No answer is judged or scored yet" in said(app)
    app.button(key="go_run").click().run()
    assert app.query_params["run"] == planned.id


@pytest.mark.slow
def test_the_map_shows_every_cell_with_its_mean_and_n(open_page, finished, bank):
    app = open_page("weakness", project=bank.id, attribute="form", by="table")
    assert not app.exception
    with finished.read() as connection:
        run = runs.all(connection, bank.id)[0]
        tally = runs.tally(connection, run.id)
    assert metrics(app)["Accuracy"] == f"{tally.correct / (tally.correct + tally.incorrect):.2f}"
    assert metrics(app)["Not scored"] == f"{tally.cases - tally.correct - tally.incorrect:,}"
    cells = table(app, "weakness_cells")
    counted = sum(int(cell.split(" of ")[1].replace(",", "")) for cell in cells["Scored cases"])
    assert counted == tally.cases
    assert "In each cell: the mean, which its colour shows, and n." in captions(app)
    texts = [text for trace in figure(app)["data"] for text in trace.get("text", [])]
    assert all("n = " in text for text in texts)


@pytest.fixture
def mixed(store, project):
    """A run of sixty cases of which six, those from documents, have a topic and a type, and the others a table."""
    run = labelled_run.add_run(store, project.id, n=60)
    with store.write(ACTOR, "test_set.attributes", project_id=project.id) as connection:
        for number in range(60):
            given = {"topic": f"topic {number % 2}", "type": f"type {number % 3}"} if number < 6 else {}
            given = given or {"table": ("fee", "branch", "loan")[number % 3], "answer_type": "number"}
            row = tables.cases.c.case_id == f"case-{number}"
            connection.execute(update(tables.cases).where(row).values(attributes=given))
    return run


def test_the_first_map_is_of_most_cases(open_page, project, mixed):
    app = open_page("weakness", project=project.id)
    assert not app.exception
    assert (app.query_params["attribute"], app.query_params["by"]) == ("table", "form")
    assert metrics(app)["Accuracy of all 60 cases"]
    assert "54 cases" in captions(app)
    offered = app.selectbox(key="url_by").options
    assert "Form (2, 54 of 60 cases)" in offered
    assert not [option for option in offered if option.startswith(("Topic", "Type of question"))], "they share no case"


def test_a_map_of_few_cases_says_so(open_page, project, mixed):
    app = open_page("weakness", project=project.id, attribute="topic", by="type")
    assert app.query_params["by"] == "type"
    assert "The map has 6 of 60 cases: the others have no topic or no type of question." in said(app)
    # A pair that no case has is not shown: the second attribute is another one.
    app = open_page("weakness", project=project.id, attribute="topic", by="table")
    assert app.query_params["by"] != "table"
    assert "No case has both" not in said(app)


@pytest.mark.slow
def test_the_colour_of_a_cell_is_that_of_the_number_in_it(open_page, bank):
    app = open_page("weakness", project=bank.id, attribute="form", by="table")
    drawn = figure(app)
    heatmap = next(trace for trace in drawn["data"] if trace["type"] == "heatmap")
    texts = next(trace for trace in drawn["data"] if trace.get("mode") == "text")
    written = {
        (x, y): float(re.search(r"\d\.\d\d", text)[0])
        for x, y, text in zip(texts["x"], texts["y"], texts["text"], strict=True)
    }
    z = numbers_of(heatmap["z"])
    coloured = {(x, y): z[y, x] for y, x in np.argwhere(~np.isnan(z)).tolist()}
    assert len(coloured) >= 4, drawn["data"]
    for place, value in coloured.items():
        assert written[place] == pytest.approx(value, abs=0.0051)


def test_the_whole_of_a_cell_takes_a_click(open_page, bank):
    app = open_page("weakness", project=bank.id, attribute="form", by="table")
    drawn = figure(app)
    bars = next(trace for trace in drawn["data"] if trace["type"] == "bar")
    texts = next(trace for trace in drawn["data"] if trace.get("mode") == "text")
    # A bar as wide as its cell and from its upper edge to its lower one, over each number, unseen.
    assert (bars["x"], bars["width"], set(bars["y"])) == (texts["x"], 1.0, {1.0})
    assert bars["base"] == [y - 0.5 for y in texts["y"]]
    assert bars["marker"]["opacity"] == bars["selected"]["marker"]["opacity"] == 0
    assert all(":" in mark[0] for mark in bars["customdata"])


@pytest.mark.slow
def test_a_cell_opens_its_cases_and_a_case_the_results(open_page, bank):
    app = open_page("weakness", project=bank.id, attribute="form", by="table")
    first = table(app, "weakness_cells").iloc[0]
    open_row(app, "weakness_cells", 0)
    assert not app.exception
    assert (app.query_params["a"], app.query_params["b"]) == (first["Form"], first["Table asked for"])
    assert "What to look at next" in said(app)
    listed = table(app, "weakness_case_list")
    assert len(listed) == int(first["Scored cases"].split(" of ")[1])
    # The longest question is read whole: a line of 330 pixels has room for 57 letters.
    (shown,) = [item for item in app.dataframe if (item.key or "").startswith("weakness_case_list")]
    assert shown.proto.row_height >= 20 * -(-listed["Question"].str.len().max() // 57)
    app.query_params["case"] = listed["case_id"].iloc[0]
    app.run()
    app.button(key="open_case").click().run()
    assert app.title[0].value == "Which answers are wrong?"
    assert app.query_params["case"] == listed["case_id"].iloc[0]


@pytest.mark.slow
def test_a_click_on_the_map_opens_a_cell_or_a_margin_once(open_page, bank):
    app = open_page("weakness", project=bank.id, attribute="form", by="table")
    app.session_state["weakness_map"] = {"selection": {"points": [{"customdata": ["0:", "hover"]}]}}
    app.run()
    assert not app.exception
    assert app.query_params["a"] == "long"
    assert "b" not in app.query_params
    app.query_params["a"] = "short"
    app.run()
    assert app.query_params["a"] == "short", "a mark that stays selected opens nothing a second time"


@pytest.mark.slow
def test_a_link_opens_the_same_cell_for_a_colleague(open_page, bank):
    app = open_page("weakness", project=bank.id, attribute="form", by="table", a="long", b="branch")
    assert not app.exception
    assert any("in long form about branch" in text for text in rendered(app))


@pytest.mark.slow
def test_a_link_to_a_level_that_is_not_there_says_so(open_page, bank):
    app = open_page("weakness", project=bank.id, attribute="form", by="table", a="nobody", b="branch")
    assert not app.exception
    assert "No case in view has the levels the link names" in app.warning[0].value


@pytest.mark.slow
def test_one_attribute_lists_its_levels_worst_first(open_page, bank):
    app = open_page("weakness", project=bank.id, view="attribute", attribute="form")
    assert not app.exception
    levels = table(app, "weakness_levels")
    means = [float(cell.split(" [")[0]) for cell in levels["Mean [95% interval]"]]
    assert means == sorted(means)
    assert "has no shape" in captions(app)
    assert "url_shape" not in keys(app)
    open_row(app, "weakness_levels", 0)
    assert app.query_params["a"] == levels["Form"].iloc[0]


@pytest.mark.slow
def test_filters_leave_their_cases_and_stand_in_the_url(open_page, finished, bank):
    app = open_page("weakness", project=bank.id, attribute="table", by="answer_type")
    app.selectbox(key="filter_attribute").set_value("form").run()
    app.selectbox(key="filter_level_form").set_value("long").run()
    app.button(key="add_filter").click().run()
    assert not app.exception
    assert app.query_params["where"] == "form=long"
    assert "Only cases with Form = long" in captions(app)
    with finished.read() as connection:
        run = runs.all(connection, bank.id)[0]
    shown = Shown(run_id=run.id, score="verdict", attribute="form", where=(("form", "long"),))
    cases = reads.table(finished, run.id, shown)
    assert f"of {len(cases):,} cases" in captions(app)
    app.button(key="remove_filter_form").click().run()
    assert "where" not in app.query_params


@pytest.mark.slow
def test_numbers_become_levels_by_size_or_where_a_person_cuts_them(open_page, bank):
    app = open_page("weakness", project=bank.id, view="attribute", attribute="question_length")
    assert not app.exception
    edges = next(item for item in app.text_input if item.label.endswith("levels end at"))
    edges.set_value("6, 12").run()
    assert not app.exception
    assert app.query_params["bins"] == "question_length=6%2C12"
    assert set(table(app, "weakness_levels")["Length of the question"]) <= {
        "6 words or less",
        "7 to 12 words",
        "13 words or more",
    }
    edges = next(item for item in app.text_input if item.label.endswith("levels end at"))
    edges.set_value("12, 6").run()
    assert not app.exception
    assert "The edge 6 comes after 12" in said(app)
    assert app.query_params["bins"] == "question_length=6%2C12"


@pytest.mark.slow
def test_filters_that_leave_no_case_say_so(open_page, bank):
    app = open_page("weakness", project=bank.id, where="form=nobody")
    assert not app.exception
    assert "No case is left by the filters" in said(app)


@pytest.mark.slow
def test_limits_come_from_the_url_and_decide_what_is_weak(open_page, project, imported):
    # 12 facts known in the short form and in no long one: long fails by 0.5 and more.
    imported(recorded_rows(groups=24), long=recorded_rows(groups=24, right=False))
    app = open_page("weakness", project=project.id, view="attribute", attribute="form")
    assert metrics(app)["Weak levels"] == "1"
    assert title(app).startswith("Questions in long form: 0.00 against 0.50 elsewhere")
    assert "▼ weak" in set(table(app, "weakness_levels")["Mark"])
    app.slider(key="url_effect").set_value(0.5).run()
    assert metrics(app)["Weak levels"] == "1"
    app.query_params["effect"] = "0.5"
    app.query_params["q"] = "0.01"
    app.run()
    assert not app.exception
    assert app.slider(key="url_q").value == 0.01


def test_one_level_is_nothing_to_compare(open_page, project, imported):
    imported(recorded_rows(groups=6))
    app = open_page("weakness", project=project.id, view="attribute", attribute="form")
    assert not app.exception
    assert "nothing to compare" in said(app) or "differ in nothing" in said(app)


def test_no_weakness_is_called_where_all_answers_are_alike(open_page, project, imported):
    imported(recorded_rows(groups=24, right=False), long=recorded_rows(groups=24, right=False))
    app = open_page("weakness", project=project.id, view="attribute", attribute="form")
    assert not app.exception
    assert metrics(app)["Weak levels"] == "0"
    assert "No weak level" in title(app)


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        {"attribute": "nothing"},
        {"by": "<b>"},
        {"attribute": "form", "by": "form"},
        {"view": "nonsense"},
        {"score": "no_such_metric"},
        {"means": "x", "shape": "y", "q": "7", "effect": "-3"},
        {"where": "nothing=1"},
    ],
)
def test_nonsense_in_the_url_is_met_calmly(open_page, bank, query):
    app = open_page("weakness", project=bank.id, **query)
    assert not app.exception
    assert metrics(app)["Accuracy"] != "-"


def test_what_cannot_be_read_from_the_url_is_told_with_a_way_back(open_page, bank):
    app = open_page("weakness", project=bank.id, where="topic")
    assert not app.exception
    assert app.error
    assert "back_to_overview" in keys(app)


@pytest.mark.slow
def test_levels_that_look_like_markup_are_shown_as_they_are(open_page, project, imported):
    rows = recorded_rows(groups=8)
    for row in rows:
        row["query"] = f"{row['query']} :red[x] $\\alpha$ <script>alert(1)</script>"
    imported(rows, long=recorded_rows(groups=8, right=False))
    app = open_page("weakness", project=project.id, view="attribute", attribute="form", a="short")
    assert not app.exception
    assert all(":red[x]" not in text for text in rendered(app))
    assert any(":red[x]" in text for text in as_written(app))


@pytest.mark.slow
def test_a_viewer_reads_the_page(open_page, finished, bank, monkeypatch):
    app = as_viewer(open_page("weakness", project=bank.id), finished, bank, monkeypatch)
    assert not app.exception
    assert metrics(app)["Accuracy"] != "-"


def parts(means, n, weak=()):
    """Levels with these means and sizes, each case a group of its own and half of its scores right."""
    size = len(means)
    return Parts(
        n=np.array(n),
        scored=np.array(n),
        clusters=np.array(n),
        mean=np.array(means),
        low=np.array(means),
        high=np.array(means),
        rest=np.full(size, 0.5),
        effect=0.5 - np.array(means),
        p_value=np.full(size, 0.5),
        p_adjusted=np.full(size, 0.5),
        weak=np.isin(np.arange(size), weak),
        small=np.zeros(size, dtype=bool),
    )


def test_a_picture_with_too_many_levels_shows_weak_ones_the_worst_and_the_largest():
    found = parts([0.5, 0.1, 0.4, 0.5, 0.5], [10, 20, 30, 40, 50])
    weak = np.array([0.3, -np.inf, -np.inf, -np.inf, -np.inf])
    assert frames.pictured(found, weak, 4).tolist() == [0, 1, 4, 3]
    assert frames.pictured(found, weak, 9).tolist() == [0, 1, 2, 3, 4]


def test_a_level_without_cases_is_in_no_picture():
    found = parts([0.5, np.nan, 0.4], [10, 0, 30])
    assert 1 not in frames.pictured(found, np.full(3, -np.inf), 9)


@pytest.mark.parametrize(
    ("values", "ends"),
    [([0.59, 0.81], (0.4, 1.0)), ([0.02], (0.0, 0.5)), ([0.0, 1.0], (0.0, 1.0)), ([float("nan")], (0.0, 1.0))],
)
def test_colours_span_the_values_and_half_of_the_score_at_least(values, ends):
    score = ScoreColumn(name="verdict", values=np.empty(0))
    low, high = colours.span(score, values)
    assert high - low >= 0.5
    assert (low, high) == pytest.approx(ends)


def table_of(values, **levels):
    """A case table with each case a group of its own."""
    return CaseTable(
        case_ids=tuple(f"c{place}" for place in range(len(values))),
        clusters=np.arange(len(values)),
        score=ScoreColumn(name="score", values=np.array(values, dtype=float)),
        attributes=tuple(attribute_of(name, given) for name, given in levels.items()),
    )


def test_points_are_sampled_the_same_way_and_as_many_of_each_level():
    sizes = {"small": 40, "large": 9_000, "larger": 20_000}
    names = [name for name, size in sizes.items() for _ in range(size)]
    cases = table_of(np.linspace(0, 1, len(names)), topic=names)
    found = marginal(cases, "topic")
    levels = margin_chart.chosen(found)
    first = margin_chart.points(found, cases, levels)
    again = margin_chart.points(found, cases, levels)
    assert (first.at == again.at).all()
    assert margin_chart.MOST_POINTS - 3 <= first.drawn <= margin_chart.MOST_POINTS
    assert sorted(np.bincount(first.place).tolist()) == [40, 1_480, 1_480]
    assert first.of == len(names)


def test_a_violin_is_of_all_cases_and_peaks_where_they_are():
    cases = table_of([0.2] * 50 + [0.8] * 10 + [0.5] * 60, topic=["a"] * 60 + ["b"] * 60)
    found = marginal(cases, "topic")
    curves = distributions.density(found, cases, np.array([0, 1]), (0.0, 1.0))
    grid = np.linspace(0, 1, distributions.GRID)
    assert grid[curves.argmax(axis=1)] == pytest.approx([0.2, 0.5], abs=0.02)
    assert curves.max(axis=1).tolist() == [1.0, 1.0]


def test_cells_without_cases_or_without_scores_are_hatched_and_never_weak():
    scores = [0.0, np.nan, 1.0] * 8
    rows = ["a", "b", "c"] * 8
    columns = ["x", "x", "y"] * 8
    cases = table_of(scores, topic=rows, type=columns)
    found = bivariate(cases, "topic", "type")
    chosen = squares.chosen(found, cases.score)
    made = squares.squares(found, chosen)
    by_id = {square.name: square for square in made}
    assert np.isnan(by_id["b x x"].colour)
    assert by_id["b x x"].mark == ""
    assert not words.full(found.cells, by_id["b x x"].at).strip("- ")
    figure = cells_chart.draw(
        found,
        chosen,
        cases.score,
        title="",
        measure="Accuracy",
        row="Topic",
        column="Type",
        lines=(),
    )
    names = {trace.name for trace in figure.data}
    assert {"no case", "no case scored"} <= names
