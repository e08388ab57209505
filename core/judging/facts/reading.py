"""Reading documents for a fact: where they state it, and where words cannot tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.judging.facts.doubts import heading_with, is_elses, is_entry, named_with
from core.judging.facts.fact import Fact
from core.judging.facts.index import Titles
from core.judging.facts.subjects import Subject
from core.text.pages import Page, Piece, page_of
from core.text.passages import NEXT_HEADING, PassageKind
from core.text.words import contains_phrase, fold

MOST_STATED = 50
"""Documents named as stating a fact; a value that stands on more pages is found by any search."""


_IN_RELATION = r"\b(?:of|from|to|by|with|in|on|at|under|for|after|before|than|beside|near|into|between|through|via)\b"
_STILL_SPEAKS = re.compile(
    rf"(?P<before>[^|.;]{{0,60}}?)(?<![\w'])(?:it|he|she|they|him|them)\b(?!')[^|.;]*?{_IN_RELATION}"
    rf"|(?:its|his|her|their) [^|.;]*?{_IN_RELATION}"
)
"""A pronoun, and behind it something that is named in relation to what it means."""
_THE_THING = re.compile(
    r"(?:The|This|That) [a-z][a-z-]+ (?!(?:of|for|at|in|on|from|to|and|or|by|with|called|named|known)\b)[a-z]+ [^.;]*?"
    r"\b(?:of|from|to|by|with|in|at|under|for|after|than|into|between|through)\b"
)
"""The same with the kind of thing in its place: "The production goes back to ..."."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A document as it is read for a fact.

    Attributes:
        gold: Whether it is known to be about the subjects, whatever it calls them.
        said: Where a page about the subjects names this document: the word families of the property with which it does.
            "The manager of Jane Peacock is Nancy Edwards" leaves the birth date to the page of Nancy Edwards. None
            where the document speaks for itself.
    """

    document: Document
    page: Page
    gold: bool = False
    said: frozenset[str] | None = None
    _rows: dict[str, bool] = field(default_factory=dict, compare=False, repr=False)
    _said: dict[str, _Said] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, document: Document, *, gold: bool = False) -> Source:
        """A document that speaks for itself."""
        return cls(document=document, page=page_of(document), gold=gold)

    def property_of(self, fact: Fact, *, shared: bool = False) -> frozenset[str]:
        """The words of the property that this document has to say."""
        return fact.property_on(self.page, shared=shared) - (self.said or frozenset())

    def is_titled(self, fact: Fact, piece: Piece) -> bool:
        """Whether a subject gives its name to the page, its part, the row of a table or the line of a list."""
        lead = "" if piece.passage.kind is PassageKind.SENTENCE else piece.folded
        return all(
            self.page.is_about(name)
            or contains_phrase(fold(piece.passage.heading), name)
            or contains_phrase(lead[: len(name) + 1], name)
            for name in fact.names
        )

    def is_about(self, fact: Fact, place: int) -> bool | None:
        """Whether a passage is about every subject; None where the page has the subject and words cannot tell.

        A gold document with one subject is about it, whatever it calls it; a page of many, each under its own heading,
        is so under the subject's. Elsewhere the subject stands in the title,
        in the passage or just before it, or in any passage of the page where nothing between speaks about a rival. A
        document that another one names is about what it is called. What stands under another heading than the subject
        does is about something else.
        """
        if self.said is not None:
            piece = self.page.pieces[place]
            rivalled = any(self.rivals(subject, place) for subject in fact.subjects)
            return not rivalled or piece.names(fold(self.document.title))
        if self.gold and len(fact.subjects) < 2:
            return not any(self._headed_otherwise(subject, place) for subject in fact.subjects)
        doubt = False
        for subject in fact.subjects:
            about = self._is_about_one(subject, place)
            if about is False:
                return False
            doubt = doubt or about is None
        return None if doubt else True

    def states(self, subject: Subject, place: int) -> bool:
        """Whether a passage, its heading or its row has a subject; looked for once."""
        return self._said_of(subject).states(place)

    def rivals(self, subject: Subject, place: int) -> bool:
        """Whether a passage names a rival of a subject and not itself; looked for once."""
        return self._said_of(subject).rivals(place)

    def _has_row(self, subject: Subject) -> bool:
        """Whether a row of a table on the page states a subject; looked for once."""
        if subject.name not in self._rows:
            self._rows[subject.name] = any(
                piece.passage.kind is PassageKind.CELL and subject.stated_in(piece) for piece in self.page.pieces
            )
        return self._rows[subject.name]

    def _headed_otherwise(self, subject: Subject, place: int) -> bool:
        """Whether the page has a part of the subject's own and a passage stands under another heading."""
        piece = self.page.pieces[place]
        if not piece.passage.heading:
            return False
        # A title may name several, each of which has a part of its own below.
        its_own = contains_phrase(piece.part, subject.name) or contains_phrase(piece.line, subject.name)
        if subject.rivals is not None and not its_own and subject.rivals.named_in(piece.part, subject.name):
            return True
        if self.page.is_about(subject.name) or self.states(subject, place):
            return False
        return any(contains_phrase(heading, subject.name) for heading in self.page.headings)

    def _is_about_one(self, subject: Subject, place: int) -> bool | None:
        page = self.page
        piece = page.pieces[place]
        if self._headed_otherwise(subject, place):
            return False
        if page.is_about(subject.name) or self.states(subject, place):
            return True
        said = self._said_of(subject)
        if piece.follows(subject.name) and said.of_subject_before(place) is not False:
            return True
        if not said.mentioned:
            return self.gold and not said.rivals(place)
        if subject.rivals is None:
            return None
        if said.rivals(place):
            return False
        if subject.value is not None:
            # A date or a number is a property of what the page is about; other dates are other properties of it. But
            # where a table has a row for it, another row is about something else.
            in_table = piece.passage.kind is PassageKind.CELL and self._has_row(subject)
            return False if in_table else True if self.gold else None
        if (of_subject := said.of_subject_before(place)) is not None:
            return of_subject
        if self.gold:
            return True
        heading = piece.passage.heading
        # An entry above the part with the subject may be said of all that follows, as the day of a call is.
        below = f"{heading}{NEXT_HEADING}" if piece.passage.kind is PassageKind.ENTRY else ""
        here = heading in said.headings or (below and any(one.startswith(below) for one in said.headings))
        return None if here or not heading else False

    def _said_of(self, subject: Subject) -> _Said:
        """Where the page speaks of a subject and of its rivals; read once."""
        if subject.name not in self._said:
            self._said[subject.name] = _Said(subject, self.page)
        return self._said[subject.name]


