"""What a set of unit tests shares: a question, its documents, and the answers with which a judge is tested."""

from __future__ import annotations

from dataclasses import dataclass

REFUSAL = "No document seems to precisely answer your question."


@dataclass(frozen=True, kw_only=True)
class Answerable:
    """A question that the documents answer.

    Attributes:
        situation: Its name.
        train: Whether it is for work on prompts; the others are for the figures.
        references: The documents, cited by their place from 1.
        perfect: The answer that is expected.
        irrelevant: What is put behind it and does not belong to the question, with true citations.
        missing: The answer without a part that matters.
        citation: The answer with a citation that is wrong or left out.
        distorted: The answer with a claim changed.
        least_relevancy: Condition on relevancy where the answer is as relevant as it can be.
    """

    situation: str
    question: str
    references: tuple[str, ...]
    perfect: str
    irrelevant: str
    missing: str
    citation: str
    distorted: str
    train: bool = False
    least_relevancy: str = "==5"


@dataclass(frozen=True, kw_only=True)
class Unanswerable:
    """A question that the documents do not answer.

    Attributes:
        situation: Its name.
        train: Whether it is for work on prompts.
        references: The documents.
        related: True and cited, helpful to whoever asked, but no answer.
        unrelated: True and cited, about something else altogether.
        answered: An answer all the same; the document it cites does not support it.
    """

    situation: str
    question: str
    references: tuple[str, ...]
    related: str
    unrelated: str
    answered: str
    train: bool = False
