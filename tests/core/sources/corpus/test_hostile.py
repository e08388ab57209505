"""Files made to do harm: each is refused or made harmless with a line, and the others are loaded."""

import io
import os
import stat
import zipfile
import zlib

import docx
import openpyxl
import pptx
import pypdfium2
import pytest

from core.domain.errors import UnreadableFile
from core.sources.corpus import load_corpus
from core.sources.corpus.containers import archives
from core.sources.corpus.containers.archives import Member, members
from core.sources.corpus.parsing import format_of
from core.sources.corpus.pdf import streams


def zipped(files):
    """An archive whose bytes do not hang on the clock: each member has the first date that an archive knows."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def loaded(folder, name, data):
    """A folder with a good file and another one."""
    folder.joinpath(name).write_bytes(data)
    folder.joinpath("good.txt").write_text("The fee is 3.")
    corpus = load_corpus(folder)
    texts = {document.path: document for document in corpus.documents}
    assert texts["good.txt"].text == "The fee is 3."
    return texts, {item.path: item.reason for item in corpus.skipped}


def saved(document):
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def with_parts(data, parts):
    """An Office file with further parts, or others in place of its own."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return zipped({**{name: archive.read(name) for name in archive.namelist()}, **parts})


def word():
    document = docx.Document()
    document.add_paragraph("The fee of a card is 3 pounds.")
    return saved(document)


def sheet():
    book = openpyxl.Workbook()
    book.active.append(["Card", "Fee"])
    book.active.append(["Plain", 3])
    return saved(book)


def slides():
    show = pptx.Presentation()
    show.slides.add_slide(show.slide_layouts[0]).shapes.title.text = "Fees"
    return saved(show)


OFFICE = {".docx": word, ".xlsx": sheet, ".pptx": slides}


def test_files_of_an_archive_are_documents(tmp_path):
    files = {"b/fees.md": "# Fees\n\nThree pounds.", "a.txt": "Open daily.", ".hidden/x.txt": "x", "b/": ""}
    texts, skipped = loaded(tmp_path, "bank.zip", zipped({**files, "__MACOSX/b/._fees.md": "x"}))
    assert texts.keys() == {"bank.zip/a.txt", "bank.zip/b/fees.md", "good.txt"}
    assert texts["bank.zip/b/fees.md"].title == "Fees"
    assert skipped == {}


def test_an_archive_alone_gives_the_ids_of_its_folder(tmp_path):
    listing = "path,id,title,updated\nfees.txt,fee:1,Fees,2026-03-01\n"
    (tmp_path / "bank.zip").write_bytes(
        zipped({"documents.csv": listing, "fees.txt": "Three.", "b/hours.txt": "Nine."})
    )
    corpus = load_corpus(tmp_path / "bank.zip")
    assert [(document.id, document.path) for document in corpus.documents] == [
        ("b/hours.txt", "b/hours.txt"),
        ("fee:1", "fees.txt"),
    ]
    assert corpus.documents[1].metadata == {"updated": "2026-03-01", "date": "2026-03-01"}
    assert corpus.skipped == ()


@pytest.mark.parametrize(
    "name", ["../up.txt", "/etc/up.txt", "a/../../up.txt", "..\\up.txt", "C:\\up.txt", "C:/up.txt"]
)
def test_a_path_that_leads_out_of_its_archive(tmp_path, name):
    inner = tmp_path / "docs"
    inner.mkdir()
    texts, skipped = loaded(inner, "bank.zip", zipped({name: "secret", "ok.txt": "Open daily."}))
    assert texts.keys() == {"bank.zip/ok.txt", "good.txt"}
    assert list(skipped.values()) == ["its path leads out of its archive"]
    assert sorted(path.name for path in tmp_path.rglob("*.txt")) == ["good.txt"]


def test_links_in_an_archive(tmp_path):
    link = zipfile.ZipInfo("passwd.txt")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    assert loaded(tmp_path, "bank.zip", buffer.getvalue())[1] == {"bank.zip/passwd.txt": "it is a link"}


