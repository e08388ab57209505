"""Files are for their owner alone, whatever the umask; a project's go with it; those of older versions keep working."""

import os
import stat
import time
from pathlib import Path

import pytest

from core import data_folder
from core.project import uploads
from core.project.service import create_project, delete_project
from core.sources.database.uploads import save_upload
from core.sources.service import connect_database, open_database
from core.sources.spool import Spool
from core.store.database import Store
from tests.support.small_bank import write_bank


@pytest.fixture(autouse=True)
def generous_umask():
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    for name in ("DATABASE_URL", "ACTOR", "REQUIRE_LOGIN"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)
    return tmp_path / "data"


@pytest.fixture
def store(data):
    with Store.open(f"sqlite:///{data / 'plumbline.sqlite'}") as opened:
        yield opened


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def open_to_others(data):
    return [str(path.relative_to(data)) for path in (data, *data.rglob("*")) if mode(path) & 0o077]


def test_whatever_is_written_is_private(data, store, tmp_path):
    project = create_project(store, "Bank", "local")
    with Store.open(store.url) as other, other.exclusive("run_1", what="A run"):
        save_upload(
            write_bank(tmp_path / "bank.sqlite").read_bytes(),
            data_folder.project_folder(project.id, "databases"),
            "bank.sqlite",
        )
        Spool.holding([("a.txt", b"Alpha.")])
        data_folder.write_private(data_folder.project_folder(project.id, "targets") / "a.yaml", b"x")
        assert {path.name for path in data.iterdir()} >= {"plumbline.sqlite-wal", "plumbline.sqlite-shm", "locks"}
        assert open_to_others(data) == []


@pytest.mark.slow
def test_an_open_store_and_an_open_folder_of_before_are_closed(data):
    (data / "uploads" / "prj_1").mkdir(parents=True)
    (data / "uploads" / "prj_1" / "bank.sqlite").write_bytes(b"x")
    (data / "jobs").mkdir()
    (data / "jobs" / "job.log").write_bytes(b"x")
    (data / "plumbline.sqlite").touch()
    (data / "documents").mkdir()  # the operator's own
    (data / "outside").symlink_to(data.parent)
    with Store.open(f"sqlite:///{data / 'plumbline.sqlite'}"):
        data_folder.protect()
        assert open_to_others(data) == ["documents"] + (["outside"] if mode(data.parent) & 0o077 else [])


def test_a_deleted_project_takes_its_files_along_and_no_others(data, store, tmp_path):
    gone, stays = (create_project(store, name, "local") for name in ("Gone", "Stays"))
    for project in (gone, stays):
        for folder in (data_folder.project_folder(project.id, "databases"), data / "uploads" / project.id):
            data_folder.write_private(folder / "bank.sqlite", b"x")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "file").touch()
    (data / "targets").mkdir()
    (data / "targets" / gone.id).symlink_to(tmp_path / "elsewhere")
    delete_project(store, gone.id, actor="local")
    left = sorted(str(path.relative_to(data)) for path in data.rglob("bank.sqlite"))
    assert left == [f"projects/{stays.id}/databases/bank.sqlite", f"uploads/{stays.id}/bank.sqlite"]
    assert not (data / "targets" / gone.id).exists()
    assert (tmp_path / "elsewhere" / "file").exists()


def test_a_database_uploaded_to_an_older_version_is_still_read(data, store, tmp_path):
    project = create_project(store, "Bank", "local")
    folder = data / "uploads" / project.id
    folder.mkdir(parents=True)
    source = connect_database(store, project.id, f"sqlite:///{write_bank(folder / 'bank.sqlite')}", actor="local")
    data_folder.protect()
    with open_database(source) as database:
        assert database.schema.tables


def test_uploads_that_nothing_names_go_after_a_day(data, store, tmp_path):
    project = create_project(store, "Bank", "local")
    folder = data_folder.project_folder(project.id, "databases")
    used = save_upload(write_bank(tmp_path / "bank.sqlite").read_bytes(), folder, "used.sqlite")
    connect_database(store, project.id, used, actor="local")
    for name in ("old.sqlite", "new.sqlite"):
        data_folder.write_private(folder / name, b"x")
    data_folder.write_private(data_folder.project_folder("prj_gone", "databases") / "bank.sqlite", b"x")
    (folder / "link").symlink_to(tmp_path / "bank.sqlite")
    longer_ago = time.time() - 2 * uploads.KEPT_S
    for path in (data / "projects").rglob("*"):
        if path.name != "new.sqlite":
            os.utime(path, (longer_ago, longer_ago), follow_symlinks=False)
    deleted = uploads.clean_uploads(store)
    assert {path.name for path in deleted} == {"old.sqlite", "prj_gone"}
    assert sorted(path.name for path in folder.iterdir()) == sorted(["link", "new.sqlite", Path(used).name])
    assert uploads.clean_uploads(store) == []
