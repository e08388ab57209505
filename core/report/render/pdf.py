"""A report as PDF: printed by a browser, or set by WeasyPrint where that is installed."""

from __future__ import annotations

import importlib
import tempfile
from pathlib import Path
from types import ModuleType

from core.domain.errors import InvalidInput
from core.report.content import ReportContent
from core.report.render.browser import find_browser, run_browser
from core.report.render.html import as_html


def can_print() -> bool:
    """Whether this machine makes a PDF: with a browser, or with WeasyPrint."""
    return find_browser() is not None or _weasyprint() is not None


def as_pdf(content: ReportContent, *, snapshot: str = "") -> bytes:
    """The report as PDF.

    With a browser it has the charts; WeasyPrint draws none, so that the tables behind them stand alone.

    Raises:
        InvalidInput: Neither is there, or the browser failed.
    """
    browser = find_browser()
    if browser is None:
        return _set(as_html(content, snapshot=snapshot, interactive=False))
    with tempfile.TemporaryDirectory(prefix="plumbline-report-") as folder:
        page, made = Path(folder) / "report.html", Path(folder) / "report.pdf"
        page.write_text(as_html(content, snapshot=snapshot), encoding="utf-8")
        run_browser(browser, ["--no-pdf-header-footer", f"--print-to-pdf={made}"], page, made)
        return made.read_bytes()


def _weasyprint() -> ModuleType | None:
    """WeasyPrint, None where it or Pango, which it needs, is not there."""
    try:
        return importlib.import_module("weasyprint")
    except (ImportError, OSError):  # OSError: Pango
        return None


def _set(html: str) -> bytes:
    weasyprint = _weasyprint()
    if weasyprint is None:
        raise InvalidInput(
            "A PDF needs Chromium, Chrome or Edge on this machine, or WeasyPrint; neither is there.",
            "Install one of them (pip install weasyprint), name a browser in PLUMBLINE_BROWSER, or write the report as "
            "HTML and print it from any browser.",
        )
    pdf: bytes = weasyprint.HTML(string=html, url_fetcher=_nothing).write_pdf()
    return pdf


def _nothing(url: str) -> dict[str, object]:
    raise ValueError(f"a report fetches nothing: {url[:80]}")
