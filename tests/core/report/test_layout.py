"""What a reader of the printed report stumbled over: labels of charts that touch, words that stand twice."""

from __future__ import annotations

from core.report.collecting import ReportOptions, collect
from core.report.content import Chart, Series, Shape, Table
from core.report.render.charts import REST, height_of
from core.weakness.findings.cases import write_finding
from core.weakness.findings.naming import name_of
from core.weakness.findings.service import findings
from tests.support.small_bank import ACTOR

LONG = 'CASE WHEN a."UnitPrice" > b."UnitPrice" THEN a."ProductName" ELSE b."ProductName" END'


def chart_of(names: list[str]) -> Chart:
    """A chart of intervals, a row for each name."""
    series = Series(name="Accuracy", colour="accent", x=tuple(names), y=(0.5,) * len(names))
    table = Table(id="t", title="t", columns=("Level",), rows=())
    return Chart(id="c", title="c", alt="c", shape=Shape.INTERVALS, values="Accuracy", series=(series,), table=table)


def test_rows_of_a_chart_are_as_far_apart_as_the_longest_labels_need():
    short = height_of(chart_of([f"level {number}" for number in range(9)]))
    long = height_of(chart_of([LONG, *(f"level {number}" for number in range(8))]))
    # Nine rows: three lines beside one line need two lines and a gap from middle to middle.
    assert (long - REST) / 9 >= 2 * 17 + 8
    assert (short - REST) / 9 == 27


def test_the_name_of_a_finding_stands_once_before_its_figures(store, bank_run):
    content = collect(store, bank_run.id, ReportOptions(date="2026-11-23"))
    (table,) = [block for block in content.section("weaknesses").blocks if getattr(block, "id", "") == "findings"]
    told = [str(row[table.columns.index("Finding")]) for row in table.rows]
    names = [name_of(finding) for finding in findings(store, bank_run.id)]
    assert told
    for text in told:
        assert [text.count(name) for name in names if text.startswith(name)] == [1], text


def test_a_finding_that_a_person_wrote_stands_in_the_report_once(store, hostile):
    found = write_finding(store, hostile.id, "Freight is read from the wrong row", ["c00"], actor=ACTOR)
    content = collect(store, hostile.id, ReportOptions(date="2026-11-23"))
    tables = [block for block in content.section("weaknesses").blocks if isinstance(block, Table)]
    cells = [str(cell) for table in tables for row in table.rows for cell in row]
    assert f"Freight is read from the wrong row ({found.id})" in cells
