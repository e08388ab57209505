"""Sentences in which documents state what a template asks for, learnt from the test set and from the database."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from core.diagnosis.called.cases import Calling
from core.diagnosis.computed.rows import RowsBehind
from core.diagnosis.service.preparing import RivalsByParameter, fact_of, rivals_of
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import TestCase
from core.judging.facts.fact import Fact
from core.judging.facts.index import FactIndex
from core.judging.facts.patterns import Pattern, Told, about_subjects, in_pattern, is_written, patterns_of
from core.judging.facts.reading import Source
from core.judging.facts.search import beside_subject, read_passages, sources_about
from core.judging.facts.siblings import SUBJECT
from core.judging.facts.spellings import Spelling, in_words, spellings_of
from core.judging.facts.values import ReferenceValue, figures_in, reference_values
from core.judging.match.readers.dates import MONTHS, DateSpan
from core.judging.match.readers.numbers import Number
from core.text.pages import Piece
from core.text.words import fold, words

MOST_EXAMPLES = 30
"""Facts by which it is learnt in which sentences documents state what a template asks for."""


LONGEST_CODE = 4
"""Letters and figures that a code has at most which documents may put in words."""
FEWEST_MENTIONED = 3
"""Records that documents must mention before it is known whether they can be read for a property."""
LEAST_WRITTEN = 0.8
"""Share of them whose value must be written somewhere in these documents."""
SHARED = 3
"""Records from which on a value that they share is a kind of thing and no name."""
LEAST_WITHOUT = 1 / 3
"""The same where there is no database, which would explain what else stands on a page."""
LEAST_IN_PATTERN = 0.5
"""Share of the records that documents tell something of which must be told in the same sentences."""
_NAME = re.compile(r"(?<=[^\s.!?] )(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b)[A-Z][\w'-]+")
"""A word with a capital inside a sentence."""
MONTH = re.compile(rf"\b(?:{'|'.join(month for month in MONTHS if len(month) > LONGEST_CODE)})\b")
_PART = re.compile(r"\d+|[^\W\d_]+")
SHORTEST_PART = 3
"""Letters or figures by which a part of a value is told."""


class PatternReader:
    """Reads documents for facts in the sentences in which they state the same of others.

    Args:
        index: All documents.
        rivals: Of the parameters of the cases' templates, as far as the test set shows them.
        gold: The documents that should hold the fact of a case.
        behind: Knows what else a template could have asked; None where there is no database.
        calling: Knows what documents call the records; None where nothing does.
    """

    def __init__(
        self,
        index: FactIndex,
        rivals: RivalsByParameter,
        gold: Callable[[TestCase], Sequence[Document]],
        behind: RowsBehind | None,
        calling: Calling | None,
    ) -> None:
        self._index = index
        self._given = rivals
        self._gold = gold
        self._behind = behind
        self._calling = calling
        self._siblings: defaultdict[str, defaultdict[str, list[TestCase]]] = defaultdict(lambda: defaultdict(list))
        self._members: dict[str, list[list[TestCase]]] = {}
        self._rivals: dict[str, RivalsByParameter] = {}
        self._patterns: dict[str, tuple[Pattern, ...]] = {}
        self._examples_read: dict[str, Sequence[tuple[Fact, Sequence[Told]]]] = {}
        self._told: set[str] = set()
        self._legible: dict[str, bool] = {}
        self._spellings: dict[str, tuple[Spelling, ...]] = {}

    def add(self, case: TestCase) -> None:
        """Takes a case to learn from."""
        self._siblings[case.sql_template_id][case.group_id].append(case)

    def finding(self, wordings: Sequence[TestCase], finding: FactFinding) -> FactFinding:
        """What a fact comes to that no words of the question state.

        Args:
            wordings: Every wording of the fact.
            finding: What was found without patterns.
        """
        fact = self.fact(wordings)
        told = list(about_subjects(fact, sources_about(fact, self._gold(wordings[0]), self._index)))
        found = self._read(fact, told, wordings[0])
        # Where the value stands beside the subject in other words, the documents may contradict each other.
        beside = finding.evidence is FactEvidence.UNDECIDED and fact.telling
        if found is None and finding.evidence is FactEvidence.ABSENT and told and self._is_coded(fact, wordings[0]):
            return replace(finding, evidence=FactEvidence.UNDECIDED)
        if found is None or (beside and found.evidence is FactEvidence.CONTRADICTED):
            return finding
        self._told.add(wordings[0].group_id)
        return found

    def stated_in(
        self, wordings: Sequence[TestCase], passages: Iterable[tuple[str, str]], stating: Collection[str]
    ) -> bool:
        """Whether passages that a target retrieved state a fact that was found in such a sentence.

        Args:
            wordings: Every wording of the fact.
            passages: The id of the document and the text of each.
            stating: Ids of the documents that state the fact.
        """
        if wordings[0].group_id not in self._told:
            return False
        fact = self.fact(wordings)
        told = list(about_subjects(fact, read_passages(passages, stating, self._index)))
        found = self._read(fact, told, wordings[0])
        return found is not None and found.evidence is FactEvidence.PRESENT

    def _is_coded(self, fact: Fact, case: TestCase) -> bool:
        """Whether the value is a code that documents write of no record as it stands: they may have it in words."""
        codes = all(value.text.isupper() and len(value.text) <= LONGEST_CODE for value in fact.values)
        return codes and not any(is_written(other, told) for other, told in self._examples_told(case))

    def _read(self, fact: Fact, told: Sequence[Told], case: TestCase) -> FactFinding | None:
        return in_pattern(fact, told, self.patterns(case)) or in_words(fact, told, self._spelt(case))

    def name_subjects(self, case: TestCase) -> bool:
        """Whether documents state what a template asks for beside the names that its questions have."""
        return any(SUBJECT in (*pattern.before, *pattern.after) for pattern in self.patterns(case))

    def patterns(self, case: TestCase) -> tuple[Pattern, ...]:
        """The sentences in which documents state what the template of a case asks for."""
        template_id = case.sql_template_id
        if template_id not in self._patterns:
            self._patterns[template_id] = patterns_of(self._examples_told(case))
        return self._patterns[template_id]

    def is_legible(self, case: TestCase) -> bool:
        """Whether documents have what the template of a case asks for as it is written, of some records at least.

        Where pages that name records have it of hardly any ("the first sod was turned on the twelfth of June"), that it
        stands nowhere for one of them says little.
        """
        template_id = case.sql_template_id
        if self._calling is None and not self.fact([case]).telling and self.patterns(case):
            return True
        if template_id not in self._legible:
            read = [
                (
                    any(_is_stated(fact, piece) for piece in pieces),
                    any(_is_traced(fact, piece) for piece in pieces) or not _parts_of(fact),
                )
                for fact, sources in self._examples_mentioned(case)
                for pieces in [[piece for source in sources for piece in source.page.pieces]]
            ]
            written = sum(stated for stated, _ in read)
            # Where not even a word or a year of the values stands there, documents say nothing of the property; of a
            # flag, a code or a count that cannot be told.
            silent = not any(traced for _, traced in read)
            few = len(read) < FEWEST_MENTIONED
            least = LEAST_WRITTEN if self._calling is not None else LEAST_WITHOUT
            told = self._calling is None if few else silent or written >= least * len(read)
            self._legible[template_id] = told or self._is_in_pattern(case)
        return self._legible[template_id]

    def _is_in_pattern(self, case: TestCase) -> bool:
        """Whether documents state what a template asks for of most records in sentences that are known."""
        told = self._examples_told(case) if self.patterns(case) else ()
        findings = [in_pattern(fact, about, self.patterns(case)) for fact, about in told if about]
        present = sum(one is not None and one.evidence is FactEvidence.PRESENT for one in findings)
        return len(findings) >= FEWEST_MENTIONED and present >= LEAST_IN_PATTERN * len(findings)

    def may_hold(self, wordings: Sequence[TestCase]) -> bool:
        """Whether pages that name the subjects of a fact have anything of its kind that nothing else explains.

        A figure that is another column of the same record, or belongs to a record beside it, is explained; a code or a
        flag may stand there in any words.
        """
        fact = self.fact(wordings)
        known = reference_values(self._around(wordings[0]))
        named = {word for name in (*fact.names, *(fold(one.text) for one in known)) for word in words(name)}
        return any(
            fact.stated_in(piece) or _has_kind(fact, piece.passage.text, named, known)
            for source in self._sources(fact, wordings[0])
            for piece in source.page.pieces
            if _is_figure(fact) or any(piece.names(name) for name in fact.names)
        )

    def _sources(self, fact: Fact, case: TestCase) -> Sequence[Source]:
        """The documents about the subjects of a fact; where none has all, those about the one that is a name.

        "The damage of Stormcock's pollution" is told in a letter about the Stormcock that has no such word: what
        several records share is a kind of thing, which documents put in words of their own.
        """
        gold = self._gold(case)
        sources = sources_about(fact, gold, self._index)
        if sources or len(fact.subjects) < 2:
            return sources
        filled = [members[0].sql_params for members in self._known(case)]
        of_one = {
            fold(str(value))
            for name, value in case.sql_params.items()
            if str(value)[:1].isupper() and sum(params.get(name) == value for params in filled) < SHARED
        }
        named = tuple(subject for subject in fact.subjects if subject.value is None and subject.name in of_one)
        return sources_about(replace(fact, subjects=named), gold, self._index) if named else ()

    def by_exclusion(self, wordings: Sequence[TestCase], finding: FactFinding) -> FactFinding:
        """What an undecided fact comes to whose value documents say of its subjects, and which is nothing else there.

        "First sold on 28 October 2013" has no word of "launched". The database says what else its records have: where
        none of that is this day, the page states the fact.
        """
        fact, known = self.fact(wordings), self._around(wordings[0])
        if not known or not finding.passage or any(value.stated_in(text) for value in fact.values for text in known):
            return finding
        stated = beside_subject(fact, self._gold(wordings[0]), self._index)
        return finding if stated is None or stated.passage != finding.passage else stated

    def _around(self, case: TestCase) -> tuple[str, ...]:
        """What else the database says of the records of a case."""
        if self._behind is None:
            return ()
        original = case if self._calling is None else self._calling.original(case)[0]
        return self._behind.around(original) or ()

    def _examples_mentioned(self, case: TestCase) -> Iterator[tuple[Fact, Sequence[Source]]]:
        """Facts of the template of a case that documents mention the subjects of, each with these documents."""
        for members in self._known(case)[:MOST_EXAMPLES]:
            fact = self.fact(members)
            sources = sources_about(fact, self._gold(members[0]), self._index) if fact.values else []
            if sources:
                yield fact, sources

    def _spelt(self, case: TestCase) -> tuple[Spelling, ...]:
        """How documents put the codes that a template asks for in words, where they do not have them as they stand."""
        template_id = case.sql_template_id
        if template_id not in self._spellings:
            as_they_stand = bool(self.patterns(case))
            self._spellings[template_id] = () if as_they_stand else spellings_of(self._examples_told(case))
        return self._spellings[template_id]

    def _examples_told(self, case: TestCase) -> Sequence[tuple[Fact, Sequence[Told]]]:
        """Some of the facts of the template of a case, each with what documents say about its subjects; read once."""
        template_id = case.sql_template_id
        if template_id not in self._examples_read:
            facts = [(self.fact(members), self._gold(members[0])) for members in self._known(case)[:MOST_EXAMPLES]]
            self._examples_read[template_id] = [
                (fact, list(about_subjects(fact, sources_about(fact, gold, self._index))))
                for fact, gold in facts
                if fact.values
            ]
        return self._examples_read[template_id]

    def fact(self, wordings: Sequence[TestCase]) -> Fact:
        """A fact whose subjects are told from all that the database has, not only from those that are asked about."""
        first = wordings[0]
        if first.sql_template_id not in self._rivals:
            known = [(one[0].sql_template_id, one[0].sql_params) for one in self._known(first)]
            self._rivals[first.sql_template_id] = {**self._given, **rivals_of(known)} if self._behind else self._given
        return fact_of(wordings, self._rivals[first.sql_template_id])

    def values_of(self, case: TestCase, parameter: str) -> list[str]:
        """What a parameter of a case's template can be filled with, as far as test set and database show it."""
        filled = (members[0].sql_params.get(parameter) for members in self._known(case))
        return list(dict.fromkeys(str(value) for value in filled if value is not None))

    def _known(self, case: TestCase) -> list[list[TestCase]]:
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


