"""The second look: cases that raters see differently, what each of them said, and the decision with its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.errors import PlumblineError
from core.domain.results.labels import Criterion, Label, LabelRound, LabelStatus, ScaleKind
from core.domain.results.runs import Run
from core.labelling.adjudication import Dispute, adjudicate, disputed, withdraw
from core.store.database import Store
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.people.label import reading, reads
from pages.people.label import rounds as label_rounds
from pages.people.label.reads import Situation

CANNOT: Final = "cannot be judged"
WIDTHS: Final = {
    "State": st.column_config.TextColumn(width=80),
    "Question": st.column_config.TextColumn(width=330),
    "Labels": st.column_config.TextColumn(width=260),
    "By the rule": st.column_config.TextColumn(width=170),
    "Spread": st.column_config.NumberColumn(width=60, help="Highest level given minus the lowest."),
    "Decided": st.column_config.TextColumn(width=150),
}


def draw(page: Page, run: Run, situation: Situation) -> None:
    """Draws the disputed cases of one criterion and the opened one."""
    criterion = choose_criterion(situation, run)
    if criterion is None:
        return
    disputes = disputed(page.store, run.id, criterion.id)
    if not disputes:
        st.info("No case is disputed: raters of the same case gave the same label.")
        return
    still = sum(dispute.open for dispute in disputes)
    unsettled = sum(dispute.open and dispute.value is None for dispute in disputes)
    st.caption(
        f"{numbers.count(len(disputes), 'case')} with different labels, {still:,} not adjudicated; for "
        f"{unsettled:,} of them the rule ({criterion.rule.value}) gives no label. Adjudication: a person decides the "
        "label where raters differ."
    )
    rounds = {label_round.id: label_round for label_round in situation.rounds}
    played = [label_rounds.simulated(rounds.get(label.round_id)) for dispute in disputes for label in dispute.labels]
    if any(played):
        label_rounds.warn_of_machines(only=all(played))
    questions = _questions(page.store, run.id, tuple(dispute.case_id for dispute in disputes))
    rows = disputes_frame(disputes, criterion, questions, rounds)
    tables.follow(rows, key="disputes_table", id_column="case_id", parameter="case", columns=WIDTHS, height=318)
    opened = next((dispute for dispute in disputes if dispute.case_id == state.link().case), None)
    if opened is not None:
        _opened(page, run, criterion, opened, rounds)


def choose_criterion(situation: Situation, run: Run) -> Criterion | None:
    """The criterion in view, among those the rounds of the run ask and that have levels."""
    criterion_ids = dict.fromkeys(
        criterion_id for of in situation.rounds if of.run_id == run.id for criterion_id in of.criteria
    )
    criteria = {
        criterion_id: situation.criteria[criterion_id]
        for criterion_id in criterion_ids
        if criterion_id in situation.criteria
    }
    criteria = {
        criterion_id: criterion
        for criterion_id, criterion in criteria.items()
        if criterion.kind is not ScaleKind.COMMENT
    }
    if not criteria:
        st.info("Nobody has been asked about this run yet. Set up a round first.")
        return None
    selected = state.choose(
        "Criterion", list(criteria), "criterion", name=lambda item: criteria[item].name, pinned=True
    )
    return criteria[selected]


def words(criterion: Criterion, value: float | None) -> str:
    """A level with its anchor."""
    if value is None:
        return CANNOT
    anchor = next((level.anchor for level in criterion.levels if level.value == value), "")
    return f"{value:.3g} {anchor}".strip()


def disputes_frame(
    disputes: Sequence[Dispute], criterion: Criterion, questions: Mapping[str, str], rounds: Mapping[str, LabelRound]
) -> pd.DataFrame:
    """Disputed cases, those that wait first."""
    return pd.DataFrame(
        [
            {
                "case_id": dispute.case_id,
                "State": "open" if dispute.open else "decided",
                "Question": questions.get(dispute.case_id, dispute.case_id),
                "Labels": ", ".join(
                    f"{_who(label, rounds)}: {_label_text(criterion, label)}" for label in dispute.labels
                ),
                "By the rule": (
                    f"{numbers.NONE if dispute.value is None else words(criterion, dispute.value)} ({dispute.why})"
                ),
                "Spread": dispute.spread,
                "Decided": "" if dispute.decided is None else words(criterion, dispute.decided.value),
            }
            for dispute in disputes
        ]
    )


def _who(label: Label, rounds: Mapping[str, LabelRound]) -> str:
    return label_rounds.rater_name(label.rater, played=label_rounds.simulated(rounds.get(label.round_id)))


def _label_text(criterion: Criterion, label: Label) -> str:
    return CANNOT if label.status is LabelStatus.CANNOT_JUDGE else words(criterion, label.value)


@cache.constant()
def _questions(store: Store, run_id: str, case_ids: tuple[str, ...]) -> Mapping[str, str]:
    return reads.questions(store, run_id, case_ids)


def _opened(page: Page, run: Run, criterion: Criterion, dispute: Dispute, rounds: Mapping[str, LabelRound]) -> None:
    try:
        texts = reads.texts_of(page.store, run.id, dispute.case_id, reference=True)
    except PlumblineError as error:
        errors.show(error)
        return
    with st.container(border=True, key="dispute_open"):
        read_at, decide_at = st.columns([58, 42], gap="large")
        with read_at:
            spans = [span for label in dispute.labels for span in label.spans]
            reading.draw(texts, task=f"second_{dispute.case_id}", spans=spans, key="reading_second")
        with decide_at:
            st.markdown(f"**{errors.plain(criterion.question)}**")
            for label in dispute.labels:
                _voice(criterion, label, rounds.get(label.round_id))
            if dispute.decided is not None:
                look = dispute.decided
                st.markdown(
                    f"**Decided: {errors.plain(words(criterion, look.value))}** by {errors.plain(look.actor)}, "
                    f"{numbers.when(look.at)}"
                )
                st.text(look.reason)
                _withdraw(page, run, criterion, dispute)
            _decide(page, run, criterion, dispute)


def _voice(criterion: Criterion, label: Label, of: LabelRound | None) -> None:
    who = label_rounds.rater_name(label.rater, played=label_rounds.simulated(of))
    st.markdown(f"**{errors.plain(who)}**: {errors.plain(_label_text(criterion, label))}")
    if label.comment:
        st.text(label.comment)


def _form(dispute: Dispute, criterion: Criterion) -> str:
    """Names the form of a case, which is empty again once it was used."""
    return f"{dispute.case_id}_{criterion.id}"


def _withdraw(page: Page, run: Run, criterion: Criterion, dispute: Dispute) -> None:
    clicked = st.button(
        "Withdraw the decision",
        key=f"withdraw_{_form(dispute, criterion)}",
        help="What the raters said counts again; who decided what, and why, stays in the audit trail.",
    )
    if not clicked:
        return
    with errors.shown():
        withdraw(page.store, run.id, dispute.case_id, criterion.id, actor=page.actor)
        state.renew(_form(dispute, criterion))
        state.say(f"The decision on case {errors.plain(dispute.case_id)} is withdrawn; what the raters said counts.")
        st.rerun()


def _decide(page: Page, run: Run, criterion: Criterion, dispute: Dispute) -> None:
    name = _form(dispute, criterion)
    own = state.fresh(name)
    options = {words(criterion, float(level.value)): float(level.value) for level in criterion.levels} | {CANNOT: None}
    with st.form(f"decision_{own}", border=False):
        picked = st.radio(
            "Label", [errors.plain(option) for option in options], key=f"decision_value_{own}", index=None
        )
        reason = st.text_area(
            "Reason (required)",
            key=f"decision_reason_{own}",
            height=80,
            placeholder="Why the case is what you decide it to be",
        )
        submitted = st.form_submit_button("Decide", key=f"decision_save_{own}", type="primary")
    if not submitted:
        return
    if picked is None:
        st.warning("Choose a label first.")
        return
    value = {errors.plain(option): level for option, level in options.items()}[picked]
    with errors.shown():
        adjudicate(page.store, run.id, dispute.case_id, criterion.id, value=value, reason=reason, actor=page.actor)
        state.renew(name)
        state.say(f"Case {errors.plain(dispute.case_id)} is decided: {errors.plain(words(criterion, value))}.")
        st.rerun()
