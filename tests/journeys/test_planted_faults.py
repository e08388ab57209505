"""A validator proves the diagnosis on the sample bank: plants faults, watches, reads what each answer was called."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.application.screen import click, settle

pytestmark = [pytest.mark.journey, pytest.mark.slow]

DONE_MS = 180_000


def test_from_the_form_to_the_answer_behind_a_figure(unscored_server: str, visit: Callable[[str], Page]) -> None:
    page = visit(f"{unscored_server}/planted-faults")
    expect(page.get_by_text("This page plants faults of known kinds")).to_be_visible()
    expect(page.get_by_text(re.compile("Asks 1,134 questions first and at most"))).to_be_visible()
    click(page.get_by_role("button", name="Plant faults"))

    expect(page.get_by_text("Named correctly").first).to_be_visible(timeout=DONE_MS)
    settle(page)
    # The chosen trial is the same one while it goes from queued to done.
    expect(page.get_by_text("The link names a job that cannot exist")).to_have_count(0)
    expect(page.get_by_text(re.compile("names the right module in [0-9]+ of [0-9]+ wrong answers"))).to_be_visible()
    expect(page.get_by_text("All kinds mixed").first).to_be_visible()
    click(page.get_by_text(re.compile(r"^All \([0-9,]+\)$")))
    settle(page)
    grid = page.locator("[class*='st-key-faulty_answers'] [data-testid=stDataFrame]").first
    grid.scroll_into_view_if_needed()
    grid.click(position={"x": 16, "y": 50})
    settle(page)
    opened = page.locator(".st-key-faulty_answer")
    expect(opened).to_contain_text("Passage before")
    expect(opened).to_contain_text("Should be")
    expect(page).to_have_url(re.compile("case=a"))

    # Somebody else opens the same link and sees the same answer.
    theirs = visit(page.url)
    expect(theirs.locator(".st-key-faulty_answer")).to_contain_text("Passage before")
    for each in (page, theirs):
        expect(each.get_by_test_id("stException")).to_have_count(0)
