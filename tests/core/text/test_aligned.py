"""Tables whose columns are set apart by blanks."""

import pytest

from core.text.aligned import with_borders
from core.text.passages import PassageKind, split_passages

STAFF = """STAFF OF THE DEPOT

Name               Job                 Joined         Ext.
Hannah Ellis       Account Manager     May 9, 2021    3049
Tomos Abbott       Operations Manager  –              3053
Ffion Watkins      Clerk               June 21, 2014  3075

Wendy Anwar works full time."""


def test_each_cell_is_a_passage_led_by_its_row():
    cells = [passage for passage in split_passages(STAFF) if passage.kind is PassageKind.CELL]
    assert [cell.text for cell in cells][1:4] == [
        "Hannah Ellis, Job: Account Manager",
        "Hannah Ellis, Joined: May 9, 2021",
        "Hannah Ellis, Ext.: 3049",
    ]
    assert split_passages(STAFF)[-1].text == "Wendy Anwar works full time."


def test_a_header_of_two_words_is_one_column():
    lines = ["Journal          Year  Open access  Cited", "Marine Methods   2019  Yes          4"]
    lines.append("Fjord Science    2018  No           61")
    assert with_borders(lines)[0] == "| Journal | Year | Open access | Cited |"


@pytest.mark.parametrize(
    "text",
    [
        "One line  with two blanks\nand another  one in it\nas typists  have them.",
        "The house is old\nand the roof is new\nbut the well is dry",
        "| a | b |\n|---|---|\n| 1  | 2  |",
    ],
)
def test_other_lines_stay_as_they_are(text):
    assert with_borders(text.splitlines()) == text.splitlines()
