"""A validator brings a database and documents of their own and goes all the way to a diagnosis."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.application import server
from tests.support.application.screen import click, fill
from tests.support.small_bank import write_bank, write_documents

pytestmark = [pytest.mark.journey, pytest.mark.slow]


@pytest.fixture
def empty_server(tmp_path: Path) -> Iterator[str]:
    with server.running(tmp_path / "data", sample=False) as address:
        yield address


def test_from_nothing_to_a_diagnosis(empty_server: str, tmp_path: Path, visit: Callable[[str], Page]) -> None:
    database, documents = write_bank(tmp_path / "bank.sqlite"), write_documents(tmp_path / "documents")
    before = database.read_bytes()
    page = visit(empty_server)

    _fill(page, "project_name", "My bank")
    click(page.get_by_role("button", name="Create project"))
    expect(page.get_by_text("My bank").first).to_be_visible()

    _open(page, "connect")
    _fill(page, "database_url", f"sqlite:///{database}")
    click(page.get_by_role("button", name="Connect database"))
    expect(page.get_by_text("How the tables refer to each other")).to_be_visible()
    click(page.get_by_test_id("stMain").get_by_text("Documents", exact=True).first)
    _fill(page, "corpus_folder", str(documents))
    click(page.get_by_role("button", name="Load folder"))
    expect(page.get_by_role("heading", name="Left out")).to_be_visible()

    _open(page, "templates")
    click(page.get_by_role("button", name="Propose templates"))
    click(page.get_by_role("button", name=re.compile(r"Approve \d+ passing draft")))
    expect(page.get_by_text(re.compile(r"templates? approved"))).to_be_visible()
    click(page.get_by_text(re.compile(r"^Wordings \d+")))
    click(page.get_by_role("button", name="Write wordings"))
    click(page.get_by_role("button", name=re.compile(r"Approve \d+ passing draft")))
    expect(page.get_by_text(re.compile("wordings approved"))).to_be_visible()

    _open(page, "test-set")
    click(page.get_by_role("button", name="Build test set"))
    click(page.get_by_role("button", name="Freeze test set"))
    expect(page.get_by_text(re.compile("Frozen with content hash"))).to_be_visible()

    click(page.get_by_role("button", name="Run this test set"))
    click(page.get_by_role("button", name="Start the run"))
    click(page.get_by_role("button", name="See which module is broken"))
    expect(page.get_by_role("heading", name="Which module is broken?")).to_be_visible()
    expect(page.get_by_text("Groups with an answer").first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert database.read_bytes() == before, "the validator's database was changed"


def test_a_wrong_address_says_what_is_wrong_and_what_to_do(
    empty_server: str, tmp_path: Path, visit: Callable[[str], Page]
) -> None:
    page = visit(empty_server)
    _fill(page, "project_name", "My bank")
    click(page.get_by_role("button", name="Create project"))
    expect(page.get_by_text("My bank").first).to_be_visible()
    _open(page, "connect")
    _fill(page, "database_url", f"sqlite:///{tmp_path / 'nowhere.sqlite'}")
    click(page.get_by_role("button", name="Connect database"))
    alert = page.get_by_test_id("stAlert")
    expect(alert.first).to_contain_text("nowhere.sqlite")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not (tmp_path / "nowhere.sqlite").exists(), "a database file was created"


def _fill(page: Page, key: str, text: str) -> None:
    """Fills a field by its key."""
    fill(page.locator(f".st-key-{key} input"), text)


def _open(page: Page, path: str) -> None:
    """Follows the sidebar's link to a page."""
    click(page.get_by_test_id("stSidebar").locator(f'a[href^="{path}"]:visible').first)
