"""Weakness over 100,000 cases with 12 scores, beside a plain pandas group-by of the same frame.

Each view is one score over the attributes chosen; the group-by makes means and counts of the same cells, without
interval, test, shrinkage or multiplicity. Then the page itself, drawn by Streamlit without a browser: each view is
opened, and drawn again with another score, which is the time held against a second; reading the run comes before and is
kept.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from bench.bench_scores import NAMES, fill
from bench.measure import Line, median_seconds
from core.installation import ROOT
from core.store.database import Store
from core.weakness import Attribute, CaseTable, ScoreColumn, bivariate, marginal
from core.weakness.slices.finder import find_slices

CASES, SCORES = 100_000, 12
LEVELS = {
    "topic": 40,
    "type": 6,
    "form": 4,
    "template": 120,
    "document": 5_000,
    "difficulty": 3,
    "length": 4,
    "rank": 6,
}
LIMIT = 1.0
VIEWS = {"map": "two attributes", "attribute": "one attribute", "slices": "slices", "holding": "does it hold"}


def lines() -> Iterator[Line]:
    """Margins, the map, and their group-bys; then each view against one second."""
    tables, frame = _cases()
    for attribute in ("topic", "document"):
        yield Line(
            what=f"one score by {attribute} ({LEVELS[attribute]:,} levels)",
            seconds=median_seconds(lambda attribute=attribute: marginal(tables[0], attribute)),
            against="pandas group-by",
            other=median_seconds(
                lambda attribute=attribute: frame.groupby(attribute)["score_0"].agg(["mean", "count"])
            ),
        )
    for pair in (("topic", "type"), ("template", "topic"), ("document", "form")):
        yield Line(
            what=f"one score by {pair[0]} and {pair[1]}",
            seconds=median_seconds(lambda pair=pair: bivariate(tables[0], *pair)),
            against="pandas group-by",
            other=median_seconds(lambda pair=pair: frame.groupby(list(pair))["score_0"].agg(["mean", "count"])),
        )
    yield Line(
        what="all 12 scores by topic",
        seconds=median_seconds(lambda: [marginal(table, "topic") for table in tables]),
        against="pandas group-by",
        other=median_seconds(lambda: frame.groupby("topic")[_names()].agg(["mean", "count"])),
    )
    yield Line(
        what="slices of up to three of eight attributes",
        seconds=median_seconds(lambda: find_slices(tables[0])),
        against="limit",
        other=LIMIT,
    )
    yield from _page()


def _page() -> Iterator[Line]:
    """The views of the page; the stored run has the same attributes apart from the rank, which it gets from answers."""
    from streamlit.testing.v1 import AppTest

    with tempfile.TemporaryDirectory() as folder:
        os.environ["PLUMBLINE_DATA"] = folder
        draw = np.random.default_rng(0)
        codes = {name: draw.integers(0, levels, CASES) for name, levels in LEVELS.items() if name != "rank"}
        with Store.open(f"sqlite:///{Path(folder) / 'plumbline.sqlite'}") as store:
            fill(store, lambda number: {name: f"{name} {codes[name][number]}" for name in codes})
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=600)
        app.query_params["attribute"], app.query_params["by"] = "topic", "type"
        for view, label in VIEWS.items():
            app.query_params["view"] = view
            durations = []
            for score in ("verdict", *NAMES[1:4]):
                app.query_params["score"] = score
                started = time.perf_counter()
                app.switch_page("pages/analyse/weakness/page.py").run()
                durations.append(time.perf_counter() - started)
                if app.exception:
                    raise AssertionError(f"{label}: {app.exception[0].value}")
            yield Line(
                what=f"page, {label}: another score",
                seconds=statistics.median(durations[1:]),
                against="limit",
                other=LIMIT,
            )


def _names() -> list[str]:
    return [f"score_{number}" for number in range(SCORES)]


def _cases() -> tuple[list[CaseTable], pd.DataFrame]:
    """Cases in 25,000 clusters; half of the scores are 0 or 1, one in twenty is missing, one cell is weak."""
    draw = np.random.default_rng(0)
    codes = {name: draw.integers(0, levels, CASES) for name, levels in LEVELS.items()}
    weak = (codes["topic"] == 3) & (codes["type"] == 2)
    attributes = tuple(
        Attribute(name=name, codes=column, levels=tuple(f"{name} {level}" for level in range(LEVELS[name])))
        for name, column in codes.items()
    )
    case_ids = tuple(f"case_{place}" for place in range(CASES))
    clusters = draw.integers(0, CASES // 4, CASES)
    columns = {}
    for number, name in enumerate(_names()):
        share = np.clip(draw.beta(4, 1.2, CASES) - 0.3 * weak, 0, 1)
        values = share if number % 2 else (draw.random(CASES) < share).astype(np.float64)
        columns[name] = np.where(draw.random(CASES) < 0.05, np.nan, values)
    tables = [
        CaseTable(
            case_ids=case_ids, clusters=clusters, score=ScoreColumn(name=name, values=values), attributes=attributes
        )
        for name, values in columns.items()
    ]
    return tables, pd.DataFrame({**codes, **columns})
