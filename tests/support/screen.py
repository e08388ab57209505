"""What a person does on a page that may be drawn anew at any moment."""

from __future__ import annotations

import time

from playwright.sync_api import Error, Locator, expect

SETTLE_S = 45.0


def fill(field: Locator, text: str) -> None:
    """Types into a field once there is one of it; while the page is drawn anew there may be two for a moment."""
    until = time.monotonic() + SETTLE_S
    while True:
        expect(field).to_have_count(1)
        try:
            field.fill(text)
            expect(field).to_have_value(text)
        except (Error, AssertionError):
            if time.monotonic() > until:
                raise
        else:
            return
