"""Setting up: the criteria people are asked, and the form that makes or changes one."""

from __future__ import annotations

from typing import Final

import pandas as pd
import streamlit as st

from core.domain.results.labels import Criterion, LabelRule, Level, ScaleKind
from core.domain.results.runs import Run
from core.labelling.criteria import (
    LONGEST_NAME,
    LONGEST_TEXT,
    change_criterion,
    create_criterion,
    ensure_default_criteria,
)
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import tables
from pages.people.label.reads import Situation
from pages.people.label.setup import rounds

KINDS: Final = {
    ScaleKind.BINARY.value: "Yes or no",
    ScaleKind.LIKERT.value: "Levels (Likert)",
    ScaleKind.COMMENT.value: "Free comment",
}
RULES: Final = {
    LabelRule.MAJORITY.value: "Majority: accepted or not by vote, then the most frequent level",
    LabelRule.MEDIAN.value: "Median: the level in the middle",
    LabelRule.MEAN.value: "Mean of the levels",
    LabelRule.ADJUDICATED.value: "All agree, else adjudication decides",
}
WRITTEN: Final = ("criterion_name", "criterion_question", "criterion_anchors", "criterion_guidelines")
"""Fields of the form of a new criterion that are emptied once it is added."""
WIDTHS: Final = {
    "Name": st.column_config.TextColumn(width=90),
    "Question": st.column_config.TextColumn(width=210),
    "Kind": st.column_config.TextColumn(width=105),
    "Levels": st.column_config.TextColumn(width=190),
    "Accepted from": st.column_config.TextColumn(width=130),
    "Rule": st.column_config.TextColumn(width=85, help="How the labels of several raters are combined."),
}


def draw(page: Page, run: Run, situation: Situation) -> None:
    """Draws criteria, the form of a new round, the rounds of the run, and files."""
    st.subheader("Criteria", anchor=False)
    criteria = [criterion for criterion in situation.criteria.values() if not criterion.retired]
    if not criteria:
        _propose(page)
        return
    tables.follow(
        criteria_frame(criteria),
        key="criteria_table",
        id_column="id",
        parameter="criterion",
        columns=WIDTHS,
        whole=True,
    )
    chosen = situation.criteria.get(state.link().criterion)
    if chosen is not None and not chosen.retired:
        _change(page, chosen)
    with st.expander("New criterion", icon=":material/add:", key="criterion_new"):
        _create(page)
    rounds.draw(page, run, situation, criteria)


def criteria_frame(criteria: list[Criterion]) -> pd.DataFrame:
    """The criteria as a table."""
    return pd.DataFrame(
        [
            {
                "id": criterion.id,
                "Name": criterion.name,
                "Question": criterion.question,
                "Kind": KINDS[criterion.kind.value],
                "Levels": " · ".join(f"{level.value} {level.anchor}" for level in criterion.levels) or "-",
                "Accepted from": accepted(criterion),
                "Rule": criterion.rule.value.capitalize(),
            }
            for criterion in criteria
        ]
    )


def accepted(criterion: Criterion) -> str:
    """The lowest accepted level in words."""
    levels = [level for level in criterion.levels if level.value == criterion.accept_from]
    return f"{levels[0].value} {levels[0].anchor}" if levels else "-"


def _propose(page: Page) -> None:
    with st.container(border=True, key="empty_state"):
        st.markdown(
            "**The project has no criteria yet.**  \nStart with two criteria that fit most systems: whether the "
            "answer is correct, and whether it says only what its passages say. You can change their words until "
            "somebody has answered them."
        )
        if st.button("Add these two criteria", key="propose_criteria", type="primary"):
            with errors.shown():
                ensure_default_criteria(page.store, page.project.id, actor=page.actor)
                state.say("The criteria are added. Create a round next.")
                st.rerun()
    with st.expander("Or write your own", icon=":material/add:", key="criterion_new"):
        _create(page)


