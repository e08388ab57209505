"""The answers of a run: what to show, sorted and filtered in SQL, each row a case that a click opens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.results.runs import VERDICT_METRIC, Run
from core.domain.status import Status
from core.metrics.answerability import Cell
from core.runs.summary import RunSummary
from pages.evaluate.results import behaviour_reads, behaviour_view, case_view, judged_behaviour_view
from pages.evaluate.results import reads as results
from pages.evaluate.results.reads import CaseQuery
from pages.kit import state
from pages.kit.frame import Page
from pages.kit.look import headline, numbers, tables, theme
from pages.kit.scores import names, reads
from pages.kit.state import links
from pages.kit.testset import case_counts

SIZE: Final = 50
ANSWER: Final = ("faithfulness", "groundedness", "answer_relevancy", "token_f1")
RETRIEVAL: Final = ("recall", "chunk_recall", "precision", "chunk_precision")
"""Metrics whose columns are shown first, the first of each that a run has."""
ACCURACY: Final = "Correct answers of judged ones. Questions made from the same filled SQL query are one cluster."
REASONS: Final = (Status.NOT_APPLICABLE, Status.MISSING_INPUT, Status.NO_MODEL)
STANDS: Final = {
    "": "All cases",
    "scored": "With a value",
    "unscored": "Without a value",
    **{status.value: f"Without: {names.STATUS[status.value]}" for status in REASONS},
    "edited": "Changed by a person",
}
"""How a case stands for the metric that rows are sorted by."""


def figures(summary: RunSummary) -> None:
    """At most four figures, each with its n."""
    unscored = sum(summary.unscored[VERDICT_METRIC].values())
    wrong = summary.accuracy.den - summary.accuracy.num
    failed = "Errors of the target, not answers."
    headline.draw(
        [
            headline.share("accuracy", "Accuracy", summary.accuracy, ACCURACY),
            headline.count("wrong", "Wrong", wrong, summary.accuracy.den, "judged", theme.MEANINGS["incorrect"]),
            headline.count("not_judged", "Not judged", unscored, summary.cases, "cases", theme.MEANINGS["not_judged"]),
            headline.count("failed", "Target failed", summary.failed, summary.answered, "asked", failed),
        ]
    )


def draw(page: Page, run: Run, summary: RunSummary) -> None:
    """The behaviour, the figures, filters, the table, the opened case, the file."""
    behaves = behaviour_reads.of_run(page.store, run)
    clicked = behaviour_view.draw(behaves.table)
    judged_behaviour_view.draw(page.store, run.id, behaves.table)
    if clicked is not None:
        state.update(cell=clicked.value, case="", page=1)
    figures(summary)
    cell = next((cell for cell in Cell if cell.value == state.link().cell), None)
    if cell is not None:
        _cell(page, run, cell, behaves.cases[cell])
    else:
        _answers(page, run, summary)


def _answers(page: Page, run: Run, summary: RunSummary) -> None:
    metrics = reads.metrics(page.store, run.id)
    query = filters(page, run, summary, metrics)
    total = results.rows(page.store, run.id, query, limit=1).total
    if total:
        offset = tables.pages(total, size=SIZE, thing="case")
        _table(results.rows(page.store, run.id, query, limit=SIZE, offset=offset).frame, query.metrics)
    else:
        _clear()
    _case(page, run, total)
    if total:
        tables.download(
            lambda: results.export(page.store, run.id, query),
            name=f"results_{run.id}",
            key="results_csv",
            label=f"Download {numbers.count(total, 'case')} as CSV",
        )


def _cell(page: Page, run: Run, cell: Cell, case_ids: tuple[str, ...]) -> None:
    """The cases of one cell of the table answerable x answered, instead of the filtered ones."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{behaviour_view.LABELS[cell]}**")
        if st.button("Show all cases", key="leave_cell", icon=":material/close:"):
            state.update(cell="", case="", page=1)
            st.rerun()
    if not case_ids:
        st.info("No case is in this cell.")
        return
    scored_metrics = reads.metrics(page.store, run.id)
    link = state.link()
    metrics = (
        tuple(name for name in link.metrics if name in scored_metrics) if link.columns else tuple(usual(scored_metrics))
    )
    offset = tables.pages(len(case_ids), size=SIZE, thing="case")
    some = case_ids[offset : offset + SIZE]
    _table(results.frame(behaviour_reads.rows(page.store, run, some, metrics), metrics), metrics)
    _case(page, run, len(case_ids))


