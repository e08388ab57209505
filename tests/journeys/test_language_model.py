"""A validator names a model, lets it answer and judge within a budget, and reads what it was asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.application import server
from tests.support.application.screen import choose, click, enter, fill
from tests.support.models.fenced import fenced
from tests.support.servers.llm_server import Body, LlmServer

pytestmark = [pytest.mark.journey, pytest.mark.slow]

KEY = "sk-journey-0123456789"


def script(body: Body) -> str | Body:
    """Answers with the first passage and finds every answer right."""
    texts = fenced(body)
    if "response" in texts:
        return {"reason": "The response says so.", "verdict": "Correct"}
    return "The first passage says it [1]."


def test_a_model_answers_and_judges_within_a_budget(own_sample: Path, visit: Callable[[str], Page]) -> None:
    with LlmServer(script) as model, server.running(own_sample, BANK_KEY=KEY) as address:
        page = visit(f"{address}/models")
        click(page.get_by_role("button", name="Add an endpoint"))
        fill(_field(page, "Name"), "Bank LLM")
        fill(_field(page, "Base URL"), model.base_url)
        fill(_field(page, "Key: name of the environment variable"), "BANK_KEY")
        click(page.get_by_role("button", name="Save endpoint"))
        fill(_field(page, "Model to test with"), "bank-model")
        click(page.get_by_role("button", name="Test", exact=True))
        expect(page.locator(".st-key-trial")).to_be_visible()

        page.get_by_test_id("stSidebar").locator('a[href^="evaluate"]:visible').first.click()
        choose(page.locator(".st-key-target"), "Retrieval and a language model")
        enter(page.locator(".st-key-target_model_model input"), "bank-model")
        choose(page.locator(".st-key-judge"), "Language model")
        enter(page.locator(".st-key-judge_model_model input"), "bank-model")
        enter(_field(page, "Stop after this many calls"), "40")
        click(page.get_by_role("button", name="Start the run"))
        expect(page.get_by_text("The budget of 40 calls is used up").first).to_be_visible()
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert len(model.bodies) <= 50, "more was asked than the budget and the test of the endpoint allow"

        page.goto(f"{address}/models?view=calls")
        expect(page.get_by_text(re.compile(r"of 4\d calls priced"))).to_be_visible()
        assert KEY not in page.content(), "the key is on the screen"
        assert {header.get("authorization") for header in model.headers} == {f"Bearer {KEY}"}
    for kept in own_sample.rglob("*"):
        assert kept.is_dir() or KEY.encode() not in kept.read_bytes(), f"the key is in {kept.name}"


def _field(page: Page, label: str) -> Locator:
    """A field by its label, which the button of its help carries as well."""
    return page.locator(f'input[aria-label="{label}"]')
