"""Labelling: who labels which round, one case at a time, nothing of a machine and of other raters on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.domain.errors import NotFound, PlumblineError
from core.domain.labels import LabelRound, LabelTask, Part
from core.domain.projects import Role
from core.labelling.tasks import RATER, next_task, tasks
from pages.ui import errors, label_acts, label_answers, label_ends, label_reading, label_reads, numbers, state
from pages.ui.frame import Page
from pages.ui.label_acts import Work
from pages.ui.label_reads import Situation

_CSS: Final = """
<style>
[data-testid="stMain"]:focus-visible {outline: none;}
.st-key-label_side {position: sticky; top: 4.2rem;}
.st-key-label_edge [data-testid="stProgress"] {margin-bottom: 0.4rem;}
[class*="st-key-level_"] [aria-label^="Shortcut"], .st-key-label_side [aria-label^="Shortcut"] {
  border: 1px solid currentColor; border-radius: 4px; padding: 0 0.35rem; font-size: 0.8rem; line-height: 1.3;
}
[class*="st-key-level_"] button {justify-content: flex-start; min-height: 2.75rem;}
[class*="st-key-level_"] button > div {width: 100%; justify-content: space-between;}
.st-key-label_side [data-testid="stHorizontalBlock"] {gap: 0.5rem;}
</style>
"""


def draw(page: Page, found: Situation) -> None:
    """Draws the round a person labels, or what they can do where there is none."""
    if not page.may(RATER):
        st.info("Labelling takes the role of a labeller. Ask an owner of the project for it.")
        return
    signed_in = page.settings.require_login
    rounds = found.open(page.actor if signed_in else None)
    if not rounds:
        _nothing_open(page, found)
        return
    of = _round(rounds, page.actor if signed_in else state.link().rater)
    if of is None:
        return
    rater = page.actor if signed_in else _rater(of)
    page.context(f"round {errors.plain(of.name)}", errors.plain(rater))
    if signed_in and rater not in of.raters:
        st.info("You are not among the raters of this round. Ask who set it up to add you.")
        return
    if not rater:
        st.info("Choose who you are. You go on where you left off, and see nothing of what others said.")
        return
    st.html(_CSS)
    _labelling(Work(store=page.store, round=of, rater=rater, criteria=found.asked(of), actor=page.actor))


def _nothing_open(page: Page, found: Situation) -> None:
    closed = [one for one in found.rounds if one.closed]
    what = "Every round is closed." if closed else "There is no round to label yet."
    if page.settings.require_login and found.open():
        what = "No open round asks for you."
    with st.container(border=True, key="empty_state"):
        if not page.may(Role.VALIDATOR):
            st.markdown(f"**{what}**  \nA validator of the project sets one up and sends you a link.")
            return
        st.markdown(f"**{what}**  \nA round puts answers of a run to people, one at a time, with criteria you choose.")
        if st.button("Set up a round", key="go_set_up", type="primary"):
            state.update(view="setup", round="", rater="", place="")
            st.rerun()


def _round(rounds: Sequence[LabelRound], rater: str) -> LabelRound | None:
    """The round the URL names, else the newest open one of the rater; a choice where there are several."""
    known = {one.id: one for one in rounds}
    asked = state.link().round
    if asked and asked not in known:
        errors.show(NotFound("This round is closed, or not yours to label.", "Choose another one, or ask who sent it."))
        if st.button("Show the open rounds", key="show_open"):
            state.update(round="", rater="", place="")
            st.rerun()
        return None
    if len(known) == 1 or (asked and state.link().rater in known[asked].raters):
        return known.get(asked, rounds[0])
    own = next((one for one in rounds if rater in one.raters), None)
    if own is not None:
        picked = state.choose("Round", list(known), "round", default=own.id, name=lambda one: known[one].name)
        return known[picked]
    if not asked:
        st.info(f"{len(known):,} rounds are open. Choose the one you were asked to label.")
    picked = state.choose("Round", list(known), "round", every="Choose a round", name=lambda one: known[one].name)
    return known.get(picked)


def _rater(of: LabelRound) -> str:
    """Who labels, where nobody signs in: a name of the round, kept in the URL and asked for once."""
    if state.link().round == of.id and state.link().rater in of.raters:
        return state.link().rater
    unknown = state.link().rater if state.link().rater not in of.raters else ""
    if len(of.raters) == 1 and not unknown:
        return of.raters[0]
    if unknown:
        st.caption(f"{errors.plain(unknown)} is no rater of this round.")
    picked = state.choose("Who are you?", list(of.raters), "rater", every="Choose your name")
    if picked:
        state.update(round=of.id, rater=picked)
        st.rerun()
    return ""


@st.fragment
def _labelling(work: Work) -> None:
    """The case in view. Only this part of the page runs again on a key, so that the next case is there at once."""
    edge = st.container(key="label_edge", gap=None)
    try:
        task = _task(work)
        if task is None:
            label_ends.draw(work)
            _progress(work, edge)
            return
        texts = label_reads.texts(work.store, work.round, task.case_id)
        draft = label_acts.draft(work, task)
    except PlumblineError as error:
        errors.show(error)
        if st.button("Look again", key="label_again"):
            st.rerun()
        return
    label_acts.in_view(work, task)
    state.spent(work.key(task), idle=label_acts.IDLE_SECONDS, before=draft.seconds)
    read_at, say_at = st.columns([62, 38], gap="large")
    feedback = task.part is Part.PRACTICE and bool(task.done_at)
    with read_at:
        label_reading.draw(
            texts,
            task=work.key(task),
            spans=draft.spans,
            marked=None if feedback else lambda: label_acts.mark(work, task, texts),
        )
    with say_at, st.container(key="label_side"):
        if message := state.kept("label_error"):
            st.error(message, icon=":material/error:")
            state.drop("label_error")
        if feedback:
            label_ends.feedback(work, task)
        else:
            label_answers.draw(work, task, draft)
    # Last of all: when the count moves, the keys of the next case are there.
    _progress(work, edge)


def _task(work: Work) -> LabelTask | None:
    """The task the URL's place names, else the next one; None when all is done."""
    place = state.link().place
    if place:
        found = tasks(work.store, work.round.id, work.rater)
        if int(place) <= len(found):
            return found[int(place) - 1]
    return next_task(work.store, work.round.id, work.rater)


def _progress(work: Work, edge: DeltaGenerator) -> None:
    """How far the rater is and how long the rest takes at their pace."""
    pace = label_reads.pace(work.store, work.round.id, work.rater)
    if pace is None:
        return
    done, of = pace.done + pace.practice_done, pace.of + pace.practice_of
    parts = [f"**{done:,} of {of:,}** done"]
    if pace.practice_done < pace.practice_of:
        parts.append(f"practice {pace.practice_done + 1:,} of {pace.practice_of:,}")
    if pace.median_seconds and done < of:
        left = numbers.duration(pace.median_seconds * (of - done))
        parts.append(f"{numbers.duration(pace.median_seconds)} a case, {left} left")
    if pace.skipped:
        parts.append(f"{pace.skipped:,} put off")
    with edge:
        st.progress(done / of if of else 0.0)
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.caption(" · ".join(parts))
            if st.button("Another round or person", key="label_leave", type="tertiary"):
                state.update(round="", rater="", place="")
                st.rerun()
