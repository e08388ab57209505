"""Review of questions from documents: only a person approves, edits or rejects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from core.domain.errors import Conflict, InvalidInput
from core.domain.sources.projects import Role
from core.domain.testset.question_drafts import DraftStatus, QuestionDraft
from core.project.service import require
from core.store.database import Store
from core.store.testset import question_drafts
from core.testset.corpus.selection.selecting import unanswered

LONGEST_TEXT = 2_000
"""The most characters of a question or an answer that a person types."""


def set_question_status(
    store: Store, project_id: str, draft_ids: Sequence[str], status: DraftStatus, *, actor: str, note: str = ""
) -> int:
    """Approves, rejects or reopens questions; all of them or none.

    A question that the checks turned down can be approved like any other: the person who does so is recorded.

    Args:
        store: Where the project lives.
        project_id: The project.
        draft_ids: The questions.
        status: `APPROVED`, `REJECTED`, or `DRAFT` to open them again.
        actor: Who decides.
        note: Why, in the person's words.

    Returns:
        How many changed.

    Raises:
        InvalidInput: A status only the checks can give.
        NotFound: The project lacks one of the questions.
        Forbidden: The actor may not change the project.
    """
    if status is DraftStatus.TURNED_DOWN:
        raise InvalidInput("Only the checks turn a question down.", "Reject it instead.")
    require(store, project_id, actor, Role.VALIDATOR)
    ids = list(dict.fromkeys(draft_ids))
    detail: dict[str, object] = {"status": status.value, "note": note.strip(), "questions": ids}
    changed = 0
    with store.write(
        actor, f"question.{status.value}", project_id=project_id, subject=ids[0] if ids else "", detail=detail
    ) as connection:
        for draft_id in ids:
            draft = question_drafts.get(connection, project_id, draft_id)
            if draft.status is not status:
                question_drafts.decide(connection, project_id, _decided(draft, status, actor, note))
                changed += 1
    return changed


def edit_question(
    store: Store, project_id: str, draft_id: str, *, text: str, reference: str, actor: str, seen: QuestionDraft
) -> QuestionDraft:
    """Changes the words of a question or its answer; the first version is kept, and the question is a draft again.

    Args:
        store: Where the project lives.
        project_id: The project.
        draft_id: The question.
        text: As it will be asked.
        reference: Its answer, which its supporting words must state; empty for one that no document answers.
        actor: Who changes it.
        seen: The question as the person saw it.

    Raises:
        InvalidInput: The question is blank or too long, an option is gone, or its support does not state the answer.
        Conflict: Somebody else changed it meanwhile.
        NotFound: The project has no such question.
        Forbidden: The actor may not change the project.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    question, answer = text.strip(), reference.strip()
    _require_usable(question, answer, seen)
    with store.write(
        actor, "question.edit", project_id=project_id, subject=draft_id, detail={"text": question, "reference": answer}
    ) as connection:
        now = question_drafts.get(connection, project_id, draft_id)
        if (now.text, now.reference, now.status) != (seen.text, seen.reference, seen.status):
            who = now.decided_by or "Somebody"
            raise Conflict(
                f'{who} changed this question meanwhile: "{now.text}", answer "{now.reference}".',
                "Keep it with Cancel, or save once more to replace it.",
            )
        edited = replace(
            _decided(now, DraftStatus.DRAFT, actor, now.note),
            text=question,
            reference=answer,
            original_text=now.original_text or now.text,
            original_reference=now.original_reference if now.original_text else now.reference,
        )
        question_drafts.decide(connection, project_id, edited)
    return edited


def discard_open_questions(store: Store, project_id: str, *, actor: str) -> int:
    """Deletes undecided questions, turned-down ones too; returns how many.

    Raises:
        Forbidden: The actor may not change the project.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    detail: dict[str, object] = {}
    with store.write(actor, "question.discard", project_id=project_id, subject=project_id, detail=detail) as connection:
        detail["questions"] = discarded = question_drafts.discard(connection, project_id)
    return discarded


def _decided(draft: QuestionDraft, status: DraftStatus, actor: str, note: str) -> QuestionDraft:
    at = datetime.now(UTC).isoformat(timespec="seconds")
    return replace(draft, status=status, decided_by=actor, decided_at=at, note=note.strip())


def _require_usable(question: str, answer: str, seen: QuestionDraft) -> None:
    if not question:
        raise InvalidInput("The question is blank.", "Write it, or reject the question.")
    for name, value in (("question", question), ("answer", answer)):
        if len(value) > LONGEST_TEXT:
            raise InvalidInput(f"The {name} has {len(value):,} characters.", f"Use at most {LONGEST_TEXT:,}.")
    missing_options = [option for option in seen.options if option not in question]
    if missing_options:
        raise InvalidInput(
            f"The option {missing_options[0]!r} is no longer in the question.", "Keep the options as they are."
        )
    if seen.options and answer not in seen.options:
        raise InvalidInput(f"The answer {answer!r} is none of the options.", "Take one of them, word for word.")
    fault = unanswered(replace(seen, text=question, reference=answer).question)
    if fault:
        raise InvalidInput(fault, "Take an answer that the quoted words state.")
