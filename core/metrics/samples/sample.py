"""What a metric looks at: one question with what was retrieved, what was answered and what is known to be true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.results.responses import Context, Response
from core.domain.testset.cases import TestCase


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One answered question. None means that nobody knows; an empty tuple or text means that there is none.

    Attributes:
        case_id: The test case.
        question: What the target was asked.
        answer: What it said; None where it failed.
        contexts: Retrieved passages, best first; a passage without text is known by its id only.
        references: Every acceptable answer.
        gold_document_ids: Documents that hold the answer.
        gold_chunk_ids: Chunks that hold the answer.
        abstained: What the target itself says about whether it could answer.
        answerable: Whether the documents hold an answer.
        error: Why there is no answer, or empty.
        gold_fits: False where not one gold id of the whole test set that is of the same table names a document that
            is known, so that they cannot be compared.
    """

    case_id: str
    question: str = ""
    answer: str | None = None
    contexts: tuple[Context, ...] | None = None
    references: tuple[str, ...] = ()
    gold_document_ids: tuple[str, ...] | None = None
    gold_chunk_ids: tuple[str, ...] | None = None
    abstained: bool | None = None
    answerable: bool | None = None
    error: str = ""
    gold_fits: bool = True

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the retrieved passages that have one."""
        return tuple(context.text for context in self.contexts or () if context.text.strip())

    @property
    def document_ids(self) -> tuple[str, ...]:
        """Ids of the retrieved documents, each once, best first."""
        return tuple(dict.fromkeys(context.document_id for context in self.contexts or () if context.document_id))

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        """Ids of the retrieved chunks, each once, best first."""
        return tuple(dict.fromkeys(context.chunk_id for context in self.contexts or () if context.chunk_id))


ANSWERABLE = "answerable"
"""The attribute of a case that says whether the documents hold an answer."""

_YES = frozenset({"yes", "true", "1", "answerable", "partial"})
_NO = frozenset({"no", "false", "0", "unanswerable", "out_of_scope", "out-of-scope"})


def sample_of(
    case: TestCase,
    response: Response | None,
    *,
    contexts_known: bool = True,
    gold: Sequence[str] | None = None,
    gold_fits: bool = True,
) -> Sample:
    """A case of a run as a sample.

    Args:
        case: The test case.
        response: What the target answered, None where it was not asked.
        contexts_known: Whether the run's target tells what it retrieved; an empty list then means "nothing".
        gold: The gold documents by the ids the corpus has; by default as the case names them.
        gold_fits: Whether some gold id of each table that it names records of names a document of the corpus.
    """
    contexts = response.contexts if response is not None and (contexts_known or response.contexts) else None
    documents = tuple(case.gold_document_ids if gold is None else gold)
    return Sample(
        case_id=case.case_id,
        question=case.question,
        answer=response.answer if response else None,
        contexts=contexts,
        references=case.reference_answers,
        gold_document_ids=documents or None,
        gold_chunk_ids=case.gold_chunk_ids or None,
        abstained=response.abstained if response else None,
        answerable=answerable(case),
        error=(response.error or "the target gave no answer") if response and response.answer is None else "",
        gold_fits=gold_fits,
    )


def answerable(case: TestCase) -> bool | None:
    """Whether a case can be answered from the documents: its attribute ``answerable``, else whether it has an answer.

    A case without the attribute, a reference answer or a gold document says nothing: None.
    """
    text = case.attributes.get(ANSWERABLE, "").strip().casefold()
    if text in _YES | _NO:
        return text in _YES
    return True if case.reference_answers or case.gold_document_ids or case.gold_chunk_ids else None
