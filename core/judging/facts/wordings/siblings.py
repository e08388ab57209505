"""How documents word a property, learnt from the facts of other subjects that they state.

"Sold in units of 24 tins" has no word of "quantity per unit". Where the pages of other products have their quantity
after the same words, what stands after them on the page of this one is its quantity, and another value contradicts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.domain.sources.evidence import FactEvidence, FactFinding
from core.judging.facts.fact import Fact
from core.judging.facts.reading import Source
from core.judging.facts.shapes import of_the_same_shape
from core.judging.facts.values import OPEN_ENDED, ReferenceValue
from core.text.pages import Piece
from core.text.words import contains_phrase, fold

LEAST = 2
"""Facts that must be worded alike."""

LEAST_FURTHER, MOST_FURTHER = 3, 4
"""Facts that must have a wording which most do not have, and the most such wordings."""

LEAST_WORDS = 3
"""Words before the value by which a single fact shows the wording, for values of one shape."""

WORDS_BEFORE, WORDS_AFTER, MOST_WORDS = 8, 1, 12
"""The most words beside a value that make its wording, and the most that a value has."""

FEWEST_WORDS = 2
"""Words beside a value below which it may be any value."""

SUBJECT = "\N{BLACK SQUARE}"
"""Stands for the name of a subject in a wording."""

ANY_SUBJECT = rf"(?P<subject>\S+(?: \S+){{0,{MOST_WORDS - 1}}}?)"
MOST_FOLDED = 20_000
"""Passages that are kept folded."""
SUBJECTS = re.compile(rf"{SUBJECT}(?:\s+{SUBJECT})+")
TOKEN = re.compile(rf"{SUBJECT}|[\w'’-]+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Wording:
    """What stands beside a value.

    Attributes:
        before: The tokens before it, folded, subjects as `SUBJECT`.
        after: Those after it; none where the passage ends.
        alone: Whether a single fact shows it, so that only another value of the same shape contradicts.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    alone: bool = False


@dataclass(frozen=True, slots=True)
class StatedFact:
    """How a document states a fact.

    Attributes:
        wording: What stands beside the value, as much of it as is ever looked at.
        beside: The tokens of what else the document says of the same subject.
    """

    wording: Wording
    beside: tuple[tuple[str, ...], ...]


def stated_fact(fact: Fact, source: Source, passage: str) -> StatedFact | None:
    """How a passage of a document words a fact that it states; None where the value cannot be cut out of it."""
    for value in fact.values:
        written = value.written_in(passage)
        if not written or passage.count(written) != 1:
            continue
        before, _, after = passage.partition(written)
        tokens = tokens_of(fact, before)[-WORDS_BEFORE:]
        if any(token[0].isalpha() for token in tokens):
            others = (piece for piece in source.page.pieces if piece.passage.text != passage)
            return StatedFact(
                Wording(before=tokens, after=tokens_of(fact, after)[:WORDS_AFTER]),
                tuple(tokens_of(fact, piece.passage.text) for piece in others if source.is_titled(fact, piece)),
            )
    return None


def usual_wording(stated: Sequence[StatedFact]) -> Wording | None:
    """The longest wording that most facts of a kind have and that tells their value from others on the same page.

    None where there is none, or it may be chance.
    """
    for size in range(WORDS_BEFORE, 0, -1):
        counts = Counter(_cut(fact, size) for fact in stated if _is_long_enough(fact, size))
        wording, times = counts.most_common(1)[0] if counts else (None, 0)
        if wording is None or times < LEAST or times * 2 <= len(stated):
            continue
        telling = sum(not any(_between(tokens, wording) for tokens in fact.beside) for fact in stated)
        return wording if telling * 2 > len(stated) else None
    return None


def further_wordings(stated: Sequence[StatedFact]) -> tuple[Wording, ...]:
    """Every wording that enough facts of a kind have: half of the pages may be sheets, and half of them letters.

    Longest first; each fact shows one of them only.
    """
    left, found = list(stated), []
    for size in range(WORDS_BEFORE, 0, -1):
        counts = Counter(_cut(fact, size) for fact in left if _is_long_enough(fact, size))
        for wording, times in counts.most_common():
            if times < LEAST_FURTHER or times * MOST_FURTHER < len(stated):
                break
            showing = [fact for fact in left if _is_long_enough(fact, size) and _cut(fact, size) == wording]
            if sum(not any(_between(tokens, wording) for tokens in fact.beside) for fact in showing) * 2 > times:
                found.append(wording)
                left = [fact for fact in left if fact not in showing]
    return tuple(found)


def _cut(fact: StatedFact, size: int) -> Wording:
    return Wording(before=fact.wording.before[-size:], after=fact.wording.after)


def _is_long_enough(fact: StatedFact, size: int) -> bool:
    return len(fact.wording.before) >= size and size + len(fact.wording.after) >= FEWEST_WORDS


def wording_of_one(stated: Sequence[StatedFact]) -> Wording | None:
    """The wording that a single fact shows: the words between the last sign and its value, or the key of an entry.

    None where there are too few words, or where they stand beside another value of the same subject.
    """
    if len(stated) != 1:
        return None
    before, after = stated[0].wording.before, stated[0].wording.after
    is_entry = before[-1:] == (":",) and not after and len(before) < WORDS_BEFORE
    if not is_entry:
        signs = [place for place, token in enumerate(before, 1) if not token[0].isalnum()]
        before = before[signs[-1] if signs else 0 :]
    wording = Wording(before=before, after=after, alone=True)
    told = not any(_between(tokens, wording) for tokens in stated[0].beside)
    return wording if (is_entry or len(before) >= LEAST_WORDS) and told else None


