"""PDF files: the text layer, page by page; a scanned page has none."""

from __future__ import annotations

import re
import threading

from core.domain.errors import UnreadableFile
from core.sources.corpus.parsing import Parsed, reads

_LOCK = threading.Lock()
"""PDFium keeps global state; two threads must not be in it at once."""

HYPHEN = re.compile(r"(\w)(?:\ufffe|\u00ad)\s*\n?\s*(\w)")
"""PDFium marks a hyphen at the end of a line with U+FFFE."""


@reads("pdf", ".pdf")
def read_pdf(data: bytes) -> tuple[Parsed, ...]:
    """The text in reading order, pages parted by a blank line; the title from the file's properties."""
    import pypdfium2 as pdfium

    with _LOCK:
        try:
            pdf = pdfium.PdfDocument(data)
        except pdfium.PdfiumError as error:
            locked = "password" in str(error).casefold()
            reason = "it needs a password" if locked else f"it is damaged or no PDF ({error})"
            raise UnreadableFile(reason, "Save it without a password." if locked else "Save it again.") from None
        try:
            title = str(pdf.get_metadata_value("Title") or "").strip()
            pages = [_page(pdf, number) for number in range(len(pdf))]
        except pdfium.PdfiumError as error:
            raise UnreadableFile(f"a page cannot be read ({error})", "Save it again.") from None
        finally:
            pdf.close()
    text = "\n\n".join(page for page in pages if page)
    if not text:
        raise UnreadableFile("it has no text layer; it may be a scan", "Give a PDF with text.")
    return (Parsed(text=text, title=title),)


def _page(pdf: object, number: int) -> str:
    page = pdf[number]  # type: ignore[index]
    try:
        layer = page.get_textpage()
        try:
            text = str(layer.get_text_range())
        finally:
            layer.close()
    finally:
        page.close()
    joined = HYPHEN.sub(r"\1\2", text.replace("\r\n", "\n").replace("\r", "\n"))
    return re.sub(r"[\x00\ufffe]", "", joined).strip()
