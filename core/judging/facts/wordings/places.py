"""The place in a kind of sentence where documents have a property, learnt from the facts of other subjects.

"Its office is at 12, rue des Bouchers, Marseille, France (postal code 13008)" has no word of "city" beside the city.
Where the pages of other customers have their city between the last two commas before "(postal code", what stands there
on the page of this one is its city.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile, groupby, islice, takewhile

from core.domain.sources.evidence import FactEvidence, FactFinding
from core.judging.facts.fact import Fact
from core.judging.facts.reading import Source
from core.judging.facts.wordings.siblings import SUBJECT, tokens_of
from core.text.pages import Piece
from core.text.words import STOP_WORDS

LEAST, FEW = 2, 3
"""Facts that must have their value in one place, and below which all must have it with the same words on both sides."""

SHARE = 0.6
"""Of the facts of a kind that have to have their value in one place."""

MOST_ANCHOR = 4
"""Usual words in a row that are looked at."""

MOST_WORDS = 6
"""Words above which what stands in a place is no value of the usual kind."""

GAP, START, END = "*", "^", "$"
"""Stands for words that differ from page to page; begins and ends a passage."""

LEAD, TITLE = "\N{HORIZONTAL ELLIPSIS}", "\N{SECTION SIGN}"
"""Before the usual words that a passage begins with, whatever stands between them and the value; stands for a title."""

Side = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """A passage about a subject that has the value: the tokens before the value and after it."""

    before: Side
    after: Side


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands.

    Attributes:
        usual: Words that most passages with the value have; what else stands in them is counted as one gap.
        before: From a usual word, or the start of the passage, to the value; empty where it differs.
        after: From the value to a usual word, or to the end; empty where it differs.
        sure: Whether no fact has its value elsewhere and another one there, so that another one contradicts.
    """

    usual: frozenset[str]
    before: Side
    after: Side
    sure: bool = True

    def holds(self, standing: Standing) -> bool:
        """Whether a value stands there."""
        before, after = _sides(standing, self.usual)
        if self.before[:1] == (LEAD,):
            before = _lead(standing, self.usual)
        return (not self.before or self.before == before) and (not self.after or self.after == after)


def standings(fact: Fact, sources: Sequence[Source]) -> Iterator[tuple[Source, Piece, Standing]]:
    """Every passage that may be about the subjects and has a value of the fact, cut at the value."""
    for source in sources:
        yield from _in_title(fact, source)
        for number, piece in enumerate(source.page.pieces):
            if not fact.stated_in(piece) or source.is_about(fact, number) is False:
                continue
            for value in fact.values:
                written = value.written_in(piece.passage.text)
                for match in re.finditer(rf"(?<!\w){re.escape(written)}(?!\w)", piece.passage.text) if written else ():
                    before, after = piece.passage.text[: match.start()], piece.passage.text[match.end() :]
                    yield source, piece, Standing(tokens_of(fact, before), tokens_of(fact, after))


def usual_place(known: Sequence[tuple[str, Sequence[Standing]]]) -> Place | None:
    """The place where most facts of a kind have their value; None where there is none, or it may be chance.

    Args:
        known: The value of each fact, and where it stands on pages about its subject.
    """
    if len(known) < LEAST:
        return None
    words = Counter(
        word
        for _, places in known
        for word in {token for standing in places for token in (*standing.before, *standing.after)}
        if word[0].isalpha() or word == SUBJECT
    )
    usual = frozenset(word for word, times in words.items() if times >= LEAST and times >= SHARE * len(known))
    whole: Counter[tuple[Side, Side]] = Counter()
    values: defaultdict[tuple[Side, Side], set[str]] = defaultdict(set)
    for value, places in known:
        # What stands in several passages of a page is said of the records in it: the cities that orders go to.
        times_here = Counter(_sides(standing, usual) for standing in places)
        pairs = {pair for pair, times in times_here.items() if times == 1}
        sides: set[tuple[Side, Side]] = {(before, ()) for before, _ in pairs} | {((), after) for _, after in pairs}
        leads = Counter((_lead(standing, usual), _sides(standing, usual)[1]) for standing in places)
        sides |= {pair for pair, times in leads.items() if times == 1 and pair[0]}
        for pair in pairs | sides:
            if _is_telling(pair):
                whole[pair] += 1
                values[pair].add(value)
    shared = [
        pair
        for pair, times in whole.items()
        if times >= LEAST and times >= SHARE * len(known) and len(values[pair]) > 1 and (times >= FEW or all(pair))
    ]
    if not shared:
        return None
    # Both sides together say more than one of them, where as many facts have both.
    before, after = max(
        shared, key=lambda pair: (whole[pair], all(pair), pair[0][:1] != (LEAD,), len(pair[0] + pair[1]))
    )
    return Place(usual, before, after)


