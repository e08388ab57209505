"""Would a fact be seen if documents stated it? Only then is one that stands nowhere missing, and not undecided."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from core.diagnosis.service.facts.patterns import LONGEST_CODE, PatternReader
from core.diagnosis.service.facts.template_facts import KnownFacts
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import TestCase
from core.judging.facts.fact import Fact
from core.judging.facts.reading import Source
from core.judging.facts.search import beside_subject
from core.judging.facts.subjects import Subject
from core.judging.facts.values import ReferenceValue, figures_in, reference_values
from core.judging.facts.wordings.patterns import in_pattern
from core.judging.match.readers.figures.numbers import Number
from core.judging.match.readers.times.dates import MONTHS, DateSpan
from core.text.pages import Piece
from core.text.passages import PassageKind
from core.text.words import fold, words

FEWEST_MENTIONED = 3
"""Records that documents must mention before it is known whether they can be read for a property."""
LEAST_WRITTEN = 0.8
"""Share of them whose value must be written somewhere in these documents."""
LEAST_WITHOUT = 1 / 3
"""The same where there is no database, which would explain what else stands on a page."""
LEAST_IN_PATTERN = 0.5
"""Share of the records that documents tell something of which must be told in the same sentences."""
SHARED = 3
"""Records from which on a value that they share is a kind of thing and no name."""
SHORTEST_PART = 3
"""Letters or figures by which a part of a value is told."""
MONTH = re.compile(rf"\b(?:{'|'.join(month for month in MONTHS if len(month) > LONGEST_CODE)})\b")
_NAME = re.compile(r"(?<=[^\s.!?] )(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b)[A-Z][\w'-]+")
"""A word with a capital inside a sentence."""
_PART = re.compile(r"\d+|[^\W\d_]+")


class Legibility:
    """What can be read in documents of the facts of each template.

    Args:
        known: The facts.
        patterns: The sentences in which documents state them.
    """

    def __init__(self, known: KnownFacts, patterns: PatternReader) -> None:
        self._known = known
        self._patterns = patterns
        self._legible: dict[str, bool] = {}

    def is_legible(self, case: TestCase) -> bool:
        """Whether documents have what the template of a case asks for as it is written, of some records at least.

        Where pages that name records have it of hardly any ("the first sod was turned on the twelfth of June"), that it
        stands nowhere for one of them says little.
        """
        template_id = case.sql_template_id
        if not self._known.has_database and not self._known.fact([case]).telling and self._patterns.patterns(case):
            return True
        if template_id not in self._legible:
            read = [
                (
                    any(_is_stated(fact, piece) for piece in pieces),
                    any(_is_traced(fact, piece) for piece in pieces) or not _parts_of(fact),
                )
                for fact, sources in self._known.mentioned(case)
                for pieces in [[piece for source in sources for piece in source.page.pieces]]
            ]
            written = sum(stated for stated, _ in read)
            # Where not even a word or a year of the values stands there, documents say nothing of the property; of a
            # flag, a code or a count that cannot be told.
            silent = not any(traced for _, traced in read)
            few = len(read) < FEWEST_MENTIONED
            least = LEAST_WRITTEN if self._known.has_database else LEAST_WITHOUT
            told = not self._known.has_database if few else silent or written >= least * len(read)
            self._legible[template_id] = told or self._is_in_pattern(case)
        return self._legible[template_id]

    def _is_in_pattern(self, case: TestCase) -> bool:
        """Whether documents state what a template asks for of most records in sentences that are known."""
        told = self._known.told(case) if self._patterns.patterns(case) else ()
        findings = [in_pattern(one, self._patterns.patterns(case)) for one in told if one.passages]
        present = sum(one is not None and one.evidence is FactEvidence.PRESENT for one in findings)
        return len(findings) >= FEWEST_MENTIONED and present >= LEAST_IN_PATTERN * len(findings)

    def may_hold(self, wordings: Sequence[TestCase], subjects: Sequence[Subject] = ()) -> bool:
        """Whether pages that name the subjects of a fact have anything of its kind that nothing else explains.

        A figure that is another column of the same record, or belongs to a record beside it, is explained; a code or a
        flag may stand there in any words.

        Args:
            wordings: Every wording of the fact.
            subjects: Whom the pages are about that may hold it, where those are not who is asked about.
        """
        fact = self._known.fact(wordings)
        fact = replace(fact, subjects=tuple(subjects)) if subjects else fact
        known = reference_values(self._known.around(wordings[0]))
        explained = {fold(one.text) for one in known}
        named = {word for name in (*fact.names, *(fold(one.text) for one in known)) for word in words(name)}
        return any(
            fact.stated_in(piece)
            or (fold(_said_in(piece)) not in explained and _has_kind(fact, _said_in(piece), named, known))
            for source in self._sources(fact, wordings[0])
            for place, piece in enumerate(source.page.pieces)
            if (_is_figure(fact) or any(piece.names(name) for name in fact.names))
            and self._may_be_about(fact, source, place, elsewhere=bool(subjects))
        )

    def _may_be_about(self, fact: Fact, source: Source, place: int, *, elsewhere: bool) -> bool:
        """Whether a passage may be about the subjects of a fact.

        A row of a table is about whom it or its page names. Where the answer stands in another record (`elsewhere`),
        pages that are called by further ones speak of these where they do not name it.
        """
        piece = source.page.pieces[place]
        named = all(piece.names(name) for name in fact.names)
        if piece.passage.kind is PassageKind.CELL and not source.is_titled(fact, piece):
            return named
        if not elsewhere:
            return True
        if self._known.is_of_another(fact, source.page) and not all(piece.follows(name) for name in fact.names):
            return named
        return source.is_about(fact, place) is not False

    def _sources(self, fact: Fact, case: TestCase) -> Sequence[Source]:
        """The documents about the subjects of a fact; where none has all, those about the one that is a name.

        "The damage of Stormcock's pollution" is told in a letter about the Stormcock that has no such word: what
        several records share is a kind of thing, which documents put in words of their own.
        """
        sources = self._known.about(fact, case)
        if sources or len(fact.subjects) < 2:
            return sources
        filled = [members[0].sql_params for members in self._known.of_template(case)]
        of_one = {
            fold(str(value))
            for name, value in case.sql_params.items()
            if str(value)[:1].isupper() and sum(params.get(name) == value for params in filled) < SHARED
        }
        named = tuple(subject for subject in fact.subjects if subject.value is None and subject.name in of_one)
        return self._known.about(replace(fact, subjects=named), case) if named else ()

    def by_exclusion(self, wordings: Sequence[TestCase], finding: FactFinding) -> FactFinding:
        """What an undecided fact comes to whose value documents say of its subjects, and which is nothing else there.

        "First sold on 28 October 2013" has no word of "launched". The database says what else its records have: where
        none of that is this day, the page states the fact.
        """
        fact, known = self._known.fact(wordings), self._known.around(wordings[0])
        if not known or not finding.passage or any(value.stated_in(text) for value in fact.values for text in known):
            return finding
        stated = beside_subject(fact, self._known.about(fact, wordings[0]), self._known.titles)
        return finding if stated is None or stated.passage != finding.passage else stated


def _said_in(piece: Piece) -> str:
    """What a passage says; of a cell, without the head of its column, which is capital and no name."""
    text = piece.passage.text
    return text if piece.passage.kind is not PassageKind.CELL else text.rpartition(": ")[2]


def _is_figure(fact: Fact) -> bool:
    return any(map(str.isdigit, fact.values[0].text))


def _is_traced(fact: Fact, piece: Piece) -> bool:
    """Whether a passage that names a subject of a fact has a part of its value: a year, a month, a surname, digits."""
    if not any(piece.names(name) for name in fact.names):
        return False
    return not _parts_of(fact).isdisjoint(piece.words)


def _parts_of(fact: Fact) -> frozenset[str]:
    """The words of the values, or their years and months, by which a part of one is told; none of a number."""
    parts: set[str] = set()
    named = {word for name in fact.names for word in words(name)}
    for value in fact.values:
        if value.date is not None:
            reading = value.date.readings[0]
            parts |= {str(reading.year)} | {month for month, place in MONTHS.items() if place == reading.month}
        elif fact.telling and value.number is None:
            parts |= {run for run in _PART.findall(fold(value.text)) if len(run) >= SHORTEST_PART}
    return frozenset(parts - named)


def _is_code(text: str) -> bool:
    """Whether a value is a code, which documents may put in words: short, or one word in capitals (AGREE)."""
    return text.isupper() and (len(text) <= LONGEST_CODE or text.isalpha())


def _has_kind(fact: Fact, text: str, named: Collection[str], known: Sequence[ReferenceValue]) -> bool:
    """Whether a passage has something of the kind of a fact's value besides the names it is about and what is known."""
    if any(value.reworded or _is_code(value.text) for value in fact.values):
        return True
    if _is_figure(fact):
        numbers, dates = figures_in(text)
        figures: list[Number | DateSpan] = [*numbers, *(dates if fact.values[0].date is not None else ())]
        months = fact.values[0].date is not None and not dates and bool(MONTH.search(fold(text)))
        return months or any(not any(value.explains(figure) for value in known) for figure in figures)
    # "Born on 3 February 1992" has no name.
    for date in figures_in(text)[1]:
        text = re.sub(re.escape(date.text), " ", text, flags=re.IGNORECASE)
    return any(word.casefold() not in named for word in _NAME.findall(text))


def _is_stated(fact: Fact, piece: Piece) -> bool:
    """Whether a passage has the value of a fact, beside a word of the property where it may stand there by chance."""
    return fact.stated_in(piece) and (
        fact.telling or not fact.shared or bool(fact.shared & (piece.stems | piece.beside))
    )