class _Said:
    """Where a page speaks of a subject and of its rivals, read in one pass when that is asked for."""

    def __init__(self, subject: Subject, page: Page) -> None:
        self._subject = subject
        self._page = page
        self._stated: dict[int, bool] = {}
        self._rivalled: dict[int, bool] = {}

    @cached_property
    def mentioned(self) -> bool:
        """Whether the subject occurs in the document at all."""
        return self._subject.mentioned(self._page)

    def states(self, place: int) -> bool:
        """Whether a passage has the subject."""
        found = self._stated.get(place)
        if found is None:
            found = self._stated[place] = self._subject.stated_in(self._page.pieces[place])
        return found

    def rivals(self, place: int) -> bool:
        """Whether a passage names a rival and not the subject."""
        found = self._rivalled.get(place)
        if found is None:
            found = not self.states(place) and self._subject.rivalled_in(self._page.pieces[place])
            self._rivalled[place] = found
        return found

    def of_subject_before(self, place: int) -> bool | None:
        """Whether the last passage before one that names the subject or a rival names the subject."""
        return self._speaking[place]

    @cached_property
    def headings(self) -> frozenset[str]:
        """What passages that state the subject stand under."""
        pieces = self._page.pieces
        return frozenset(piece.passage.heading for place, piece in enumerate(pieces) if self.states(place))

    @cached_property
    def _speaking(self) -> list[bool | None]:
        speaking: list[bool | None] = [None]
        for place in range(len(self._page.pieces)):
            last = speaking[-1]
            named = True if self.states(place) else False if self.rivals(place) else last
            goes_on = named is not last and last is not None and self._by_the_way(place)
            speaking.append(last if goes_on else named)
        return speaking

    def _by_the_way(self, place: int) -> bool:
        """Whether a sentence speaks of what went before and only names another thing: "It forms part of Palm House"."""
        piece = self._page.pieces[place]
        if piece.passage.kind is not PassageKind.SENTENCE:
            return False
        if found := _STILL_SPEAKS.match(piece.folded):
            before = found["before"] or ""
            rivals = self._subject.rivals
            named = rivals is not None and rivals.named_in(before, self._subject.name)
            return not named and not contains_phrase(before, self._subject.name)
        return _THE_THING.match(piece.passage.text) is not None


