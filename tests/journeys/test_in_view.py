"""What a click in a table opens is in sight, also in a low window and where the table stands far down the page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.application.screen import first_row

pytestmark = [pytest.mark.journey, pytest.mark.slow]

LOW = {"width": 1280, "height": 640}


def test_what_a_row_opens_is_in_sight(unscored_server: str, visit: Callable[[str], Page]) -> None:
    page = visit("about:blank")
    page.set_viewport_size(LOW)
    for address, table, opened in (
        ("templates", "sql_table", "sql_editor"),
        ("test-set", "cases_table", "case_detail"),
        ("?view=criteria", "criteria_table", "criterion_view"),
        ("judges?part=prompts", "prompts", "prompt_view"),
    ):
        page.goto(f"{unscored_server}/{address}")
        first_row(page, table)
        part = page.locator(f".st-key-{opened}")
        expect(part).to_be_visible()
        # A large part begins at the head of the window; one that fits is whole.
        expect(part).to_be_in_viewport(ratio=0.25)
