"""What a rater sees after a practice case, and when everything is done."""

from __future__ import annotations

import streamlit as st

from core.domain.errors import PlumblineError
from core.domain.results.labels import Criterion, Label, LabelStatus, LabelTask
from core.labelling.rating.progress import feedback as learned
from core.labelling.rating.tasks import labels_of_task
from pages.kit import errors, state
from pages.kit.look import numbers, verbatim
from pages.people.label import reads
from pages.people.label.rating import acts
from pages.people.label.rating.window import Work


def feedback(work: Work, task: LabelTask) -> None:
    """Tells whether a practice answer is the expected one, and why; it can be read as long as one likes."""
    try:
        solution = learned(work.store, work.round.id, work.rater, task.case_id)
        labels = labels_of_task(work.store, work.round.id, work.rater, task.case_id, occurrence=task.occurrence)
    except PlumblineError as error:
        errors.show(error)
        return
    gold, explanation = (solution.gold, solution.explanation) if solution else ({}, "")
    with st.container(border=True, key="practice_feedback"):
        st.caption("Practice: these cases do not count.")
        for criterion in work.criteria:
            if criterion.id in gold:
                _compare(criterion, labels.get(criterion.id), gold[criterion.id])
        if explanation:
            verbatim.show(explanation)
    st.button(
        "Next case",
        key=f"go_on_{task.position + 1}",
        type="primary",
        shortcut="Enter",
        width="stretch",
        on_click=go_on,
    )


def go_on() -> None:
    """Leaves the feedback for the next case."""
    state.update(place="")


def _compare(criterion: Criterion, label: Label | None, gold: float) -> None:
    expected = errors.plain(_words(criterion, gold))
    name = errors.plain(criterion.name)
    if label is not None and label.value == gold:
        st.markdown(f":green[**✓ {name}: right.**] {expected}")
        return
    own_answer = (
        "cannot judge" if label is None or label.status is LabelStatus.CANNOT_JUDGE else _words(criterion, label.value)
    )
    st.markdown(
        f":orange[**✗ {name}: another answer was expected.**]  \nExpected: {expected}  \n"
        f"Yours: {errors.plain(own_answer)}"
    )


def _words(criterion: Criterion, value: float | None) -> str:
    return next((level.anchor for level in criterion.levels if level.value == value), numbers.figure(value))


def draw(work: Work) -> None:
    """The end: what was done, and a way on."""
    pace = reads.pace(work.store, work.round.id, work.rater)
    with st.container(border=True, key="label_end"):
        st.markdown("**All your cases are done. Thank you.**")
        if pace is not None:
            time = f", {numbers.duration(pace.median_seconds)} a case" if pace.median_seconds else ""
            twice = f", {pace.again_done:,} of them twice" if pace.again_done else ""
            st.markdown(
                f"{numbers.count(pace.cases_done, 'case')} labelled{twice}{time}. Every label is saved; you may close "
                "the page."
            )
            if pace.practice_answers:
                st.markdown(f"Practice: {pace.practice_right:,} of {pace.practice_answers:,} answers as expected.")
        with st.container(horizontal=True):
            st.button(
                "Look through my labels",
                key="look_back",
                shortcut="Left",
                icon=":material/arrow_back:",
                on_click=acts.last,
                args=(work,),
            )
            if st.button("Another round", key="another_round", type="tertiary"):
                state.update(round="", rater="", place="")
                st.rerun()