def _is_figure(fact: Fact) -> bool:
    return any(map(str.isdigit, fact.values[0].text))


def _is_traced(fact: Fact, piece: Piece) -> bool:
    """Whether a passage that names a subject of a fact has a part of its value: a year, a month, a surname, digits."""
    if not any(piece.names(name) for name in fact.names):
        return False
    return not _parts_of(fact).isdisjoint(piece.words)


def _parts_of(fact: Fact) -> frozenset[str]:
    """The words and groups of digits of the values by which a part of one is told; none of a flag or a count."""
    parts: set[str] = set()
    named = {word for name in fact.names for word in words(name)}
    for value in fact.values:
        if value.date is not None:
            reading = value.date.readings[0]
            parts |= {str(reading.year)} | {month for month, place in MONTHS.items() if place == reading.month}
        elif fact.telling:
            parts |= {run for run in _PART.findall(fold(value.text)) if len(run) >= SHORTEST_PART}
    return frozenset(parts - named)


def _has_kind(fact: Fact, text: str, named: Collection[str], known: Sequence[ReferenceValue]) -> bool:
    """Whether a passage has something of the kind of a fact's value besides the names it is about and what is known."""
    if any(value.reworded or (value.text.isupper() and len(value.text) <= LONGEST_CODE) for value in fact.values):
        return True
    if _is_figure(fact):
        numbers, dates = figures_in(text)
        figures: list[Number | DateSpan] = [*numbers, *(dates if fact.values[0].date is not None else ())]
        months = fact.values[0].date is not None and not dates and bool(MONTH.search(fold(text)))
        return months or any(not any(value.explains(figure) for value in known) for figure in figures)
    return any(word.casefold() not in named for word in _NAME.findall(text))


def _is_stated(fact: Fact, piece: Piece) -> bool:
    """Whether a passage has the value of a fact, beside a word of the property where it may stand there by chance."""
    return fact.stated_in(piece) and (
        fact.telling or not fact.shared or bool(fact.shared & (piece.stems | piece.beside))
    )


def _filled(case: TestCase) -> tuple[str, ...]:
    """What a case is about."""
    return tuple(map(str, case.sql_params.values()))
