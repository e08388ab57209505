"""Texts of other people are drawn by one function, which lets none of them turn the direction of writing."""

from __future__ import annotations

import re

from streamlit.testing.v1 import AppTest

from core.installation import ROOT


def test_a_sign_that_turns_the_writing_is_shown_as_its_code_point():
    def script():
        from pages.kit.look import verbatim

        verbatim.show("paid \u202e0001 EUR <b>*now*</b> ![x](https://evil.example/x.png)")

    drawn = AppTest.from_function(script).run()
    assert drawn.text[0].value == "paid ⟨U+202E⟩0001 EUR <b>*now*</b> ![x](https://evil.example/x.png)"


def test_under_a_field_it_is_said_how_a_turned_text_is_stored():
    def script():
        from pages.kit.look import verbatim

        for text in ("paid \u202e0001 *EUR*", "An ordinary remark.", ""):
            verbatim.under_field(text)

    drawn = AppTest.from_function(script).run()
    (note,) = drawn.caption
    assert "paid ⟨U+202E⟩0001 *EUR*" in note.value.replace("\\", "")


def test_no_page_draws_such_a_text_by_itself():
    others = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / "pages").rglob("*.py"))
        if path.name != "verbatim.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\bst\.text\(", line)
    ]
    assert others == []