@dataclass(slots=True)
class Reading:
    """What reading documents came to: where the fact is stated, and where words could not decide."""

    stated: list[tuple[int, Document, Piece]]
    doubtful: tuple[Document, str] | None = None

    @property
    def by_the_way(self) -> bool:
        """Whether the value stands nowhere beside a word of the property."""
        return not any(overlap for overlap, _, _ in self.stated)

    def present(self) -> FactFinding | None:
        """The passage closest to the property, with every document that states the fact."""
        if not self.stated:
            return None
        best = max(self.stated, key=lambda item: item[0])
        return FactFinding(
            evidence=FactEvidence.PRESENT,
            document_id=best[1].id,
            passage=best[2].passage.text,
            document_ids=tuple(dict.fromkeys(document.id for _, document, _ in self.stated)),
        )


def read(
    fact: Fact,
    sources: Iterable[Source],
    titles: Titles | None = None,
    of_another: Callable[[Piece], bool] = lambda piece: False,
) -> Reading:
    """Where documents state the fact, and the first place where that cannot be told.

    It cannot be told where a document that has every subject has the value too, in a title or beside other words than
    the question's, and the value is too rare to stand there by chance; nor where a short name ("UK") or a whole entry
    ("Goods: bicycles") stands on a page or in a row that is called by the subject.

    Args:
        fact: What should be stated.
        sources: Where.
        titles: Of all documents; a value that is a part of one ("English" in "English Bulworth") shows nothing.
        of_another: Whether a passage states the property of another subject.
    """
    reading = Reading(stated=[])
    for source in sources:
        document = source.document
        property_words = source.property_of(fact)
        best: tuple[int, Document, Piece] | None = None
        for place, piece in enumerate(source.page.pieces):
            if not fact.stated_in(piece):
                continue
            overlap = len(property_words & (piece.stems | piece.beside))
            on_property = overlap > 0 or not fact.any_of
            sure = on_property or (source.gold and source.said is None and fact.telling)
            short = fact.named or is_entry(fact, piece)
            if not (sure or fact.telling or (short and source.is_titled(fact, piece))):
                continue
            about = source.is_about(fact, place)
            if overlap and not fact.telling and _said_better(fact, source, piece, property_words):
                continue
            if about and sure:
                if best is None or overlap > best[0]:
                    best = (overlap, document, piece)
            elif about is not False and reading.doubtful is None and not is_elses(fact, source.page, piece, titles):
                reading.doubtful = None if of_another(piece) else (document, piece.passage.text)
        if best is not None and len(reading.stated) < MOST_STATED:
            reading.stated.append(best)
        elif reading.doubtful is None and (
            heading := (heading_with(fact, document, source.page) if fact.telling else named_with(fact, document))
        ):
            reading.doubtful = (document, heading)
    return reading


def _said_better(fact: Fact, source: Source, piece: Piece, property_words: frozenset[str]) -> bool:
    """Whether another passage about the subject has all words of the property that this one has, and more.

    A small number stands on a page by chance: "the discount of order 10435 is 0" does not say that 0 are on order where
    the page also says how many units are on order.
    """
    words = fact.shared & property_words & (piece.stems | piece.beside)
    return any(
        words < fact.shared & property_words & (other.stems | other.beside) and source.is_about(fact, place)
        for place, other in enumerate(source.page.pieces)
    )
