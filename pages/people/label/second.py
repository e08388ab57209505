"""The second look: cases that raters see differently, those that wait for a decision first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.results.labels import Criterion, LabelRound, ScaleKind
from core.domain.results.runs import Run
from core.labelling.adjudication import Dispute, disputed
from core.store.database import Store
from pages.kit import cache, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.people.label import decision, label_words, reads
from pages.people.label.reads import Situation
from pages.people.label.setup import rounds as label_rounds

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
    tables.follow(
        rows, key="disputes_table", id_column="case_id", parameter="case", columns=WIDTHS, height=318, whole=True
    )
    opened = next((dispute for dispute in disputes if dispute.case_id == state.link().case), None)
    if opened is not None:
        decision.draw(page, run, criterion, opened, rounds)


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
                    f"{label_words.rater(label, rounds)}: {label_words.answer(criterion, label)}"
                    for label in dispute.labels
                ),
                "By the rule": _by_the_rule(criterion, dispute),
                "Spread": dispute.spread,
                "Decided": "" if dispute.decided is None else label_words.level(criterion, dispute.decided.value),
            }
            for dispute in disputes
        ]
    )


def _by_the_rule(criterion: Criterion, dispute: Dispute) -> str:
    label = numbers.NONE if dispute.value is None else label_words.level(criterion, dispute.value)
    return f"{label} ({dispute.why})"


@cache.constant()
def _questions(store: Store, run_id: str, case_ids: tuple[str, ...]) -> Mapping[str, str]:
    return reads.questions(store, run_id, case_ids)
