"""The answers of a run: what to show, sorted and filtered in SQL, each row a case that a click opens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pandas as pd
import streamlit as st

from core.criteria.declining import Declined
from core.domain.results.runs import VERDICT_METRIC, Run
from core.domain.status import Status
from core.metrics.samples.answerability import Cell
from core.metrics.titles import SAFETY
from core.runs.summary import RunSummary
from pages.evaluate.results import behaviour_popover, behaviour_reads, behaviour_view
from pages.evaluate.results import reads as results
from pages.evaluate.results.case import case_view
from pages.evaluate.results.reads import CaseQuery
from pages.evaluate.results.workbench import bench, handing_on
from pages.kit import state
from pages.kit.calibrations import reads as calibrations
from pages.kit.frame import Page
from pages.kit.look import headline, numbers, tables, theme
from pages.kit.scores import names, reads
from pages.kit.state import links
from pages.kit.testset import case_counts
from pages.kit.work import failed_cases

TABLE: Final = "table"
"""The cases as rows of a table, in the URL."""
TEST_SET: Final = "test_set"
"""The order of the test set, in the URL."""
WORST: Final = (
    "Wrong answers come first, then those without a verdict, then the correct ones. Within each, answers that the "
    "calibration leaves to a person come first, then those with a chance of acceptance nearest to one half. Where the "
    "run has no calibration, answers with the worst score come first: faithfulness where the run has it, else "
    "groundedness, relevancy or token F1."
)
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
    """At most four figures in one line, each with its n."""
    unscored = sum(summary.unscored[VERDICT_METRIC].values())
    wrong = summary.accuracy.den - summary.accuracy.num
    failed = "Errors of the target, not answers."
    headline.line(
        [
            headline.share("accuracy", "Accuracy", summary.accuracy, ACCURACY),
            headline.count("wrong", "Wrong", wrong, summary.accuracy.den, "judged", theme.MEANINGS["incorrect"]),
            headline.count("not_judged", "Not judged", unscored, summary.cases, "cases", theme.MEANINGS["not_judged"]),
            headline.count("failed", "Target failed", summary.failed, summary.answered, "asked", failed),
        ]
    )


def draw(page: Page, run: Run, summary: RunSummary) -> None:
    """The figures with the behaviour behind a button, filters, the cases with the opened one, the file."""
    with st.container(horizontal=True, vertical_alignment="center", key="headline", gap="small"):
        figures(summary)
        with st.popover("Answering and declining", icon=":material/rule:", type="tertiary", key="behaviour_open"):
            clicked = behaviour_popover.draw(page, run)
    if clicked is not None:
        state.update(cell=clicked.value, case="", page=1)
    failed_cases.reason(summary.failure)
    failed_cases.retry(page, run, summary, key="retry_failed")
    cell = next((cell for cell in Cell if cell.value == state.link().cell), None)
    part = next((part for part in Declined if part.value == state.link().cell), None)
    if cell is not None:
        _cell(page, run, behaviour_view.LABELS[cell], behaviour_reads.of_run(page.store, run).cases[cell])
    elif part is not None:
        _cell(page, run, behaviour_view.PARTS[part], behaviour_reads.declined(page.store, run).cases[part])
    else:
        _answers(page, run, summary)


def _answers(page: Page, run: Run, summary: RunSummary) -> None:
    metrics = reads.metrics(page.store, run.id)
    query = filters(page, run, summary, metrics)
    case_ids = results.order(page.store, run.id, query)
    _cases(page, run, case_ids, query.metrics)
    if case_ids:
        tables.download(
            lambda: results.export(page.store, run.id, query),
            name=f"results_{run.id}",
            key="results_csv",
            label=f"Download {numbers.count(len(case_ids), 'case')} as CSV",
        )


def _cell(page: Page, run: Run, label: str, case_ids: tuple[str, ...]) -> None:
    """The cases of one cell of the table answerable x answered, or of a part of one, instead of the filtered ones."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{label}**")
        if st.button("Show all cases", key="leave_cell", icon=":material/close:"):
            state.update(cell="", case="", page=1)
            st.rerun()
    if not case_ids:
        st.info("No case is in this cell.")
        return
    scored_metrics = reads.metrics(page.store, run.id)
    link = state.link()
    metrics = (
        tuple(name for name in link.metrics if name in scored_metrics)
        if link.columns
        else tuple(usual(reads.measured(page.store, run.id)))
    )
    _cases(page, run, case_ids, metrics)


