"""Rows of files as people and spreadsheets leave them: other encodings, archives with a wrong ending, nothing."""

import codecs
import zipfile

import pytest

from core.domain.errors import UnreadableFile
from core.interchange.exchange_reading import read_exchange
from core.interchange.rows import read_document, read_rows

TABLE = "user_input,response\nWann fährt die Fähre?,Um 22:40.\n"


def rows(path):
    return [row for _, row in read_rows(path)]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "json"])
@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16"])
def test_a_mark_tells_the_encoding(tmp_path, ending, mark):
    row = {"user_input": "Wann fährt die Fähre?", "response": "Um 22:40."}
    line = '{"user_input": "Wann fährt die Fähre?", "response": "Um 22:40."}'
    path = tmp_path / f"a.{ending}"
    path.write_bytes({"csv": TABLE, "jsonl": line, "json": f"[{line}]"}[ending].encode(mark))
    assert rows(path) == [row]
    if ending == "json":
        assert read_document(path) == [row]


def test_marks_between_joined_files_do_no_harm(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('\ufeff{"a": 1}\n\ufeff{"a": 2}\n', encoding="utf-8")
    assert rows(path) == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.jsonl"])
def test_an_archive_with_another_ending_is_told(tmp_path, name):
    with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("b.csv", TABLE * 1_000)
    with pytest.raises(UnreadableFile, match="zip archive or a workbook") as caught:
        read_exchange(tmp_path / name)
    assert "CSV" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", b"", "has no row"),
        ("a.tsv", b"", "has no row"),
        ("a.csv", TABLE.encode("latin-1"), "is not UTF-8"),
        ("a.csv", TABLE.encode("utf-16-le"), "is not UTF-8"),
        ("a.json", codecs.BOM_UTF16_LE + b"x", "is not UTF-8"),
        ("a.jsonl", b'{"n": ' + b"9" * 5_000 + b"}", "a number has too many digits"),
        ("a.jsonl", b'{"n": ' + b"[" * 50_000, "nested too deep"),
        ("a.parquet", b"no table", "is not a Parquet file"),
    ],
)
def test_what_is_no_table_is_told(tmp_path, name, content, says):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableFile, match=says) as caught:
        rows(tmp_path / name)
    assert caught.value.hint
    assert ".." not in str(caught.value)


def test_a_workbook_is_refused_by_its_ending(tmp_path):
    (tmp_path / "a.xlsx").write_bytes(b"PK")
    with pytest.raises(UnreadableFile, match=r"ends in \.xlsx") as caught:
        read_exchange(tmp_path / "a.xlsx")
    assert ".csv" in caught.value.hint


def test_names_in_other_letters_are_the_same_names(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("User Input,Response,Retrieved-Contexts\nDogs?,Yes.,Dogs travel free.\n", encoding="utf-8")
    found = read_exchange(path)
    assert found.spec.name == "ragas"
    assert found.records[0].case.question == "Dogs?"
    assert found.records[0].response.contexts[0].text == "Dogs travel free."
