"""In a window of 1000 pixels no value, label, choice or name of a run is cut."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.application.screen import settle

pytestmark = [pytest.mark.journey, pytest.mark.slow]

PAGES = ("", "results", "diagnose", "diagnose?view=groups", "weakness", "report", "connect", "test-set")

CUT = """() => {
  const hidden = style => style.overflowX === 'hidden' || style.overflowX === 'clip' || style.maskImage !== 'none';
  const wider = one => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
  const texts = '[data-testid=stMetric] *, [data-testid=stButtonGroup] *, [data-testid=stPageLink] *, button *';
  const main = document.querySelector('[data-testid=stMain]');
  return [...main.querySelectorAll(texts)].filter(one => wider(one) && hidden(getComputedStyle(one)))
    .map(one => one.innerText)
    .concat([...main.querySelectorAll('.st-key-url_run input')].filter(wider).map(one => one.value));
}"""
"""The texts of figures, choices, links and buttons that lose their end, and names of runs that do."""


def test_nothing_is_cut_in_a_narrow_window(sample_server: str, visit: Callable[[str], Page]) -> None:
    page = visit(sample_server)
    page.set_viewport_size({"width": 1000, "height": 900})
    for path in PAGES:
        page.goto(f"{sample_server}/{path}")
        expect(page.get_by_test_id("stMain").get_by_role("heading").first).to_be_visible()
        settle(page)
        assert page.evaluate(CUT) == [], path
    expect(page.get_by_test_id("stException")).to_have_count(0)
