"""Reads of the Results page: rows of a run as a frame, counts by verdict, one case with its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd
import streamlit as st

from core.calibration.service.cases.order import doubtful_first
from core.calibration.service.stored import calibration_of
from core.domain.results.responses import Score, Verdict
from core.runs.results import CaseView, case_view
from core.runs.summary import RunSummary
from core.store.database import Store
from core.store.results import runs
from core.store.results.cases import listing
from core.store.results.cases.score_order import NOT_REACHED, TARGET_FAILED, MetricOrder
from core.store.results.runs import ResultRow
from pages.kit import cache
from pages.kit.look import numbers, theme
from pages.kit.scores import names

ALL = ""
FILTERS = (ALL, "correct", "incorrect", "not_judged")
HEIGHT: Final = 318
"""Of the table: eight rows, so that the opened case begins on the same screen."""

_COLUMNS: Final = {"Verdict": 92, "Question": 258, "Answer": 168, "Reference": 104, "Rule": 122, "Form": 62}
WIDTHS: Final = {name: st.column_config.TextColumn(width=width) for name, width in _COLUMNS.items()}
"""Every column is on the screen at 1280 pixels."""

WORDINGS: Final = {
    "Verdict": st.column_config.TextColumn(width=84),
    "Question": st.column_config.TextColumn(width=210),
    "Answer": st.column_config.TextColumn(width=140),
}
"""The other wordings of a fact, beside a list: few columns, whose texts have several lines."""

METRIC_WIDTH: Final = 104


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseQuery:
    """Which cases a person wants to see, and how.

    Attributes:
        verdict, form, search: Filters; empty for none.
        metrics: Metrics that are columns.
        sort: The metric the rows are sorted by; empty for the order of the test set, or for `worst`.
        worst: Wrong answers first, then those not judged, then the correct ones; without `sort`.
        doubt: With `worst`, the metric whose bad values come first within each of the three.
        calibration: With `worst`, the calibration whose doubtful cases come first within each of the three, instead.
        descending: Greatest value first, of `sort` or of `doubt`.
        low, high: Range of the values of `sort`.
        status: How the cases stand for `sort`, as `core.store.results.runs.page` has it; empty for any.
    """

    verdict: str = ""
    form: str = ""
    search: str = ""
    metrics: tuple[str, ...] = ()
    sort: str = ""
    worst: bool = False
    doubt: str = ""
    calibration: str = ""
    descending: bool = False
    low: float | None = None
    high: float | None = None
    status: str = ""


@cache.read("runs", "answers", "scores", "test_sets", "calibrations", max_entries=16)
def order(store: Store, run_id: str, filters: CaseQuery) -> tuple[str, ...]:
    """The ids of all cases the filters leave, in order: what a person steps through."""
    with store.read() as connection:
        test_set_id = runs.get(connection, run_id).test_set_id
        ids = listing.case_ids(connection, run_id, test_set_id, _filter(filters), _order(filters))
    if not filters.calibration:
        return ids
    return doubtful_first(store, calibration_of(store, filters.calibration), ids)


@cache.read("runs", "answers", "scores", "test_sets")
def rows(store: Store, run_id: str, case_ids: tuple[str, ...], metrics: tuple[str, ...]) -> list[ResultRow]:
    """The results of these cases, in that order; for one page of them."""
    with store.read() as connection:
        return runs.of_cases(connection, run_id, case_ids, metrics)


def export(store: Store, run_id: str, filters: CaseQuery) -> pd.DataFrame:
    """Every row the filters leave, for a file: each metric as a number with its status and whether it was edited."""
    with store.read() as connection:
        result_rows = runs.of_cases(connection, run_id, order(store, run_id, filters), filters.metrics)
    table = frame(result_rows, ())
    for metric in filters.metrics:
        some = [row.scores.get(metric) for row in result_rows]
        table[metric] = pd.Series([score.value if score else None for score in some], dtype="float64")
        table[f"{metric}_status"] = [
            score.status.value if score else TARGET_FAILED if failed(row) else NOT_REACHED
            for score, row in zip(some, result_rows, strict=True)
        ]
        table[f"{metric}_edited"] = [bool(score and score.edited) for score in some]
    return table


def _filter(filters: CaseQuery) -> listing.CaseFilter:
    return listing.CaseFilter(
        verdict=Verdict(filters.verdict) if filters.verdict else None,
        form=filters.form or None,
        search=filters.search,
    )


def _order(filters: CaseQuery) -> listing.Order:
    if filters.sort:
        return MetricOrder(
            metric=filters.sort,
            descending=filters.descending,
            low=filters.low,
            high=filters.high,
            status=filters.status or None,
        )
    return listing.WorstFirst(doubt=filters.doubt, descending=filters.descending) if filters.worst else None


def frame(result_rows: Sequence[ResultRow], metrics: Sequence[str] = ()) -> pd.DataFrame:
    """Result rows as a table for people."""
    records = [
        {
            "case_id": row.case.case_id,
            "Verdict": verdict_name(row.verdict),
            **{metric: names.cell(row.scores.get(metric), failed=failed(row)) for metric in metrics},
            "Question": row.case.question,
            "Answer": answer_text(row),
            "Reference": " | ".join(row.case.reference_answers),
            "Rule": rule(row.verdict),
            "Form": row.case.form,
        }
        for row in result_rows
    ]
    return pd.DataFrame(records, columns=["case_id", "Verdict", *metrics, *list(_COLUMNS)[1:]])


def columns(metrics: Sequence[str]) -> dict[str, object]:
    """How the columns of `frame` are drawn: metrics by their title, with what they answer on hover."""
    if not metrics:
        return dict(WIDTHS)
    taken = {"Question": 200, "Answer": 140, "Reference": 84, "Rule": 100}
    return {
        **{name: st.column_config.TextColumn(width=taken.get(name, width)) for name, width in _COLUMNS.items()},
        **{
            metric: st.column_config.TextColumn(names.title(metric), width=METRIC_WIDTH, help=names.meaning(metric))
            for metric in metrics
        },
    }


def filter_names(summary: RunSummary) -> dict[str, str]:
    """The verdict filters with how many cases each leaves."""
    correct, judged = summary.accuracy.num, summary.accuracy.den
    sizes = {
        ALL: summary.cases,
        "correct": correct,
        "incorrect": judged - correct,
        "not_judged": summary.cases - judged,
    }
    return {key: f"{theme.NAMES.get(key, 'All')} {size:,}" for key, size in sizes.items()}


@cache.read("runs", "answers", "scores", "test_sets", "sources")
def view(store: Store, run_id: str, case_id: str) -> CaseView:
    """One case with its evidence."""
    return case_view(store, run_id, case_id)


def verdict_key(verdict: Score | None) -> str:
    """``correct``, ``incorrect`` or ``not_judged``."""
    if verdict is None or verdict.value is None:
        return "not_judged"
    return "correct" if verdict.value == 1.0 else "incorrect"


def verdict_name(verdict: Score | None) -> str:
    """A mark and a word, such as "✓ Correct"; "edited" where a person changed it."""
    key = verdict_key(verdict)
    return f"{theme.MARKS[key]} {theme.NAMES[key]}" + (" (edited)" if verdict is not None and verdict.edited else "")


def rule(verdict: Score | None) -> str:
    """The rule that decided, or why none did."""
    if verdict is not None and verdict.edited:
        return "a person"
    return str(verdict.detail.get("rule", "")) if verdict else "not reached yet"


def failed(row: ResultRow) -> bool:
    """Whether the target failed on this case."""
    return row.response is not None and row.response.answer is None


def answer_text(row: ResultRow) -> str:
    """The answer, or why there is none."""
    if row.response is None:
        return f"{numbers.NONE} (not asked yet)"
    return row.response.answer if row.response.answer is not None else f"- ({row.response.error or 'no answer'})"
