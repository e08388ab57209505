"""Takes the pictures in ``docs/screenshots`` from the real app with the sample project (``make screenshots``)."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support import browser, server  # noqa: E402

FOLDER = ROOT / "docs" / "screenshots"
VIEWS = {
    "overview": "",
    "connect": "connect",
    "templates": "templates",
    "wordings": "templates?view=text",
    "test-set": "test-set",
    "run": "evaluate",
    "results": "results?columns=faithfulness,recall&sort=faithfulness&verdict=incorrect&form=long",
    "case": "results?verdict=incorrect&form=long",
    "evidence": "results?sort=groundedness&metric=groundedness&verdict=correct",
    "metrics": "results?view=metrics",
    "agreement": "results?view=agreement",
    "label": "label",
    "raters": "label?view=agreement",
    "calibrate": "calibrate",
    "decide": "calibrate?view=decide",
    "trust": "calibrate?view=trust",
    "diagnose": "diagnose",
    "groups": "diagnose?view=groups&tag=gap&form=short",
    "group": "diagnose?view=groups&tag=gap&form=short",
    "hypothesis": "diagnose?view=hypothesis&attribute=form&a=long&b=short",
}
"""File name to address."""

SELECT_FIRST = {
    "templates": ".st-key-sql_table",
    "results": ".st-key-results_table",
    "case": ".st-key-results_table",
    "evidence": ".st-key-results_table",
    "groups": ".st-key-groups_table",
    "group": ".st-key-groups_table",
}
"""Views that are shown with the first row selected."""

SCROLL_TO = {
    "templates": ".st-key-sql_editor",
    "case": ".st-key-case_view",
    "evidence": ".st-key-url_metric",
    "group": ".st-key-group_view",
}
"""Views that are shown from a part on."""


def main() -> None:
    """Builds the sample in a temporary folder, serves it, and takes one picture a view."""
    path = browser.find()
    if path is None:
        raise SystemExit("No browser: install Chromium or set PLUMBLINE_BROWSER.")
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        server.running(Path(data) / "data") as address,
        sync_playwright() as playwright,
    ):
        server.wait_for_scores(Path(data) / "data")
        chromium = playwright.chromium.launch(executable_path=path, args=list(browser.FLAGS))
        page = chromium.new_context(viewport={"width": 1280, "height": 860}, color_scheme="light").new_page()
        for name, view in VIEWS.items():
            page.goto(f"{address}/{view}")
            settle(page)
            if name in SELECT_FIRST:
                grid = page.locator(f"{SELECT_FIRST[name]} [data-testid=stDataFrame]")
                if grid.count():
                    grid.click(position={"x": 16, "y": 50})
                    settle(page)
            if name in SCROLL_TO:
                page.locator(SCROLL_TO[name]).evaluate("part => part.scrollIntoView({block: 'start'})")
                settle(page)
            picture = page.screenshot(path=FOLDER / f"{name}.png", full_page=False)
            print(f"{name}.png {len(picture):,} bytes")
        chromium.close()


def settle(page: Page) -> None:
    """Waits until the app has drawn: not running, no skeletons, charts painted."""
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_visible(timeout=30_000)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=30_000)
    page.wait_for_timeout(1_200)


if __name__ == "__main__":
    main()
