"""The approved questions of a project as test cases."""

from __future__ import annotations

from core.domain.testset.cases import TestCase
from core.domain.testset.question_drafts import DraftStatus, QuestionDraft
from core.store import sources
from core.store.database import Store
from core.store.testset import question_drafts, topics
from core.testset.corpus.questions.cases import question_cases


def approved_cases(store: Store, project_id: str) -> tuple[TestCase, ...]:
    """A case of each approved question, in the order in which they were written.

    Names of topics and titles are those of the topics and documents each was written from.
    """
    with store.read() as connection:
        approved = question_drafts.drafts(connection, project_id, status=DraftStatus.APPROVED)
        batches = {batch.id: batch for batch in question_drafts.batches(connection, project_id)}
        used = [batches[batch_id] for batch_id in dict.fromkeys(draft.batch_id for draft in approved)]
        names = {
            batch.topics_id: {topic.number: topic.label for topic in topics.topics(connection, batch.topics_id)}
            for batch in used
        }
        titles = {batch.source_id: sources.titles(connection, batch.source_id) for batch in used}
    by_batch: dict[str, list[QuestionDraft]] = {}
    for draft in approved:
        by_batch.setdefault(draft.batch_id, []).append(draft)
    cases_by_id = {
        case.case_id: case
        for batch in used
        for case in question_cases(by_batch[batch.id], names[batch.topics_id], titles[batch.source_id])
    }
    return tuple(cases_by_id[draft.id] for draft in approved)