def in_place(fact: Fact, sources: Sequence[Source], place: Place) -> FactFinding | None:
    """The first passage that may be about the subjects and has a value of the fact in the usual place."""
    for source, piece, standing in standings(fact, sources):
        if place.holds(standing):
            return FactFinding(
                evidence=FactEvidence.PRESENT,
                document_id=source.document.id,
                passage=piece.passage.text,
                document_ids=(source.document.id,),
            )
    return None


def other_in_place(fact: Fact, sources: Sequence[Source], place: Place) -> FactFinding | None:
    """The first passage about the subjects with another value of the same kind in the usual place."""
    if not place.sure:
        return None
    for source in sources:
        for number, piece in enumerate(source.page.pieces):
            if not (source.gold or source.is_titled(fact, piece)) or not source.is_about(fact, number):
                continue
            for run, standing in _runs(tokens_of(fact, piece.passage.text), place.usual):
                if place.holds(standing) and _is_rival(fact, run):
                    return FactFinding(
                        evidence=FactEvidence.CONTRADICTED,
                        document_id=source.document.id,
                        passage=piece.passage.text,
                        document_ids=(source.document.id,),
                        other_value=run,
                    )
    return None


def _sides(standing: Standing, usual: frozenset[str]) -> tuple[Side, Side]:
    before = _outward(standing.before[::-1], usual, START)
    return before[::-1], _outward(standing.after, usual, END)


def _lead(standing: Standing, usual: frozenset[str]) -> Side:
    """The first usual words in a row of a passage, as far as they stand before the value, and what is next to it."""
    lead = (
        *islice(takewhile(usual.__contains__, dropwhile(lambda at: at not in usual, standing.before)), MOST_ANCHOR),
    )
    next_to = standing.before[-1:] if standing.before[-1:] and not standing.before[-1].isalnum() else (GAP,)
    return (LEAD, *lead, *next_to) if lead else ()


def _in_title(fact: Fact, source: Source) -> Iterator[tuple[Source, Piece, Standing]]:
    """The first passage about the subjects on a page in whose title the value stands."""
    title = source.document.title
    written = next((text for value in fact.values if (text := value.written_in(title))), "") if title else ""
    if not written or title.count(written) != 1:
        return
    before, after = title.split(written)
    standing = Standing((TITLE, *tokens_of(fact, before)), (*tokens_of(fact, after), TITLE))
    for piece in source.page.pieces:
        if all(subject.stated_in(piece) for subject in fact.subjects):
            yield source, piece, standing
            return


def _outward(tokens: Side, usual: frozenset[str], border: str) -> Side:
    """The tokens from a value on, up to the end of the first usual words in a row; what is not usual is one gap."""
    side: list[str] = []
    anchors = 0
    for token in tokens:
        if token in usual:
            anchors += 1
            side.append(token)
            if anchors == MOST_ANCHOR:
                break
        elif anchors:
            break
        elif token[0].isalnum():
            side.extend([GAP] if side[-1:] != [GAP] else [])
        else:
            side.append(token)
    return (*side, *(() if anchors else (border,)))


def _is_telling(pair: tuple[Side, Side]) -> bool:
    """Whether a place has a word beside it that means something, or is the whole of a passage."""
    tokens = [token for side in pair for token in side]
    if TITLE in tokens and pair[0] and pair[1]:
        return True
    if any(token[0].isalpha() and token not in STOP_WORDS for token in tokens):
        return True
    if sum(token[0].isalpha() for token in tokens) > 1:
        return True
    return pair[0] == (START,) and pair[1] in ((END,), (".", END))


def _runs(tokens: Side, usual: frozenset[str]) -> Iterator[tuple[str, Standing]]:
    """Every stretch of a passage without signs and usual words, as text, with what stands beside it."""
    start = 0
    for plain, group in groupby(tokens, key=lambda token: token[0].isalnum() and token not in usual):
        run = tuple(group)
        end = start + len(run)
        if plain and len(run) <= MOST_WORDS:
            yield " ".join(run), Standing(tokens[:start], tokens[end:])
        start = end


def _is_rival(fact: Fact, run: str) -> bool:
    """Whether a stretch can stand in place of the value: it is another, and of the same kind."""
    kinds = []
    for value in fact.values:
        if value.stated_in(run) or value.reworded:
            return False
        if value.date is None and value.number is None:
            # A part of the value is cut in the wrong place.
            if run in value.key or any(not word[0].isalnum() for word in value.key.split()):
                return False
            kinds.append(str.isdigit if value.key[:1].isdigit() else str.isalpha)
        else:
            kinds.append(str.isdigit)
    return all(kind(run[:1]) for kind in kinds)
