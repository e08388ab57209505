"""Rows of files as people and spreadsheets leave them: other encodings, archives with a wrong ending, nothing."""

import codecs
import zipfile
from datetime import date

import openpyxl
import pyarrow
import pytest
from pyarrow import parquet

from core.domain.errors import UnreadableFile
from core.io.tables import table_files
from core.io.tables.rows import read_document, read_header, read_rows
from core.runs.exchange.reading import read_exchange

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


def test_a_text_that_is_stored_once_does_not_fill_the_memory_row_by_row(tmp_path, monkeypatch):
    path = tmp_path / "a.parquet"
    pages = [{"question": "x" * 10_000, "contexts": [{"text": "y" * 10_000}], "n": number} for number in range(300)]
    parquet.write_table(pyarrow.Table.from_pylist(pages), path, compression="zstd")
    assert path.stat().st_size < 10_000
    assert rows(path) == pages
    monkeypatch.setattr(table_files, "AT_ONCE", 50_000)
    assert rows(path) == pages
    monkeypatch.setattr(table_files, "MOST_UNPACKED", 5_000_000)
    with pytest.raises(UnreadableFile, match="unpacks to more than") as caught:
        rows(path)
    assert "split the file" in caught.value.hint


def workbook(path, sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, lines in sheets.items():
        sheet = book.create_sheet(name)
        for line in lines:
            sheet.append(line)
    book.save(path)
    return path


def test_a_workbook_is_read_as_any_table(tmp_path):
    lines = [
        [],
        ["user_input", "response", "grade", "day", "sure", None],
        ["Wann?", "Um 22:40.", 0.5, date(2026, 3, 1), True, None],
        [None, " ", None, None, None, None],
        ["Wo?", "#N/A", 3, None, False, None],
    ]
    path = workbook(tmp_path / "a.xlsx", {"Answers": lines, "Empty": []})
    assert rows(path) == [
        {"user_input": "Wann?", "response": "Um 22:40.", "grade": 0.5, "day": "2026-03-01T00:00:00", "sure": True},
        {"user_input": "Wo?", "grade": 3, "sure": False},
    ]
    assert [number for number, _ in read_rows(path)] == [1, 3]
    assert read_header(path) == ("user_input", "response", "grade", "day", "sure")
    assert [one.case.question for one in read_exchange(path).records] == ["Wann?", "Wo?"]


@pytest.mark.parametrize(
    ("sheets", "says"),
    [
        ({"A": [["question"], ["Q?"]], "B": [["note"]]}, "2 sheets with rows: A, B"),
        ({"A": [["question", "answer"], ["Q?", "A.", "more"]]}, "Row 1 of .*, sheet A, has 'more' beyond"),
        ({"A": [["question", "question"], ["Q?", "P?"]]}, "more than one column 'question'"),
        ({"A": []}, "has no row"),
    ],
)
def test_a_workbook_that_is_no_one_table_is_told(tmp_path, sheets, says):
    with pytest.raises(UnreadableFile, match=says) as caught:
        rows(workbook(tmp_path / "a.xlsx", sheets))
    assert caught.value.hint


@pytest.mark.parametrize("content", [b"PK", b"", b"no workbook"])
def test_a_damaged_workbook_is_told(tmp_path, content):
    (tmp_path / "a.xlsx").write_bytes(content)
    with pytest.raises(UnreadableFile, match="no Excel workbook"):
        rows(tmp_path / "a.xlsx")


@pytest.mark.parametrize(
    "content",
    [
        '{"question": "Q?", "answer": "A."}\n{"question": "P?", "answer": "B."}\n',
        '[{"question": "Q?", "answer": "A."}, {"question": "P?", "answer": "B."}]',
        '{"rows": [{"question": "Q?", "answer": "A."}, {"question": "P?", "answer": "B."}], "version": 1}',
        '{"columns": ["question", "answer"], "data": [["Q?", "A."], ["P?", "B."]]}',
        '{"question": ["Q?", "P?"], "answer": ["A.", "B."]}',
        '{"question": {"0": "Q?", "1": "P?"}, "answer": {"0": "A.", "1": "B."}}',
    ],
)
def test_json_in_every_layout(tmp_path, content):
    (tmp_path / "a.json").write_text(content, encoding="utf-8")
    assert rows(tmp_path / "a.json") == [{"question": "Q?", "answer": "A."}, {"question": "P?", "answer": "B."}]


def test_one_object_may_be_one_row(tmp_path):
    (tmp_path / "a.json").write_text('{"question": "Q?", "reference_answers": ["A."]}', encoding="utf-8")
    assert rows(tmp_path / "a.json") == [{"question": "Q?", "reference_answers": ["A."]}]


def test_names_in_other_letters_are_the_same_names(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("User Input,Response,Retrieved-Contexts\nDogs?,Yes.,Dogs travel free.\n", encoding="utf-8")
    found = read_exchange(path)
    assert found.spec.name == "ragas"
    assert found.records[0].case.question == "Dogs?"
    assert found.records[0].response.contexts[0].text == "Dogs travel free."
