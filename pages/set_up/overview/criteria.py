"""The acceptance criteria: what the system must reach, whether a run does, and since when each stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from core.criteria.figures import FIGURES, figure_named
from core.criteria.service import (
    CriterionChange,
    criterion,
    in_words,
    lock_criteria,
    save_criteria,
)
from core.domain.results.acceptance import AcceptanceCriterion, Bound, CriterionResult, CriterionVerdict, Direction
from core.domain.results.runs import Run
from core.domain.sources.projects import Role
from core.metrics import list_metrics
from pages.kit import errors, run_names, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.set_up.overview import reads

VERDICTS = {
    CriterionVerdict.MET: "✓ Met",
    CriterionVerdict.NOT_MET: "✗ Not met",
    CriterionVerdict.CANNOT_TELL: "? Cannot be told",
}
COLUMNS = {
    "Verdict": st.column_config.TextColumn(width=108),
    "Criterion": st.column_config.TextColumn(width=322),
    "Value": st.column_config.TextColumn(width=142, help="With its 95% interval, clustered on the filled query."),
    "n": st.column_config.TextColumn(width=92, help="Cases that count, of those the figure is about."),
    "Set": st.column_config.TextColumn(width=120, help="Whether it was set and locked before this run was started."),
}


def draw(page: Page, run: Run | None) -> None:
    """The criteria with the verdict of the run in view, and the forms to set, change and lock them."""
    there = reads.criteria(page.store, page.project.id)
    may = page.may(Role.VALIDATOR)
    if not there:
        st.markdown(
            "No criterion is set. A criterion says which figure must reach which threshold, on its estimate or on the "
            "unfavourable end of its 95% interval. Set and lock them before the run that they are to judge: a result "
            "says whether its criterion came first."
        )
    else:
        _head(page, there, run, may=may)
        _table(page, there, run)
    if may:
        _change(page, there)
        with st.expander("Add a criterion", key="add_criterion", expanded=not there):
            _form(page, there, None)
    else:
        st.caption("Only a validator of the project may set criteria.")
    _history(page)


def _head(page: Page, there: Sequence[AcceptanceCriterion], run: Run | None, *, may: bool) -> None:
    drafts = [one for one in there if not one.locked]
    said_at, act_at = st.columns([5, 2], vertical_alignment="center")
    locked = [one for one in there if one.locked]
    told = f"{len(locked)} of {numbers.count(len(there), 'criterion', 'criteria')} locked"
    if locked:
        newest = max(locked, key=lambda one: one.locked_at)
        told += f", last {numbers.when(newest.locked_at)} by {errors.plain(newest.locked_by)}"
    judged = (
        f" · verdicts of the run of {numbers.when(run.created_at)}, {errors.plain(run_names.target_name(run))}"
        if run
        else ""
    )
    said_at.markdown(f"**{told}**{judged}")
    if may and drafts and act_at.button("Lock criteria", key="lock_criteria", type="primary", width="stretch"):
        with errors.shown():
            lock_criteria(page.store, page.project.id, actor=page.actor)
            state.say("The criteria are locked. A change needs a reason from now on.")
            st.rerun()


def _table(page: Page, there: Sequence[AcceptanceCriterion], run: Run | None) -> None:
    results = reads.results(page.store, page.project.id, run.id) if run else ()
    frame = results_frame(results) if results else criteria_frame(there)
    tables.follow(frame, key="criteria_table", id_column="id", parameter="criterion", columns=COLUMNS)
    if run is None:
        st.caption("No run has finished yet; its verdicts will stand here.")
        return
    gone = reads.removed(page.store, page.project.id, run.id)
    if gone:
        listed = "; ".join(errors.plain(in_words(one)) for one in gone)
        st.warning(f"Removed after this run was started: {listed}.")
    told = [f"- {errors.plain(in_words(one.criterion))}: {errors.plain(one.reason)}" for one in results if one.reason]
    if told:
        st.markdown("\n".join(told))
    tables.download(lambda: results_data(results), name=f"criteria_{run.id}", key="criteria_csv")


def results_frame(results: Sequence[CriterionResult]) -> pd.DataFrame:
    """The verdicts for people."""
    return pd.DataFrame(
        [
            {
                "id": one.criterion.id,
                "Verdict": VERDICTS[one.verdict],
                "Criterion": in_words(one.criterion),
                "Value": numbers.estimate(one.estimate),
                "n": f"{one.estimate.n:,} of {one.of:,}" if one.of else numbers.NONE,
                "Set": "after the run" if one.set_after_run else "locked before" if one.locked_before_run else "before",
            }
            for one in results
        ]
    )


def results_data(results: Sequence[CriterionResult]) -> pd.DataFrame:
    """The verdicts for a file, numbers as numbers."""
    return pd.DataFrame(
        [
            {
                "metric": one.criterion.metric,
                "bound": one.criterion.bound.value,
                "direction": one.criterion.direction.value,
                "threshold": one.criterion.threshold,
                "note": one.criterion.note,
                "value": one.estimate.value,
                "low": one.estimate.low,
                "high": one.estimate.high,
                "n": one.estimate.n,
                "of": one.of,
                "compared": one.compared,
                "verdict": one.verdict.value,
                "reason": one.reason,
                "set_at": one.criterion.set_at,
                "locked_at": one.criterion.locked_at,
                "set_after_run": one.set_after_run,
            }
            for one in results
        ]
    )


def criteria_frame(there: Sequence[AcceptanceCriterion]) -> pd.DataFrame:
    """The criteria before there is a run."""
    return pd.DataFrame(
        [
            {
                "id": one.id,
                "Verdict": numbers.NONE,
                "Criterion": in_words(one),
                "Value": numbers.NONE,
                "n": numbers.NONE,
                "Set": "locked" if one.locked else "not locked",
            }
            for one in there
        ]
    )


def _change(page: Page, there: Sequence[AcceptanceCriterion]) -> None:
    chosen = next((one for one in there if one.id == state.link().criterion), None)
    if chosen is None:
        if there:
            st.caption("Select a criterion to change or remove it.")
        return
    with st.container(border=True, key="criterion_view"):
        st.markdown(f"**{errors.plain(in_words(chosen))}**")
        meaning = figure_named(chosen.metric, known=False).meaning
        st.caption(errors.plain(" ".join(filter(None, (meaning, chosen.note)))))
        locked = f", locked {numbers.when(chosen.locked_at)} by {chosen.locked_by}" if chosen.locked else ", not locked"
        st.caption(errors.plain(f"Set {numbers.when(chosen.set_at)} by {chosen.set_by}{locked}."))
        _form(page, there, chosen)


def _form(page: Page, there: Sequence[AcceptanceCriterion], chosen: AcceptanceCriterion | None) -> None:
    tag = f"{chosen.id}_{chosen.version}" if chosen else f"new_{len(there)}"
    names = [*(figure.name for figure in FIGURES), *(spec.name for spec in list_metrics())]
    if chosen and chosen.metric not in names:
        names.append(chosen.metric)
    with st.form(f"criterion_{tag}", border=False):
        figure_at, threshold_at, bound_at = st.columns([5, 2, 3])
        metric = figure_at.selectbox(
            "Figure",
            names,
            index=names.index(chosen.metric) if chosen else 0,
            format_func=asked_for,
            key=f"criterion_metric_{tag}",
        )
        threshold = threshold_at.number_input(
            "Threshold",
            value=chosen.threshold if chosen else 0.9,
            step=0.01,
            format="%.3f",
            key=f"criterion_threshold_{tag}",
        )
        careful = bound_at.selectbox(
            "Compared with the threshold",
            [False, True],
            index=int(chosen is not None and chosen.bound is not Bound.ESTIMATE),
            format_func=lambda one: "the end of the 95% interval" if one else "the estimate",
            key=f"criterion_bound_{tag}",
            help="The lower end for at least, the upper end for at most: then the sample shows it, not chance.",
        )
        note = st.text_input("Why this threshold", chosen.note if chosen else "", key=f"criterion_note_{tag}")
        locked = chosen is not None and chosen.locked
        reason = (
            st.text_input(
                "Reason of the change", key=f"criterion_reason_{tag}", help="It is locked; the reason is kept."
            )
            if locked
            else ""
        )
        with st.container(horizontal=True):
            saved = st.form_submit_button("Save criterion" if chosen else "Add criterion", key=f"save_criterion_{tag}")
            taken = chosen is not None and st.form_submit_button("Remove criterion", key=f"remove_criterion_{tag}")
    if not (saved or taken):
        return
    with errors.shown():
        rest = [one for one in there if chosen is None or one.id != chosen.id]
        if taken:
            wanted, told = rest, "The criterion is removed; its versions stay in the history."
        else:
            bound = _bound(metric, careful=careful)
            made = criterion(metric, threshold, bound=bound, note=note, id=chosen.id if chosen else "")
            wanted = [made if chosen and one.id == chosen.id else one for one in there] if chosen else [*there, made]
            told = "The criterion is saved."
        save_criteria(page.store, page.project.id, wanted, actor=page.actor, reason=reason)
        state.say(told)
        st.rerun()


def asked_for(metric: str) -> str:
    """A figure with the side of the threshold that is good.

    >>> asked_for("accuracy"), asked_for("retrieval")
    ('Accuracy, at least', 'Wrong through retrieval, at most')
    """
    figure = figure_named(metric, known=False)
    return f"{figure.label}, {figure.better.words}"


def _bound(metric: str, *, careful: bool) -> Bound:
    if not careful:
        return Bound.ESTIMATE
    return Bound.LOWER if figure_named(metric, known=False).better is Direction.AT_LEAST else Bound.UPPER


def _history(page: Page) -> None:
    changes = reads.changes(page.store, page.project.id)
    if not changes:
        return
    with st.expander(f"History: {numbers.count(len(changes), 'version')}", key="criteria_history"):
        tables.plain(history_frame(changes), key="criteria_changes")


def history_frame(changes: Sequence[CriterionChange]) -> pd.DataFrame:
    """Every version, newest first, with what it replaced."""
    return pd.DataFrame(
        [
            {
                "When": numbers.when(one.after.set_at),
                "Who": one.after.set_by,
                "What": _told(one),
                "Reason": one.after.reason or (numbers.NONE if one.before else "first version"),
                "Locked": numbers.when(one.after.locked_at),
            }
            for one in reversed(changes)
        ]
    )


def _told(change: CriterionChange) -> str:
    if change.before is None:
        return f"Set: {in_words(change.after)}"
    was = f"{in_words(change.before)}{', which was locked' if change.was_locked else ''}"
    if change.after.removed:
        return f"Removed: {was}"
    same = replace(change.after, note=change.before.note).says() == change.before.says()
    return f"New note on: {was}" if same else f"From {was} to {in_words(change.after)}"
