"""The tests that a judge failed, and one of them with all that the judge saw and said."""

from __future__ import annotations

import streamlit as st

from core.domain.errors import NotFound
from core.domain.results.judge_tests import JudgeTestRun, Way
from core.judges.unit_tests.figures import JudgeTestFigures, TestResult
from core.llm.calls import log
from pages.analyse.judges.unit_tests import reads
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables


def failing(page: Page, run: JudgeTestRun, found: JudgeTestFigures) -> None:
    """The table of failing tests, broken ones first, and the one in view."""
    rows = found.failing
    if not rows:
        st.caption("No test failed.")
        return
    broken = sum(item.passed is False for item in rows)
    st.markdown(
        f"**{numbers.count(len(rows), 'test')} not passed**: {broken:,} judged wrongly, {len(rows) - broken:,} without "
        "a judgement. Select one to see what the judge saw and said."
    )
    frame = reads.failing_frame(found)
    tables.follow(frame, key="jt_failing", id_column="id", parameter="unit_test", columns=reads.FAILING, height=318)
    item = next((item for item in rows if item.test.id == state.link().unit_test), None)
    if item is not None:
        _one(page, run, item)
    tables.download(frame, name=f"failing_{run.id}", key="jt_failing_csv", label="Failing tests as CSV")


def _one(page: Page, run: JudgeTestRun, item: TestResult) -> None:
    test = item.test
    with st.container(border=True, key="jt_case"):
        st.markdown(
            f"**Test {errors.plain(test.id)}** · {errors.plain(test.failure_mode or 'perfect answer')} · "
            f"situation: {errors.plain(test.situation)} · {reads.outcome(item)}"
        )
        for check in item.checks:
            if not check.holds:
                metric = check.judged.metric.replace("_", " ").capitalize()
                must = errors.plain(f"{check.condition}, is {reads.said(check)}")
                st.markdown(f"**{metric} must be {must}.** {errors.plain(check.judged.reason)}")
        tables.plain(reads.checks_frame(item), key="jt_checks", columns=reads.CHECKS)
        left, right = st.columns(2)
        with left:
            st.markdown(f"**Question**  \n{errors.plain(test.question)}")
            st.markdown("**Documents**")
            for number, text in enumerate(test.references, start=1):
                st.markdown(f"\\[{number}\\] {errors.plain(text)}")
        with right:
            seen = "the judge sees it first" if run.way is Way.PAIRED else "the judge does not see it"
            if run.judge.startswith("llm:"):
                seen = "the true answer that the judge sees"
            st.markdown(f"**Expected answer** ({seen})  \n{errors.plain(test.expected) or '-'}")
            st.markdown(f"**Answer that is judged**  \n{errors.plain(test.actual)}")
        _replies(page, item)


def _replies(page: Page, item: TestResult) -> None:
    """The raw replies behind the judgements, each once."""
    calls = {check.judged.call_id: check.judged.metric for check in item.checks if check.judged.call_id}
    if not calls:
        return
    with st.expander("Raw replies of the model", key="jt_raw"):
        for call_id, metric in calls.items():
            try:
                call, _ = log.call_with_uses(page.store, page.project.id, call_id)
            except NotFound:
                st.caption(f"The ledger no longer has the reply for {metric.replace('_', ' ')}.")
                continue
            st.markdown(f"**{metric.replace('_', ' ').capitalize()}**")
            if call.reasoning:
                st.caption("What the model thought first")
                st.code(call.reasoning, language=None, wrap_lines=True)
            st.code(call.reply or "(no reply)", language=None, wrap_lines=True)
            if st.button("Open the call", key=f"jt_call_{call_id}"):
                state.go("models", view="calls", call=call_id)
