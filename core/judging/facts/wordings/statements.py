"""What documents say about the subjects of a fact, passage by passage and one thing after another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import NamedTuple, Protocol

from core.judging.facts.fact import Fact
from core.judging.facts.reading import Source
from core.judging.facts.wordings.siblings import SUBJECT, TOKEN, with_subjects
from core.text.pages import Piece

MOST_CUT = 20_000
"""Passages that are kept cut into what they say."""
NEW = tuple((word,) for word in ("it", "its", "the", "he", "she", "they", "their", "his", "her", SUBJECT))
"""What stands after an "and" that begins to say another thing."""
DIGITS_BEFORE, DIGITS_AFTER = re.compile(r"\d[.,:]$"), re.compile(r"[.,:]\d")
"""What stands beside a piece of a number."""

Side = tuple[str, ...]
"""The words and signs before or after a value."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A passage as words and signs.

    Attributes:
        text: Folded, each name of the subjects as `SUBJECT`.
        tokens: Its words and signs.
        spans: Where each stands in the text.
    """

    text: str
    tokens: Side
    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, fact: Fact, text: str) -> Cut:
        """A passage about a fact's subjects."""
        return cls.plain(with_subjects(fact, text))

    @classmethod
    def plain(cls, text: str) -> Cut:
        """A folded passage, the names of its subjects as `SUBJECT`."""
        found = list(TOKEN.finditer(text))
        return cls(text, tuple(match.group() for match in found), tuple(match.span() for match in found))

    def part(self, start: int, end: int) -> Cut:
        """The tokens from one place to before another one."""
        return Cut(self.text, self.tokens[start:end], self.spans[start:end])

    def clauses(self) -> list[Cut]:
        """The passage and, where several things are said in it, each of them: "it is in Usk and the firm holds ..."."""
        end = len(self.tokens) - (self.tokens[-1:] == (".",))
        places = [
            place
            for place in range(1, end)
            if self.tokens[place] == ";"
            or (self.tokens[place] == "and" and (self.tokens[place - 1] == "," or self.tokens[place + 1 :][:1] in NEW))
        ]
        whole = self.part(0, end)
        if not places:
            return [whole]
        starts = [0, *(place + 1 for place in places)]
        ends = [place - (self.tokens[place - 1] == ",") for place in places]
        return [*(self.part(*span) for span in zip(starts, [*ends, end], strict=True) if span[0] < span[1]), whole]

    def text_of(self, start: int, end: int) -> str:
        """What stands from one token to before another one; empty where that cuts a number in two."""
        first, last = self.spans[start][0], self.spans[end - 1][1]
        cut = DIGITS_BEFORE.search(self.text[:first]) and self.text[first].isdigit()
        cut = cut or (DIGITS_AFTER.match(self.text[last:]) and self.text[last - 1].isdigit())
        return "" if cut else self.text[first:last]


Told = tuple[Source, Piece, Cut]
"""A passage, or one thing that it says, with its document."""


class Frame(Protocol):
    """A sentence with a place for a value."""

    def value_in(self, cut: Cut) -> str:
        """What stands in the place; empty where the passage is another one."""


class Found(NamedTuple):
    """What stands in the place of a pattern in what documents say about a subject.

    Attributes:
        own: Whether its value does.
        other: Whether something else does.
    """

    own: bool
    other: bool


class ToldPage:
    """What one document says about the subjects of a fact; what patterns find there is looked for once.

    Args:
        fact: The fact.
        source: The document.
    """

    def __init__(self, fact: Fact, source: Source) -> None:
        self._values = fact.values
        self._fact = fact
        self.passages: Sequence[Told] = tuple(about_subjects(fact, source))
        self._found: dict[Frame, Found] = {}

    @cached_property
    def is_written(self) -> bool:
        """Whether the value of the fact is there as it stands."""
        return any(self._fact.stated_in(piece) for _, piece, _ in self.passages)

    @cached_property
    def standing(self) -> Sequence[tuple[Side, Side]]:
        """What stands before and after each value of the fact, where it is the only one of its passage."""
        return tuple(_standing(self._fact, self.passages))

    def found_in(self, frame: Frame) -> Found:
        """What stands in the place of a pattern."""
        found = self._found.get(frame)
        if found is None:
            said = dict.fromkeys(value for _, _, cut in self.passages if (value := frame.value_in(cut)))
            own = [any(value.stated_in(one) for value in self._values) for one in said]
            found = self._found[frame] = Found(any(own), not all(own))
        return found


class ToldFact:
    """A fact with what documents say about its subjects.

    Args:
        fact: The fact.
        pages: What each document says.
    """

    def __init__(self, fact: Fact, pages: Sequence[ToldPage]) -> None:
        self.fact = fact
        self._pages = [page for page in pages if page.passages]
        self.passages: Sequence[Told] = tuple(chain.from_iterable(page.passages for page in self._pages))

    @classmethod
    def read(cls, fact: Fact, sources: Iterable[Source]) -> ToldFact:
        """Reads documents for what they say."""
        return cls(fact, [ToldPage(fact, source) for source in sources])

    @property
    def is_written(self) -> bool:
        """Whether the value of the fact is there as it stands."""
        return any(page.is_written for page in self._pages)

    def standing(self, most: int) -> Sequence[tuple[Side, Side]]:
        """What stands before and after each value of the fact, where it is the only one of its passage."""
        return tuple(islice(chain.from_iterable(page.standing for page in self._pages), most))

    def found_in(self, frame: Frame) -> Found:
        """What stands in the place of a pattern."""
        found = [page.found_in(frame) for page in self._pages]
        return Found(any(page.own for page in found), any(page.other for page in found))


def about_subjects(fact: Fact, source: Source) -> Iterator[Told]:
    """Every passage of a document that speaks about the subjects and about nobody else."""
    for number, piece in enumerate(source.page.pieces):
        named = all(source.states(subject, number) for subject in fact.subjects)
        if not named and any(source.rivals(subject, number) for subject in fact.subjects):
            continue
        if not source.is_about(fact, number) if not named else source.is_about(fact, number) is False:
            continue
        for cut in _clauses_of(with_subjects(fact, piece.passage.text)):
            yield source, piece, cut
            # What was moved to another page may be led by a name that its own page has in the title.
            if cut.tokens[:1] == (SUBJECT,) and cut.tokens[1:2] in ((":",), (",",)) and len(cut.tokens) > 2:
                yield source, piece, cut.part(2, len(cut.tokens))


@lru_cache(maxsize=MOST_CUT)
def _clauses_of(plain: str) -> tuple[Cut, ...]:
    """What a passage says, its subjects as `SUBJECT`: of most facts on its page it names none, and is cut alike."""
    return tuple(Cut.plain(plain).clauses())


def _standing(fact: Fact, passages: Iterable[Told]) -> Iterator[tuple[Side, Side]]:
    """What stands before and after each value of a fact, where it is the only one of its passage."""
    for _, piece, cut in passages:
        for value in fact.values:
            written = with_subjects(fact, value.written_in(piece.passage.text))
            places = list(re.finditer(rf"(?<!\w){re.escape(written)}(?!\w)", cut.text)) if written else []
            if len(places) != 1:
                continue
            start, end = places[0].span()
            before = tuple(token for token, span in zip(cut.tokens, cut.spans, strict=True) if span[1] <= start)
            after = tuple(token for token, span in zip(cut.tokens, cut.spans, strict=True) if span[0] >= end)
            yield before, after
            break
