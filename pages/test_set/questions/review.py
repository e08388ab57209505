"""One question at a time: the question, its answer, the supporting words lit in their passage; keys decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.domain.errors import Conflict
from core.domain.sources.chunks import Chunk
from core.domain.testset.question_drafts import DraftStatus, QuestionDraft
from core.domain.testset.questions import QuestionKind, Support
from core.testset.corpus.questions.kinds import KIND_RULES
from core.testset.corpus.questions.review import edit_question, set_question_status
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, passages, theme, verbatim
from pages.kit.testset import topics
from pages.test_set.questions import reads
from pages.test_set.questions.stretches import stretches

EDITING = "editing_question"
"""The note of the question that is edited, as the person saw it last."""
LONGEST = 2_000

STATUS = {
    DraftStatus.DRAFT: "○ To review",
    DraftStatus.APPROVED: "✓ Approved",
    DraftStatus.REJECTED: "✗ Rejected",
    DraftStatus.TURNED_DOWN: "– Turned down",
}


def draw(page: Page, may_write: bool) -> None:
    """The question in view with what can be decided about it."""
    drafts = _filtered(page)
    if not drafts:
        st.info("No question is left to review here. Choose another kind or topic, or look at all questions.")
        return
    at = min(max(int(state.link().place or 1), 1), len(drafts)) - 1
    draft = drafts[at]
    st.caption(f"Question {at + 1:,} of {len(drafts):,} to review")
    left, right = st.columns([5, 6], gap="large")
    with left:
        if may_write and (opened := _opened(draft)):
            _edit(page, draft, opened)
        else:
            card(page, draft)
            if may_write:
                _buttons(page, draft, at, len(drafts))
    with right:
        evidence(page, draft)


def _filtered(page: Page) -> list[QuestionDraft]:
    """The questions that wait for a person, of the kind and topic chosen."""
    every = [d for d in reads.drafts(page.store, page.project.id) if d.status is DraftStatus.DRAFT]
    kind, topic = filters(page, every)
    return [d for d in every if kind in ("", d.kind.value) and topic in ("", str(d.topic))]


def filters(page: Page, drafts: Sequence[QuestionDraft]) -> tuple[str, str]:
    """Two select boxes bound to the URL: kind and topic, "" for every one."""
    kinds = [kind.value for kind in QuestionKind if any(draft.kind is kind for draft in drafts)]
    numbers_of = sorted({draft.topic for draft in drafts})
    kind_at, topic_at, _ = st.columns([2, 4, 3])
    with kind_at:
        kind = state.choose(
            "Kind", kinds, "kind", every="Every kind", name=lambda value: KIND_RULES[QuestionKind(value)].name
        )
    with topic_at:
        topic = state.choose(
            "Topic",
            [str(number) for number in numbers_of],
            "topic",
            every="Every topic",
            name=lambda value: topic_name(page, int(value)),
        )
    return kind, topic


def topic_name(page: Page, number: int) -> str:
    """What people call a topic."""
    topic = reads.topics_of(page.store, page.project.id).get(number)
    return topic.label if topic is not None else f"topic {number}"


def card(page: Page, draft: QuestionDraft) -> None:
    """A question with its answer, where it belongs, and what the checks measured."""
    with st.container(border=True, key="question_card"):
        st.caption(
            errors.plain(f"{KIND_RULES[draft.kind].name} · {topic_name(page, draft.topic)}")
            + (f" · {errors.plain(draft.value)}" if draft.value else ""),
            help=KIND_RULES[draft.kind].help,
        )
        with st.container(key="question_text"):
            verbatim.show(draft.text)
        st.caption("Answer")
        verbatim.show(draft.reference or "None: no document answers it, so the system should say so.")
        st.caption(errors.plain(_provenance(draft)))


MADE_BY = {
    "table": "by rules, from a table",
    "look_up": "by rules, in the words of a table or a form",
    "key_value": "by rules, from a value with a name",
    "property": "by rules, from a sentence that gives a property",
    "definition": "by rules, from a sentence that says what something is",
    "event": "by rules, from a sentence with a date",
    "short_form": "by rules, from a short form that a text opens",
    "clause": "by rules, from one value of a sentence or from a heading that asks",
    "count": "by rules, from a sentence with a count",
    "true statement": "by rules, as the passage states it",
    "altered statement": "by rules, with a value that differs from the passage",
    "other values": "by rules; the other options are values from elsewhere, or altered ones",
    "shared subject": "by rules, from what two passages say of one thing",
    "bridge": "by rules, from one passage that names what the other is about",
    "comparison": "by rules, from the same property of two things",
    "near": "by rules: others have this property, and no document gives it of this one",
    "far": "from a field whose words no document has",
    "cell": "by rules, from a cell of a table",
    "agent": "by rules, from a sentence that names who did it",
    "place": "by rules, from a sentence that names a place",
    "cause": "by rules, from a stated cause",
    "value of another": "by rules, with the value of another subject or period",
    "direction": "by rules, from the figures of two periods",
    "periods": "by rules, from the figures of two periods",
    "difference": "by rules, from the difference of two figures",
    "rows": "by rules, from two rows of one table",
    "series": "by rules, from a row over time",
    "change": "by rules, from a row over time",
    "share": "by rules, from a part and its total",
    "each": "by rules, from the same property in two documents",
    "other year": "by rules: the year stands in no document",
    "other subject": "by rules: no document names this subject",
    "no such property": "by rules: others have this property, and no document gives it of this one",
}


def _provenance(draft: QuestionDraft) -> str:
    parts = [f"Made {MADE_BY.get(draft.made_by, f'by a model, prompt {draft.made_by}')}"]
    if draft.similarity is not None:
        parts.append(f"similarity with its passage {numbers.share(draft.similarity)}")
    if draft.copied is not None:
        parts.append(f"{numbers.share(draft.copied)} of its words copied in sequence")
    if draft.probed and draft.probed != draft.reason:
        parts.append(draft.probed)
    if draft.edited:
        parts.append(f"edited by {draft.decided_by}; it was written as {draft.original_text}")
    if draft.reason:
        parts.append(draft.reason)
    return " · ".join(parts)


def _buttons(page: Page, draft: QuestionDraft, at: int, total: int) -> None:
    approve, reject, edit = st.columns(3)
    if approve.button("Approve", key=f"approve_{draft.id}", type="primary", shortcut="A", width="stretch"):
        _decide(page, draft, DraftStatus.APPROVED)
    if reject.button("Reject", key=f"reject_{draft.id}", shortcut="X", width="stretch"):
        _decide(page, draft, DraftStatus.REJECTED)
    if edit.button("Edit", key=f"edit_{draft.id}", shortcut="E", width="stretch"):
        state.keep(EDITING, draft)
        st.rerun()
    back, skip = st.columns(2)
    if back.button("Back", key="back", shortcut="Left", width="stretch", disabled=at == 0):
        state.update(place=str(at))
        st.rerun()
    if skip.button("Skip", key="skip", shortcut="Right", width="stretch", disabled=at + 1 >= total):
        state.update(place=str(at + 2))
        st.rerun()


def _decide(page: Page, draft: QuestionDraft, status: DraftStatus) -> None:
    with errors.shown():
        set_question_status(page.store, page.project.id, [draft.id], status, actor=page.actor)
        st.rerun()


def _opened(draft: QuestionDraft) -> QuestionDraft | None:
    """The question as it was when its editing began, None where it is not edited."""
    opened: QuestionDraft | None = state.note(EDITING)
    return opened if opened is not None and opened.id == draft.id else None


def _edit(page: Page, draft: QuestionDraft, opened: QuestionDraft) -> None:
    with st.container(border=True, key="question_edit"):
        text = st.text_area("Question", value=draft.text, key=f"text_{draft.id}", height=140, max_chars=LONGEST)
        reference = draft.reference
        if draft.question.answerable:
            reference = st.text_input(
                "Answer",
                value=draft.reference,
                key=f"reference_{draft.id}",
                max_chars=LONGEST,
                help="The supporting words, highlighted in the passage, must state it.",
            )
        with st.container(horizontal=True):
            if st.button("Save", key=f"save_{draft.id}", type="primary"):
                with errors.shown():
                    _save(page, opened, draft, text, reference)
                    state.drop(EDITING)
                    st.rerun()
            if st.button("Cancel", key=f"cancel_{draft.id}"):
                state.drop(EDITING)
                st.rerun()


def _save(page: Page, opened: QuestionDraft, stored: QuestionDraft, text: str, reference: str) -> None:
    """Saves an edit; what another person saved since it began is told, and replaced only by a second click."""
    written = {"text": text, "reference": reference}
    try:
        edit_question(page.store, page.project.id, opened.id, **written, actor=page.actor, seen=opened)
    except Conflict:
        state.keep(EDITING, stored)
        raise


def evidence(page: Page, draft: QuestionDraft) -> None:
    """The passages a question stands on, their supporting words lit; or the one it was led away from."""
    batch = next((b for b in reads.batches(page.store, page.project.id) if b.id == draft.batch_id), None)
    chunks = topics.passages(page.store, batch.source_id) if batch else {}
    titles = reads.titles(page.store, batch.source_id) if batch else {}
    st.html(_css())
    by_chunk: dict[str, list[Support]] = {}
    for part in draft.support:
        by_chunk.setdefault(part.chunk_id, []).append(part)
    for place, (chunk_id, parts) in enumerate(by_chunk.items()):
        _passage(chunks.get(chunk_id), parts, titles, f"{draft.id}_{place}")
    if draft.near_chunk_id:
        st.caption("It was written for this passage, which does not answer it.")
        _passage(chunks.get(draft.near_chunk_id), [], titles, f"{draft.id}_near")
    elif not draft.support:
        st.caption("It comes from no passage: no document has its words.")


def _passage(chunk: Chunk | None, parts: Sequence[Support], titles: Mapping[str, str], key: str) -> None:
    with st.container(border=True, key=f"passage_{key}", gap="xsmall"):
        if chunk is None:
            st.warning("The passage is no longer among the documents; these were its words.")
            for part in parts:
                verbatim.show(part.text)
            return
        where = [titles.get(chunk.document_id) or chunk.document_id, *chunk.section[1:]]
        page_of = f" · page {chunk.page}" if chunk.page else ""
        st.caption(errors.plain(" › ".join(where)) + page_of)
        for place, stretch in enumerate(stretches(chunk.text, [(part.start, part.end) for part in parts])):
            with st.container(key=f"{'support' if stretch.lit else 'beside'}_{key}_{place}"):
                (passages.draw if stretch.has_table else verbatim.show)(stretch.text)


def _css() -> str:
    accent = theme.ink("accent")
    return (
        f'<style>[class*="st-key-support_"] {{border-left: 4px solid {accent}; padding: 0.2rem 0.7rem; '
        f"background: color-mix(in srgb, {accent} 12%, transparent);}}"
        '[class*="st-key-question_text"] {font-size: 1.15rem; font-weight: 600;}</style>'
    )
