"""Figures carry their n and their meaning; the graph gives every table exactly one place."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.domain.estimates import Estimate, Proportion
from core.domain.sources.schema import Column, ForeignKey, Schema, Table
from pages.kit.look import charts, tables, theme, whiskers
from pages.kit.scores import charts as metric_charts
from pages.kit.scores import heatmaps
from pages.kit.scores.charts import Point
from pages.kit.scores.heatmaps import Cell
from pages.set_up.connect.database import schema_chart


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


def test_the_graph_draws_a_bow_for_each_key_of_a_table_to_itself():
    schema = Schema(dialect="sqlite", tables=(table("a"), table("b", "a", "b", "b")))
    figure = schema_chart.graph(schema)
    assert sum(shape.type == "line" for shape in figure.layout.shapes) == 1
    bows = [shape.path for shape in figure.layout.shapes if shape.type == "path"]
    assert len(bows) == len(set(bows)) == 2
    assert figure.layout.xaxis.range == (0, 1), "the bows lie inside of the picture"
    heads = next(trace for trace in figure.data if trace.marker.symbol == "triangle-left")
    assert len(heads.x) == 2
    assert all(0.9 < x < 1 for x in heads.x)


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
    figure = whiskers.dots(
        [
            whiskers.Dot(label="Accuracy", value=Proportion(num=157, den=187, low=0.79, high=0.88)),
            whiskers.Dot(label="Nothing", value=Proportion(num=0, den=0)),
        ]
    )
    assert figure.data[1].text == ("no data (0/0)",)
    assert "157/187" in figure.layout.annotations[0].text


def test_differences_are_drawn_around_zero_with_what_the_test_shows():
    rows = [
        whiskers.Difference(
            label="Retrieval", value=Estimate(value=0.2, low=0.1, high=0.3, n=9), shown=True, note="n = 9"
        ),
        whiskers.Difference(label="Language model", value=Estimate(value=0.0, low=-0.1, high=0.1, n=9), shown=False),
    ]
    figure = whiskers.differences(rows, axis="short minus long")
    assert figure.layout.xaxis.range == pytest.approx((-0.345, 0.345)), "the widest end, 0.3, and 15% of room"
    said = [note.text.split("<br>")[0].split("], ")[1] for note in figure.layout.annotations]
    assert said == ["difference shown", "no difference shown"]
    assert [mark.marker.symbol for mark in figure.data] == ["diamond", "circle"]


def test_no_difference_to_draw_is_an_empty_figure():
    assert len(whiskers.differences([], axis="short minus long").data) == 0


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

        from pages.kit.look import charts

        charts.show(charts.stacked({"Short": {"correct": 1}}), key="it", data=pd.DataFrame({"a": [1]}), name="it")

    app = AppTest.from_function(script, default_timeout=120).run()
    assert not app.exception
    assert len(app.get("plotly_chart")) == 1
    assert len(app.get("download_button")) == 1


def test_a_pair_without_a_shared_case_is_hatched():
    def cell(value, n):
        return Cell(value=value, n=n, id="x", note="no shared case" if value is None else "kappa 0.5")

    whole = [[], [cell(0.5, 8)], [cell(0.25, 4), cell(0.75, 6)]]
    assert not [trace for trace in heatmaps.matrix("abc", whole, title="t").data if trace.name == "no value"]
    gaps = [[], [cell(0.5, 8)], [cell(None, 0), cell(None, 0)]]
    figure = heatmaps.matrix("abc", gaps, title="t")
    (hatched,) = [trace for trace in figure.data if trace.name == "no value"]
    assert hatched.fill == "toself"
    assert hatched.fillpattern.shape == "/"
    # Each square is five corners, the first again at the end, and a gap.
    assert (hatched.x[5], hatched.y[5], len(hatched.x)) == (None, None, 12)
    middles = [(sum(hatched.x[at : at + 4]) / 4, sum(hatched.y[at : at + 4]) / 4) for at in (0, 6)]
    assert middles == [pytest.approx((0, 2)), pytest.approx((1, 2))]
    assert not figure.layout.shapes
    # What is written in the cells lies over the hatching.
    assert figure.data.index(hatched) < len(figure.data) - 1
    assert figure.data[-1].text[1] == "<b>-</b><br>n = 0"


def test_marks_of_one_place_stand_side_by_side_and_carry_their_number():
    places = [(1.0, 0.5, "correct"), (1.0, 0.5, "correct"), (1.0, 0.5, "incorrect"), (0.0, 0.5, "correct")]
    points = [Point(case_id=f"c{n}", x=x, y=y, verdict=verdict) for n, (x, y, verdict) in enumerate(places)]
    right, wrong = metric_charts.scatter(points, x="A", y="B", title="t").data
    # The range is 0 to 1; two verdicts at one place are 0.018 of it apart, half of it to each side.
    assert list(right.x) == pytest.approx([1.0 - 0.009, 0.0])
    assert list(wrong.x) == pytest.approx([1.0 + 0.009])
    assert list(right.text) == ["2", ""]
    assert [custom[2] for custom in right.customdata] == ["1.00", "0.00"]
    assert (right.name, wrong.name) == ("✓ Correct (3)", "✗ Wrong (1)")


def test_a_scatter_of_one_place_has_room_for_every_verdict():
    points = [Point(case_id=verdict, x=0.5, y=0.5, verdict=verdict) for verdict in metric_charts.SYMBOLS]
    traces = metric_charts.scatter(points, x="A", y="B", title="t").data
    assert len({trace.x[0] for trace in traces}) == 3


@pytest.mark.parametrize(
    ("name", "across", "shown"),
    [
        ("Orders", 7, "Orders"),
        ("EmployeeTerritories", 7, "EmployeeTerr…"),
        ("EmployeeTerritories", 3, "EmployeeTerritories"),
    ],
)
def test_the_name_of_a_table_stays_within_its_box(name, across, shown):
    assert schema_chart.fitted(name, across) == shown


def test_names_that_other_people_gave_are_no_markup_in_a_figure():
    hostile = "<i>long</i> <a href='https://evil.example'>x</a>"
    bars = charts.stacked({hostile: {"correct": 1}}, title=hostile)
    value = Proportion(num=1, den=2, low=0.1, high=0.9)
    dots = whiskers.dots([whiskers.Dot(label=hostile, value=value)])
    lines = whiskers.differences(
        [whiskers.Difference(label=hostile, value=Estimate(value=0.1, low=0.0, high=0.2, n=9), shown=True)], axis="A"
    )
    for figure in (bars, dots, lines):
        drawn = figure.to_plotly_json()
        shown = [text for trace in drawn["data"] for text in trace["y"]]
        shown += [drawn["layout"].get("title", {}).get("text") or ""]
        shown += [str(note.get("y")) for note in drawn["layout"].get("annotations", ())]
        assert "&lt;i&gt;long" in " ".join(shown)
        assert "<i>" not in " ".join(shown)
        assert "<a" not in " ".join(shown)
