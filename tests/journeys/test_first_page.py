"""Whatever page is opened first after a start goes through app.py and greets nobody with "Page not found"."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pages.kit import navigation
from tests.support.application import server
from tests.support.application.session import open_page

pytestmark = [pytest.mark.journey, pytest.mark.slow]


@pytest.mark.parametrize("spec", navigation.PAGES, ids=lambda spec: spec.key)
def test_any_page_may_be_the_first_one(spec: navigation.PageSpec, own_sample: Path) -> None:
    with server.running(own_sample) as address:
        opened = open_page(address, spec.url_path)
    assert spec.question in opened.texts["main"]
    assert "Diagnose" in opened.texts["sidebar"], "the sidebar is drawn by app.py only"
    assert not opened.not_found
    assert not opened.errors


def test_the_first_one_in_a_browser(own_sample: Path, visit: Callable[[str], Page]) -> None:
    with server.running(own_sample) as address:
        page = visit(f"{address}/{navigation.PAGES[-1].url_path}")
        expect(page.get_by_role("heading", name=navigation.PAGES[-1].question)).to_be_visible()
        expect(page.get_by_test_id("stSidebar").get_by_text("Diagnose").first).to_be_visible()
        expect(page.get_by_text("Page not found")).to_have_count(0)
        expect(page.get_by_test_id("stException")).to_have_count(0)


def test_a_page_without_sign_in_shows_nothing_of_the_project(own_sample: Path) -> None:
    with server.running(own_sample, sample=False, PLUMBLINE_REQUIRE_LOGIN="1") as address:
        for spec in navigation.PAGES:
            opened = open_page(address, spec.url_path)  # to the server it is somebody it has not seen
            assert "Who are you?" in opened.texts["main"]
            assert not any("Sample bank" in text for texts in opened.texts.values() for text in texts)
