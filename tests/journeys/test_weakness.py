"""A validator reads where the sample bank's system is weak, and decides what becomes of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.application import server
from tests.support.application.screen import choose, click, fill, first_row, settle

pytestmark = [pytest.mark.journey, pytest.mark.slow]

MAP = "view=map&attribute=table&by=answer_type&where=form%3Dshort"
"""The map on which the planted cell is weak and nothing else."""
PLANTED = "about loan product whose answer is a number"


@pytest.fixture
def own_server(own_sample: Path) -> Iterator[str]:
    with server.running(own_sample) as address:
        yield address


def test_from_the_weak_cell_to_a_decision_on_it(own_server: str, visit: Callable[[str], Page]) -> None:
    page = visit(f"{own_server}/weakness?{MAP}")
    expect(page.get_by_text(re.compile(f"{PLANTED}.*against")).first).to_be_visible()
    first_row(page, "weakness_cells")
    part = page.locator(".st-key-weakness_part")
    expect(part).to_contain_text("What to look at next")
    expect(part).to_contain_text("no document states the fact")
    expect(part).to_contain_text("3 failing examples")

    page.goto(f"{own_server}/weakness?view=findings")
    click(page.get_by_role("button", name="Record findings"))
    expect(page.get_by_text(re.compile("findings? recorded"))).to_be_visible()
    first_row(page, "findings_table")
    expect(page).to_have_url(re.compile("cell=fnd_"))
    fill(page.get_by_label("Owner"), "Ada Quist")
    choose(page.locator("[class*='st-key-status_fnd']"), "Accepted risk: it is real and stays")
    click(page.get_by_role("button", name="Save decision"))
    expect(page.get_by_text("The decision is saved.")).to_be_visible()

    # Somebody else opens the same link.
    theirs = visit(page.url)
    expect(theirs.get_by_label("Owner")).to_have_value("Ada Quist")
    expect(theirs.get_by_text("1 decision so far")).to_be_visible()
    settle(theirs)
    with theirs.expect_download() as download:
        click(theirs.get_by_role("button", name="Download JSON"))
    told = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert [one["owner"] for one in told].count("Ada Quist") == 1
    assert all(one["case_ids"] for one in told)

    click(theirs.get_by_role("button", name="Open in the results").first)
    expect(theirs.get_by_text("Ground truth, from the database")).to_be_visible()
    for each in (page, theirs):
        expect(each.get_by_test_id("stException")).to_have_count(0)