def _cases(page: Page, run: Run, case_ids: tuple[str, ...], metrics: tuple[str, ...]) -> None:
    """The cases as a list beside the evidence, or as a table with the evidence below."""
    link = state.link()
    if not case_ids:
        _clear()
        if link.case:
            case_view.draw(page, run, link.case)
        return
    if link.shape != TABLE:
        bench.draw(page, run, case_ids, metrics)
        return
    offset = tables.pages(len(case_ids), size=bench.SIZE, thing="case")
    shown = case_ids[offset : offset + bench.SIZE]
    _table(results.frame(results.rows(page.store, run.id, shown, metrics), metrics), metrics)
    if state.link().case:
        case_view.draw(page, run, state.link().case)
        handing_on.draw(page, run, state.link().case)
    else:
        st.caption("Select a row to see its passages, its SQL, its scores and the rule that judged it.")


def filters(page: Page, run: Run, summary: RunSummary, metrics: list[str]) -> CaseQuery:
    """The rows of filters, kept in the URL."""
    verdicts, sorts, search, more = st.columns([43, 20, 14, 10], vertical_alignment="bottom")
    with verdicts:
        verdict = state.switch(
            "Verdict", list(results.FILTERS), "verdict", name=results.filter_names(summary).__getitem__
        )
    with search:
        words = state.search("Search", placeholder="Words of a case")
    with more, st.popover(_more_label(), width="stretch", key="more_filters"):
        form = state.choose("Form", case_counts.forms(page.store, run.test_set_id), "form", every="Every form")
        state.switch("Cases as", ["", TABLE], "shape", name={"": "List", TABLE: "Table"}.__getitem__)
        measured = reads.measured(page.store, run.id)
        chosen = _columns(metrics, measured)
        metric_filters = st.container()
    query = CaseQuery(verdict=verdict, form=form, search=words)
    with sorts:
        sort = state.choose(
            "Sort by",
            [TEST_SET, *metrics],
            "sort",
            every="Wrong and doubtful first",
            name=lambda name: "Order of the test set" if name == TEST_SET else names.title(name),
            help=WORST,
        )
    if sort == TEST_SET:
        return replace(query, metrics=chosen)
    if not sort:
        calibration = calibrations.in_view(page.store, run.id, state.link().calibration)
        by = calibration.id if calibration is not None else ""
        return replace(worst_first(query, measured), calibration=by, metrics=chosen)
    with metric_filters:
        return _sorted(query, sort, chosen)


def _more_label() -> str:
    """The button of the filters that are used less, with how many are set."""
    link = state.link()
    count = sum(bool(value) for value in (link.form, link.low, link.high, link.scored))
    return f"More ({count})" if count else "More"


def _columns(metrics: list[str], measured: list[str]) -> tuple[str, ...]:
    if not metrics:
        return ()
    return tuple(
        state.several(
            "Scores beside each case",
            metrics,
            "columns",
            name=names.title,
            most=links.MOST_COLUMNS,
            default=usual(measured),
        )
    )


def _sorted(query: CaseQuery, sort: str, chosen: tuple[str, ...]) -> CaseQuery:
    """The query in the order of a metric, with which of its values are in view."""
    greatest = names.worst_is_greatest(sort)
    ends = ("Highest first", "Lowest first") if greatest else ("Lowest first", "Highest first")
    order = state.choose("Order", ["best"], "order", every=ends[0], name=lambda _: ends[1])
    low, high, status = _range(sort)
    return replace(
        query,
        metrics=tuple(dict.fromkeys([*chosen, sort])),
        sort=sort,
        descending=greatest is not (order == "best"),
        low=low,
        high=high,
        status=status,
    )


def worst_first(query: CaseQuery, metrics: Sequence[str]) -> CaseQuery:
    """The usual order: wrong answers, those without a verdict, correct ones, each with the most doubtful first."""
    doubt = next((name for name in ANSWER if name in metrics), "")
    return replace(query, worst=True, doubt=doubt, descending=bool(doubt) and names.worst_is_greatest(doubt))


def usual(metrics: Sequence[str]) -> list[str]:
    """The scores beside each case where nobody chose them: one about the answer, one about the retrieval.

    >>> usual(["recall", "mrr", "groundedness", "faithfulness"]), usual(["mrr", "rouge_l"]), usual([])
    (['faithfulness', 'recall'], ['mrr', 'rouge_l'], [])
    """
    of_answer = next((name for name in ANSWER if name in metrics), "")
    of_retrieval = next((name for name in RETRIEVAL if name in metrics), "")
    preferred = [name for name in (of_answer, of_retrieval) if name]
    others = (name for name in metrics if name not in preferred and not name.startswith(SAFETY))
    return [*preferred, *others][:2]


def _range(sort: str) -> tuple[float | None, float | None, str]:
    """Range and status of the metric the rows are sorted by, under the words that say what is set."""
    link = state.link()
    st.caption(f"{names.title(sort)}: {range_label(link.low, link.high, link.scored).lower()}")
    low_at, high_at = st.columns(2)
    with low_at:
        low = state.number("from", "low")
    with high_at:
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