def _case(page: Page, run: Run, total: int) -> None:
    if state.link().case:
        case_view.draw(page, run, state.link().case)
    elif total:
        st.caption("Select a row to see its passages, its SQL, its scores and the rule that judged it.")


def filters(page: Page, run: Run, summary: RunSummary, metrics: list[str]) -> CaseQuery:
    """The rows of filters, kept in the URL."""
    verdicts, forms, search = st.columns([5, 2, 3], vertical_alignment="bottom")
    with verdicts:
        verdict = state.switch(
            "Verdict", list(results.FILTERS), "verdict", name=results.filter_names(summary).__getitem__
        )
    with forms:
        form = state.choose("Form", case_counts.forms(page.store, run.test_set_id), "form", every="Every form")
    with search:
        words = state.search("Search", placeholder="Words of the question or answer")
    query = CaseQuery(verdict=verdict, form=form, search=words)
    return _metric_filters(query, metrics) if metrics else query


def _metric_filters(query: CaseQuery, metrics: list[str]) -> CaseQuery:
    columns_at, sort_at, order_at, range_at = st.columns([9, 6, 5, 5], vertical_alignment="bottom")
    with columns_at:
        chosen = state.several(
            "Metric columns",
            metrics,
            "columns",
            name=names.title,
            most=links.MOST_COLUMNS,
            default=usual(metrics),
        )
    with sort_at:
        sort = state.choose("Sort by", metrics, "sort", every="Order of the test set", name=names.title)
    if not sort:
        return CaseQuery(verdict=query.verdict, form=query.form, search=query.search, metrics=tuple(chosen))
    greatest = names.worst_is_greatest(sort)
    ends = ("Highest first", "Lowest first") if greatest else ("Lowest first", "Highest first")
    with order_at:
        order = state.choose("Order", ["best"], "order", every=ends[0], name=lambda _: ends[1])
    with range_at:
        low, high, status = _range(sort)
    return CaseQuery(
        verdict=query.verdict,
        form=query.form,
        search=query.search,
        metrics=tuple(dict.fromkeys([*chosen, sort])),
        sort=sort,
        descending=greatest is not (order == "best"),
        low=low,
        high=high,
        status=status,
    )


def usual(metrics: Sequence[str]) -> list[str]:
    """The columns of a table whose metrics nobody chose: one about the answer, one about the retrieval.

    >>> usual(["recall", "mrr", "groundedness", "faithfulness"]), usual(["mrr", "rouge_l"]), usual([])
    (['faithfulness', 'recall'], ['mrr', 'rouge_l'], [])
    """
    of_answer = next((name for name in ANSWER if name in metrics), "")
    of_retrieval = next((name for name in RETRIEVAL if name in metrics), "")
    preferred = [name for name in (of_answer, of_retrieval) if name]
    return [*preferred, *(name for name in metrics if name not in preferred)][:2]


def _range(sort: str) -> tuple[float | None, float | None, str]:
    """Range and status of the metric the rows are sorted by, behind a button that says what is set."""
    link = state.link()
    with st.popover(range_label(link.low, link.high, link.scored), width="stretch", key="range"):
        st.caption(f"Only cases whose {names.title(sort)} is")
        low = state.number("from", "low")
        high = state.number("up to", "high")
        status = state.choose("Cases", list(STANDS)[1:], "scored", every=STANDS[""], name=STANDS.__getitem__)
    return low, high, status


def range_label(low: str, high: str, status: str) -> str:
    """What the filter of values leaves, in a few words.

    >>> range_label("", "", ""), range_label("0.5", "", ""), range_label("0.5", "0.75", "edited")
    ('Any value', 'From 0.5', '0.5 to 0.75, changed by a person')
    """
    ends = [f"{float(end):.3g}" if end else "" for end in (low, high)]
    span = f"{ends[0]} to {ends[1]}" if all(ends) else f"From {ends[0]}" if low else f"Up to {ends[1]}" if high else ""
    stands = STANDS.get(status, "") if status else ""
    if span and stands:
        return f"{span}, {stands.lower()}"
    return span or stands or "Any value"


def _table(frame: pd.DataFrame, metrics: Sequence[str]) -> None:
    """Cases as rows; a click opens one."""
    tables.follow(
        frame,
        key="results_table",
        id_column="case_id",
        parameter="case",
        columns=results.columns(metrics),
        height=results.HEIGHT,
    )


def _clear() -> None:
    """What there is to do when no case is left."""
    st.info("No case matches these filters.")
    if st.button("Clear the filters", key="clear_filters"):
        state.update(verdict="", form="", search="", case="", low="", high="", scored="", page=1)
        st.rerun()
