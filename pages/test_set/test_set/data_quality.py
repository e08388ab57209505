"""The reading check of a test set beside how it was made: are its questions and documents sound?"""

from __future__ import annotations

import streamlit as st

from core.diagnosis.service.three_way import latest_reading
from core.domain.testset.cases import TestSet
from pages.kit import errors, project_reads, run_names, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.testset import three_way


def draw(page: Page, test_set: TestSet) -> None:
    """What the newest run with the gold documents at hand says of the test set, or how to make one."""
    st.subheader("Are its questions and documents sound?", anchor=False)
    latest_runs = latest_reading(project_reads.runs(page.store, page.project.id), test_set.id)
    if latest_runs is None:
        st.caption(
            "Not checked yet. Ask every question with its gold document. Where the answer is wrong even then, the "
            "document lacks the fact or the question asks for something else."
        )
        if st.button("Check with the gold documents", key="check_data", disabled=not test_set.frozen):
            state.go("three_way", view="start")
        return
    oracle, live = latest_runs
    with errors.shown():
        check = three_way.reading(page.store, oracle.id, live.id if live else "")
        st.markdown(
            f"With the gold document at hand **{numbers.proportion(check.accuracy)}** ({numbers.of(check.accuracy)}) "
            f"are answered right; {numbers.count(len(check.failures), 'case')} to look at, "
            f"{numbers.count(check.not_judged, 'case')} without a verdict."
        )
        if check.cross is not None:
            st.markdown(errors.plain(check.cross.conclusion))
        st.caption(errors.plain(f"{run_names.run_label(oracle, {test_set.id: test_set})}."))
    if st.button("Open the reading check", key="open_reading"):
        state.go("three_way", view="runs", b=oracle.id, **({"run": live.id} if live else {}))
