"""The charts of a report as pictures, all drawn at once by a browser, for documents that hold no live charts."""

from __future__ import annotations

import json
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

from core.report.content import Chart, ReportContent
from core.report.render.browser import find_browser, run_browser
from core.report.render.charts import height_of, plotly_figure
from core.report.render.html import library

WIDTH: Final = 660
SCALE: Final = 2
"""Pixels of a picture for one of the page, so that it is sharp on paper."""

_PAGE: Final = """<!DOCTYPE html><html><head><meta charset="utf-8"><style>html,body{margin:0;background:#fff}
div{position:absolute;left:0}</style></head><body><script type="application/json" id="charts">%s</script>
<script>%s</script><script>
var charts = JSON.parse(document.getElementById("charts").textContent);
charts.forEach(function (one) {
  var place = document.createElement("div");
  place.style.top = one.top + "px"; place.style.width = "%dpx"; place.style.height = one.height + "px";
  document.body.appendChild(place);
  Plotly.newPlot(place, one.data, one.layout, { staticPlot: true });
});
</script></body></html>"""


def chart_pictures(content: ReportContent) -> dict[str, bytes]:
    """PNGs of the charts by their ids; empty where there is no browser.

    Raises:
        InvalidInput: The browser failed.
    """
    charts = [block for section in content.every_section() for block in section.blocks if isinstance(block, Chart)]
    browser = find_browser()
    if browser is None or not charts:
        return {}
    tops: dict[str, tuple[int, int]] = {}
    top, drawn = 0, []
    for chart in charts:
        height = height_of(chart)
        figure = plotly_figure(chart)
        figure["layout"] |= {"width": WIDTH, "height": height}
        tops[chart.id] = (top, height)
        drawn.append({**figure, "top": top, "height": height})
        top += height
    with tempfile.TemporaryDirectory(prefix="plumbline-charts-") as folder:
        page, made = Path(folder) / "charts.html", Path(folder) / "charts.png"
        data = json.dumps(drawn, ensure_ascii=False).replace("<", "\\u003c")
        page.write_text(_PAGE % (data, library(), WIDTH), encoding="utf-8")
        arguments = [
            f"--screenshot={made}",
            f"--window-size={WIDTH},{top}",
            f"--force-device-scale-factor={SCALE}",
        ]
        run_browser(browser, arguments, page, made)
        with Image.open(made) as picture:
            return {name: _cut(picture, at, height) for name, (at, height) in tops.items()}


def _cut(picture: Image.Image, top: int, height: int) -> bytes:
    part = picture.crop((0, top * SCALE, WIDTH * SCALE, (top + height) * SCALE))
    file = BytesIO()
    part.save(file, "PNG")
    return file.getvalue()
