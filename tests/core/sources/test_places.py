"""Where people sign in, nobody reads the server's files by naming their path."""

import pytest

from core.domain.errors import Forbidden
from core.sources.places import SAMPLE, check_address, check_place


@pytest.fixture
def team_server(monkeypatch, tmp_path):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "1")
    return tmp_path


def test_on_a_team_server_only_the_data_folder_and_the_sample_are_open(team_server):
    check_place(team_server / "data" / "uploads")
    check_place(SAMPLE / "documents")
    check_address(f"sqlite:///{team_server / 'data' / 'bank.sqlite'}")
    for outside in (team_server / "elsewhere", team_server / "data" / ".." / "elsewhere"):
        with pytest.raises(Forbidden, match="outside the data folder") as caught:
            check_place(outside)
        assert "Upload it" in caught.value.hint
        with pytest.raises(Forbidden):
            check_address(f"sqlite:///{outside / 'bank.sqlite'}")


def test_a_link_out_of_the_data_folder_does_not_help(team_server):
    (team_server / "data").mkdir()
    (team_server / "secret").mkdir()
    (team_server / "data" / "link").symlink_to(team_server / "secret")
    with pytest.raises(Forbidden):
        check_place(team_server / "data" / "link")


def test_on_ones_own_machine_every_path_is_open(tmp_path):
    check_place(tmp_path)
    check_address(f"sqlite:///{tmp_path / 'bank.sqlite'}")
