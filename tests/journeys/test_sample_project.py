"""A new user reads the sample project: overview, diagnosis, a wrong answer with its evidence, a shared link."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.screen import click, settle

pytestmark = pytest.mark.journey

PAINTED = """([name, x, y]) => {
    const canvas = document.querySelector(name), scale = window.devicePixelRatio;
    return canvas && canvas.width > x && canvas.getContext("2d")
        .getImageData((x - 8) * scale, (y - 8) * scale, 16 * scale, 16 * scale).data.some((one, place, all) =>
            one !== all[place % 4]);
}"""
"""Whether something is drawn around a place of a canvas, that is not of one colour."""


def test_from_the_sample_project_to_the_broken_module(unscored_server: str, visit: Callable[[str], Page]) -> None:
    page = visit(unscored_server)
    expect(page.get_by_text("Sample bank").first).to_be_visible()
    click(page.get_by_role("button", name="See which module is broken"))
    expect(page.get_by_role("heading", name="Which module is broken?")).to_be_visible()
    expect(page.get_by_text(re.compile("Long questions fail"))).to_be_visible()
    click(page.get_by_text("Hypothesis test", exact=True))
    conclusion = page.get_by_text(re.compile("long are answered worse than those with short"))
    expect(conclusion.first).to_be_visible()
    expect(page.get_by_text("What this cannot show")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.slow
def test_a_wrong_answer_shows_its_rule_its_sql_and_its_passages(
    sample_server: str, visit: Callable[[str], Page]
) -> None:
    page = visit(f"{sample_server}/results?verdict=incorrect")
    rows = page.locator(".st-key-results_table [data-testid=stDataFrame]")
    expect(rows).to_be_visible()
    _select_first_row(page, ".st-key-results_table")
    expect(page.get_by_text("Ground truth, from the database")).to_be_visible()
    expect(page.get_by_text(re.compile("^Retrieved passages"))).to_be_visible()
    expect(page).to_have_url(re.compile("case="))
    click(page.get_by_role("button", name="Run this SQL again"))
    expect(page.locator(".st-key-case_view [data-testid=stDataFrame]").first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.slow
def test_a_shared_link_opens_the_same_case_in_another_browser(sample_server: str, visit: Callable[[str], Page]) -> None:
    mine = visit(f"{sample_server}/results?verdict=incorrect&form=long")
    _select_first_row(mine, ".st-key-results_table")
    expect(mine).to_have_url(re.compile("case="))
    question = mine.locator(".st-key-case_view [data-testid=stText]").first
    expect(question).to_be_visible()
    words = question.inner_text()

    theirs = visit(mine.url)
    expect(theirs.locator(".st-key-case_view [data-testid=stText]").first).to_have_text(words)
    expect(theirs.get_by_text("Which answers are wrong?")).to_be_visible()
    expect(theirs.get_by_test_id("stException")).to_have_count(0)


def _select_first_row(page: Page, table: str) -> None:
    """Ticks the first row: the grid is a canvas, so it is clicked where its first check box is painted."""
    grid = page.locator(f"{table} [data-testid=stDataFrame]")
    expect(grid).to_be_visible()
    settle(page)
    box = {"x": 16, "y": 50}
    page.wait_for_function(PAINTED, arg=[f"{table} [data-testid=stDataFrame] canvas", box["x"], box["y"]])
    grid.click(position=box)