def _create(page: Page) -> None:
    with st.form("criterion_form", border=False):
        name_at, kind_at = st.columns([2, 2])
        name = name_at.text_input(
            "Name", key=state.fresh("criterion_name"), max_chars=LONGEST_NAME, placeholder="Helpful"
        )
        kind = kind_at.selectbox("Kind", list(KINDS), key="criterion_kind", format_func=KINDS.__getitem__)
        question = st.text_input(
            "Question, as raters read it",
            key=state.fresh("criterion_question"),
            max_chars=500,
            placeholder="Does the answer help the person who asked?",
        )
        anchors = st.text_area(
            "Levels in words, one per line, lowest first",
            key=state.fresh("criterion_anchors"),
            height=110,
            placeholder="No\nYes",
            help="Two lines for yes or no, three to ten for levels, none for a comment.",
        )
        accept_at, rule_at = st.columns([2, 3])
        accept = accept_at.number_input(
            "Accepted from line",
            key="criterion_accept",
            min_value=2,
            max_value=10,
            value=2,
            help="The lowest level that counts as accepted: its line above, from 1.",
        )
        rule = rule_at.selectbox("Combined label", list(RULES), key="criterion_rule", format_func=RULES.__getitem__)
        guidelines = st.text_area(
            "Guidelines, shown beside each case",
            key=state.fresh("criterion_guidelines"),
            height=110,
            max_chars=LONGEST_TEXT,
        )
        submitted = st.form_submit_button("Add criterion", key="criterion_save")
    if submitted:
        with errors.shown():
            levels = levels_of(kind, anchors)
            criterion = create_criterion(
                page.store,
                page.project.id,
                name=name,
                question=question,
                kind=kind,
                levels=levels,
                accept_from=accept_from(levels, int(accept)),
                rule=rule,
                guidelines=guidelines,
                actor=page.actor,
            )
            for field in WRITTEN:
                state.renew(field)
            state.say(f"Criterion {errors.plain(criterion.name)} is added.")
            st.rerun()


def levels_of(kind: str, anchors: str) -> tuple[Level, ...]:
    r"""The levels of lines: from 0 for yes or no, from 1 for a Likert scale, none for a comment.

    >>> [level.value for level in levels_of("likert", "Bad\nFair\n\nGood")]
    [1, 2, 3]
    """
    if kind == ScaleKind.COMMENT.value:
        return ()
    first = 0 if kind == ScaleKind.BINARY.value else 1
    lines = [line.strip() for line in anchors.splitlines() if line.strip()]
    return tuple(Level(value=first + place, anchor=line) for place, line in enumerate(lines))


def accept_from(levels: tuple[Level, ...], line: int) -> int:
    """The value of the level in a line; 1 where there are no levels."""
    return levels[min(line, len(levels)) - 1].value if levels else 1


def _change(page: Page, criterion: Criterion) -> None:
    """The form of the selected criterion; what cannot change any more is refused by `core` with the reason."""
    own = criterion.id
    with st.container(border=True, key="criterion_open"):
        st.markdown(f"**Change {errors.plain(criterion.name)}**")
        with st.form(f"criterion_change_{own}", border=False):
            name = st.text_input("Name", value=criterion.name, key=f"change_name_{own}", max_chars=LONGEST_NAME)
            question = st.text_input("Question", value=criterion.question, key=f"change_question_{own}", max_chars=500)
            anchors = ""
            if criterion.levels:
                lines = "\n".join(level.anchor for level in criterion.levels)
                anchors = st.text_area("Levels in words", value=lines, key=f"change_anchors_{own}", height=110)
            accept_at, rule_at = st.columns([2, 3])
            options = [level.value for level in criterion.levels[1:]]
            accept = criterion.accept_from
            if options:
                words = {level.value: level.anchor for level in criterion.levels}
                accept = accept_at.selectbox(
                    "Accepted from",
                    options,
                    index=options.index(criterion.accept_from),
                    key=f"change_accept_{own}",
                    format_func=lambda value: f"{value} {words[value]}",
                )
            rule = rule_at.selectbox(
                "Combined label",
                list(RULES),
                index=list(RULES).index(criterion.rule.value),
                key=f"change_rule_{own}",
                format_func=RULES.__getitem__,
            )
            guidelines = st.text_area(
                "Guidelines",
                value=criterion.guidelines,
                key=f"change_guidelines_{own}",
                height=110,
                max_chars=LONGEST_TEXT,
            )
            with st.container(horizontal=True):
                submitted = st.form_submit_button("Save changes", key=f"change_save_{own}")
                retire = st.form_submit_button(
                    "Retire", key=f"change_retire_{own}", help="New rounds leave it out; its labels stay."
                )
    if submitted:
        with errors.shown():
            change_criterion(
                page.store,
                own,
                actor=page.actor,
                name=name,
                question=question,
                guidelines=guidelines,
                rule=rule,
                accept_from=accept,
                anchors=[line.strip() for line in anchors.splitlines() if line.strip()] if criterion.levels else None,
            )
            state.say(f"{errors.plain(name)} is changed.")
            st.rerun()
    if retire:
        with errors.shown():
            change_criterion(page.store, own, actor=page.actor, retired=True)
            state.update(criterion="")
            state.say(f"{errors.plain(criterion.name)} is retired; its labels stay.")
            st.rerun()
