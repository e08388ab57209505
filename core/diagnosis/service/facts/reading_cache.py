"""What was read of facts and pages, kept for copies of a corpus that have most of their pages in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.diagnosis.service.facts.preparing import RivalsByParameter, fact_of, values_of
from core.domain.testset.cases import TestCase
from core.judging.facts.fact import Fact
from core.judging.facts.reading import Source
from core.judging.facts.subjects import Rivals
from core.judging.facts.wordings.statements import ToldFact, ToldPage


class Readings:
    """What was read once: who else a question could be about, its fact, and what pages say about that.

    A trial of the diagnosis plants its faults in copies of one corpus, each of which is searched for the same facts and
    differs in a few pages. What is kept here holds for every one of them; it lives as long as the trial.
    """

    def __init__(self) -> None:
        self._rivals: dict[tuple[str, ...], Rivals] = {}
        self._facts: dict[tuple[object, ...], Fact] = {}
        self._told: dict[tuple[object, ...], ToldPage] = {}

    def rivals_of(self, cases: Iterable[TestCase]) -> RivalsByParameter:
        """What each parameter of the cases' templates was filled with; the same values are the same rivals."""
        values = values_of((case.sql_template_id, case.sql_params) for case in cases)
        return {parameter: self._rivals_among(names) for parameter, names in values.items()}

    def _rivals_among(self, names: tuple[str, ...]) -> Rivals:
        if names not in self._rivals:
            self._rivals[names] = Rivals(names)
        return self._rivals[names]

    def fact_of(self, wordings: Sequence[TestCase], rivals: RivalsByParameter) -> Fact:
        """As :func:`core.diagnosis.service.facts.preparing.fact_of`."""
        first = wordings[0]
        key = (
            tuple(case.question for case in wordings),
            first.sql,
            first.tables,
            first.attributes.get("asks_for"),
            tuple(first.sql_params.items()),
            first.reference_answers,
            len(first.gold_document_ids),
            tuple(rivals.get((first.sql_template_id, name)) for name in first.sql_params),
        )
        if key not in self._facts:
            self._facts[key] = fact_of(wordings, rivals)
        return self._facts[key]

    def told(self, fact: Fact, sources: Sequence[Source]) -> ToldFact:
        """What documents say about the subjects of a fact.

        Args:
            fact: One of :meth:`fact_of`.
            sources: The documents, each speaking for itself.
        """
        return ToldFact(fact, [self._page(fact, source) for source in sources])

    def _page(self, fact: Fact, source: Source) -> ToldPage:
        document = source.document
        key = (id(fact), document.id, document.title, document.text, source.gold)
        if key not in self._told:
            self._told[key] = ToldPage(fact, source)
        return self._told[key]