def test_a_bomb_is_not_unpacked(tmp_path):
    texts, skipped = loaded(tmp_path, "bank.zip", zipped({"bomb.txt": bytes(20_000_000), "ok.txt": "Open daily."}))
    assert texts.keys() == {"bank.zip/ok.txt", "good.txt"}
    assert skipped["bank.zip/bomb.txt"].startswith("it unpacks to 20,000,000 bytes from ")


def test_a_bomb_that_lies_about_its_size(tmp_path):
    data = zipped({"bomb.txt": bytes(20_000_000)})
    size = (20_000_000).to_bytes(4, "little")
    assert data.count(size) == 2
    skipped = loaded(tmp_path, "bank.zip", data.replace(size, (100).to_bytes(4, "little")))[1]
    assert skipped == {"bank.zip/bomb.txt": "it is damaged in its archive, or packed in a way that is not read"}


def test_archives_in_archives_stay_closed(tmp_path):
    inner = zipped({"x.txt": os.urandom(8).hex()})
    assert loaded(tmp_path, "bank.zip", zipped({"inner.ZIP": inner}))[1] == {
        "bank.zip/inner.ZIP": "an archive inside an archive is not unpacked"
    }


def test_a_locked_archive(tmp_path):
    data = bytearray(zipped({"fees.txt": "Three."}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    assert loaded(tmp_path, "bank.zip", bytes(data))[1] == {"bank.zip/fees.txt": "it needs a password"}


@pytest.mark.parametrize("data", [b"PK no archive", zipped({"a.txt": "x"})[:-30]], ids=["no archive", "cut off"])
def test_a_damaged_archive(tmp_path, data):
    assert loaded(tmp_path, "bank.zip", data)[1] == {"bank.zip": "it is damaged or no zip archive. Pack it again."}


def test_a_member_without_a_name(tmp_path):
    data = zipped({"x": "secret", "ok.txt": "Open daily."})
    for mark, place in ((b"PK\x03\x04", 26), (b"PK\x01\x02", 28)):
        at = data.index(mark)
        head = 30 if place == 26 else 46
        data = data[: at + place] + b"\0\0" + data[at + place + 2 : at + head] + data[at + head + 1 :]
    at = data.index(b"PK\x05\x06")
    size, start = (int.from_bytes(data[at + place : at + place + 4], "little") for place in (12, 16))
    data = data[: at + 12] + (size - 1).to_bytes(4, "little") + (start - 1).to_bytes(4, "little") + data[at + 20 :]
    (tmp_path / "bank.zip").write_bytes(data)
    (tmp_path / "good.txt").write_text("The fee is 3.")
    corpus = load_corpus(tmp_path)
    assert "good.txt" in {document.path for document in corpus.documents}
    assert ("bank.zip/", "it has no name in its archive") in {(one.path, one.reason) for one in corpus.skipped}


def with_directory(size):
    """An archive of one member whose end tells of a table of contents of so many bytes, and has them."""
    data = zipped({"a.txt": "x"})
    at = data.index(b"PK\x05\x06")
    filler = bytes(size)
    return data[:at] + filler + data[at : at + 12] + size.to_bytes(4, "little") + data[at + 16 :]


@pytest.mark.parametrize("ending", [".zip", *OFFICE])
def test_a_table_of_contents_without_end_is_not_read(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(archives, "MAX_DIRECTORY", 1_000)
    _, skipped = loaded(tmp_path, f"bank{ending}", with_directory(2_000))
    assert skipped == {f"bank{ending}": "its table of contents has 2,000 bytes, more than 1,000. Split it."}
    assert archives.unpacked_sizes(tmp_path / f"bank{ending}") == []


def test_limits_of_an_archive():
    data = zipped({"a.txt": "12345", "b.txt": "12"})
    unpacked = list(members(data, max_file_bytes=4))
    assert unpacked[0].reason == "it has 5 bytes, more than 4"
    assert unpacked[1] == Member("b.txt", b"12")


@pytest.mark.parametrize("ending", OFFICE)
def test_macros_are_left_out_and_told(tmp_path, ending):
    folder = {".docx": "word", ".xlsx": "xl", ".pptx": "ppt"}[ending]
    data = with_parts(OFFICE[ending](), {f"{folder}/vbaProject.bin": b"Sub AutoOpen()"})
    texts, skipped = loaded(tmp_path, f"file{ending}", data)
    assert skipped == {}
    assert texts[f"file{ending}"].notes == ("left out: its macros; they are not run",)
    assert "AutoOpen" not in texts[f"file{ending}"].text


@pytest.mark.parametrize(("ending", "what"), [(".docm", "Word"), (".xlsm", "Excel"), (".pptm", "PowerPoint")])
def test_kinds_made_for_macros_are_refused_by_name(tmp_path, ending, what):
    assert loaded(tmp_path, f"file{ending}", b"PK")[1] == {
        f"file{ending}": f"{what} with macros files ({ending}) are not read. Save it without macros."
    }


@pytest.mark.parametrize("ending", OFFICE)
def test_entities_in_office_files_are_refused(tmp_path, ending):
    laughs = b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>'
    skipped = loaded(tmp_path, f"file{ending}", with_parts(OFFICE[ending](), {"docProps/app.xml": laughs}))[1]
    assert skipped == {f"file{ending}": "docProps/app.xml in it declares entities, which no Office program does"}


@pytest.mark.parametrize("ending", OFFICE)
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "it needs a password, or is an old "),
        (b"no archive", "it is damaged or no "),
        (zipped({"a.txt": "x"}), "it is damaged or no "),
    ],
    ids=["an old file", "no archive", "another archive"],
)
def test_office_files_that_are_locked_or_none(tmp_path, ending, data, reason):
    assert loaded(tmp_path, f"file{ending}", data)[1][f"file{ending}"].startswith(reason)


