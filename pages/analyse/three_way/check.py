"""The reading check of the data: what fails with the gold document at hand, and whether it is what fails live."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.diagnosis.reading_check import CrossTable, ReadingCheck
from core.diagnosis.service.three_way import Comparison, Experiment
from core.diagnosis.three_way import Mode
from core.domain.testset.cases import TestCase
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.testset import three_way

FAILING = {
    name: st.column_config.TextColumn(width=width)
    for name, width in {"Question": 250, "Reference": 90, "Documents": 100, "Fact live": 78, "Look at": 330}.items()
}
SIZE = 50


def alone(page: Page, oracle: str, live: str) -> None:
    """The check of an oracle run that is no part of an experiment; nothing where none is chosen."""
    if not oracle:
        return
    with errors.shown():
        with st.spinner("Reading the run and looking failing facts up in the documents"):
            check = three_way.reading(page.store, oracle, live)
            test_cases = three_way.cases_of_run(page.store, oracle)
        _draw(check, test_cases, oracle)


def draw(check: ReadingCheck, compared: Comparison, experiment: Experiment) -> None:
    """The check of an experiment's oracle run."""
    _draw(check, compared.cases, experiment.runs[Mode.ORACLE].id)


def _draw(check: ReadingCheck, test_cases: Mapping[str, TestCase], oracle_run: str) -> None:
    st.subheader("Are the test data sound?", anchor=False)
    st.markdown(
        f"With the gold document at hand **{numbers.proportion(check.accuracy)}** ({numbers.of(check.accuracy)}) are "
        "answered right. Unless the model knows the fact by itself, a case can only be right here if its document "
        "holds the fact and its question asks for it, so this is the least share of sound cases."
    )
    parts = [
        f"{form or 'no form'} {numbers.proportion(share)} ({numbers.of(share)})"
        for form, share in check.by_form.items()
    ]
    if len(parts) > 1:
        st.caption(errors.plain(f"By form: {'; '.join(parts)}."))
    if check.not_judged:
        st.caption(
            f"{numbers.count(check.not_judged, 'case')} of {check.n:,} without a verdict, among them those whose gold "
            "document is not in the corpus; they are in no share."
        )
    _failures(check, test_cases, oracle_run)
    if check.cross is not None:
        _cross(check.cross)
    else:
        st.caption("Choose a live run of the same test set to see whether reading failures are its gaps.")


def _failures(check: ReadingCheck, test_cases: Mapping[str, TestCase], oracle_run: str) -> None:
    if not check.failures:
        st.success("No judged case fails with its gold document at hand.", icon=":material/check:")
        return
    st.markdown(f"**{numbers.count(len(check.failures), 'case')} to look at**")
    everything = three_way.failures_frame(check, test_cases)
    first_rows = everything.head(SIZE)
    picked = tables.select(first_rows, key="failing_cases", id_column="case_id", columns=FAILING)
    if len(check.failures) > SIZE:
        st.caption(f"The first {SIZE} of {len(check.failures):,}; the download holds all.")
    tables.download(everything, name="reading-failures", key="failing_csv")
    if picked and st.button("Open this case with its gold document", key="open_failing"):
        state.go("results", run=oracle_run, case=picked)


def _cross(cross: CrossTable) -> None:
    st.markdown("**Do reading failures coincide with gaps?**")
    with st.container(border=True, key="coincide"):
        st.markdown(errors.plain(cross.conclusion))
    tables.plain(three_way.cross_frame(cross), key="cross_table")
    odds = cross.odds
    ratio = (
        f"odds ratio {numbers.estimate(odds)} ({odds.method})"
        if odds.value is not None
        else "no odds ratio, because one side of the table is empty"
    )
    among = cross.failing_in_gaps
    left_out_note = (
        f" {numbers.count(cross.left_out, 'fact')} without a verdict in one of the runs left out."
        if cross.left_out
        else ""
    )
    st.caption(
        f"{numbers.count(cross.n, 'fact')} (filled SQL queries, all forms together): {ratio}; Fisher's exact test, "
        f"two-sided p {numbers.p_value(cross.p_value)}. Of failing cases {numbers.proportion(among)} "
        f"({numbers.of(among)}) belong to a fact that no question gets right live.{left_out_note}"
    )
