"""Uploaded files are kept inside their folder, whatever their names say."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.errors import InvalidInput
from core.sources.corpus.uploads import LONGEST_NAME, file_name, save_files, uploaded_place


def test_the_same_files_give_the_same_folder_in_any_order(tmp_path: Path):
    files = [("a.md", b"one"), ("b.md", b"two")]
    first = save_files(files, tmp_path)
    assert save_files(files[::-1], tmp_path) == first
    assert save_files([("a.md", b"one"), ("b.md", b"three")], tmp_path) != first
    assert sorted(path.name for path in first.iterdir()) == ["a.md", "b.md"]


@pytest.mark.parametrize(
    "name", ["../../x.md", "/etc/x.md", "..\\..\\x.md", "C:\\x.md", ".x.md", "a/b/x.md", "x\x00.md"]
)
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str):
    folder = save_files([(name, b"text")], tmp_path / "uploads")
    assert [path.name for path in folder.iterdir()] == ["x.md"]
    assert folder.parent == tmp_path / "uploads"


def test_two_files_of_one_name_are_both_kept(tmp_path: Path):
    folder = save_files([("fees.md", b"1"), ("old/Fees.md", b"2"), ("notes", b"3"), ("NOTES", b"4")], tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == ["Fees.md", "NOTES", "fees 2.md", "notes 2"]


@pytest.mark.parametrize("name", ["", ".", "..", "///", "\n"])
def test_a_name_of_nothing_becomes_one(name: str):
    assert file_name(name) == "file"


def test_a_long_name_keeps_its_ending():
    assert file_name("x" * 300 + ".pdf") == "x" * (LONGEST_NAME - 4) + ".pdf"
    assert len(file_name("x" * 300)) == LONGEST_NAME


def test_no_file_is_told(tmp_path: Path):
    with pytest.raises(InvalidInput, match="No file was uploaded"):
        save_files([], tmp_path)


def test_an_archive_alone_is_loaded_as_a_folder_is(tmp_path: Path):
    alone = save_files([("bank.ZIP", b"PK")], tmp_path)
    assert uploaded_place(alone) == alone / "bank.ZIP"
    several = save_files([("bank.zip", b"PK"), ("a.md", b"x")], tmp_path)
    assert uploaded_place(several) == several
    one = save_files([("a.md", b"x")], tmp_path)
    assert uploaded_place(one) == one