@pytest.mark.parametrize("ending", OFFICE)
def test_office_files_damaged_anywhere_stop_nothing(tmp_path, ending):
    whole = OFFICE[ending]()
    for place in range(0, len(whole), max(1, len(whole) // 40)):
        damaged = whole[:place] + bytes(reversed(whole[place : place + 64])) + whole[place + 64 :]
        (tmp_path / f"file{place}{ending}").write_bytes(damaged)
    corpus = load_corpus(tmp_path)
    assert all(item.reason for item in corpus.skipped)
    assert len(corpus.documents) + len(corpus.skipped) == len(list(tmp_path.iterdir()))


def test_a_part_that_unpacks_to_too_much():
    data = with_parts(sheet(), {"xl/media/image.png": bytes(20_000_000)})
    with pytest.raises(UnreadableFile, match=r"xl/media/image.png in it unpacks to 20,000,000 bytes from"):
        format_of(".xlsx").read(data)


def test_scripts_of_a_page_are_left_out_and_told(tmp_path):
    page = "<p>Fee</p><script>alert('x')</script><iframe src='javascript:y'>y</iframe><p onclick='z()'>is 3.</p>"
    texts, _ = loaded(tmp_path, "page.html", page.encode())
    assert texts["page.html"].text == "Fee\n\nis 3."
    assert texts["page.html"].notes == ("left out: 1 script element, 1 iframe element; nothing of a page is run",)


def armed_pdf(catalog):
    """A PDF of one page with words, and whatever else its catalog names."""
    fonts = b"<< /Font << /F1 5 0 R >> >>"
    words = b"BT /F1 12 Tf 20 100 Td (The fee is 3 pounds.) Tj ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R " + catalog + b" >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources " + fonts + b" >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(words), words),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, item) for number, item in enumerate(objects, start=1))
    return b"%PDF-1.4\n" + body + b"trailer << /Root 1 0 R /Size 6 >>\n%%EOF\n"


@pytest.mark.parametrize(
    "catalog",
    [
        b"/OpenAction << /S /JavaScript /JS (app.alert(1)) >>",
        b"/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (app.alert(1)) >>] >> >>",
    ],
)
def test_scripts_of_a_pdf_are_left_out_and_told(tmp_path, catalog):
    texts, _ = loaded(tmp_path, "armed.pdf", armed_pdf(catalog))
    assert texts["armed.pdf"].text == "The fee is 3 pounds."
    assert texts["armed.pdf"].notes == ("left out: its scripts; they are not run",)


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_stream_of_a_pdf_that_unpacks_to_fill_memory(tmp_path, monkeypatch, times):
    monkeypatch.setattr(streams, "MAX_UNPACKED", 1_000_000)
    packed = bytes(2_000_000)
    for _ in range(times):
        packed = zlib.compress(packed, 9)
    filters = b"/FlateDecode " * times
    stream = b"<< /Length %d /Filter [%s] >>\nstream\n%s\nendstream" % (len(packed), filters, packed)
    pdf = armed_pdf(b"").replace(b"trailer", b"6 0 obj\n" + stream + b"\nendobj\ntrailer")
    _, skipped = loaded(tmp_path, "bomb.pdf", pdf)
    assert skipped == {"bomb.pdf": "a stream in it unpacks to more than 1,000,000 bytes. Save it again."}


def test_ordinary_streams_of_a_pdf_are_let_through(tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "MAX_UNPACKED", 1_000_000)
    packed = zlib.compress(bytes(range(256)) * 3_000)
    stream = b"<< /Length %d >>\nstream\r\n%s\nendstream" % (len(packed), packed)
    pdf = armed_pdf(b"").replace(b"trailer", b"6 0 obj\n" + stream + b"\nendobj\ntrailer")
    cut = pdf.replace(b"\nendstream\nendobj\ntrailer", b"\nendobj\ntrailer")
    texts, skipped = loaded(tmp_path, "plain.pdf", pdf)
    assert (texts["plain.pdf"].text, skipped) == ("The fee is 3 pounds.", {})
    streams.check_streams(cut)


def test_a_plain_pdf_has_no_remark(tmp_path):
    assert loaded(tmp_path, "plain.pdf", armed_pdf(b""))[0]["plain.pdf"].notes == ()


def test_files_attached_to_a_pdf_are_left_out_and_told(tmp_path):
    pdf = pypdfium2.PdfDocument(armed_pdf(b""))
    pdf.new_attachment("secret.txt").set_data(b"secret")
    buffer = io.BytesIO()
    pdf.save(buffer)
    pdf.close()
    texts, _ = loaded(tmp_path, "armed.pdf", buffer.getvalue())
    assert texts["armed.pdf"].notes == ("left out: the files attached to it",)


@pytest.mark.slow
def test_a_page_without_end_of_nesting(tmp_path):
    _, skipped = loaded(tmp_path, "deep.html", b"<div>" * 100_000 + b"x")
    assert set(skipped) <= {"deep.html"}


def test_an_encoding_that_was_guessed_is_told(tmp_path):
    texts, _ = loaded(tmp_path, "old.txt", "Gebühr: 3 €".encode("cp1252"))
    assert texts["old.txt"].text == "Gebühr: 3 €"
    assert texts["old.txt"].notes == ("its encoding is not told and not UTF-8; it was read as Windows-1252",)


def test_an_encoding_that_is_declared_and_wrong_is_told(tmp_path):
    page = '<meta charset="utf-8"><p>Gebühr</p>'.encode("cp1252")
    texts, _ = loaded(tmp_path, "page.html", page)
    assert texts["page.html"].text == "Gebühr"
    assert texts["page.html"].notes[0] == "it declares the encoding utf-8 and is not in it"


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"text": ' * 5_000, b'[{"text": NaN}]', b'{"a": [1, {"b": 2}]}'])
@pytest.mark.parametrize("ending", [".json", ".jsonl"])
def test_json_without_end_or_text(tmp_path, data, ending):
    texts, skipped = loaded(tmp_path, f"x{ending}", data)
    assert (f"x{ending}" in texts) != (f"x{ending}" in skipped)


def test_text_that_no_store_can_hold_keeps_its_places(tmp_path):
    texts, _ = loaded(tmp_path, "x.json", b'{"1": "fee \\ud83d\\ude00 \\ud83d is 3", "2": "nul \\u0000 x"}')
    [first] = [document for document in load_corpus(tmp_path).documents if document.id == "1"]
    assert first.text == "fee \U0001f600 \ufffd is 3"
    assert "good.txt" in texts
