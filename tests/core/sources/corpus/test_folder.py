"""A folder becomes a corpus; whatever is in it, nothing stops the rest."""

import os
from dataclasses import replace

import pytest

from core.domain.errors import SourceUnavailable
from core.sources.corpus import load_corpus
from tests.support.shared_data import shared


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def skipped(corpus):
    return {item.path: item.reason for item in corpus.skipped}


def test_every_shared_format_is_read_or_skipped_with_a_reason():
    folder = shared("mixed-formats")
    corpus = load_corpus(folder)
    assert skipped(corpus) == {
        "empty.txt": "it is empty",
        "fake-text-all-whitespace.txt": "it is empty",
        "fake-text-utf-32.txt": "its text is that of fake-text-utf-16-le.txt",
        "fake-text.txt": "its text is that of fake-text-utf-16-le.txt",
        "password.pdf": "it needs a password. Save it without a password.",
    }
    texts = {document.path: document.text for document in corpus.documents}
    inside = [path for path in texts if path.startswith("simple.zip/")]
    assert len(inside) == 2
    assert len(texts) + len(corpus.skipped) == len(list(folder.iterdir())) + len(inside) - 1
    assert texts["fake-text-utf-16-le.txt"].startswith("This is a test document to use for unit tests.")
    assert "L'été était très chaud cette année." in texts["fake-html-cp1252.html"]
    assert texts["fake-power-point.pptx"].startswith("## Adding a Bullet Slide\n\n- Find the bullet slide layout")
    assert "| Color | Blue | Red | Green |" in texts["fake.odt"]
    assert "A Unified Toolkit" in texts["copy-protected.pdf"]


@pytest.mark.slow
def test_quarterly_reports_are_read_whole():
    corpus = load_corpus(shared("kgrag-10q"))
    reports = [document for document in corpus.documents if document.format == "pdf"]
    assert len(reports) == 5
    assert all(len(report.text) > 50_000 for report in reports)
    assert skipped(corpus) == {
        "LICENSE": "files without an ending are not read. Save it as .docx, .pdf, .html or .txt."
    }
    titles = {report.id: report.title for report in reports}
    assert titles["2022 Q3 AAPL.pdf"] == "2022 Q3 AAPL"
    assert titles["2023 Q1 MSFT.pdf"] == "Form 10-Q for Microsoft Corp filed 01/24/2023"
    assert {report.metadata["date"] for report in reports} >= {"2022-07-29", "2023-01-24"}
    [first] = [report for report in reports if report.id == "2022 Q3 AAPL.pdf"]
    headings = [first.text[heading.start : heading.end] for heading in first.outline]
    assert {"PART I — FINANCIAL INFORMATION", "Item 1. Financial Statements", "Note 2 – Revenue"} <= set(headings)
    assert "Q3 2022 Form 10-Q |" not in first.text


def test_passages_of_a_retrieval_set_are_documents_and_its_questions_are_not():
    corpus = load_corpus(shared("clapnq"))
    assert len(corpus.documents) == 600
    assert skipped(corpus) == {
        "LICENSE": "files without an ending are not read. Save it as .docx, .pdf, .html or .txt."
    }
    first = corpus.documents[0]
    assert (first.id, first.title) == ("6401197308716204890", "Forecasting")
    assert first.text.startswith("Seasonality is a characteristic of a time series")
    assert "which method of forecasting" not in first.text


def test_documents_of_a_recorded_run_keep_their_ids_and_order():
    corpus = load_corpus(shared("grammar-aurp") / "documents.json")
    assert [document.id for document in corpus.documents][:2] == [
        "Quantum Data Center Expansion",
        "Dubai Skyline Tower",
    ]
    assert len(corpus.documents) == 9


def test_an_id_is_the_front_matters_else_the_lists_else_the_path(tmp_path):
    corpus = load_corpus(
        write(
            tmp_path,
            {
                "a.md": "---\nid: branch:1\ntitle: 'Hill Road'\n---\n# Heading\nText.",
                "b/c.txt": "Text of c.",
                "d-e.txt": "Text of d.",
                "f.html": "<title>Own</title><p>Text",
                "documents.csv": "path,id,title\na.md,branch:9,Other\nb/c.txt,branch:2,Listed\n"
                "f.html,page:1,Listed too\n",
            },
        )
    )
    assert [(document.id, document.title, document.path) for document in corpus.documents] == [
        ("branch:1", "Hill Road", "a.md"),
        ("branch:2", "Listed", "b/c.txt"),
        ("d-e.txt", "d e", "d-e.txt"),
        ("page:1", "Listed too", "f.html"),
    ]
    assert corpus.documents[0].text == "# Heading\nText."
    assert not corpus.skipped


def test_a_list_names_what_is_wrong_with_it(tmp_path):
    files = {"a.txt": "A", "documents.csv": "path,id,title\na.txt,,No id\ngone.txt,x,Gone\n,y,\n"}
    assert [(item.path, item.reason) for item in load_corpus(write(tmp_path, files)).skipped] == [
        ("documents.csv", "row 2 has no path or no id"),
        ("documents.csv", "row 4 has no path or no id"),
        ("gone.txt", "documents.csv lists it and it is not in the folder"),
    ]


def test_an_ordinary_csv_of_that_name_is_a_document(tmp_path):
    [document] = load_corpus(write(tmp_path, {"documents.csv": "kind,fee\ncard,3\n"})).documents
    assert (document.id, document.text) == ("documents.csv", "kind: card; fee: 3")


def test_a_later_document_with_a_taken_id_is_left_out(tmp_path):
    corpus = load_corpus(
        write(tmp_path, {"a.md": "---\nid: Branch:1.0\n---\nA", "b.md": "---\nid: branch:1\n---\nB", "c.md": "C"})
    )
    assert [document.id for document in corpus.documents] == ["Branch:1.0", "c.md"]
    assert skipped(corpus) == {"b.md": "its id 'branch:1' is taken by a.md"}


