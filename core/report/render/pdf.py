"""A report as PDF: printed by a browser, or set by WeasyPrint where that is installed."""

from __future__ import annotations

import tempfile
from pathlib import Path

from core.domain.errors import InvalidInput
from core.report.content import ReportContent
from core.report.render.browser import find_browser, run_browser
from core.report.render.html import as_html


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


def _set(html: str) -> bytes:
    try:
        import weasyprint
    except (ImportError, OSError) as error:  # OSError: Pango, which it needs, is not there
        raise InvalidInput(
            "A PDF needs Chromium, Chrome or Edge on this machine, or WeasyPrint; neither is there.",
            "Install one of them (pip install weasyprint), name a browser in PLUMBLINE_BROWSER, or write the report as "
            "HTML and print it from any browser.",
        ) from error
    pdf: bytes = weasyprint.HTML(string=html, url_fetcher=_nothing).write_pdf()
    return pdf


def _nothing(url: str) -> dict[str, object]:
    raise ValueError(f"a report fetches nothing: {url[:80]}")
