"""PDF files: the text layer, page by page; a scanned page has none and is read by OCR where an engine is installed."""

from __future__ import annotations

import re
import threading
from typing import Any

from core.domain.errors import UnreadableFile
from core.sources.corpus.metadata import day_of, fields
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.pdf import ocr
from core.sources.corpus.pdf.headings import Line, Style, body_style, find_headings, is_marker, styled_lines
from core.sources.corpus.pdf.layout import Above, is_ruled, laid_out, note_heading, shows_layout
from core.sources.corpus.pdf.page_texts import joined_pages, running_lines
from core.sources.corpus.pdf.streams import check_streams

_LOCK = threading.Lock()
"""PDFium keeps global state; two threads must not be in it at once."""

HYPHEN = re.compile(r"(\w)(?:\ufffe|\u00ad)\s*\n?\s*(\w)")
"""PDFium marks a hyphen at the end of a line with U+FFFE."""
SCRIPT = re.compile(rb"/S\s*/JavaScript\b")
"""An action of a page or a field that runs a script; PDFium counts only those of the whole document."""
MAX_PAGES = 10_000
MOST_HELD = 40
"""Pages that are kept open for their layout; others are opened again."""
MAX_CHARACTERS = 20_000_000
NO_COPYING = 1 << 4


@reads("pdf", ".pdf", version=3)
def read_pdf(data: bytes) -> tuple[Parsed, ...]:
    """The text in reading order, pages parted by a blank line; the title from the file's properties.

    Running headers, footers and page numbers are left out. Headings are recognised by their typeface: see
    `find_headings`. Tables become Markdown rows and forms ``Key: value`` lines: see `laid_out`.
    """
    import pypdfium2 as pdfium

    check_streams(data)
    held: dict[int, tuple[Any, Any]] = {}
    with _LOCK:
        try:
            pdf = pdfium.PdfDocument(data)
        except pdfium.PdfiumError as error:
            locked = "password" in str(error).casefold()
            reason = "it needs a password" if locked else f"it is damaged or no PDF ({error})"
            raise UnreadableFile(reason, "Save it without a password." if locked else "Save it again.") from None
        try:
            properties = {name: str(value or "").strip() for name, value in pdf.get_metadata_dict().items()}
            notes = _notes(pdf, data)
            lines, ruled = _pages(pdf, held)
            body = body_style(lines)
            pages = _laid_out(pdf, lines, ruled, body, held)
        except pdfium.PdfiumError as error:
            raise UnreadableFile(f"a page cannot be read ({error})", "Save it again.") from None
        finally:
            for number in list(held):
                _close(*held.pop(number))
            pdf.close()
    blank = [number for number, page in enumerate(lines) if not any(line.text.strip() for line in page)]
    return (_parsed(pages, body, properties, (*notes, *_recognised(data, pages, blank))),)


def _recognised(data: bytes, pages: list[list[Line]], blank: list[int]) -> tuple[str, ...]:
    """Puts the text of scanned pages in their places where an engine is installed; a line on each, or on all."""
    if not blank:
        return ()
    engine = ocr.engine()
    if engine is None:
        count = "1 of its pages has" if len(blank) == 1 else f"{len(blank):,} of its {len(pages):,} pages have"
        return (f"{count} no text layer; they may be scans{ocr.WITHOUT_OCR}",)
    notes = []
    for number, page in ocr.pages_read(((place, _picture(data, place)) for place in blank), engine):
        pages[number] = [Line(line, None) for line in page.lines]
        notes.append(ocr.note(number + 1, page, engine))
    return tuple(notes)


def _picture(data: bytes, place: int) -> bytes:
    """A page in shades of grey, as PGM."""
    import pypdfium2 as pdfium

    with _LOCK:
        pdf = pdfium.PdfDocument(data)
        page = bitmap = None
        try:
            page = pdf[place]
            width, height = page.get_size()
            scale = min(ocr.DPI / 72, (ocr.MAX_PIXELS / max(width * height, 1.0)) ** 0.5)
            bitmap = page.render(scale=scale, grayscale=True)
            shades = bitmap.to_numpy()
            rows, columns = shades.shape[:2]
            head = b"P5 %d %d 255\n" % (columns, rows)
            return head + bytes(shades.reshape(rows, columns, -1)[:, :, 0].tobytes())
        finally:
            for opened in (bitmap, page, pdf):
                if opened is not None:
                    opened.close()


