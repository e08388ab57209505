"""Approved questions from documents as test cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.domain.identity import short_hash
from core.domain.results.forms import MADE_BY
from core.domain.testset.cases import TestCase
from core.domain.testset.question_drafts import QuestionDraft
from core.testset.corpus.questions.kinds import KIND_RULES

LENGTHS = ((8, "1 to 8 words"), (16, "9 to 16 words"))
LONGEST = "17 words or more"
PASSAGES = ("no passage", "one passage", "two passages")


def question_cases(
    drafts: Iterable[QuestionDraft], topics: Mapping[int, str], titles: Mapping[str, str]
) -> tuple[TestCase, ...]:
    """A case of each question, in their order.

    Questions about one chunk are one group: intervals treat them as one cluster. The attributes for slicing are stored
    with the cases, so that nothing depends on finding the topics again.

    Args:
        drafts: The approved questions.
        topics: Names of topics by number.
        titles: Titles of documents by id.
    """
    return tuple(_case(draft, topics, titles) for draft in drafts)


def _case(draft: QuestionDraft, topics: Mapping[int, str], titles: Mapping[str, str]) -> TestCase:
    question = draft.question
    documents = tuple(dict.fromkeys(part.document_id for part in draft.support))
    attributes = {
        "topic": topics.get(draft.topic) or f"Topic {draft.topic}",
        "type": KIND_RULES[draft.kind].name,
        "answerable": "yes" if question.answerable else "no",
        "difficulty": PASSAGES[min(question.hops, len(PASSAGES) - 1)],
        "length": question_length(draft.text),
        MADE_BY: draft.made_by,
    }
    if documents:
        attributes["document"] = titles.get(documents[0]) or documents[0]
    if draft.value:
        attributes["stratum"] = draft.value
    return TestCase(
        case_id=draft.id,
        question=draft.text,
        reference_answers=(draft.reference,) if draft.reference else (),
        group_id="g_" + short_hash(question.home_chunk_id or draft.id),
        gold_document_ids=documents,
        gold_chunk_ids=tuple(dict.fromkeys(part.chunk_id for part in draft.support)),
        attributes=attributes,
    )


def question_length(text: str) -> str:
    """The band of a question's number of words.

    >>> question_length("What is the fee?")
    '1 to 8 words'
    """
    n = len(text.split())
    return next((name for most, name in LENGTHS if n <= most), LONGEST)
