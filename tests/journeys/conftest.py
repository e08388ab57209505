"""A browser and a server for the journeys; a picture of each page of a failed one lies in test-results/.

``PLUMBLINE_TRACE=yes`` keeps a trace of it too, with the page at each step.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from tests.support.application import browser as finder
from tests.support.application import server

RESULTS = Path(__file__).resolve().parents[2] / "test-results"
TRACED = bool(os.environ.get("PLUMBLINE_TRACE"))
"""Whether traces are kept, which takes a tenth of a journey's processor time."""
TIMEOUT_MS = 150_000
"""How long a page, or a worker behind it, may take on a busy machine; only a test that fails waits so long."""

expect.set_options(timeout=TIMEOUT_MS)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Lets fixtures see whether their test failed."""
    report = yield
    setattr(item, f"outcome_{report.when}", report)
    return report


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser for the journeys of one file; its loop ends with it, since other tests run loops of their own."""
    path = finder.find()
    if path is None:
        pytest.skip("NO BROWSER: install Chromium or set PLUMBLINE_BROWSER; the journeys did not run")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(finder.FLAGS))
        yield launched
        launched.close()


@pytest.fixture
def own_sample(sample_data: Path, tmp_path: Path) -> Path:
    """A copy of the sample's data folder that one test may change."""
    copy = tmp_path / "data"
    shutil.copytree(sample_data, copy)
    return copy


@pytest.fixture
def own_bank(finished_data: Path, tmp_path: Path) -> Path:
    """A copy of the data folder of the small bank, whose run takes no time, that one test may change."""
    copy = tmp_path / "data"
    shutil.copytree(finished_data, copy)
    return copy


@pytest.fixture(scope="session")
def sample_server(sample_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with the sample project that the journeys which only read it share."""
    copy = tmp_path_factory.mktemp("read") / "data"
    shutil.copytree(sample_data, copy)
    with server.running(copy) as address:
        yield address


@pytest.fixture
def unscored_server(sample_store: Path, tmp_path: Path) -> Iterator[str]:
    """A server with the sample project and its finished run, without scores, which take a worker most of a minute."""
    (tmp_path / "data").mkdir()
    shutil.copy(sample_store, tmp_path / "data" / "plumbline.sqlite")
    with server.running(tmp_path / "data", sample=False) as address:
        yield address


@pytest.fixture
def visit(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[[str], Page]]:
    """Opens an address in a fresh browser context; every call is another person.

    Nothing moves, since without a graphics card that takes long; a person may ask their browser for that too. For the
    same reason a trace has no film.
    """
    contexts = []

    def open_(address: str) -> Page:
        context = chromium.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        if TRACED:
            context.tracing.start(snapshots=True)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.goto(address)
        return page

    yield open_
    failed = getattr(getattr(request.node, "outcome_call", None), "failed", False)
    for number, context in enumerate(contexts):
        for place, page in enumerate(context.pages if failed else ()):
            with contextlib.suppress(Error):  # a page that crashed has no picture, and its trace says so
                page.screenshot(path=RESULTS / f"{request.node.name}-{number}-{place}.png")
        if TRACED:
            context.tracing.stop(path=RESULTS / f"{request.node.name}-{number}.zip" if failed else None)
        context.close()