def worded_alike(fact: Fact, sources: Sequence[Source], wording: Wording) -> FactFinding | None:
    """The first passage about the subjects that has another value in the usual words; None where one has its own."""
    contradicted: FactFinding | None = None
    for source, piece, other in _in_words(fact, sources, wording):
        if any(value.stated_in(other) for value in fact.values):
            return None
        if contradicted is None and any(
            _is_rival(value, piece.passage.text, other, shaped=wording.alone) for value in fact.values
        ):
            contradicted = FactFinding(
                evidence=FactEvidence.CONTRADICTED,
                document_id=source.document.id,
                passage=piece.passage.text,
                document_ids=(source.document.id,),
                other_value=other,
            )
    return contradicted


def stated_alike(fact: Fact, sources: Sequence[Source], wording: Wording) -> FactFinding | None:
    """The first passage about the subjects that has a value of the fact in the usual words."""
    for source, piece, other in _in_words(fact, sources, wording):
        if any(value.stated_in(other) for value in fact.values):
            return FactFinding(
                evidence=FactEvidence.PRESENT,
                document_id=source.document.id,
                passage=piece.passage.text,
                document_ids=(source.document.id,),
            )
    return None


def is_worded(fact: Fact, passage: str, wording: Wording) -> bool:
    """Whether a passage, wherever it stands, has a value of the fact in the usual words."""
    other = _between(tokens_of(fact, passage), wording)
    return any(value.stated_in(other) for value in fact.values)


def states_of_another(fact: Fact, passage: str, wording: Wording) -> bool:
    """Whether a passage has a value of the fact in the usual words, and another name in the place of the subject's."""
    if wording.before.count(SUBJECT) != 1 or len(wording.before) <= LEAST_WORDS:
        return False
    said = " ".join(TOKEN.findall(fold(passage)))
    match = _with_any_subject(wording).search(said)
    return (
        match is not None
        and any(value.stated_in(match["value"]) for value in fact.values)
        and not any(contains_phrase(match["subject"], name) for name in fact.names)
    )


@lru_cache(maxsize=1_000)
def _with_any_subject(wording: Wording) -> re.Pattern[str]:
    """What finds a wording, whatever it is about."""
    before = " ".join(ANY_SUBJECT if token == SUBJECT else re.escape(token) for token in wording.before)
    after = "".join(f" {re.escape(token)}" for token in wording.after) or "$"
    return re.compile(rf"(?<!\S){before} (?P<value>.+?){after}(?!\S)")


def _is_rival(value: ReferenceValue, passage: str, other: str, *, shaped: bool) -> bool:
    """Whether what stands in the usual words can stand in the value's place: it is a value, and of the same kind.

    A passage that states the value as well is cut in the wrong place: in "Rua do Mercado, 12, Resende" no city is 12.
    """
    if OPEN_ENDED.match(other) or (value.telling and value.stated_in(passage)):
        return False
    if shaped:
        return bool(of_the_same_shape(fold(value.text), other))
    kind = str.isalpha if value.number is None and value.date is None else str.isdigit
    return any(map(kind, other))


def _in_words(fact: Fact, sources: Sequence[Source], wording: Wording) -> Iterator[tuple[Source, Piece, str]]:
    """What stands in the usual words in passages about the subjects."""
    for source in sources:
        for place, piece in enumerate(source.page.pieces):
            other = _between(tokens_of(fact, piece.passage.text), wording)
            if other and (source.gold or source.is_titled(fact, piece)) and source.is_about(fact, place):
                yield source, piece, other


def with_subjects(fact: Fact, text: str) -> str:
    """A folded text, each name of the fact as `SUBJECT`."""
    folded = _folded(text)
    for name in sorted(fact.names, key=len, reverse=True):
        if name not in folded:
            continue
        folded = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", SUBJECT, folded)
    # A first and a last name are one subject: pages of companies and of people word a property alike.
    return SUBJECTS.sub(SUBJECT, folded) if SUBJECT in folded else folded


@lru_cache(maxsize=MOST_FOLDED)
def _folded(text: str) -> str:
    """A passage folded: each is read for every fact whose page it stands on."""
    return fold(text)


def tokens_of(fact: Fact, text: str) -> tuple[str, ...]:
    """The folded words and signs of a text, each name of the fact as `SUBJECT`."""
    return tuple(TOKEN.findall(with_subjects(fact, text)))


def _between(tokens: tuple[str, ...], wording: Wording) -> str:
    """What stands where the value does, as folded text; empty where the words beside it are others."""
    size = len(wording.before)
    for start in range(size, len(tokens)):
        if tokens[start - size : start] == wording.before:
            rest = tokens[start : start + MOST_WORDS + WORDS_AFTER]
            ends = [
                end
                for end in range(1, len(rest) + 1)
                if rest[end : end + len(wording.after)] == wording.after and (wording.after or end == len(rest))
            ]
            return " ".join(rest[: ends[0]]) if ends else ""
    return ""
