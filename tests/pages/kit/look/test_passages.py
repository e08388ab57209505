"""Passages laid out for reading: headings, lists and paragraphs, and no markup of whoever wrote them."""

from __future__ import annotations

import pandas as pd
import pytest

from pages.evaluate.results.workbench.case_list import cut as list_text
from pages.kit.look.passages import laid_out
from pages.kit.look.tables import as_stored


def test_headings_lists_and_lines_are_laid_out():
    text = "# Fees #\r\nFirst line\r\nsecond line\r\n\r\n- one\r\n* two\r\n3) three"
    assert laid_out(text) == "**Fees**\n\nFirst line  \nsecond line\n\n- one\n- two\n3. three"


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "![image](http://evil.test/a.png)",
        "[link](http://evil.test)",
        "$x^2$ and `code`",
        ":red[x] :material/home:",
        "| a | b |",
        "> quoted",
        "---",
        "===",
        "~~struck~~",
    ],
)
@pytest.mark.parametrize("before", ["", "# ", "- ", "2. "])
def test_no_sign_of_the_text_becomes_markup(hostile, before):
    drawn = laid_out(f"{before}{hostile}").removeprefix("**").removesuffix("**").removeprefix("- ").removeprefix("2. ")
    signs = "`*_{}[]()<>#|$~:"
    assert all(drawn[place - 1] == "\\" for place, sign in enumerate(drawn) if sign in signs)
    assert drawn[:1] not in ("-", "+", "=") or before == "# "
    assert "://" not in drawn
    assert drawn.replace("\\", "").replace("\u2060", "") == hostile


def test_a_line_that_looks_like_a_list_elsewhere_stays_a_line():
    assert laid_out("1990) a year, 2000. another") == "1990\\) a year, 2000. another"


def test_a_table_is_laid_out_as_one_with_its_cells_as_plain_words():
    text = "Prices\n\n| Song | Price |\n|:--|---|\n| *Ace* <b> | $1 |\n|  | [x](http://e.test) |\nBy: AC"
    assert laid_out(text) == (
        "Prices\n\n| Song | Price |\n|---|---|\n| \\*Ace\\* \\<b\\> | \\$1 |\n"
        "|  | \\[x\\]\\(http\\:\u2060//e.test\\) |\n\nBy\\: AC"
    )


@pytest.mark.parametrize(
    "rows",
    [
        "| Song | Price |\n| Ace | 1 |",  # no rule: the passage begins inside a table
        "| Song | Price |\n|---|\n| Ace | 1 |",
        "| Song | Price |\n|---|---|\n| Ace | 1 | 2 |",
    ],
)
def test_rows_that_are_no_whole_table_stay_lines(rows):
    assert "  \n".join(line.replace("|", "\\|") for line in rows.split("\n")) == laid_out(rows)


def test_a_sign_that_turns_the_direction_of_writing_is_shown_and_turns_nothing():
    text = "paid \u202e0001\u202c EUR"
    assert laid_out(text) == "paid ⟨U+202E⟩0001⟨U+202C⟩ EUR"
    shown = as_stored(pd.DataFrame({"Answer": [text, None], "n": [1, 2]}))
    assert shown["Answer"][0] == "paid ⟨U+202E⟩0001⟨U+202C⟩ EUR"
    assert list(shown["Answer"].isna()) == [False, True]
    assert list(shown["n"]) == [1, 2]
    assert list_text(text) == "paid ⟨U+202E⟩0001⟨U+202C⟩ EUR"
