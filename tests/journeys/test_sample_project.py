"""A new user reads the sample project: overview, diagnosis, a wrong answer with its evidence, a shared link."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.application.screen import click, settle

pytestmark = pytest.mark.journey


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
    rows = page.get_by_role("listbox", name="Cases").get_by_role("option")
    expect(rows.first).to_be_visible()
    settle(page)
    rows.nth(1).click()
    expect(page.get_by_text("Case 2 of 246")).to_be_visible()
    expect(page.get_by_text("Ground truth, from the database")).to_be_visible()
    expect(page.get_by_text(re.compile("^Retrieved passages"))).to_be_visible()
    expect(page).to_have_url(re.compile("case="))
    click(page.get_by_role("button", name="Run this SQL again"))
    expect(page.locator(".st-key-case_view [data-testid=stDataFrame]").first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.slow
def test_a_shared_link_opens_the_same_case_in_another_browser(sample_server: str, visit: Callable[[str], Page]) -> None:
    mine = visit(f"{sample_server}/results?verdict=incorrect&form=long")
    click(mine.locator(".st-key-next_case button"))
    expect(mine.get_by_text("Case 2 of")).to_be_visible()
    expect(mine).to_have_url(re.compile("case="))
    question = mine.locator(".st-key-case_view [data-testid=stText]").first
    expect(question).to_be_visible()
    words = question.inner_text()

    theirs = visit(mine.url)
    expect(theirs.locator(".st-key-case_view [data-testid=stText]").first).to_have_text(words)
    expect(theirs.get_by_text("Which answers are wrong?")).to_be_visible()
    expect(theirs.get_by_test_id("stException")).to_have_count(0)
