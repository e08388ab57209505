"""A damaged store, and a damaged database that is connected, are told in a sentence."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from core.domain.errors import PlumblineError, UnreadableFile
from core.sources.database import DatabaseSource
from core.store import projects
from core.store.database import Store
from core.store.results import runs
from core.store.trail import audit
from tests.support.files.damage import KINDS, damaged
from tests.support.small_bank import write_bank
from tests.support.stores import blank_url

SEEDS = range(6)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    with Store.open(blank_url(folder)) as store, store.write("ada", "note"):
        pass
    return folder / "plumbline.sqlite"


def use(url: str) -> None:
    with Store.open(url) as store:
        with store.read() as connection:
            for project in projects.all(connection):
                runs.all(connection, project.id)
            audit.entries(connection)
            audit.verify(connection)
        with store.write("ada", "note"):
            pass


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_store_is_told(tmp_path: Path, whole: Path, kind: str) -> None:
    told = 0
    for seed in SEEDS:
        path = tmp_path / f"{seed}.sqlite"
        path.write_bytes(damaged(whole.read_bytes(), kind, seed))
        # Where the damage is in free space, nothing is told and nothing is wrong.
        with suppress(PlumblineError):
            use(f"sqlite:///{path}")
            continue
        told += 1
    assert told, "none of them was damaged where it counts"


def test_a_store_that_is_damaged_while_it_is_open_is_told_with_the_remedy(tmp_path: Path, whole: Path) -> None:
    path = tmp_path / "plumbline.sqlite"
    shutil.copy(whole, path)
    with Store.open(f"sqlite:///{path}") as store:
        with path.open("r+b") as file:
            file.write(b"\xff" * path.stat().st_size)
        with (
            pytest.raises(UnreadableFile, match="is damaged, or cannot be used any more") as error,
            store.read() as connection,
        ):
            audit.entries(connection)
        assert "put back a copy" in error.value.hint


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_database_is_told(tmp_path: Path, kind: str) -> None:
    data = write_bank(tmp_path / "bank.sqlite").read_bytes()
    for seed in SEEDS:
        path = tmp_path / f"{seed}.sqlite"
        path.write_bytes(damaged(data, kind, seed))
        with suppress(PlumblineError), DatabaseSource.connect(f"sqlite:///{path}") as source:
            for table in source.schema.tables:
                for column in table.columns:
                    source.sample_values(table.name, column.name)
