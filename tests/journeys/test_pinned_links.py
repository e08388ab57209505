"""A copied link keeps its evidence: the same run, figures and case in a fresh browser after three more runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from core.domain.results.runs import RunState
from core.project.service import create_project
from core.store.database import Store
from core.store.results import runs
from tests.support.application import server
from tests.support.application.screen import click, settle
from tests.support.runs import scored_run
from tests.support.small_bank import ACTOR

pytestmark = [pytest.mark.journey, pytest.mark.slow]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with one finished, scored run."""
    folder = tmp_path / "data"
    folder.mkdir()
    with Store.open(f"sqlite:///{folder / 'plumbline.sqlite'}") as store:
        project = create_project(store, "Loans assistant", ACTOR)
        scored_run.add_run(store, project.id, scored_run.rows())
    return folder


def more_runs(folder: Path) -> None:
    """Two more finished runs with other answers, and one that is still going."""
    with Store.open(f"sqlite:///{folder / 'plumbline.sqlite'}") as store:
        with store.read() as connection:
            first = runs.all(connection, None)[0]
        for number in range(2):
            other = scored_run.Row(
                question=f"Another question {number}?",
                answer="None.",
                passages=("-",),
                support=(0.5,),
                correct=False,
            )
            scored_run.add_run(store, first.project_id, [other], name=f"Later{number}")
        going = replace(first, id="run_going", state=RunState.RUNNING, finished_at="")
        with store.write(ACTOR, "run.create", project_id=first.project_id, subject=going.id) as connection:
            runs.put(connection, going)


def read(page: Page) -> tuple[str, ...]:
    """What the page says of its run, its figures and its case."""
    shown: list[Locator] = [
        page.get_by_test_id("stCaptionContainer").filter(has_text="run run_").first,
        page.locator(".st-key-figure_accuracy"),
        page.locator(".st-key-case_view [data-testid=stText]").first,
    ]
    for part in shown:
        expect(part).to_be_visible()
    return (re.findall(r"run_\w+", shown[0].inner_text())[0], *(part.inner_text() for part in shown[1:]))


def test_a_link_shows_the_same_after_three_more_runs(data: Path, visit: Callable[[str], Page]) -> None:
    with server.running(data, sample=False) as address:
        mine = visit(f"{address}/results")
        expect(mine.get_by_text("Showing the newest finished run")).to_be_visible()
        click(mine.locator(".st-key-next_case button"))
        expect(mine.get_by_text("Case 2 of 12")).to_be_visible()
        expect(mine).to_have_url(re.compile("run=.*case=|case=.*run="))
        settle(mine)
        link, seen = mine.url, read(mine)

        more_runs(data)
        theirs = visit(link)
        expect(theirs.get_by_text("2 later runs are finished")).to_be_visible()
        assert read(theirs) == seen
        # Without its run a page opens the newest finished one, never the one that is still going.
        fresh = visit(f"{address}/results")
        expect(fresh.get_by_text("a later run is still going")).to_be_visible()
        assert read(fresh)[0] != seen[0]


def test_cases_are_read_by_key_and_what_opens_is_in_view(data: Path, visit: Callable[[str], Page]) -> None:
    with server.running(data, sample=False) as address:
        page = visit(f"{address}/results?sort=test_set")
        evidence = page.locator(".st-key-case_view")
        expect(page.get_by_text("Case 1 of 12")).to_be_visible()
        settle(page)
        page.keyboard.press("j")
        expect(page.get_by_text("Case 2 of 12")).to_be_visible()
        settle(page)
        page.mouse.move(900, 600)
        page.mouse.wheel(0, 3_000)
        page.keyboard.press("j")
        expect(page.get_by_text("Case 3 of 12")).to_be_visible()
        expect(evidence.get_by_test_id("stText").first).to_be_in_viewport()
        settle(page)
        page.keyboard.press("k")
        expect(page.get_by_text("Case 2 of 12")).to_be_visible()
        settle(page)
        entries = page.get_by_role("option")
        entries.nth(4).click()
        expect(page.get_by_text("Case 5 of 12")).to_be_visible()
        expect(entries.nth(4)).to_have_attribute("aria-selected", "true")
        settle(page)
        page.get_by_role("listbox", name="Cases").focus()
        page.keyboard.press("ArrowDown")
        expect(page.get_by_text("Case 6 of 12")).to_be_visible()
        expect(page.get_by_test_id("stException")).to_have_count(0)
