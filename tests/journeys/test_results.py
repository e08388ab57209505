"""Scores on the Results page: lit sentences, charts that are clicked, a changed score, texts that stay texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.project.service import create_project
from core.store.database import Store
from tests.support.application import server
from tests.support.application.screen import click, fill, settle
from tests.support.runs import scored_run
from tests.support.small_bank import ACTOR

pytestmark = pytest.mark.journey

HOSTILE = (
    "<script>alert(1)</script> <img src=http://evil.test/a.png onerror=alert(1)> :red[x] [link](http://evil.test) "
    "![i](http://evil.test/b.png) $x^2$ `code` :material/home: www.evil.test **bold** <b>thick</b>"
)


@pytest.fixture
def fees(tmp_path: Path) -> Iterator[str]:
    """A server with a scored run, the last answer of which looks like markup."""
    data = tmp_path / "data"
    data.mkdir()
    with Store.open(f"sqlite:///{data / 'plumbline.sqlite'}") as store:
        project = create_project(store, "Loans assistant", ACTOR)
        hostile = scored_run.Row(
            question=f"What is {HOSTILE}",
            answer=f"It is {HOSTILE}",
            passages=(f"They say {HOSTILE}", HOSTILE),
            support=(0.1,),
            correct=False,
            reference=HOSTILE,
        )
        scored_run.add_run(store, project.id, [*scored_run.rows(), hostile])
    with server.running(data, sample=False) as address:
        yield address


@pytest.mark.slow
def test_text_of_a_model_is_never_markup(fees: str, visit: Callable[[str], Page]) -> None:
    page = visit("about:blank")
    asked: list[str] = []
    dialogs: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for metric in ("groundedness", "wasserstein", "nli_entailment", "lexical_precision"):
        page.goto(f"{fees}/results?case=case-12&metric={metric}")
        expect(page.locator(".st-key-case_view")).to_contain_text("Scores of this answer")
        expect(page.get_by_test_id("stException")).to_have_count(0)
        main = page.get_by_test_id("stMain")
        # Every word stands there as it was written, and none of it became an element.
        expect(main.get_by_test_id("stText").filter(has_text=f"It is {HOSTILE}").first).to_be_visible()
        for element in ("script", "img", ".katex", "a[href*='evil']", "b", "[data-testid=stMarkdown] code"):
            assert main.locator(element).count() == 0, (metric, element)
    page.goto(f"{fees}/results?view=agreement&a=groundedness&b=wasserstein&case=case-12")
    expect(page.locator(".st-key-case_view")).to_contain_text("Scores of this answer")
    assert [url for url in asked if "evil" in url] == []
    assert [url for url in asked if not url.startswith((fees, "data:", "blob:", "about:"))] == []
    assert dialogs == []


@pytest.mark.slow
def test_sentences_are_lit_by_their_number_with_the_best_match_beside(fees: str, visit: Callable[[str], Page]) -> None:
    page = visit(f"{fees}/results?case=case-2&metric=groundedness")
    # Row 2: 0.9 - 2/20 = 0.80 and 0.34 + 2/20 = 0.44, so the steps of the ten colours are 8 and 4.
    first = page.locator('[class*="st-key-lit-8-plain-"]')
    worst = page.locator('[class*="st-key-lit-4-worst-"]')
    expect(first).to_have_text("Fee 2 is 2 percent.")
    expect(worst).to_have_text("It is due on the last day of the month.")
    expect(page.locator(".st-key-case_view")).to_contain_text("least grounded")
    expect(page.locator('[class*="st-key-match-groundedness"]').first).to_contain_text("passage 1")
    for box in (first, worst):
        expect(box).to_have_css("background-image", re.compile("gradient"))
    colours = {box.evaluate("box => getComputedStyle(box).backgroundImage") for box in (first, worst)}
    assert len(colours) == 2


def test_a_bar_a_cell_and_a_point_lead_to_cases(fees: str, visit: Callable[[str], Page]) -> None:
    page = visit(f"{fees}/results?view=metrics&metric=groundedness")
    # The mean of all twelve rows is (0.9 - n/20 + 0.34 + n/20) / 2 = 0.62, that of the hostile one 0.1.
    bars = page.locator(".st-key-histogram .bars .point path")
    expect(bars).not_to_have_count(0)
    settle(page)
    tallest = max(range(bars.count()), key=lambda place: (bars.nth(place).bounding_box() or {"height": 0})["height"])
    bars.nth(tallest).click(force=True)
    expect(page).to_have_url(re.compile("sort=groundedness"))
    expect(page).to_have_url(re.compile("low="))
    expect(page.get_by_text("12 cases", exact=True)).to_be_visible()

    page.goto(f"{fees}/results?view=agreement")
    expect(page.get_by_text("Where the two disagree most")).to_be_visible()
    settle(page)
    cell = page.locator(".st-key-correlations .scatterlayer .point").first
    cell.click(force=True)
    expect(page).to_have_url(re.compile("[?&]a="))
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.slow
def test_a_changed_score_keeps_the_original_and_can_be_restored(fees: str, visit: Callable[[str], Page]) -> None:
    page = visit(f"{fees}/results?case=case-2&metric=groundedness")
    form = page.locator(".st-key-edit_groundedness")
    click(form.get_by_text("Change this score: Groundedness"))
    fill(form.get_by_label("New value"), "0.25")
    click(form.get_by_role("button", name="Change this score"))
    expect(form.get_by_text("has a reason")).to_be_visible()
    fill(form.get_by_label("Reason"), "The second sentence is in another passage.")
    click(form.get_by_role("button", name="Change this score"))
    expect(page.get_by_text("is now 0.25")).to_be_visible()
    expect(page.get_by_text("A person changed this score.")).to_be_visible()
    expect(page.get_by_text("The computed value is 0.62")).to_be_visible()
    page.reload()
    expect(page.get_by_text("A person changed this score.")).to_be_visible()

    click(form.get_by_text("Change this score: Groundedness"))
    fill(form.get_by_label("Reason"), "I read the wrong passage.")
    click(form.get_by_role("button", name="Restore the computed value"))
    expect(page.get_by_text("The computed value is restored: 0.62")).to_be_visible()
    expect(page.get_by_text("A person changed this score.")).to_have_count(0)
