"""A person who names a host that may not be called is told which, why, and what the operator can do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.application import server
from tests.support.application.screen import click, fill
from tests.support.servers.listening import listening

pytestmark = [pytest.mark.journey, pytest.mark.slow]

SECRET = "hunter2-the-servers-own-secret"


def enter(page: Page, label: str, text: str) -> None:
    fill(page.get_by_label(label, exact=True), text)


def refused(page: Page, *said: str) -> None:
    alert = page.get_by_test_id("stAlert").filter(has_text=said[0])
    expect(alert).to_be_visible()
    for text in said:
        expect(alert).to_contain_text(text)
    expect(page.get_by_text(SECRET)).to_have_count(0)
    assert page.locator("a[href*='evil.example']").count() == 0, "an address in a message is no link"
    box = alert.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1280
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 800, "what a click opens is in view"


def test_a_database_and_a_model_at_hosts_that_may_not_be_called(own_bank: Path, visit: Callable[[str], Page]) -> None:
    with (
        listening("postgresql") as hostile,
        server.running(
            own_bank,
            sample=False,
            PLUMBLINE_ALLOWED_HOSTS="db.bank.example,127.0.0.1",
            PLUMBLINE_HOST_VARIABLES="db.bank.example=BANK_PASSWORD",
            SERVER_SECRET=SECRET,
        ) as address,
    ):
        page = visit(f"{address}/connect")
        page.set_viewport_size({"width": 1280, "height": 800})
        click(page.get_by_text("Connect another database, or read this one again"))
        enter(page, "SQLAlchemy URL", "postgresql+psycopg://u@evil.example/x")
        click(page.get_by_role("button", name="Connect database"))
        refused(page, "Plumbline may not call evil.example.", "The operator can add it to PLUMBLINE_ALLOWED_HOSTS")
        for part in ("${SERVER_SECRET}", "u:${SERVER_SECRET}"):
            enter(page, "SQLAlchemy URL", f"postgresql+psycopg://{part}@127.0.0.1:{hostile.port}/x")
            click(page.get_by_role("button", name="Connect database"))
            refused(page, "The environment variable SERVER_SECRET is not named for", "PLUMBLINE_HOST_VARIABLES")
        assert hostile.heard == []

        page.get_by_test_id("stDataFrame").first.hover()
        expect(page.get_by_role("button", name="Search").first).to_be_visible()
        # Streamlit's own download would leave a formula in a cell as it is.
        expect(page.get_by_role("button", name="Download as CSV")).to_have_count(0)

        page.goto(f"{address}/models")
        click(page.get_by_role("button", name="Add an endpoint"))
        enter(page, "Name", "Evil")
        enter(page, "Base URL", "http://www.evil.example/v1")
        click(page.get_by_role("button", name="Save endpoint"))
        refused(page, "Plumbline may not call www", "PLUMBLINE_ALLOWED_HOSTS")
        enter(page, "Base URL", "http://127.0.0.1:9/v1")
        enter(page, "Key: name of the environment variable", "SERVER_SECRET")
        click(page.get_by_role("button", name="Save endpoint"))
        refused(page, "The environment variable SERVER_SECRET is not named for 127.0.0.1:9.")
