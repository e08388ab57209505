"""Changing a score by hand: a new value with a reason, everything that was changed before, the way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.results.responses import Score
from core.domain.results.runs import VERDICT_METRIC, Run
from core.runs.scores.edits import EDITOR, edit_score, restore_score
from core.store.results.scores import ScoreEdit
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.scores import names, reads

VERDICTS: Final = {1.0: "Correct", 0.0: "Wrong", None: "Not judged"}
WIDTHS: Final = {
    "When": st.column_config.TextColumn(width=140),
    "Who": st.column_config.TextColumn(width=130),
    "From": st.column_config.TextColumn(width=90),
    "To": st.column_config.TextColumn(width=90),
    "Why": st.column_config.TextColumn(width=380),
}


def draw(page: Page, run: Run, case_id: str, metric: str, score: Score | None) -> None:
    """Draws what people changed about a score and, for those who may, the form to change it.

    Args:
        page: The page.
        run: The run.
        case_id: The case.
        metric: Which score.
        score: As it stands now, None where the case was not reached; then there is nothing to change.
    """
    if score is None:
        return
    changes = reads.edits(page.store, run.id, case_id, metric)
    if changes:
        _history(changes, metric, score)
    if not page.may(EDITOR):
        st.caption("Only a validator of the project may change a score.")
        return
    with st.expander(f"Change this score: {names.title(metric)}", key=f"edit_{metric}", icon=":material/edit:"):
        _form(page, run, case_id, metric, score)


def _history(edits: Sequence[ScoreEdit], metric: str, score: Score) -> None:
    machine = next((edit for edit in edits if not edit.before_edited), edits[-1])
    measured = written(metric, machine.before_value)
    if score.edited:
        st.markdown(f"**A person changed this score.** The computed value is {measured}.")
    else:
        st.markdown(f"**The computed value is restored:** {measured}.")
    tables.plain(
        pd.DataFrame(
            [
                {
                    "When": numbers.when(edit.at),
                    "Who": edit.actor,
                    "From": written(metric, edit.before_value),
                    "To": written(metric, edit.value),
                    "Why": edit.reason,
                }
                for edit in edits
            ]
        ),
        key="edits_table",
        columns=WIDTHS,
    )


def _form(page: Page, run: Run, case_id: str, metric: str, score: Score) -> None:
    # A key for each case and metric: words typed about one are never saved with another.
    own = f"{case_id}_{metric}"
    # What stood there when the person last looked: by the time a click arrives somebody else may have changed it.
    seen = state.note(f"score_seen_{own}", score)
    state.keep(f"score_seen_{own}", score)
    with st.form(f"score_form_{own}", border=False):
        value_at, reason_at = st.columns([2, 5])
        with value_at:
            value = _value(metric, score, own)
        reason = reason_at.text_input(
            "Reason (required)",
            key=f"edit_reason_{own}",
            placeholder="Why the value is not right",
        )
        st.caption(
            f"Signed **{errors.plain(page.actor)}** and kept with the original. Scoring the run again leaves a changed "
            "score as it is."
        )
        with st.container(horizontal=True):
            change = st.form_submit_button("Change this score", key=f"edit_save_{own}")
            restore = score.edited and st.form_submit_button(
                "Restore the computed value", key=f"edit_restore_{own}", icon=":material/undo:"
            )
    if change:
        with errors.shown():
            edit_score(page.store, run.id, case_id, metric, value=value, reason=reason, actor=page.actor, seen=seen)
            state.say(f"{_of(metric, case_id)} is now {written(metric, value)}.")
            st.rerun()
    if restore:
        with errors.shown():
            restore_score(page.store, run.id, case_id, metric, reason=reason, actor=page.actor, seen=seen)
            state.say(f"{_of(metric, case_id)} has its computed value again.")
            st.rerun()


def _value(metric: str, score: Score, own: str) -> float | None:
    key = f"edit_value_{own}"
    if metric == VERDICT_METRIC:
        options = list(VERDICTS)
        place = options.index(score.value) if score.value in options else None
        return st.selectbox("New verdict", options, key=key, format_func=VERDICTS.__getitem__, index=place)
    spec = names.spec_of(metric)
    low, high = (spec.low, spec.high) if spec else (None, None)
    ends = f"{low:g} to {high:g}, " if low is not None and high is not None else ""
    return st.number_input(f"New value ({ends}empty for none)", key=key, value=score.value, step=0.05, format="%.4g")


def _of(metric: str, case_id: str) -> str:
    return errors.plain(f"{names.title(metric)} of case {case_id}")


def written(metric: str, value: float | None) -> str:
    """A score as people read it.

    >>> written("verdict", 1.0), written("verdict", None), written("mrr", 0.5), written("mrr", None)
    ('Correct', 'Not judged', '0.50', '- (no value)')
    """
    if metric == VERDICT_METRIC and value in VERDICTS:
        return VERDICTS[value]
    return numbers.share(value) if value is not None else f"{numbers.NONE} (no value)"
