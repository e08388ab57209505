"""Any page opened first after a start goes through `app.py` and shows no false "Page not found"."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pages.ui import navigation
from tests.support import server


@pytest.mark.parametrize("spec", navigation.PAGES, ids=lambda spec: spec.key)
def test_the_first_visitor_after_a_start_sees_the_page_they_asked_for(
    visit: Callable[[str], Page], tmp_path: Path, spec: navigation.PageSpec
):
    with server.running(tmp_path / "data", sample=False) as address:
        page = visit(f"{address}/{spec.url_path}?search=kept")
        expect(page.get_by_role("heading", level=1)).to_have_text(spec.question)
        expect(page.get_by_test_id("stSidebar").get_by_role("link", name="Diagnose")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page).to_have_title(f"{spec.title} - Plumbline")
        assert "search=kept" in page.url


def test_nothing_is_fetched_from_outside(visit: Callable[[str], Page], tmp_path: Path):
    with server.running(tmp_path / "data", sample=False) as address:
        page = visit("about:blank")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        for spec in navigation.PAGES:
            page.goto(f"{address}/{spec.url_path}")
            expect(page.get_by_role("heading", level=1)).to_have_text(spec.question)
        ours = (address, "data:", "blob:")
        assert [url for url in asked if not url.startswith(ours)] == []
        assert asked