def test_an_empty_entry_of_a_json_file_is_named(tmp_path):
    corpus = load_corpus(write(tmp_path, {"documents.json": '{"1": "One.", "2": " ", "3": "Three."}'}))
    assert [document.id for document in corpus.documents] == ["1", "3"]
    assert skipped(corpus) == {"documents.json": "document '2' holds no text"}


def test_order_and_fingerprint_do_not_depend_on_when_files_were_made(tmp_path):
    files = {"b.txt": "B", "a/z.txt": "Z", "a.txt": "A"}
    one = load_corpus(write(tmp_path / "one", files))
    two = load_corpus(write(tmp_path / "two", dict(reversed(files.items()))))
    assert [document.path for document in one.documents] == ["a.txt", "a/z.txt", "b.txt"]
    assert one == two
    assert one.fingerprint != load_corpus(write(tmp_path / "three", {**files, "b.txt": "B."})).fingerprint


def test_links_do_not_lead_out_of_the_folder(tmp_path):
    secret = write(tmp_path, {"outside.txt": "secret"}) / "outside.txt"
    folder = write(tmp_path / "docs", {"in.txt": "inside"})
    (folder / "out.txt").symlink_to(secret)
    (folder / "gone.txt").symlink_to(tmp_path / "nowhere")
    (folder / "ring.txt").symlink_to(folder / "ring.txt")
    (folder / "same.txt").symlink_to(folder / "in.txt")
    (folder / "up.zip").symlink_to(secret)
    (folder / "up").symlink_to(tmp_path, target_is_directory=True)
    corpus = load_corpus(folder)
    assert [document.path for document in corpus.documents] == ["in.txt"]
    assert skipped(corpus)["same.txt"] == "its text is that of in.txt"
    assert skipped(corpus)["up.zip"] == "it is a link to a file outside the folder"
    assert skipped(corpus)["out.txt"] == "it is a link to a file outside the folder"
    assert skipped(corpus)["gone.txt"].startswith("it cannot be opened")
    assert skipped(corpus)["ring.txt"].startswith("it cannot be opened")
    assert "up" not in {document.path.split("/")[0] for document in corpus.documents}


def test_pipes_are_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    assert skipped(load_corpus(tmp_path)) == {"pipe.txt": "it is no regular file"}


def test_hidden_and_lock_files_are_no_documents(tmp_path):
    corpus = load_corpus(write(tmp_path, {".git/x.txt": "x", ".hidden.md": "x", "~$a.docx": "x", "a.txt": "A"}))
    assert [document.path for document in corpus.documents] == ["a.txt"]
    assert not corpus.skipped


def test_limits_are_named(tmp_path):
    folder = write(tmp_path, {"a.txt": "12345", "b.txt": "123", "c.txt": "1"})
    assert skipped(load_corpus(folder, max_file_bytes=4, max_files=2)) == {
        "a.txt": "it has 5 bytes, more than 4",
        "c.txt": "only the first 2 files are read",
    }


def test_no_folder(tmp_path):
    with pytest.raises(SourceUnavailable, match="There is no folder"):
        load_corpus(tmp_path / "none")


def test_an_empty_folder_is_an_empty_corpus(tmp_path):
    assert load_corpus(tmp_path).documents == ()


def test_what_has_not_changed_is_not_read_again(tmp_path):
    folder = write(
        tmp_path, {"a.txt": "A fee.", "b.md": "---\nid: fee:2\n---\nB fee.", "c.txt": "A  fee.\n", "e.pdf": "x"}
    )
    first = load_corpus(folder)
    marked = replace(first, documents=tuple(replace(item, title="kept") for item in first.documents))
    assert [item.title for item in load_corpus(folder, before=marked).documents] == ["kept", "kept"]
    assert load_corpus(folder, before=first) == first
    write(folder, {"a.txt": "Another fee.", "d.txt": "D fee."})
    (folder / "b.md").rename(folder / "z.md")
    again = load_corpus(folder, before=marked)
    assert again == load_corpus(folder)
    assert [item.id for item in again.documents] == ["a.txt", "c.txt", "d.txt", "fee:2"]


def test_a_list_that_changes_gives_other_ids(tmp_path):
    first = load_corpus(write(tmp_path, {"a.txt": "A fee.", "documents.csv": "path,id\na.txt,fee:1\n"}))
    second = load_corpus(write(tmp_path, {"documents.csv": "path,id\na.txt,fee:2\n"}), before=first)
    assert [item.id for item in (*first.documents, *second.documents)] == ["fee:1", "fee:2"]


def test_copies_with_an_id_of_their_own_stay_and_say_so(tmp_path):
    files = {"a.txt": "The fee is 3.", "b.txt": "The  fee is 3.", "c.md": "---\nid: fee:3\n---\nThe fee is 3."}
    corpus = load_corpus(write(tmp_path, files))
    assert [(item.id, item.notes) for item in corpus.documents] == [
        ("a.txt", ()),
        ("fee:3", ("its text is that of a.txt",)),
    ]
    assert skipped(corpus) == {"b.txt": "its text is that of a.txt"}
    assert load_corpus(tmp_path, before=corpus) == corpus


def test_records_without_ids_are_numbered(tmp_path):
    corpus = load_corpus(write(tmp_path, {"r.jsonl": '{"text": "One."}\n{"text": "Two."}\n{"text": "One."}\n'}))
    assert [item.id for item in corpus.documents] == ["r.jsonl#1", "r.jsonl#2"]
    assert skipped(corpus) == {"r.jsonl": "its text is that of r.jsonl#1"}
