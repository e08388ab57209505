"""A validator goes from documents over topics and questions to a frozen test set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.application import server
from tests.support.application.screen import choose, click, fill, settle

pytestmark = [pytest.mark.journey, pytest.mark.slow]

WORKER_MS = 240_000
"""How long a worker may take; only a test that fails waits so long."""


@pytest.fixture
def own_server(own_sample: Path) -> Iterator[str]:
    with server.running(own_sample) as address:
        yield address


def test_from_documents_to_a_frozen_test_set(own_server: str, visit: Callable[[str], Page]) -> None:
    page = visit(f"{own_server}/questions")
    click(page.get_by_role("button", name="Find topics"))
    expect(page.get_by_role("heading", name="What are the documents about?")).to_be_visible()
    choose(page.locator(".st-key-topics_reduction"), "PCA")
    click(page.get_by_role("button", name="Find topics"))
    expect(page.get_by_text("The topics are found")).to_be_visible(timeout=WORKER_MS)
    expect(page.get_by_text("Draw around some to read them")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)

    _open(page, "questions")
    fill(page.locator(".st-key-questions_n input"), "20")
    click(page.get_by_role("button", name="Write questions"))
    expect(page.get_by_text("only approved ones enter a test set")).to_be_visible(timeout=WORKER_MS)

    _decide(page, "Approve", "a")
    _decide(page, "Reject", "x")
    click(page.get_by_test_id("stMain").get_by_text("All questions", exact=True))
    click(page.get_by_role("button", name=re.compile(r"^Approve \d+ questions? to review")))
    expect(page.get_by_text(re.compile(r"^Review 0$"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"✗ Rejected 1"))).to_be_visible()

    _open(page, "test-set")
    click(page.get_by_test_id("stMain").get_by_text("Build another", exact=True))
    click(page.locator(".st-key-build_made_of").get_by_role("button", name="Templates"))
    fill(page.locator(".st-key-build_name input"), "Document questions")
    click(page.get_by_role("button", name="Build test set"))
    expect(page.get_by_text("Document questions v1 is built as a draft")).to_be_visible()
    click(page.get_by_role("button", name="Freeze test set"))
    expect(page.get_by_text(re.compile("Frozen with content hash"))).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def _decide(page: Page, name: str, key: str) -> None:
    """Decides on the question in view by its key, and waits until another one is there."""
    settle(page)
    shown = page.locator(".st-key-question_text")
    expect(shown).to_have_count(1)
    text = shown.inner_text()
    expect(page.get_by_role("button", name=re.compile(f"^{name}"))).to_be_visible()
    page.keyboard.press(key)
    expect(shown.filter(has_text=text)).to_have_count(0)


def _open(page: Page, path: str) -> None:
    """Follows the sidebar's link to a page."""
    click(page.get_by_test_id("stSidebar").locator(f'a[href^="{path}"]:visible').first)
