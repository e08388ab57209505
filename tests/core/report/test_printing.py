"""The HTML file in a real browser: without a network, without scripts, and on paper."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest

from core.domain.errors import InvalidInput
from core.report.collecting import ReportOptions, collect
from core.report.content import Chart, Table
from core.report.record import as_json
from core.report.render.browser import find_browser
from core.report.render.html import as_html
from core.report.render.pdf import as_pdf
from core.report.render.pictures import chart_pictures
from core.report.snapshots import comment
from core.report.words import cell_text
from tests.support.application.browser import FLAGS, find
from tests.support.small_bank import ACTOR

DAY = ReportOptions(date="2026-11-23")
BOXES_OF = """(cell, word) => {
  cell.style.fontFamily = '"DejaVu Sans", Verdana, sans-serif';
  cell.textContent = word;
  const range = document.createRange();
  range.selectNodeContents(cell);
  return range.getClientRects().length;
}"""
"""How many lines a word takes in a cell, in the widest of the fonts that reports are printed in."""

NEEDS_BROWSER = pytest.mark.skipif(find() is None, reason="no browser")


@pytest.fixture
def pages():
    """Opens pages in a browser: ``pages(scripts=False)`` gives a context that is offline."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))

        def opened(*, scripts: bool = True):
            context = browser.new_context(offline=True, java_script_enabled=scripts)
            return context.new_page()

        yield opened
        browser.close()


def written(content, folder: Path) -> str:
    path = folder / "report.html"
    path.write_text(as_html(content), encoding="utf-8")
    return path.as_uri()


def charts(content) -> list[Chart]:
    return [block for section in content.every_section() for block in section.blocks if isinstance(block, Chart)]


@NEEDS_BROWSER
@pytest.mark.journey
@pytest.mark.slow
def test_it_opens_offline_draws_every_chart_and_asks_for_nothing(store, bank_run, tmp_path, pages):
    content = collect(store, bank_run.id, DAY)
    page = pages()
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    address = written(content, tmp_path)
    page.goto(address)
    for chart in charts(content):
        page.locator(f"#plot-{chart.id} .main-svg").first.wait_for()
        assert not page.locator(f"#behind-{chart.id}").is_visible()
    # Plotly offers to upload a chart to its cloud unless it is told not to.
    buttons = page.locator(".modebar-btn").evaluate_all("all => all.map(one => one.outerHTML.toLowerCase())")
    assert buttons
    assert not [one for one in buttons if "share" in one or "cloud" in one]
    shown = page.locator("button.show").first
    shown.focus()
    page.keyboard.press("Enter")
    assert page.locator(f"#behind-{charts(content)[0].id}").is_visible()
    assert shown.get_attribute("aria-expanded") == "true"
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert said == []


@NEEDS_BROWSER
@pytest.mark.journey
@pytest.mark.slow
def test_without_scripts_a_table_stands_behind_each_chart_with_the_numbers_of_the_json(
    store, bank_run, tmp_path, pages
):
    content = collect(store, bank_run.id, DAY)
    page = pages(scripts=False)
    page.goto(written(content, tmp_path))
    assert charts(content)
    for chart in charts(content):
        table = page.locator(f"#behind-{chart.id} table")
        assert table.is_visible()
        assert not page.locator(f"#plot-{chart.id}").is_visible()
        assert table.locator("tbody tr").count() == len(chart.table.rows)
        cells = table.locator("tbody tr").first.locator("th, td").all_inner_texts()
        assert len(cells) == len(chart.table.rows[0])
        assert cells[0] == cell_text(chart.table.rows[0][0])
    accuracy = as_json(content)["figures"]["accuracy"]
    cell = page.locator("#headline tbody tr td.num").first
    assert json.loads(cell.get_attribute("data-value")) == accuracy["value"]
    assert json.loads(cell.get_attribute("data-low")) == accuracy["low"]
    assert int(cell.get_attribute("data-num")) == accuracy["num"]


