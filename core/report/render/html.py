"""A report as one HTML file: no network, charts that answer, tables behind them, and paper in mind."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Final

import plotly
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from core.report.content import SCHEMA, Cell, Chart, Number, ReportContent, Table, Tone
from core.report.outline import SECTIONS
from core.report.render.charts import plotly_figure
from core.report.words import bare_text, cell_text, interval_text
from core.text.display.numbers import when

HERE: Final = Path(__file__).parent
MARKS: Final = {Tone.GOOD: "✓", Tone.WARNING: "!", Tone.MISSING: "○"}
"""Beside the colour of a paragraph, so that colour is never alone."""

ABOUT: Final = {section.key: section.about for section in SECTIONS}


def as_html(content: ReportContent, *, snapshot: str = "", interactive: bool = True) -> str:
    """The report as HTML; the same content gives the same text.

    Args:
        content: The report.
        snapshot: Id of the snapshot it was frozen as, shown on page one.
        interactive: Whether charts are drawn; without them the tables stand alone.
    """
    charts = {
        block.id: plotly_figure(block)
        for section in content.every_section()
        for block in section.blocks
        if isinstance(block, Chart)
    }
    draws = interactive and bool(charts)
    plotly_js, script = (library(), _read("page.js")) if draws else ("", "")
    page = _environment().get_template("page.html.j2")
    return page.render(
        report=content,
        schema=SCHEMA,
        snapshot=snapshot,
        policy=_policy([plotly_js, script] if draws else []),
        style=_read("page.css"),
        library=plotly_js,
        script=script,
        charts=_json(charts) if draws else "",
    )


def _policy(scripts: list[str]) -> str:
    """What the file may do: run its own scripts, by their hashes, and nothing that reaches out."""
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in scripts
    )
    allowed = hashes or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "font-src data:; connect-src 'none'; base-uri 'none'; form-action 'none'"
    )


def _json(value: object) -> str:
    """JSON that no text in it can end: a tag in a label is not a tag."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False, separators=(",", ":"))
    return (
        text.replace("<", "\\u003c").replace(">", "\\u003e").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    )


@cache
def library() -> str:
    """Plotly's own file, from the package that is installed."""
    text = (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_text(encoding="utf-8")
    return text.replace("</script", "<\\/script").replace("\r\n", "\n").replace("\r", "\n")


@cache
def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=False
    )
    environment.globals.update(
        text=cell_text,
        bare=lambda number: bare_text(number.value, number.kind),
        ends=interval_text,
        when=when,
        kind_of=lambda block: type(block).__name__,
        is_number=lambda cell: isinstance(cell, Number),
        is_int=lambda cell: isinstance(cell, int),
        counts=_counts,
        mark=MARKS.get,
        about=ABOUT.get,
    )
    return environment


def _counts(table: Table, column: int) -> bool:
    """Whether a column holds whole numbers, which stand at its right."""
    cells: list[Cell] = [row[column] for row in table.rows]
    return bool(cells) and all(isinstance(cell, int) for cell in cells)
