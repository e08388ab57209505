"""Figures carry their n and their meaning; the graph gives every table exactly one place."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.domain.estimates import Estimate, Proportion
from core.domain.schema import Column, ForeignKey, Schema, Table
from pages.ui import charts, schema_chart, tables, theme


def table(name, *refers):
    keys = tuple(ForeignKey(columns=(f"{to}_id",), referred_table=to, referred_columns=("id",)) for to in refers)
    return Table(name=name, rows=3, columns=(Column(name="id", type="INTEGER"),), foreign_keys=keys)


def test_tables_stand_below_what_they_refer_to():
    schema = Schema(dialect="sqlite", tables=(table("a"), table("b", "a"), table("c", "a", "b"), table("d")))
    assert schema_chart.layers(schema) == [["a", "d"], ["b"], ["c"]]


def test_a_cycle_and_a_reference_to_itself_leave_every_table_one_place():
    schema = Schema(dialect="sqlite", tables=(table("a", "b"), table("b", "a"), table("c", "c"), table("d", "gone")))
    names = [name for row in schema_chart.layers(schema) for name in row]
    assert sorted(names) == ["a", "b", "c", "d"]


def test_the_graph_draws_a_line_for_each_key_between_tables():
    schema = Schema(dialect="sqlite", tables=(table("a"), table("b", "a"), table("c", "a", "b", "c", "gone")))
    figure = schema_chart.graph(schema)
    assert sum(shape.type == "line" for shape in figure.layout.shapes) == 3
    assert sum(shape.type == "rect" for shape in figure.layout.shapes) == 3
    assert len(schema_chart.keys_frame(schema)) == 5


def test_an_empty_schema_is_an_empty_figure():
    assert len(schema_chart.graph(Schema(dialect="sqlite", tables=())).layout.shapes) == 0


def test_a_stacked_bar_holds_every_question_once():
    rows = {"Short": {"correct": 9, "retrieval": 1}, "Long": {"correct": 3, "retrieval": 6, "knowledge_gap": 1}}
    figure = charts.stacked(rows)
    counted = sum(custom[2] for bar in figure.data for custom in bar.customdata)
    assert counted == 20
    assert sum(sum(bar.x) for bar in figure.data) == 2.0
    assert [bar.name for bar in figure.data] == ["Correct", "Knowledge gap", "Retrieval"]
    assert figure.data[2].marker.color == theme.COLOURS["retrieval"] == "#E69F00"


def test_the_finding_names_the_largest_cause_or_that_there_is_none():
    assert charts.finding({"short": {"correct": 4}}) == "No wrong answer"
    assert charts.finding({"": {"language_model": 2, "correct": 1}}) == "Most errors are in the language model: 2 of 2"
    split = {"short": {"knowledge_gap": 2, "retrieval": 1}, "long": {"language_model": 1}}
    assert (
        charts.finding(split) == "The largest share of errors is knowledge gaps: 2 of 4, 2 of them in short questions"
    )


def test_a_dot_without_data_says_so():
    figure = charts.dots(
        [
            charts.Dot(label="Accuracy", value=Proportion(num=157, den=187, low=0.79, high=0.88)),
            charts.Dot(label="Nothing", value=Proportion(num=0, den=0)),
        ]
    )
    assert figure.data[1].text == ("no data (0/0)",)
    assert "157/187" in figure.layout.annotations[0].text


def test_differences_are_drawn_around_zero_with_what_the_test_shows():
    rows = [
        charts.Difference(
            label="Retrieval", value=Estimate(value=0.2, low=0.1, high=0.3, n=9), shown=True, note="n = 9"
        ),
        charts.Difference(label="Language model", value=Estimate(value=0.0, low=-0.1, high=0.1, n=9), shown=False),
    ]
    figure = charts.differences(rows, axis="short minus long")
    assert figure.layout.xaxis.range == pytest.approx((-0.345, 0.345)), "the widest end, 0.3, and 15% of room"
    said = [note.text.split("<br>")[0].split("], ")[1] for note in figure.layout.annotations]
    assert said == ["difference shown", "no difference shown"]
    assert [mark.marker.symbol for mark in figure.data] == ["diamond", "circle"]


def test_no_difference_to_draw_is_an_empty_figure():
    assert len(charts.differences([], axis="short minus long").data) == 0


def test_other_rows_are_another_table():
    assert tables.row_key("t", ["a", "b"]) != tables.row_key("t", ["a", "c"])
    assert tables.row_key("t", ["a", "b"]) == tables.row_key("t", ("a", "b"))


def test_downloads_cannot_run_as_formulas():
    frame = pd.DataFrame({"answer": ["=1+1", "plain", "@x", None], "n": [-1, 2, 3, 4]})
    lines = tables.as_csv(frame).decode("utf-8-sig").splitlines()
    assert lines[1:] == ["'=1+1,-1", "plain,2", "'@x,3", ",4"]


def test_a_figure_is_drawn_with_its_data_to_download():
    def script():
        import pandas as pd

        from pages.ui import charts

        charts.show(charts.stacked({"Short": {"correct": 1}}), key="it", data=pd.DataFrame({"a": [1]}), name="it")

    app = AppTest.from_function(script).run()
    assert not app.exception
    assert len(app.get("plotly_chart")) == 1
    assert len(app.get("download_button")) == 1
