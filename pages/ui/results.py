"""Reads of the Results page: rows of a run as a frame, counts by verdict, one case with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.responses import Score
from core.evaluation.results import CaseView, case_view
from core.evaluation.summary import RunSummary
from core.store import runs
from core.store.database import Store
from core.store.runs import ResultRow
from pages.ui import readers, theme

ALL = ""
FILTERS = (ALL, "correct", "incorrect", "not_judged")
HEIGHT: Final = 318
"""Of the table: eight rows, so that the opened case begins on the same screen."""

WIDTHS: Final = {
    name: st.column_config.TextColumn(width=width)
    for name, width in {
        "Verdict": 92, "Question": 258, "Answer": 168, "Reference": 104, "Rule": 122, "Form": 62,
    }.items()
}  # fmt: skip
"""Every column is on the screen at 1280 pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPage:
    """One screen of results.

    Attributes:
        frame: Columns ``case_id``, Verdict, Question, Answer, Reference, Rule, Form, Template.
        total: Rows the filters leave.
    """

    frame: pd.DataFrame
    total: int


def rows(
    store: Store,
    run_id: str,
    *,
    verdict: str = "",
    form: str = "",
    search: str = "",
    limit: int | None,
    offset: int = 0,
) -> ResultPage:
    """Results as they are shown, filtered and paged in SQL."""

    def read() -> ResultPage:
        with store.read() as connection:
            found, total = runs.page(
                connection,
                run_id,
                verdict=verdict or None,
                form=form or None,
                search=search,
                limit=limit,
                offset=offset,
            )
        return ResultPage(frame=frame([*found]), total=total)

    return readers.cached(store, "results", read, run_id, verdict, form, search, limit, offset)  # type: ignore[return-value]


def frame(found: list[ResultRow]) -> pd.DataFrame:
    """Result rows as a table for people."""
    return pd.DataFrame(
        [
            {
                "case_id": row.case.case_id,
                "Verdict": verdict_name(row.verdict),
                "Question": row.case.question,
                "Answer": answer_text(row),
                "Reference": " | ".join(row.case.reference_answers),
                "Rule": rule(row.verdict),
                "Form": row.case.form,
            }
            for row in found
        ],
        columns=["case_id", "Verdict", "Question", "Answer", "Reference", "Rule", "Form"],
    )


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


def view(store: Store, run_id: str, case_id: str) -> CaseView:
    """One case with its evidence."""
    return readers.cached(store, "case", lambda: case_view(store, run_id, case_id), run_id, case_id)  # type: ignore[return-value]


def verdict_key(verdict: Score | None) -> str:
    """``correct``, ``incorrect`` or ``not_judged``."""
    if verdict is None or verdict.value is None:
        return "not_judged"
    return "correct" if verdict.value == 1.0 else "incorrect"


def verdict_name(verdict: Score | None) -> str:
    """A mark and a word, such as "✓ Correct"."""
    key = verdict_key(verdict)
    return f"{theme.MARKS[key]} {theme.NAMES[key]}"


def rule(verdict: Score | None) -> str:
    """The rule that decided, or why none did."""
    return str(verdict.detail.get("rule", "")) if verdict else "not reached yet"


def answer_text(row: ResultRow) -> str:
    """The answer, or why there is none."""
    if row.response is None:
        return "- (not asked yet)"
    return row.response.answer if row.response.answer is not None else f"- ({row.response.error or 'no answer'})"
