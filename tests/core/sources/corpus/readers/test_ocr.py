"""Scanned pages: with an engine on the path, with one that fails, and without; a script stands for the engine."""

import io
import shutil

import fpdf
import pypdfium2 as pdfium
import pytest

from core.domain.errors import UnreadableFile
from core.sources.corpus import load_corpus
from core.sources.corpus.measuring import measured
from core.sources.corpus.parsing import format_of
from core.sources.corpus.pdf import ocr

HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
ROWS = (
    "5\t1\t1\t1\t1\t1\t0\t0\t0\t0\t96\tGold\n5\t1\t1\t1\t1\t2\t0\t0\t0\t0\t90\tcosts\n"
    '5\t1\t1\t1\t2\t1\t0\t0\t0\t0\t84\t40.\n5\t1\t2\t1\t1\t1\t0\t0\t0\t0\t90\t"Free\n4\t1\t2\t1\t1\t0\t0\t0\t0\t0\t-1\t'
)
REAL = shutil.which("tesseract")


def scan(*, first=""):
    page = fpdf.FPDF()
    page.add_page()
    page.set_font("Helvetica", size=16)
    page.cell(0, 10, "The Gold card costs 40 euros a year.")
    drawn = pdfium.PdfDocument(bytes(page.output()))
    picture = io.BytesIO()
    drawn[0].render(scale=2.5).to_pil().convert("L").save(picture, "JPEG")
    drawn.close()
    book = fpdf.FPDF()
    if first:
        book.add_page()
        book.set_font("Helvetica", size=12)
        book.cell(0, 10, first)
    book.add_page()
    book.image(picture, 0, 0, 210)
    return bytes(book.output())


def engine(folder, monkeypatch, *, does):
    program = folder / "bin" / "tesseract"
    program.parent.mkdir(exist_ok=True)
    program.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = --version ]; then echo "tesseract 5.3.0"; exit; fi\n'
        'if [ "$1" = --list-langs ]; then printf "List:\\neng\\nosd\\n"; exit; fi\n' + does
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


def answering(folder, monkeypatch, rows=ROWS):
    table = folder / "table.tsv"
    table.write_text(f"{HEAD}\n{rows}\n")
    engine(folder, monkeypatch, does=f"cat {table}\n")


@pytest.fixture
def no_engine(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))


def read(data):
    [parsed] = format_of(".pdf").read(data)
    return parsed


def test_a_scan_without_an_engine_says_how_to_install_one(no_engine):
    with pytest.raises(UnreadableFile, match="no OCR engine is installed") as refused:
        read(scan())
    assert "apt install tesseract-ocr" in refused.value.hint
    assert "apt install tesseract-ocr" in ocr.state()
    half = read(scan(first="A page with text."))
    assert half.text == "A page with text."
    assert half.notes == ("1 of its pages has no text layer; they may be scans, and no OCR engine is installed",)


def test_a_scanned_page_is_read_and_marked_page_by_page(tmp_path, monkeypatch):
    answering(tmp_path, monkeypatch)
    parsed = read(scan(first="A page with text."))
    assert parsed.text == 'A page with text.\n\nGold costs\n40.\n\n"Free'
    assert parsed.pages == (0, 19)
    assert parsed.notes == ("page 2 was read by OCR (tesseract 5.3.0, eng; mean confidence 90 of 100)",)
    assert ocr.state().startswith("Scanned pages are read by tesseract 5.3.0 (eng)")


def test_doubtful_and_wordless_pages_are_named(tmp_path, monkeypatch):
    answering(tmp_path, monkeypatch, rows=ROWS.replace("\t9", "\t3").replace("\t84", "\t31"))
    assert "look at it before you rely on it" in read(scan()).notes[0]
    answering(tmp_path, monkeypatch, rows="")
    with pytest.raises(UnreadableFile, match="OCR reads no word"):
        read(scan())


def test_an_engine_that_hangs_or_fails_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(ocr, "PAGE_S", 0.5)
    engine(tmp_path, monkeypatch, does="sleep 30\n")
    with pytest.raises(UnreadableFile, match="took more than"):
        read(scan())
    engine(tmp_path, monkeypatch, does="exit 1\n")
    assert "the engine failed" in read(scan(first="Text.")).notes[0]


def test_pages_beyond_the_bounds_are_named(monkeypatch, tmp_path):
    answering(tmp_path, monkeypatch)
    current = ocr.engine()
    monkeypatch.setattr(ocr, "MAX_PAGES", 1)
    pages = dict(ocr.pages_read(iter([(0, b"P5 1 1 255\n0"), (1, b"P5 1 1 255\n0")]), current))
    assert pages[0].confidence == 90
    assert pages[1].reason == "only 1 pages of a file are read by OCR"
    monkeypatch.setattr(ocr, "FILE_S", -1.0)
    assert "the pages before it" in dict(ocr.pages_read(iter([(0, b"")]), current))[0].reason


def test_an_engine_installed_later_is_used_when_loading_again(tmp_path, monkeypatch):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "half.pdf").write_bytes(scan(first="A page with text."))
    with monkeypatch.context() as without:
        without.setenv("PATH", "/nowhere")
        before = load_corpus(folder)
    assert "Gold" not in before.documents[0].text
    answering(tmp_path, monkeypatch)
    assert "Gold" in load_corpus(folder, before=before).documents[0].text


def test_a_scan_is_measured_as_slow_where_an_engine_is_there(tmp_path, monkeypatch):
    place = tmp_path / "scan.pdf"
    place.write_bytes(scan())
    with monkeypatch.context() as without:
        without.setenv("PATH", "/nowhere")
        quick = measured(place)
    answering(tmp_path, monkeypatch)
    assert measured(place).seconds - quick.seconds == pytest.approx(3.0)


@pytest.mark.slow
@pytest.mark.skipif(REAL is None, reason="no Tesseract is installed")
def test_the_real_engine_reads_a_real_scan():
    parsed = read(scan())
    assert "Gold card costs 40 euros" in parsed.text