def _opened(pdf: Any, number: int) -> tuple[Any, Any]:
    """A page and its text layer."""
    page = pdf[number]
    try:
        return page, page.get_textpage()
    except BaseException:
        page.close()
        raise


def _close(page: Any, layer: Any) -> None:
    layer.close()
    page.close()


def _pages(pdf: Any, held: dict[int, tuple[Any, Any]]) -> tuple[list[list[Line]], set[int]]:
    """The lines of each page, and the places of the pages on which something is drawn.

    Pages that may have tables or forms stay open in `held`, as many as `MOST_HELD`, since opening one takes long.
    """
    if len(pdf) > MAX_PAGES:
        raise UnreadableFile(f"it has {len(pdf):,} pages, more than {MAX_PAGES:,}", "Split it.")
    pages: list[list[Line]] = []
    ruled: set[int] = set()
    size = 0
    for number in range(len(pdf)):
        page, layer = held[number] = _opened(pdf, number)
        pages.append(styled_lines(layer))
        if is_ruled(page):
            ruled.add(number)
        if len(held) > MOST_HELD or not (number in ruled or shows_layout(pages[-1])):
            _close(*held.pop(number))
        size += sum(len(line.text) for line in pages[-1])
        if size > MAX_CHARACTERS:
            raise UnreadableFile(f"its text has more than {MAX_CHARACTERS:,} characters", "Split it.")
    return pages, ruled


def _laid_out(
    pdf: Any, pages: list[list[Line]], ruled: set[int], body: Style, held: dict[int, tuple[Any, Any]]
) -> list[list[Line]]:
    """The lines of pages without what runs along, with those of tables and forms in place of their words."""
    running = running_lines([[line.text for line in page] for page in pages])
    above = Above()
    whole: list[list[Line]] = []
    for number, (page_lines, places) in enumerate(zip(pages, running, strict=True)):
        lines = [line for place, line in enumerate(page_lines) if place not in places]
        if number in ruled or shows_layout(lines):
            page, layer = held[number] = held.get(number) or _opened(pdf, number)
            lines = laid_out(page, layer, lines, above)
            _close(*held.pop(number))
        else:
            note_heading(lines, body, above)
        whole.append(lines)
    return whole


def _parsed(pages: list[list[Line]], body: Style, properties: dict[str, str], notes: tuple[str, ...]) -> Parsed:
    body_lines = [[line for line in page if not is_marker(line, body)] for page in pages]
    text, starts = joined_pages(_clean("\n".join(line.text for line in page)) for page in body_lines)
    if not text:
        if ocr.engine() is None:
            raise UnreadableFile(f"it has no text layer; it may be a scan{ocr.WITHOUT_OCR}", ocr.INSTALL)
        reasons = "; ".join(notes[:2])
        raise UnreadableFile(
            f"it has no text layer, and OCR reads no word ({reasons})", "Give a sharper scan, or a PDF with text."
        )
    values = {
        "author": properties.get("Author"),
        "subject": properties.get("Subject"),
        "keywords": properties.get("Keywords"),
    }
    metadata = fields({**values, "created": day_of(properties.get("CreationDate", ""))})
    outline = find_headings(text, starts, body_lines)
    title = properties.get("Title", "")
    usable_title = title if any(sign.isalpha() for sign in title) else ""  # a number of a filing system is no title
    return Parsed(text=text, title=usable_title, pages=starts, outline=outline, metadata=metadata, notes=notes)


def _clean(text: str) -> str:
    return re.sub(r"[\x00\ufffe]", "", HYPHEN.sub(r"\1\2", text)).strip()


def _notes(pdf: Any, data: bytes) -> tuple[str, ...]:
    import pypdfium2.raw as raw

    notes = []
    if raw.FPDFDoc_GetJavaScriptActionCount(pdf.raw) > 0 or SCRIPT.search(data):
        notes.append("left out: its scripts; they are not run")
    if raw.FPDFDoc_GetAttachmentCount(pdf.raw) > 0:
        notes.append("left out: the files attached to it")
    if raw.FPDF_GetSecurityHandlerRevision(pdf.raw) > 0 and not raw.FPDF_GetDocPermissions(pdf.raw) & NO_COPYING:
        notes.append("it is marked as not to be copied; its text is read for testing only")
    return tuple(notes)
