"""Questions that rules make from the rows of files of records."""

from __future__ import annotations

import pytest

from core.domain.testset.questions import QuestionKind
from core.testset.corpus.reading.tables.rows import MOST_ROWS
from tests.support.questions.asked_by_rules import asked, chunk

TOOLS = """Tool no: T-3308; Received: 24/05/2024; Test: LFD; Weight (kg): 12; Status: On loan; Keeper: K. Imrie
Tool no: T-3311; Received: 28/05/2024; Test: PCR; Weight (kg): 9.5; Status: In store; Keeper: T. Boyle
Tool no: T-3342; Received: 19/07/2024; Test: PCR; Status: In store; Keeper: T. Boyle"""


def test_rows_of_a_csv_file_are_asked_for_by_their_key_column():
    written = asked(QuestionKind.TABLE, chunk(TOOLS, "tool list.csv"), titles={"tool list.csv": "tool list"})
    assert written['According to "tool list", what is the weight of tool T-3311, in kg?'] == "9.5"
    assert written['According to "tool list", what is the status of tool T-3308?'] == "On loan"
    assert written['According to "tool list", when was tool T-3342 received?'] == "19/07/2024"
    assert not any("test of" in text or "T-3342, in kg" in text for text in written)


def test_a_row_with_a_piece_without_a_head_is_left_out_and_the_others_are_not():
    text = TOOLS.replace("On loan", "On loan; since May")
    written = asked(QuestionKind.TABLE, chunk(text, "tool list.csv"), titles={"tool list.csv": "tool list"})
    assert not any("T-3308" in question for question in written)
    assert written['According to "tool list", what is the weight of tool T-3311, in kg?'] == "9.5"


def test_notes_between_the_rows_break_no_file():
    text = f"Tools of the store, May\n\n{TOOLS}\nNote: T-3300 was sold."
    written = asked(QuestionKind.TABLE, chunk(text, "tool list.csv"), titles={"tool list.csv": "tool list"})
    assert written['According to "tool list", what is the weight of tool T-3311, in kg?'] == "9.5"


@pytest.mark.parametrize(
    "text",
    [
        TOOLS.replace("T-3311", "T-3308").replace("T-3342", "T-3308"),
        TOOLS.replace("Tool no", "ID"),
        TOOLS.split("\n")[0],
    ],
    ids=["a key that several rows have", "a key that says no kind", "one row"],
)
def test_rows_without_a_key_that_says_what_they_are_give_no_question(text):
    assert not asked(QuestionKind.TABLE, chunk(text, "tool list.csv"), titles={"tool list.csv": "tool list"})


def test_what_is_no_csv_file_is_not_read_as_rows():
    assert not asked(QuestionKind.TABLE, chunk(TOOLS, "tools.txt"), titles={"tools.txt": "Tool list of May"})


def test_a_long_file_is_asked_about_from_its_beginning_to_its_end():
    lines = [f"Tool no: T-{number:05d}; Weight (kg): {number}" for number in range(1, 1_001)]
    chunks = [
        chunk("\n".join(lines[start : start + 20]), "tool list.csv", position=start // 20)
        for start in range(0, 1_000, 20)
    ]
    written = asked(QuestionKind.TABLE, *chunks, titles={"tool list.csv": "tool list"})
    numbers = sorted(int(answer) for answer in written.values())
    assert 100 <= len(numbers) <= MOST_ROWS
    assert numbers[0] < 20
    assert numbers[-1] > 980