@NEEDS_BROWSER
@pytest.mark.journey
@pytest.mark.slow
def test_page_one_of_the_pdf_is_the_summary_alone_even_where_much_is_said(store, bank_run):
    said = "\n".join(f"Point {number}: discussed on Monday; see the conditions." for number in range(40))
    comment(store, bank_run.id, "summary", said, actor=ACTOR)
    content = collect(store, bank_run.id, DAY)
    document = pypdfium2.PdfDocument(as_pdf(content))
    try:
        # Chromium may place the letters of a heading one by one; blanks and line ends between them say nothing.
        first, second = (_letters(document[number].get_textpage().get_text_range()) for number in (0, 1))
        assert _letters("Validation report: Small bank") in first
        assert _letters("Read before use") in first
        assert _letters(f"Commentary by {ACTOR} on this page") in first
        assert _letters("discussed on Monday") not in first
        assert _letters("Commentary on the summary") in second
        assert _letters("Point 0: discussed on Monday") in second
        assert "Contents" not in first
        assert _letters("Acceptance criteria") not in second
        assert len(document) > 8
    finally:
        document.close()


@NEEDS_BROWSER
@pytest.mark.journey
@pytest.mark.slow
def test_a_page_one_that_is_too_full_is_printed_smaller_and_not_on_two_pages(store, bank_run):
    content = collect(store, bank_run.id, DAY)
    fuller = tuple(
        replace(block, rows=(block.rows * 7)[:9]) if isinstance(block, Table) else block
        for block in content.summary.blocks
    )
    document = pypdfium2.PdfDocument(as_pdf(replace(content, summary=replace(content.summary, blocks=fuller))))
    try:
        first, second = (_letters(document[number].get_textpage().get_text_range()) for number in (0, 1))
        assert _letters("Read before use") in first
        assert _letters("all figures weigh the questions equally") in first
        assert _letters("Contents") in second
        # The first section begins below the contents, not on a page of its own.
        assert second.count(_letters(content.sections[0].title)) == 2
    finally:
        document.close()


def _letters(text: str) -> str:
    return "".join(text.split())


@NEEDS_BROWSER
@pytest.mark.slow
def test_charts_become_pictures_for_a_document(store, bank_run):
    content = collect(store, bank_run.id, DAY)
    pictures = chart_pictures(content)
    assert pictures.keys() == {chart.id for chart in charts(content)}
    assert all(picture.startswith(b"\x89PNG") and len(picture) > 3_000 for picture in pictures.values())


@pytest.mark.slow
def test_without_a_browser_and_without_weasyprint_the_remedy_is_said(store, bank_run, monkeypatch, tmp_path):
    content = collect(store, bank_run.id, DAY)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_browser() is None
    with pytest.raises(InvalidInput, match="neither is there") as refused:
        as_pdf(content)
    assert "write the report as HTML" in refused.value.hint
    assert chart_pictures(content) == {}
    monkeypatch.setenv("PLUMBLINE_BROWSER", str(tmp_path / "chrome"))
    with pytest.raises(InvalidInput, match="which is not there"):
        find_browser()


@NEEDS_BROWSER
@pytest.mark.journey
@pytest.mark.slow
def test_a_long_title_stays_with_its_figure_and_long_words_leave_every_column_its_width(
    store, hostile, tmp_path, pages
):
    content = collect(store, hostile.id, DAY)
    page = pages()
    page.goto(written(content, tmp_path))
    heads = page.locator("#examples thead th")
    widths = heads.evaluate_all("cells => cells.map(cell => cell.getBoundingClientRect().width)")
    assert min(widths) > 0.1 * sum(widths), widths
    assert min(widths[1:]) > 0.15 * sum(widths), widths
    for word in ("Knowledge", "Undecided"):
        # One box is one line: a module's name is never broken inside a word.
        boxes = page.locator("#examples tbody tr > :first-child").first.evaluate(BOXES_OF, word)
        assert boxes == 1, word
    with pypdfium2.PdfDocument(as_pdf(content)) as document:
        printed = [" ".join(sheet.get_textpage().get_text_range().split()) for sheet in document]
    for number, chart in enumerate(charts(content), start=1):
        (sheet,) = (text for text in printed if f"Figure {number}. " in text)
        assert " ".join(chart.title.split())[-12:] in sheet, chart.title
