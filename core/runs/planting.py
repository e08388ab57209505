"""What variants ask of a target besides their question: a passage planted among its documents, another draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.domain.errors import TargetFailed
from core.domain.results.responses import Response
from core.domain.sources.documents import Corpus, Document
from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Lineage
from core.targets import Target

PREFIX = "planted:"
"""How the id of a planted document begins; the id of its case follows."""


def planted_documents(cases: Sequence[TestCase]) -> tuple[Document, ...]:
    """The passages that the variants among some cases plant, in their order."""
    lineages = ((case, Lineage.of(case.attributes)) for case in cases)
    return tuple(
        Document(id=f"{PREFIX}{case.case_id}", title=lineage.planted_title, text=lineage.planted_passage)
        for case, lineage in lineages
        if lineage is not None and lineage.planted_passage
    )


def draws_of(cases: Sequence[TestCase]) -> dict[str, int]:
    """Which repeat of its question a case is, by case, for those that are one."""
    draws = {case.case_id: case.attributes.get("draw", "") for case in cases}
    return {case_id: int(draw) for case_id, draw in draws.items() if draw.isdecimal()}


def with_planted(corpus: Corpus, planted: Sequence[Document]) -> Corpus:
    """A copy of documents with further ones behind them."""
    return replace(corpus, documents=(*corpus.documents, *planted))


class PlantingTarget:
    """The target for most cases, and a second one over the planted documents for those that have a passage.

    Args:
        plain: The target over the documents as they are.
        planted: What opens it over the documents with the planted ones; None where it searches documents of its own, in
            which nothing can be planted.
        case_ids: The cases that have a passage.
    """

    def __init__(self, plain: Target, planted: Callable[[], Target] | None, case_ids: frozenset[str]) -> None:
        self.name, self.concurrency = plain.name, plain.concurrency
        self._plain, self._case_ids = plain, case_ids
        self._planted = planted() if planted is not None else None
        self.words_to_encode = plain.words_to_encode + (self._planted.words_to_encode if self._planted else 0)

    def prepare(self, progress: Callable[[str, int, int], None], should_stop: Callable[[], bool]) -> bool:
        """Prepares both; False when it was asked to stop."""
        ready = self._plain.prepare(progress, should_stop)
        return ready and (self._planted is None or self._planted.prepare(progress, should_stop))

    def answer(self, case_id: str, question: str) -> Response:
        """Answers one question.

        Raises:
            TargetFailed: The case has a passage that cannot be planted, or the target failed.
        """
        if case_id not in self._case_ids:
            return self._plain.answer(case_id, question)
        if self._planted is None:
            raise TargetFailed(
                "No passage can be planted: the target searches documents of its own.",
                "Leave out the kind poisoned_passage, or test a target that searches the documents here.",
            )
        return self._planted.answer(case_id, question)
