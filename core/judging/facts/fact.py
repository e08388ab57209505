"""A fact, prepared: who it is about, what is asked of them, and the values that state it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.judging.facts.subjects import Rivals, Subject, subjects_of
from core.judging.facts.values import ReferenceValue, reference_values
from core.text.pages import Page, Piece
from core.text.questions import SAID_BY_KIND, Asked, asked
from core.text.words import contains_phrase, fold, stem, stems

NUMBER_OF = re.compile(r"\b(number|count) of (?=\w)", re.IGNORECASE)
"""How a question asks for a count; a page that says how many there are has no such word."""
NONE_OF = re.compile(
    r"\b(?:no|without(?: any| an?)?|lacks?(?: an?)?|not any|not a single)"
    r" (?!(?:more|fewer|less|other|two|further|longer|such)\b)(?P<what>[a-z]+(?: [a-z]+)?)(?=\s*(?:[.,;|]|$| and no\b))"
)
"""What a clause that ends with it says there is none of."""
HOW_MANY = re.compile(r"\bhow many\b", re.IGNORECASE)
COUNT = stem("count")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact, prepared.

    Attributes:
        subjects: Who it is about.
        values: What states it.
        shared: Word families that most wordings of the question ask with.
        any_of: Word families that any wording asks with.
        joined: Whether the value may stand in another record than the subjects.
        counts: Whether it is asked how many there are.
    """

    subjects: tuple[Subject, ...]
    values: tuple[ReferenceValue, ...]
    shared: frozenset[str]
    any_of: frozenset[str]
    joined: bool = False
    counts: bool = False

    @classmethod
    def of(
        cls,
        answers: Sequence[str],
        subjects: Sequence[object],
        questions: Sequence[str] = (),
        rivals: Sequence[Rivals | None] = (),
        kinds: Collection[str] = (),
        *,
        joined: bool = False,
    ) -> Fact:
        """Prepares a fact.

        Args:
            answers: Every acceptable value.
            subjects: The values bound in the question's SQL.
            questions: The wordings of the question; the words they share name the property. Without them every value of
                the right kind in the target's own passage counts.
            rivals: What else each subject could have been, in their order; they tell whom a passage is about.
            kinds: Word families that say what kind of thing the subject is, such as those of its table's name.
            joined: Whether the value may stand in another record than the subjects.
        """
        about = subjects_of(subjects, rivals)
        of_names = frozenset(family for subject in about for family in stems(subject.name))
        wordings = list(dict.fromkeys(questions))
        # Words that say what the subject is ("the loan product 'X'") are no part of the property asked for.
        values = reference_values(answers, wordings)
        counted = any(value.number is not None for value in values)
        questions_asked = [_asked(wording, counted=counted) for wording in wordings]
        count = Counter(
            family for question in questions_asked for family in question.spelled if family not in question.types
        )
        usable = {family: times for family, times in count.items() if family not in of_names}
        counts = counted and bool(wordings) and all(HOW_MANY.search(wording) for wording in wordings)
        if counts:
            usable[COUNT] = 1  # "the count stands at twelve" has no word of what is counted
        usable = {family: times for family, times in usable.items() if family not in kinds} or usable
        return cls(
            subjects=about,
            values=values,
            shared=frozenset(family for family, times in usable.items() if times * 2 > len(wordings)),
            any_of=frozenset(usable),
            joined=joined,
            counts=counts,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The folded names of its subjects."""
        return tuple(subject.name for subject in self.subjects)

    @property
    def telling(self) -> bool:
        """Whether its values are rare enough that one of them in the right document is evidence by itself."""
        return all(value.telling for value in self.values)

    @property
    def named(self) -> bool:
        """Whether one of its values is a name, however short."""
        return any(value.date is None and value.number is None and value.text[:2].isupper() for value in self.values)

    def stated_in(self, piece: Piece) -> bool:
        """Whether a passage has one of its values, whatever it says about it; a part of a subject's name is none."""
        text, before = piece.passage.text, piece.passage.before
        if self.counts and any(value.is_zero for value in self.values) and self._says_none(piece):
            return True
        return any(
            self._has(value, text) or (value.in_words and self._has(value, f"{before} {text}", without=before))
            for value in self.values
        )

    def _says_none(self, piece: Piece) -> bool:
        """Whether a passage says that there are none of what is asked about: "It offers no dressing rooms"."""
        if any(map(str.isdigit, piece.folded)):
            return False
        denied = (match["what"].split() for match in NONE_OF.finditer(piece.folded))
        return any(stem(word) in self.any_of for words in denied for word in words)

    def property_on(self, page: Page, *, shared: bool = False) -> frozenset[str]:
        """The words of the property, without those of the document's own title.

        Where all of them stand in the title ("Managers"), they still tell what a passage states; which passage is
        contradicted (`shared`) they do not.
        """
        asked_with = self.shared if shared else self.any_of
        families = asked_with - page.stems or (frozenset() if shared else asked_with)
        return families - SAID_BY_KIND or families

    def _has(self, value: ReferenceValue, text: str, without: str = "") -> bool:
        """Whether a text has a value, and a part of it does not: what was cut between two sentences stands in both."""
        if not value.stated_in(text) or (without and value.stated_in(without)):
            return False
        holding = [subject.name for subject in self.subjects if contains_phrase(subject.name, value.key)]
        if not holding:
            return True
        folded = fold(text)
        for name in holding:
            folded = folded.replace(name, " | ")
        return value.stated_in(folded)


def _asked(wording: str, *, counted: bool) -> Asked:
    """A question, taken apart, without the words "number of" where it asks for a number and has other words for it.

    >>> sorted(_asked("number of units in stock of 'Chai'", counted=True).spelled)
    ['stock', 'unit']
    >>> sorted(_asked("number of account 'Chai'", counted=True).spelled)
    ['account', 'number']
    """
    whole = asked(wording)
    if not counted or not (match := NUMBER_OF.search(wording)):
        return whole
    others = set(whole.spelled) - whole.types - {stem(match.group(1).casefold())}
    return asked(NUMBER_OF.sub("", wording, count=1)) if others else whole
