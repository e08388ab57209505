"""The facts that a template can ask for, as test set and database show them, and what documents say about each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from core.diagnosis.called.cases import Calling
from core.diagnosis.called.short import named_in_short
from core.diagnosis.computed.rows import RowsBehind
from core.diagnosis.service.facts.preparing import RivalsByParameter
from core.diagnosis.service.facts.reading_cache import Readings
from core.domain.sources.documents import Document
from core.domain.testset.cases import TestCase
from core.judging.facts.fact import Fact
from core.judging.facts.index import FactIndex, Titles
from core.judging.facts.reading import Source
from core.judging.facts.search import sources_about
from core.judging.facts.wordings.statements import ToldFact
from core.text.pages import Page

MOST_EXAMPLES = 30
"""Facts of a template by which it is learnt how documents state them."""


class KnownFacts:
    """The facts of each template, prepared once.

    Args:
        index: All documents.
        rivals: Of the parameters of the cases' templates, as far as the test set shows them.
        gold: The documents that should hold the fact of a case.
        behind: Knows what else a template could have asked; None where there is no database.
        calling: Knows what documents call the records; None where nothing does.
        readings: What was read of the same facts in other copies of the documents.
    """

    def __init__(
        self,
        index: FactIndex,
        rivals: RivalsByParameter,
        gold: Callable[[TestCase], Sequence[Document]],
        behind: RowsBehind | None,
        calling: Calling | None,
        readings: Readings,
    ) -> None:
        self._index = index
        self._given = rivals
        self._gold = gold
        self._behind = behind
        self._calling = calling
        self._readings = readings
        self._siblings: defaultdict[str, defaultdict[str, list[TestCase]]] = defaultdict(lambda: defaultdict(list))
        self._members: dict[str, list[list[TestCase]]] = {}
        self._rivals: dict[str, RivalsByParameter] = {}
        self._in_full: dict[str, TestCase] = {}
        self._told: dict[str, Sequence[ToldFact]] = {}

    @property
    def titles(self) -> Titles:
        """Of all documents."""
        return self._index.titles

    @property
    def has_database(self) -> bool:
        """Whether there is a database that says what else its records have."""
        return self._calling is not None

    def add(self, case: TestCase) -> None:
        """Takes a case to learn from."""
        self._siblings[case.sql_template_id][case.group_id].append(case)

    def in_short(self, wordings: Sequence[TestCase], parameter: str) -> Iterator[tuple[TestCase, ...]]:
        """The wordings of a fact with a subject's name as some documents have it, without the rest of the name."""
        others = self.values_of(wordings[0], parameter)
        names = self._calling.names_with if self._calling is not None else (lambda word: ())
        for short in named_in_short(wordings, parameter, others, self._index, names):
            self._in_full[short[0].group_id] = wordings[0]
            if self._calling is not None:
                self._calling.in_short(wordings[0], short)
            yield short

    def fact(self, wordings: Sequence[TestCase]) -> Fact:
        """A fact whose subjects are told from all that the database has, not only from those that are asked about."""
        first = wordings[0]
        if first.sql_template_id not in self._rivals:
            known = self._readings.rivals_of(one[0] for one in self.of_template(first)) if self._behind else {}
            self._rivals[first.sql_template_id] = {**self._given, **known}
        return self._readings.fact_of(wordings, self._rivals[first.sql_template_id])

    def values_of(self, case: TestCase, parameter: str) -> list[str]:
        """What a parameter of a case's template can be filled with, as far as test set and database show it."""
        filled = (members[0].sql_params.get(parameter) for members in self.of_template(case))
        return list(dict.fromkeys(str(value) for value in filled if value is not None))

    def about(self, fact: Fact, case: TestCase) -> list[Source]:
        """The documents that should hold a fact of a case, then every other one that mentions its subjects."""
        return sources_about(fact, self._gold(case), self._index)

    def mentioned(self, case: TestCase) -> Iterator[tuple[Fact, Sequence[Source]]]:
        """Facts of the template of a case that documents mention the subjects of, each with these documents."""
        for members in self.of_template(case)[:MOST_EXAMPLES]:
            fact = self.fact(members)
            sources = self.about(fact, members[0]) if fact.values else []
            if sources:
                yield fact, sources

    def told(self, case: TestCase) -> Sequence[ToldFact]:
        """Some of the facts of the template of a case, each with what documents say about its subjects; read once."""
        template_id = case.sql_template_id
        if template_id not in self._told:
            facts = [(self.fact(members), members[0]) for members in self.of_template(case)[:MOST_EXAMPLES]]
            self._told[template_id] = [self.told_of(fact, first) for fact, first in facts if fact.values]
        return self._told[template_id]

    def told_of(self, fact: Fact, case: TestCase) -> ToldFact:
        """A fact of a case with what documents say about its subjects."""
        return self._readings.told(fact, self.about(fact, case))

    def around(self, case: TestCase) -> tuple[str, ...]:
        """What else the database says of the records of a case."""
        if self._behind is None:
            return ()
        full = self._in_full.get(case.group_id, case)
        original = full if self._calling is None else self._calling.original(full)[0]
        return self._behind.around(original) or ()

    def is_of_another(self, fact: Fact, page: Page) -> bool:
        """Whether a page is called by another record than the subjects of a fact, and not by them."""
        records = self._calling.records if self._calling is not None else None
        if records is None or all(page.is_about(name) for name in fact.names):
            return False
        return any(records.named_in(page.subject, name) for name in fact.names)

    def of_template(self, case: TestCase) -> list[list[TestCase]]:
        """The facts of the template of a case: those of the test set, then further ones of the database."""
        template_id = case.sql_template_id
        if template_id not in self._members:
            facts = [*self._siblings[template_id].values(), *([example] for example in self._examples(case))]
            by_subject: dict[tuple[str, ...], list[TestCase]] = {}
            for members in facts:
                by_subject.setdefault(_filled(members[0]), members)
            self._members[template_id] = list(by_subject.values())
        return self._members[template_id]

    def _examples(self, case: TestCase) -> list[TestCase]:
        """Further facts, under the names that documents have where the case has them."""
        if self._behind is None:
            return []
        original = case if self._calling is None else self._calling.original(case)[0]
        examples = self._behind.examples(original)
        if original is case or self._calling is None:
            return examples
        called = (self._calling.called([example]) for example in examples)
        return [one.wordings[0] for one in called if one is not None]


def _filled(case: TestCase) -> tuple[str, ...]:
    """What a case is about."""
    return tuple(map(str, case.sql_params.values()))
