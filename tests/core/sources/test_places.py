"""Where people sign in, nobody reads the server's files by naming their path."""

import os
from pathlib import Path

import pytest

from core.domain.errors import Forbidden, InvalidInput
from core.sources.loading import loading_work
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
    check_place(team_server / "data" / "projects" / "prj_1", "prj_1")
    check_place(SAMPLE / "documents", "prj_1")
    check_address(f"sqlite:///{team_server / 'data' / 'bank.sqlite'}", store, "prj_1")
    for outside in (team_server / "elsewhere", team_server / "data" / ".." / "elsewhere"):
        with pytest.raises(Forbidden, match="outside the data folder") as caught:
            check_place(outside, "prj_1")
        assert "Upload it" in caught.value.hint
        with pytest.raises(Forbidden):
            check_address(f"sqlite:///{outside / 'bank.sqlite'}", store, "prj_1")


def test_a_link_out_of_the_data_folder_does_not_help(team_server):
    (team_server / "data").mkdir()
    (team_server / "secret").mkdir()
    (team_server / "data" / "link").symlink_to(team_server / "secret")
    with pytest.raises(Forbidden):
        check_place(team_server / "data" / "link", "prj_1")


def test_on_ones_own_machine_every_path_is_open(tmp_path, store):
    check_place(tmp_path, "prj_1")
    check_address(f"sqlite:///{tmp_path / 'bank.sqlite'}", store, "prj_1")


def test_the_store_itself_is_no_source_by_whatever_name(store, tmp_path):
    own = store.folder / "plumbline.sqlite"
    (tmp_path / "soft.sqlite").symlink_to(own)
    os.link(own, tmp_path / "hard.sqlite")
    for name in (own, tmp_path / "soft.sqlite", tmp_path / "hard.sqlite", f"{own}-wal"):
        with pytest.raises(InvalidInput, match="keeps its own records"):
            check_address(f"sqlite:///{name}", store, "prj_1")


@pytest.fixture(params=[False, True], ids=["without sign-in", "with sign-in"])
def data(request, monkeypatch, tmp_path):
    """A data folder with the files of two projects, of today and of older versions."""
    folder = tmp_path / "data"
    for name in ("projects/prj_1", "projects/prj_2", "uploads/prj_1", "uploads/prj_2", "targets/prj_2", "bank"):
        (folder / name / "files").mkdir(parents=True)
    for name in ("jobs", "locks", "spool", "recordings", "target_files", "judge_files"):
        (folder / name).mkdir()
    (folder / "plumbline.sqlite").write_bytes(b"")
    monkeypatch.setenv("PLUMBLINE_DATA", str(folder))
    if request.param:
        monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "1")
    return folder


def test_a_project_reads_its_own_files_and_what_the_operator_put_there(data):
    for name in ("projects/prj_1/files", "uploads/prj_1/files", "bank/files"):
        check_place(data / name, "prj_1")


OF_OTHERS = (
    ".",
    "projects",
    "projects/prj_2/files",
    "projects/prj_1/../prj_2",
    "uploads",
    "uploads/prj_2",
    "targets/prj_2",
    "jobs",
    "locks",
    "spool",
    "recordings",
    "judge_files",
    "plumbline.sqlite",
    "plumbline.sqlite-wal",
    "bank/..",
    "JOBS",
)


@pytest.mark.parametrize("name", OF_OTHERS)
def test_plumblines_own_records_and_other_projects_files_are_closed(data, name):
    with pytest.raises(Forbidden, match="belongs to Plumbline's own records or to another project"):
        check_place(data / name, "prj_1")


@pytest.mark.parametrize("name", [".", "projects/prj_2", "jobs"])
def test_they_are_closed_by_links_and_relative_paths_too(data, name, tmp_path, monkeypatch):
    (data / "bank" / "link").symlink_to(data / name)
    monkeypatch.chdir(data / "bank")
    for path in (data / "bank" / "link", Path("..") / name, Path("link")):
        with pytest.raises(Forbidden, match="belongs to"):
            check_place(path, "prj_1")


def test_a_folder_around_the_data_folder_is_closed(data):
    for path in (data.parent, data / "..", Path("/")):
        with pytest.raises(Forbidden, match="has Plumbline's own data folder in it"):
            check_place(path, "prj_1")


@pytest.mark.slow
def test_a_database_of_another_project_is_closed(data, store):
    for name in ("projects/prj_2/files/bank.sqlite", "uploads/prj_2/bank.sqlite"):
        with pytest.raises(Forbidden, match="another project"):
            check_address(f"sqlite:///{data / name}", store, "prj_1")
    check_address(f"sqlite:///{data / 'projects/prj_1/files/bank.sqlite'}", store, "prj_1")


@pytest.mark.slow
@pytest.mark.parametrize("path", ["x" * 5_000, "a/" * 3_000, "a\0b"], ids=["name", "path", "null"])
def test_what_no_file_can_be_called_is_refused_in_a_sentence(tmp_path, monkeypatch, store, path):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    with pytest.raises(InvalidInput, match=r"[Nn]o (file|path)") as caught:
        loading_work(Path(path), "prj_1")
    assert len(caught.value.message) < 150
    with pytest.raises(InvalidInput):
        check_address(f"sqlite:///{path}", store, "prj_1")
