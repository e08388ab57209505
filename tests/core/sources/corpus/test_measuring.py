"""What loading will take is told from names and sizes, whatever the files hold."""

import os
import zipfile

from core.sources.corpus.measuring import FILE_S, RATE, TEXT_RATE, measured


def test_nothing_is_no_work(tmp_path):
    assert measured(tmp_path / "none").files == 0
    assert measured(tmp_path).quick


def test_files_count_by_their_kind(tmp_path):
    (tmp_path / "a.md").write_bytes(b"x" * 8_000)
    (tmp_path / "b.pdf").write_bytes(b"x" * 4_000)
    (tmp_path / ".hidden").write_bytes(b"x" * 4_000)
    work = measured(tmp_path)
    assert (work.files, work.bytes) == (2, 12_000)
    assert abs(work.seconds - (8_000 / TEXT_RATE + 4_000 / RATE + 2 * FILE_S)) < 1e-12
    assert measured(tmp_path / "a.md").bytes == 8_000


def test_packed_files_count_with_what_they_unpack_to(tmp_path):
    for name in ("a.zip", "a.docx"):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("one.txt", bytes(3_000_000))
            archive.writestr("two.txt", bytes(1_000))
    for name, files in (("a.zip", 2), ("a.docx", 1)):
        work = measured(tmp_path / name)
        assert (work.files, work.bytes, work.quick) == (files, 3_001_000, False)


def test_links_pipes_and_damaged_archives_are_not_opened(tmp_path):
    (tmp_path / "bad.zip").write_bytes(b"PK no archive")
    os.symlink("/etc/passwd", tmp_path / "link.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    work = measured(tmp_path)
    assert (work.files, work.bytes) == (3, 13)
