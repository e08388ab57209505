"""Uploaded files are kept inside their folder, whatever their names say, and for nobody else's eyes."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from core.sources.corpus.uploads import LONGEST_NAME, file_name, save_files, uploaded_place


def saved(files, folder: Path) -> Path:
    save_files(files, folder / "upload")
    return folder / "upload"


@pytest.mark.parametrize(
    "name", ["../../x.md", "/etc/x.md", "..\\..\\x.md", "C:\\x.md", ".x.md", "a/b/x.md", "x\x00.md"]
)
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str):
    folder = saved([(name, b"text")], tmp_path)
    assert [path.name for path in folder.iterdir()] == ["x.md"]
    assert [path.name for path in tmp_path.iterdir()] == ["upload"]


def test_nobody_else_may_read_them(tmp_path: Path):
    folder = saved([("a.md", b"one")], tmp_path)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "a.md")]
    assert [oct(mode) for mode in modes] == ["0o700", "0o600"]


def test_two_files_of_one_name_are_both_kept(tmp_path: Path):
    folder = saved([("fees.md", b"1"), ("old/Fees.md", b"2"), ("notes", b"3"), ("NOTES", b"4")], tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == ["Fees.md", "NOTES", "fees 2.md", "notes 2"]


@pytest.mark.parametrize("name", ["", ".", "..", "///", "\n"])
def test_a_name_of_nothing_becomes_one(name: str):
    assert file_name(name) == "file"


def test_a_long_name_keeps_its_ending():
    assert file_name("x" * 300 + ".pdf") == "x" * (LONGEST_NAME - 4) + ".pdf"
    assert len(file_name("x" * 300)) == LONGEST_NAME


def test_nothing_is_written_over(tmp_path: Path):
    saved([("a.md", b"one")], tmp_path)
    with pytest.raises(FileExistsError):
        saved([("a.md", b"two")], tmp_path)


def test_an_archive_alone_is_loaded_as_a_folder_is(tmp_path: Path):
    for number, (files, alone) in enumerate(
        [([("bank.ZIP", b"PK")], "bank.ZIP"), ([("bank.zip", b"PK"), ("a.md", b"x")], ""), ([("a.md", b"x")], "")]
    ):
        save_files(files, tmp_path / str(number))
        assert uploaded_place(tmp_path / str(number)) == tmp_path / str(number) / alone
