"""Labelling: who labels which round, one case at a time, nothing of a machine and of other raters on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.domain.errors import NotFound, PlumblineError
from core.domain.results.labels import LabelRound, LabelTask, Part
from core.domain.sources.projects import Role
from core.labelling.rating.progress import unfinished_rounds
from core.labelling.rating.tasks import RATER, next_task, tasks
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.people.label import pace as pace_words
from pages.people.label import reading, reads
from pages.people.label.rating import acts, answers, ends, saving, two_windows, window
from pages.people.label.rating.window import Work
from pages.people.label.reads import Situation

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


def draw(page: Page, situation: Situation) -> None:
    """Draws the round a person labels, or what they can do where there is none."""
    if not page.may(RATER):
        st.info("Labelling takes the role of a labeller. Ask an owner of the project for it.")
        return
    signed_in = page.settings.require_login
    rounds = situation.open(page.actor if signed_in else None)
    if not rounds:
        _nothing_open(page, situation)
        return
    if not signed_in and not state.link().rater and not unfinished_rounds(page.store, page.project.id):
        _finished(page, rounds)
    of = _round(rounds, page.actor if signed_in else state.link().rater)
    if of is None:
        return
    rater = page.actor if signed_in else _rater(of)
    page.context(f"round {errors.plain(of.name)}", errors.plain(rater))
    if signed_in and rater not in of.raters:
        st.info("You are not among the raters of this round. Ask who set it up to add you.")
        return
    if not rater:
        st.info("Choose who you are. You continue where you left off, and do not see the labels of others.")
        return
    st.html(_CSS)
    _labelling(Work(store=page.store, round=of, rater=rater, criteria=situation.criteria_of(of), actor=page.actor))


def _nothing_open(page: Page, situation: Situation) -> None:
    closed = [label_round for label_round in situation.rounds if label_round.closed]
    what = "Every round is closed." if closed else "There is no round to label yet."
    if page.settings.require_login and situation.open():
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
    by_id = {label_round.id: label_round for label_round in rounds}
    linked = state.link().round
    if linked and linked not in by_id:
        errors.show(NotFound("This round is closed, or not yours to label.", "Choose another one, or ask who sent it."))
        if st.button("Show the open rounds", key="show_open"):
            state.update(round="", rater="", place="")
            st.rerun()
        return None
    if len(by_id) == 1 or (linked and state.link().rater in by_id[linked].raters):
        return by_id.get(linked, rounds[0])
    own = next((label_round for label_round in rounds if rater in label_round.raters), None)
    if own is not None:
        selected = state.choose("Round", list(by_id), "round", default=own.id, name=lambda item: by_id[item].name)
        return by_id[selected]
    if not linked:
        st.info(f"{len(by_id):,} rounds are open. Choose the one you were asked to label.")
    selected = state.choose("Round", list(by_id), "round", every="Choose a round", name=lambda item: by_id[item].name)
    return by_id.get(selected)


def _finished(page: Page, rounds: Sequence[LabelRound]) -> None:
    """Says that no open round has anything left to label, with the way to a new one of the newest one's run."""
    names = rounds[0].name if len(rounds) == 1 else f"the {len(rounds):,} open rounds"
    with st.container(border=True, key="rounds_finished"):
        st.markdown(
            f"**Everybody has finished {errors.plain(names)}.**  \nThe labels can still be looked through and changed. "
            "More answers take a new round."
        )
        if page.may(Role.VALIDATOR) and st.button("Set up a new round", key="set_up_more"):
            state.update(view="setup", part="round", run=rounds[0].run_id, round="", rater="", place="")
            st.rerun()


def _rater(of: LabelRound) -> str:
    """Who labels, where nobody signs in: a name of the round, kept in the URL and asked for once."""
    if state.link().round == of.id and state.link().rater in of.raters:
        return state.link().rater
    unknown = state.link().rater if state.link().rater not in of.raters else ""
    if len(of.raters) == 1 and not unknown:
        return of.raters[0]
    if unknown:
        st.caption(f"{errors.plain(unknown)} is no rater of this round.")
    selected = state.choose("Who are you?", list(of.raters), "rater", every="Choose your name")
    if selected:
        state.update(round=of.id, rater=selected)
        st.rerun()
    return ""


@st.fragment
def _labelling(work: Work) -> None:
    """The case in view. Only this part of the page runs again on a key, so that the next case is there at once."""
    edge = st.container(key="label_edge", gap=None)
    try:
        task = _task(work)
        if task is None:
            ends.draw(work)
            _progress(work, edge)
            return
        texts = reads.texts(work.store, work.round, task.case_id)
        draft = window.draft(work, task)
    except PlumblineError as error:
        errors.show(error)
        if st.button("Look again", key="label_again"):
            st.rerun()
        return
    window.in_view(work, task, draft)
    state.spent(work.key(task), idle=saving.IDLE_SECONDS, before=draft.seconds)
    read_at, say_at = st.columns([62, 38], gap="large")
    feedback = task.part is Part.PRACTICE and bool(task.done_at)
    with read_at:
        reading.draw(
            texts,
            task=work.key(task),
            spans=draft.spans,
            marked=None if feedback else lambda: acts.mark(work, task, texts),
        )
    with say_at, st.container(key="label_side"):
        if message := state.note("label_error"):
            st.error(message, icon=":material/error:")
            state.drop("label_error")
        if feedback:
            ends.feedback(work, task)
        elif pending := saving.pending(work, task):
            two_windows.draw(work, task, draft, pending)
        else:
            answers.draw(work, task, draft)
    # Last of all: when the count moves, the keys of the next case are there.
    _progress(work, edge)


def _task(work: Work) -> LabelTask | None:
    """The task the URL's place names, else the next one; None when all is done."""
    place = state.link().place
    if place:
        round_tasks = tasks(work.store, work.round.id, work.rater)
        if int(place) <= len(round_tasks):
            return round_tasks[int(place) - 1]
    return next_task(work.store, work.round.id, work.rater)


def _progress(work: Work, edge: DeltaGenerator) -> None:
    """How far the rater is and how long the rest takes at their pace."""
    pace = reads.pace(work.store, work.round.id, work.rater)
    if pace is None:
        return
    done, of = pace.done + pace.practice_done, pace.of + pace.practice_of
    parts = [f"**{done:,} of {of:,}** done"]
    if pace.again:
        parts.append(pace_words.twice(pace))
    if pace.practice_done < pace.practice_of:
        parts.append(f"practice {pace.practice_done + 1:,} of {pace.practice_of:,}")
    if pace.median_seconds and done < of:
        remaining = numbers.duration(pace.median_seconds * (of - done))
        parts.append(f"{numbers.duration(pace.median_seconds)} a case, {remaining} left")
    if pace.skipped:
        parts.append(f"{pace.skipped:,} skipped")
    with edge:
        st.progress(done / of if of else 0.0)
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.caption(" · ".join(parts))
            if st.button("Another round or person", key="label_leave", type="tertiary"):
                state.update(round="", rater="", place="")
                st.rerun()
