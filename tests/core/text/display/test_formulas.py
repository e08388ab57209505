"""No cell of a table is a formula, and each text comes back as it was."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.io.scored_rows import writing
from core.io.tables.rows import read_rows
from core.text.display.formulas import neutral, restored

FORMULAS = [
    "=1+1",
    '=HYPERLINK("http://evil.example","x")',
    "=cmd|' /C calc'!A0",
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    " =1+1",
    "\ufeff=1+1",
    "\u200b=1+1",
    "\uff1d1+1",
    "'=1+1",
    "-",
    "- an item of a list",
    "+49 40 123",
]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_that_begins_like_a_formula_gets_a_quote(text):
    assert neutral(text) == f"'{text}"
    assert restored(neutral(text)) == text


@pytest.mark.parametrize(
    "value", ["plain", "-5", "+3.2%", "-1,234.5", "", "a=b", "'quoted'", "1-2", -5, 3.5, None, True]
)
def test_what_no_spreadsheet_runs_stays_as_it_is(value):
    assert neutral(value) == value


@given(st.text())
def test_every_text_comes_back(text):
    assert restored(str(neutral(text))) == text


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_a_table_that_is_written_has_no_formula_and_is_read_as_it_was(tmp_path, ending):
    rows = [{"question": text, "=name": "x"} for text in FORMULAS if text.strip() == text and "\ufeff" not in text]
    path = tmp_path / f"rows.{ending}"
    with writing(path, ["question", "=name"], frozenset()) as writer:
        for row in rows:
            writer.write(row)
    cells = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8")), delimiter="\t" if ending == "tsv" else ","))
    assert not [cell for line in cells for cell in line if cell[0] in "=+-@\t\r\n\uff1d"]
    assert [row for _, row in read_rows(path)] == rows
