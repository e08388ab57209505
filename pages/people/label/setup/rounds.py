"""Rounds: which cases are put to whom, how far everybody is, and the labels as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd
import streamlit as st

from core.domain.results.labels import Criterion, LabelRound, Part, RoundOrigin
from core.domain.results.runs import Run
from core.labelling.rating.progress import RaterProgress, progress
from core.labelling.rounds import LONGEST_NAME, add_rater, close_round
from core.text.display.visible import unturned
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.people.label import pace
from pages.people.label.reads import Situation
from pages.people.label.setup import files, new_round

SIMULATED: Final = "simulated raters"
ORIGINS: Final = {
    RoundOrigin.PEOPLE: "people",
    RoundOrigin.IMPORTED: "imported",
    RoundOrigin.SIMULATED: SIMULATED,
}
PARTS: Final = {Part.RANDOM.value: "Random", Part.TARGETED.value: "Targeted", Part.PRACTICE.value: "Practice"}
NOTHING: Final = ""
COUNT: Final = st.column_config.NumberColumn(format="localized")
MOST_LINKS: Final = 8
"""Raters whose links have a field to copy each; those of more stand in one."""
WIDTHS: Final = {
    "Round": st.column_config.TextColumn(width=200),
    "Raters": st.column_config.TextColumn(width=90),
    "Labelled": st.column_config.TextColumn(
        width=170, help="Cases that raters have labelled, and cases shown to a rater a second time."
    ),
    "Origin": st.column_config.TextColumn(width=130),
    "State": st.column_config.TextColumn(width=80),
    "Made": st.column_config.TextColumn(width=150),
    "By": st.column_config.TextColumn(width=120),
}


def simulated(of: LabelRound | None) -> bool:
    """Whether a machine played the raters of a round."""
    return of is not None and of.origin is RoundOrigin.SIMULATED


def rater_name(rater: str, *, played: bool) -> str:
    """A rater, marked where a machine played them, unless the name says so.

    >>> rater_name("Ada", played=True), rater_name("Simulated rater A", played=True), rater_name("Ada", played=False)
    ('Ada (simulated)', 'Simulated rater A', 'Ada')
    """
    return f"{rater} (simulated)" if played and "simulated" not in rater.casefold() else rater


def warn_of_machines(*, only: bool) -> None:
    """Says that simulated raters made all or some of the labels in view."""
    st.warning(
        f"{'All' if only else 'Some'} of these labels are by {SIMULATED}: they say nothing about people.",
        icon=":material/smart_toy:",
    )


def draw(page: Page, run: Run, situation: Situation, criteria: Sequence[Criterion]) -> None:
    """Draws the rounds of the run, the opened one, the form of a new one, and files."""
    rounds = [label_round for label_round in situation.rounds if label_round.run_id == run.id]
    st.subheader("Rounds of this run", anchor=False)
    if rounds:
        tables.follow(
            rounds_frame(rounds, {label_round.id: progress(page.store, label_round.id) for label_round in rounds}),
            key="rounds_table",
            id_column="id",
            parameter="round",
            columns=WIDTHS,
        )
        opened = next((label_round for label_round in rounds if label_round.id == state.link().round), None)
        if opened is not None:
            _opened(page, opened)
    else:
        st.caption("No round yet: nobody has been asked about the answers of this run.")
    asked = state.link().part == "round"
    with st.expander("New round", icon=":material/add:", expanded=asked or not rounds, key="round_new"):
        new_round.draw(page, run, criteria)
    files.draw(page, run, criteria, has_labels=bool(rounds))


def rounds_frame(rounds: Sequence[LabelRound], far: Mapping[str, Sequence[RaterProgress]]) -> pd.DataFrame:
    """Rounds as a table, newest first."""
    return pd.DataFrame(
        [
            {
                "id": label_round.id,
                "Round": label_round.name,
                "Raters": numbers.count(len(label_round.raters)),
                "Labelled": pace.far(far[label_round.id]),
                "Origin": ORIGINS[label_round.origin],
                "State": "closed" if label_round.closed else "open",
                "Made": numbers.when(label_round.created_at),
                "By": label_round.created_by,
            }
            for label_round in rounds
        ]
    )


def raters_frame(of: LabelRound, far: Sequence[RaterProgress]) -> pd.DataFrame:
    """How far each rater is."""
    return pd.DataFrame(
        [
            {
                "Rater": progress_row.rater,
                "Labelled": pace.far([progress_row]),
                "Skipped": progress_row.skipped,
                "Practice": f"{progress_row.practice_right} of {progress_row.practice_answers} right"
                if progress_row.practice_answers
                else "-",
                "Time per case": numbers.duration(progress_row.median_seconds),
            }
            for progress_row in far
        ]
    )


def drawn_frame(of: LabelRound) -> pd.DataFrame:
    """What was asked for and what was drawn, with the reason; empty where the round does not know."""
    counts: Any = of.design.get("counts", ())
    return pd.DataFrame(
        [
            {
                "Part": PARTS.get(str(count["part"]), str(count["part"])),
                "For": str(count["stratum"]) or "an audit of everything",
                "Wanted": round(float(count["requested"]), 1),
                "Drawn": int(count["drawn"]),
                "Of": int(count["population"]),
            }
            for count in counts
        ]
    )


def _opened(page: Page, of: LabelRound) -> None:
    with st.container(border=True, key="round_open"):
        mark = f" :orange-badge[{SIMULATED}]" if simulated(of) and "simulated" not in of.name.casefold() else ""
        st.markdown(f"**{errors.plain(of.name)}**{mark}")
        seen = "see" if of.show_reference else "do not see"
        st.caption(
            f"{numbers.count(of.overlap, 'rater')} on {of.overlap_share:.0%} of the cases, {of.repeat_share:.0%} "
            f"repeated, raters {seen} the reference answer, seed {of.seed}."
        )
        tables.plain(raters_frame(of, progress(page.store, of.id)), key="raters_table")
        if not of.closed and of.origin is RoundOrigin.PEOPLE:
            _links(of)
        if not (frame := drawn_frame(of)).empty:
            st.caption(f"How the cases were drawn, from {int(str(of.design.get('population', 0))):,} answered ones")
            tables.plain(frame, key="drawn_table", columns=dict.fromkeys(("Wanted", "Drawn", "Of"), COUNT))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _close(page, of)
            if not of.closed and of.origin is RoundOrigin.PEOPLE:
                _add(page, of)


def _links(of: LabelRound) -> None:
    """The address that opens the round for each rater, to copy and to send."""
    links = {rater: state.address("label", round=of.id, rater=rater) for rater in of.raters}
    st.markdown("**Links to send**: each opens the round for one rater")
    if len(links) > MOST_LINKS:
        lines = "\n".join(f"{rater}  {link}" for rater, link in links.items())
        st.code(lines, language=None, height=240)
    for rater, link in links.items() if len(links) <= MOST_LINKS else ():
        name_at, link_at = st.columns([1, 5], vertical_alignment="center")
        name_at.text(unturned(rater))
        link_at.code(link, language=None, wrap_lines=True)
    if next(iter(links.values())).startswith(("http://localhost", "http://127.0.0.1")):
        st.caption("These open on this computer only. Open Plumbline under a name that others reach, and copy then.")


def _close(page: Page, of: LabelRound) -> None:
    verb = "Open again" if of.closed else "Close round"
    if st.button(verb, key="round_close", help="A closed round takes no more labels; its labels stay."):
        with errors.shown():
            close_round(page.store, of.id, closed=not of.closed, actor=page.actor)
            state.say(f"{errors.plain(of.name)} is {'open again' if of.closed else 'closed'}.")
            st.rerun()


def _add(page: Page, of: LabelRound) -> None:
    with st.popover("Add a rater"), st.form("rater_form", border=False):
        name = st.text_input("Name", key=state.fresh("rater_name"), max_chars=LONGEST_NAME)
        if st.form_submit_button("Add", key="rater_add"):
            with errors.shown():
                add_rater(page.store, of.id, name, actor=page.actor)
                state.renew("rater_name")
                state.say(f"{errors.plain(name.strip())} is a rater of {errors.plain(of.name)}.")
                st.rerun()
