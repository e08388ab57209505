"""What tests of pages share: a store of their own, the app as a script, a small bank taken through the workflow once.

`open_page(app, "connect", view="documents")` opens a page as a link would; look things up by key.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import Engine, Executable, Table, event
from sqlalchemy.sql.visitors import iterate
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.domain.sources.projects import Project
from core.installation import ROOT
from core.project.service import create_project
from core.settings import settings
from core.store import projects
from core.store.database import Store
from core.store.writing import versions
from core.store.writing.versions import Kind
from pages.kit import cache as readers
from pages.kit import navigation
from tests.support.labels.labelled_store import labelled_base, made  # noqa: F401
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url

Open = Callable[..., AppTest]


@pytest.fixture(scope="session", autouse=True)
def components_looked_for_once() -> Iterator[None]:
    """Streamlit reads the metadata of every installed package for each `AppTest`, which took half of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(scope="session", autouse=True)
def cached_reads_name_what_they_read() -> Iterator[None]:
    """Fails a test in which a cached read looks at a kind of thing it does not name: it would show it stale."""

    def reads_only_what_it_names(connection: object, statement: object, *_: object) -> None:
        named = readers.declared.get()
        if named is not None and isinstance(statement, Executable):
            tables = {table.name for table in iterate(statement) if isinstance(table, Table)}
            unnamed = versions.kinds_of(tables) - named
            assert not unnamed, f"A cached read of {sorted(named)} reads {sorted(unnamed)} too"

    def names_what_a_read_within_it_names(connection: object, kinds: frozenset[Kind], **of: str) -> int:
        named = readers.declared.get()
        assert named is None or kinds <= named, f"A cached read of {sorted(named)} uses one of {sorted(kinds)}"
        return number(connection, kinds, **of)

    number = versions.number
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(versions, "number", names_what_a_read_within_it_names)
        event.listen(Engine, "before_execute", reads_only_what_it_names)
        yield
        event.remove(Engine, "before_execute", reads_only_what_it_names)


SCRIPT_S = 120
"""How long a page may take to be drawn; only a test that fails waits so long."""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty data folder that the app uses."""
    for name in ("DATABASE_URL", "ACTOR", "REQUIRE_LOGIN"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    readers.forget()
    yield tmp_path / "data"
    readers.store().dispose()
    readers.forget()


@pytest.fixture
def store(data: Path) -> Iterator[Store]:
    """The app's store, empty."""
    with Store.open(blank_url(data)) as opened:
        yield opened


@pytest.fixture
def project(store: Store) -> Project:
    """A project with nothing in it."""
    return create_project(store, "Loans assistant", ACTOR)


@pytest.fixture
def finished(data: Path, finished_data: Path) -> Iterator[Store]:
    """The app's store with the small bank's finished run in it."""
    shutil.copytree(finished_data, data)
    with Store.open(settings().database_url) as opened:
        yield opened


@pytest.fixture
def bank(finished: Store) -> Project:
    """The small bank's project."""
    with finished.read() as connection:
        return projects.all(connection)[0]


@pytest.fixture
def app(data: Path) -> AppTest:
    """The app before its first run."""
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=SCRIPT_S)


def window(page: str, **parameters: str) -> AppTest:
    """A session of its own with a page open."""
    opened = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SCRIPT_S)
    for name, value in parameters.items():
        opened.query_params[name] = value
    opened._page_hash = calc_hash(navigation.spec(page).url_path)
    return opened.run()


@pytest.fixture
def open_page(app: AppTest) -> Open:
    """Opens a page as a link would: ``open_page("connect", project=project.id)``."""

    def opened(page: str, **query: str) -> AppTest:
        for name, value in query.items():
            app.query_params[name] = value
        # Before the first run `switch_page` knows no address, and running the app for it would draw the Overview.
        app._page_hash = calc_hash(navigation.spec(page).url_path)
        return app.run()

    return opened
