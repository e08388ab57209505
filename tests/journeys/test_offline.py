"""The app works without a network: every page asks only its own server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pages.kit import navigation
from tests.support.application import server

pytestmark = [pytest.mark.journey, pytest.mark.slow]


def test_nothing_is_fetched_from_outside(visit: Callable[[str], Page], tmp_path: Path):
    with server.running(tmp_path / "data", sample=False) as address:
        page = visit("about:blank")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        for spec in navigation.PAGES:
            page.goto(f"{address}/{spec.url_path}?search=kept")
            expect(page.get_by_role("heading", level=1)).to_have_text(spec.question)
            expect(page).to_have_title(f"{spec.title} - Plumbline")
            assert "search=kept" in page.url
        ours = (address, "data:", "blob:")
        assert [url for url in asked if not url.startswith(ours)] == []
        assert asked
