"""What a person does on a page that may be drawn anew at any moment.

A page is drawn anew after each click and each field that is left; what is done meanwhile may be lost, and an element
may stand there twice. So each of these waits until the page stands still, and then looks whether what it did is there.
"""

from __future__ import annotations

import time

from playwright.sync_api import Error, Locator, Page, expect

SETTLE_S = 300.0
"""How long a page may take; only a test that fails waits so long."""

LOOK_MS = 5_000
"""How long one look waits before the thing is done once more."""


def settle(page: Page) -> None:
    """Waits until the page is connected and no script draws it."""
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=SETTLE_S * 1_000)
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=SETTLE_S * 1_000)


def first_row(page: Page, table: str) -> None:
    """Ticks the first row of a table; the grid is a canvas, so it is clicked where its first check box is."""
    grid = page.locator(f"[class*='st-key-{table}'] [data-testid=stDataFrame]")
    expect(grid).to_be_visible()
    settle(page)
    grid.click(position={"x": 16, "y": 50})
    settle(page)


def fill(field: Locator, text: str) -> None:
    """Types into a field once there is one of it, and sees to it that the text stays there."""
    until = time.monotonic() + SETTLE_S
    while True:
        settle(field.page)
        expect(field).to_have_count(1)
        try:
            field.fill(text, timeout=LOOK_MS)
            settle(field.page)
            expect(field).to_have_value(text, timeout=LOOK_MS)
        except (Error, AssertionError):
            if time.monotonic() > until:
                raise
        else:
            return


def enter(field: Locator, text: str) -> None:
    """Types into a field, leaves it with Enter, and waits until the page knows the text."""
    fill(field, text)
    field.press("Enter")
    settle(field.page)
    expect(field).to_have_value(text)


def choose(box: Locator, name: str) -> None:
    """Chooses an entry of a select box by what it says; one that is closed by a drawing is opened once more."""
    page, until = box.page, time.monotonic() + SETTLE_S
    while True:
        settle(page)
        try:
            box.locator("input").first.click(timeout=LOOK_MS)
            page.get_by_role("option", name=name, exact=True).click(timeout=LOOK_MS)
            settle(page)
            expect(box.get_by_role("combobox")).to_have_value(name, timeout=LOOK_MS)
        except (Error, AssertionError):
            if time.monotonic() > until:
                raise
            page.keyboard.press("Escape")
        else:
            return


def click(button: Locator) -> None:
    """Clicks what is there once and on a page that stands still; what comes of it is the caller's to wait for."""
    expect(button).to_have_count(1, timeout=SETTLE_S * 1_000)
    settle(button.page)
    button.click()
