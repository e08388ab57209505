"""All questions in one table; several are decided at once."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.domain.testset.question_drafts import DraftStatus, QuestionDraft
from core.testset.corpus.questions.kinds import KIND_RULES
from core.testset.corpus.questions.review import discard_open_questions, set_question_status
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.test_set.questions import reads, review

COLUMNS = {
    "Status": st.column_config.TextColumn(width=96),
    "Kind": st.column_config.TextColumn(width=110),
    "Topic": st.column_config.TextColumn(width=96),
    "Question": st.column_config.TextColumn(width=280),
    "Answer": st.column_config.TextColumn(width=104),
    "Similarity": st.column_config.TextColumn(
        width=74, help="Cosine with the nearest passage; none is measured for a question that no passage answers."
    ),
    "Why": st.column_config.TextColumn(width=82, help="Why the checks turned it down, or what a person said."),
}

THREE_LINES = 76
"""Height of a row in which a question stands whole."""


def draw(page: Page, may_write: bool) -> None:
    """The table, and what can be done with what it shows."""
    every = reads.drafts(page.store, page.project.id)
    status_at, search_at = st.columns([6, 3], vertical_alignment="bottom")
    with status_at:
        status = state.switch(
            "Status",
            ["", *DraftStatus],
            "status",
            name=lambda value: f"{review.STATUS[DraftStatus(value)]} {_n(every, value)}" if value else "All",
            label_visibility="collapsed",
        )
    with search_at:
        words = state.search("Search", placeholder="Words of the question or answer").casefold()
    kind, topic = review.filters(page, every)
    drafts = [
        draft
        for draft in every
        if status in ("", draft.status.value)
        and kind in ("", draft.kind.value)
        and topic in ("", str(draft.topic))
        and words in f"{draft.text}\n{draft.reference}".casefold()
    ]
    if not drafts:
        st.info("No question matches these filters.")
        return
    offset = tables.pages(len(drafts), thing="question")
    frame = _frame(page, drafts)
    tables.follow(
        _shown(frame.iloc[offset : offset + tables.PAGE]),
        key="questions_table",
        id_column="id",
        parameter="case",
        columns=COLUMNS,
        height=500,
        row_height=THREE_LINES,
    )
    _actions(page, drafts, frame, may_write)
    opened = next((draft for draft in every if draft.id == state.link().case), None)
    if opened is not None:
        _opened(page, opened, may_write)
    else:
        st.caption("Select a question to see its passage and what the checks found.")


def _n(drafts: Sequence[QuestionDraft], status: str) -> str:
    return f"{sum(draft.status.value == status for draft in drafts):,}"


def _frame(page: Page, drafts: Sequence[QuestionDraft]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "id": draft.id,
                "Status": review.STATUS[draft.status],
                "Kind": KIND_RULES[draft.kind].name,
                "Topic": review.topic_name(page, draft.topic),
                "Question": " ".join(draft.text.split()),
                "Answer": draft.reference or "-",
                "Similarity": draft.similarity,
                "Why": draft.note or draft.reason,
            }
            for draft in drafts
        ]
    )


def _shown(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows as they stand on the screen; the download keeps the figures."""
    return frame.assign(Similarity=[numbers.NONE if pd.isna(at) else f"{at:.2f}" for at in frame["Similarity"]])


def _actions(page: Page, drafts: Sequence[QuestionDraft], frame: pd.DataFrame, may_write: bool) -> None:
    waiting = [draft.id for draft in drafts if draft.status is DraftStatus.DRAFT]
    with st.container(horizontal=True, vertical_alignment="center"):
        if may_write and waiting:
            how_many = numbers.count(len(waiting), "question")
            if st.button(f"Approve {how_many} to review", key="approve_all", type="primary"):
                _decide(page, waiting, DraftStatus.APPROVED)
            if st.button(f"Reject {how_many}", key="reject_all"):
                _decide(page, waiting, DraftStatus.REJECTED)
        tables.download(frame.drop(columns="id"), name="document-questions", key="questions_csv")
        if may_write:
            with st.popover("Discard", key="discard"):
                st.markdown("Deletes every undecided question, including those the checks turned down.")
                if st.button("Discard open questions", key="discard_open"):
                    with errors.shown():
                        gone = discard_open_questions(page.store, page.project.id, actor=page.actor)
                        state.update(case="", page=1)
                        state.say(f"{numbers.count(gone, 'question')} discarded.")
                        st.rerun()


def _opened(page: Page, draft: QuestionDraft, may_write: bool) -> None:
    left, right = st.columns([5, 6], gap="large")
    with left:
        st.caption(review.STATUS[draft.status])
        review.card(page, draft)
        if may_write:
            with st.container(horizontal=True):
                for status, label in (
                    (DraftStatus.APPROVED, "Approve"),
                    (DraftStatus.REJECTED, "Reject"),
                    (DraftStatus.DRAFT, "Review again"),
                ):
                    unchanged = draft.status is status or (
                        status is DraftStatus.DRAFT and draft.status is DraftStatus.TURNED_DOWN
                    )
                    if not unchanged and st.button(label, key=f"set_{status.value}"):
                        _decide(page, [draft.id], status)
    with right:
        review.evidence(page, draft)


def _decide(page: Page, ids: Sequence[str], status: DraftStatus) -> None:
    with errors.shown():
        changed = set_question_status(page.store, page.project.id, ids, status, actor=page.actor)
        words = {DraftStatus.APPROVED: "approved", DraftStatus.REJECTED: "rejected"}.get(status, "open again")
        state.say(f"{numbers.count(changed, 'question')} {words}.")
        st.rerun()
