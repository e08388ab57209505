"""Passages laid out for reading: headings, lists and paragraphs, and no markup of whoever wrote them."""

from __future__ import annotations

import pytest

from pages.kit.look.passages import laid_out


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
