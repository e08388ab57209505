"""A run goes on while its tab is closed, reloaded or opened twice."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.support import server


def test_a_reload_in_the_middle_of_a_run_loses_nothing(own_sample: Path, visit: Callable[[str], Page]) -> None:
    with server.running(own_sample) as address:
        page = visit(f"{address}/evaluate")
        page.get_by_role("button", name="Start the run").click()
        expect(page).to_have_url(re.compile("run="))
        expect(page.locator(".st-key-run_job_panel")).to_be_visible()
        page.reload()
        expect(page).to_have_url(re.compile("run="))
        link = page.url
        page.close()

        again = visit(link)
        expect(again.get_by_role("button", name="Read the results")).to_be_visible(timeout=150_000)
        expect(again.get_by_text("Interrupted")).to_have_count(0)
    run_id = re.search(r"run=(run_\w+)", link)
    assert run_id is not None
    store = sqlite3.connect(own_sample / "plumbline.sqlite")
    answered, different = store.execute(
        "SELECT count(*), count(DISTINCT case_id) FROM responses WHERE run_id = ?", (run_id[1],)
    ).fetchone()
    cases = store.execute("SELECT count(*) FROM cases WHERE excluded = ''").fetchone()[0]
    store.close()
    assert answered == different == cases


def test_a_run_is_stopped_and_resumed(own_sample: Path, visit: Callable[[str], Page]) -> None:
    with server.running(own_sample) as address:
        page = visit(f"{address}/evaluate")
        page.get_by_role("button", name="Start the run").click()
        page.get_by_role("button", name="Stop").click()
        page.get_by_role("button", name="Resume").click(timeout=120_000)
        expect(page.get_by_role("button", name="Read the results")).to_be_visible(timeout=150_000)
        expect(page.get_by_test_id("stException")).to_have_count(0)
