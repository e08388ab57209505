"""Where people sign in, nobody reads the server's files by naming their path."""

import os

import pytest

from core.domain.errors import Forbidden, InvalidInput
from core.sources.places import SAMPLE, check_address, check_place
from core.store.database import Store


@pytest.fixture
def store(tmp_path):
    with Store.open(f"sqlite:///{tmp_path / 'own' / 'plumbline.sqlite'}") as opened:
        yield opened


@pytest.fixture
def team_server(monkeypatch, tmp_path):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "1")
    return tmp_path


def test_on_a_team_server_only_the_data_folder_and_the_sample_are_open(team_server, store):
    check_place(team_server / "data" / "uploads")
    check_place(SAMPLE / "documents")
    check_address(f"sqlite:///{team_server / 'data' / 'bank.sqlite'}", store)
    for outside in (team_server / "elsewhere", team_server / "data" / ".." / "elsewhere"):
        with pytest.raises(Forbidden, match="outside the data folder") as caught:
            check_place(outside)
        assert "Upload it" in caught.value.hint
        with pytest.raises(Forbidden):
            check_address(f"sqlite:///{outside / 'bank.sqlite'}", store)


def test_a_link_out_of_the_data_folder_does_not_help(team_server):
    (team_server / "data").mkdir()
    (team_server / "secret").mkdir()
    (team_server / "data" / "link").symlink_to(team_server / "secret")
    with pytest.raises(Forbidden):
        check_place(team_server / "data" / "link")


def test_on_ones_own_machine_every_path_is_open(tmp_path, store):
    check_place(tmp_path)
    check_address(f"sqlite:///{tmp_path / 'bank.sqlite'}", store)


def test_the_store_itself_is_no_source_by_whatever_name(store, tmp_path):
    own = store.folder / "plumbline.sqlite"
    (tmp_path / "soft.sqlite").symlink_to(own)
    os.link(own, tmp_path / "hard.sqlite")
    for name in (own, tmp_path / "soft.sqlite", tmp_path / "hard.sqlite", f"{own}-wal"):
        with pytest.raises(InvalidInput, match="keeps its own records"):
            check_address(f"sqlite:///{name}", store)
