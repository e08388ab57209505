"""Who a fact is about: the values bound in a question, found in a text in any spelling, and told from their rivals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.judging.facts.values import ReferenceValue, reference_values
from core.text.pages import Page, Piece
from core.text.words import contains_phrase, fold, words, words_of

MOST_TEXTS = 50_000
"""Texts of which a parameter remembers what they name."""


class Rivals:
    """The other values that one parameter of a question takes: the other branches, the other dates of an order.

    A passage that names one of them and not the subject speaks about somebody else.

    Args:
        values: Every value of the parameter, the subject's own among them.
    """

    def __init__(self, values: Iterable[str]) -> None:
        self._in: dict[str, tuple[str, ...]] = {}
        self._by_word: defaultdict[str, list[str]] = defaultdict(list)
        for name in dict.fromkeys(fold(str(value)) for value in values):
            if first := words(name)[:1]:
                self._by_word[first[0]].append(name)

    def named_in(self, folded: str, subject: str) -> bool:
        """Whether a folded text names a value that is neither the subject nor a part of its name."""
        return any(name != subject and not contains_phrase(subject, name) for name in self._named(folded))

    def _named(self, folded: str) -> tuple[str, ...]:
        """Every value that a folded text names; the same text is asked about for each subject of a question."""
        named = self._in.get(folded)
        if named is None:
            if len(self._in) >= MOST_TEXTS:
                self._in.clear()
            named = tuple(
                name
                for word in words_of(folded)
                for name in self._by_word.get(word, ())
                if name in folded and contains_phrase(folded, name)
            )
            self._in[folded] = named
        return named


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One value that a question was filled with.

    Attributes:
        name: Folded, as the database has it.
        value: The same as a date or a number, which documents write in many ways; None for a name.
        rivals: What else the parameter takes; None where that is not known.
    """

    name: str
    value: ReferenceValue | None = None
    rivals: Rivals | None = None

    def stated_in(self, piece: Piece) -> bool:
        """Whether a passage, its heading or its row has it."""
        if piece.names(self.name):
            return True
        return self.value is not None and self.value.stated_in(f"{piece.passage.text} | {piece.passage.row}")

    def mentioned(self, page: Page) -> bool:
        """Whether it occurs in a document at all."""
        return page.mentions(self.name) or (
            self.value is not None and any(self.value.stated_in(piece.passage.text) for piece in page.pieces)
        )

    def rivalled_in(self, piece: Piece) -> bool:
        """Whether a passage names one of its rivals and not itself."""
        return self.rivals is not None and not self.stated_in(piece) and self.rivals.named_in(piece.folded, self.name)


def subjects_of(
    values: Sequence[object], rivals: Sequence[Rivals | None] = (), *, questions: Sequence[str] = ()
) -> tuple[Subject, ...]:
    """The subjects of a question, each once, empty ones left out.

    Args:
        values: What the question was filled with.
        rivals: Of each value, in the same order; none where they are not known.
        questions: What asks for each value, in the same order, by which a bare number has a unit.
    """
    subjects: dict[str, Subject] = {}
    for place, bound in enumerate(values):
        text = str(bound)
        if not (name := fold(text)):
            continue
        read = reference_values([text], questions[place : place + 1])
        value = read[0].of_the_day if read and (read[0].date is not None or read[0].number is not None) else None
        subjects.setdefault(
            name, Subject(name=name, value=value, rivals=rivals[place] if place < len(rivals) else None)
        )
    return tuple(subjects.values())
