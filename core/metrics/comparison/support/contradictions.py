"""Where a claim says something else than the sentence it follows: another value, owner, order, or "not".

What is looked for is a sentence of the passages that says the same but for one thing. Where the claim departs from the
sentence in more, nothing is found: that needs a reader, or an NLI model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise, takewhile

from core.metrics.comparison.support.alignment import align
from core.metrics.comparison.support.opposites import COMPARING, DENYING, are_opposite
from core.metrics.comparison.support.words import Statement, Word

_SCALED = re.compile(r" ?(?:thousand|million|billion|trillion|mn?|bn|k)\b.*")
Pair = tuple[str, str]

LONGEST = 60
"""Statements with more words are not laid along one another."""
SPELLED_ALIKE = 4
"""So many letters at the start make two words one name, if at most two letters follow."""
REACH = 2
"""How far from a word that is the same a word may stand that was replaced."""
DENIED = 0.7
"""The least share of the words of a claim that must be the same where a "not" more or less is to tell."""
FEWEST_DENIED = 3
"""So many words must be the same at least: two are a turn of phrase ("not across accounts")."""
OWNED = 4
"""A number belongs to a word of its claim that is less far away."""
LEAST_SHUFFLED = 5
"""Words of a claim whose order is looked at."""
NEIGHBOURS = 0.4
"""Less than this share of the pairs of neighbours is an order that means nothing; true answers keep half and more."""
PLAIN_NEIGHBOURS = 0.2
"""The same of all words: a sentence turned around keeps "for the machine", mixed words keep hardly any."""
NEAR_COPY = 0.9
"""Share of the words of either side that must be in the other for the order of plain words to tell."""


class Departure(StrEnum):
    """What a claim says differently."""

    NUMBER = "number"
    NAME = "name"
    OPPOSITE = "opposite"
    NEGATION = "negation"
    ORDER = "order"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """One thing that a claim says differently.

    Attributes:
        kind: What it is.
        claimed: The word of the claim.
        stated: The word of the sentence.
    """

    kind: Departure
    claimed: str
    stated: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A claim beside one sentence.

    Attributes:
        in_order: Share of the words of the claim that the sentence has in the same order.
        contradiction: The first thing that it says differently, None where nothing was found.
    """

    in_order: float
    contradiction: Contradiction | None


def read_beside(claim: Statement, sentence: Statement, names: frozenset[str]) -> Reading:
    """What a claim says differently from a sentence with the same words.

    Args:
        claim: A clause of the answer.
        sentence: A clause or a sentence of the passages.
        names: Keys of words that are names.
    """
    if not 0 < len(claim.words) <= LONGEST or not 0 < len(sentence.words) <= LONGEST:
        return Reading(in_order=0.0, contradiction=None)

    def rivals(first: Word, second: Word) -> bool:
        return _kind(first, second, names) is not None

    pairs = align(claim.words, sentence.words, rivals, names)
    same = [(i, j) for i, j in pairs if claim.words[i].key == sentence.words[j].key]
    in_order = len(same) / len(claim.words)
    if len(same) < 2:
        return Reading(in_order=in_order, contradiction=None)
    laid = _Laid(claim=claim, sentence=sentence, names=names, same=tuple(same))
    found = _denied(laid) or _replaced(laid, pairs) or _turned(laid) or _of_another(laid)
    return Reading(in_order=in_order, contradiction=found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Laid:
    """A claim laid along a sentence: the places of the words that are the same."""

    claim: Statement
    sentence: Statement
    names: frozenset[str]
    same: tuple[tuple[int, int], ...]


def _kind(first: Word, second: Word, names: frozenset[str]) -> Departure | None:
    """What two words that differ are to one another where one stands in the place of the other."""
    if first.measure or second.measure:
        return (
            Departure.NUMBER if first.measure == second.measure and not _one_amount(first.text, second.text) else None
        )
    if are_opposite(first.key, second.key):
        return Departure.OPPOSITE
    if first.key in names and second.key in names and not _one_spelling(first.text, second.text):
        return Departure.NAME
    return None


def _one_amount(first: str, second: str) -> bool:
    """Whether one has the digits of the other alone, whose scale stands elsewhere: 17 of "17 to 50 million"."""
    digits, longer = sorted((first, second), key=len)
    return digits != longer and _SCALED.fullmatch(longer.removeprefix(digits)) is not None


def _one_spelling(first: str, second: str) -> bool:
    """Whether two words may be spellings of one name: all but a letter or two at the end."""
    if f"{first}s" == second or f"{second}s" == first:
        return True
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
    return shared >= SPELLED_ALIKE and max(len(first), len(second)) - shared <= 2


def _denied(laid: _Laid) -> Contradiction | None:
    """A word that only one of the two denies, where the other has no negation at all."""
    claim, sentence = laid.claim, laid.sentence
    if bool(claim.negators) == bool(sentence.negators):
        return None
    if len(laid.same) < max(FEWEST_DENIED, DENIED * len(claim.words)):
        return None
    stretch = sentence.words[max(0, laid.same[0][1] - 1) : laid.same[-1][1] + 1]
    if any(word.key in DENYING and word.key not in sentence.keys for word in claim.words):
        return None
    if any(word.key in DENYING and word.key not in claim.keys for word in stretch):
        return None
    for i, j in laid.same:
        ours, theirs = claim.words[i], sentence.words[j]
        if ours.denied != theirs.denied:
            said, stated = (f"not {ours.text}", theirs.text) if ours.denied else (ours.text, f"not {theirs.text}")
            return Contradiction(kind=Departure.NEGATION, claimed=said, stated=stated)
    return None


def _replaced(laid: _Laid, pairs: Sequence[tuple[int, int]]) -> Contradiction | None:
    """A number, a name or a direction in the place of another one, beside words that are the same."""
    found = [one for i, j in pairs if (one := _replacement(laid, i, j)) is not None]
    if any(one.kind is Departure.OPPOSITE for one in found) and _compared_backwards(laid):
        return None
    return found[0] if found else None


def _compared_backwards(laid: _Laid) -> bool:
    """Whether two things change places in a comparison: "A is larger than B" is "B is smaller than A"."""
    if not (laid.claim.compares and laid.sentence.compares):
        return False
    ours, theirs = _once(laid.claim), _once(laid.sentence)
    places = [theirs[key] for key in sorted(ours.keys() & theirs.keys(), key=ours.__getitem__)]
    return any(first > second for first, second in pairwise(places))


def _replacement(laid: _Laid, i: int, j: int) -> Contradiction | None:
    """Whether a word of the claim stands for the word of the sentence that it is laid along."""
    claim, sentence = laid.claim, laid.sentence
    ours, theirs = claim.words[i], sentence.words[j]
    kind = None if ours.key == theirs.key else _kind(ours, theirs, laid.names)
    if kind is None or not _beside_same(laid, i, j):
        return None
    if ours.key in sentence.keys and theirs.key in claim.keys:
        # both change places: so they do in a passive, and in a list
        if claim.passive != sentence.passive:
            return None
        if kind is Departure.NAME and _listed(claim, i) and _listed(sentence, j):
            return None
    elif kind is not Departure.NUMBER and not _more(theirs, sentence, claim):
        return None
    if kind is Departure.NAME and not _framed(laid, i, j, closely=not _more(ours, claim, sentence)):
        return None
    if kind is Departure.OPPOSITE and not (_more(ours, claim, sentence) and claim.negators == sentence.negators):
        return None
    return Contradiction(kind=kind, claimed=ours.text, stated=theirs.text)


def _more(word: Word, here: Statement, there: Statement) -> bool:
    """Whether one statement has a word more often than the other."""
    count, other = (sum(one.key == word.key for one in each.words) for each in (here, there))
    return count > other


def _listed(statement: Statement, place: int) -> bool:
    return any(word.listed for word in statement.words[max(0, place - 1) : place + 2])


def _beside_same(laid: _Laid, i: int, j: int) -> bool:
    """Whether a word that is the same stands at most two words away, on both sides."""
    near_i = any(0 < abs(i - place) <= REACH for place, _ in laid.same)
    return near_i and any(0 < abs(j - place) <= REACH for _, place in laid.same)


def _framed(laid: _Laid, i: int, j: int, *, closely: bool) -> bool:
    """Whether the run of names around one place stands for the run around the other.

    In the claim it must lie between words that are the same or the ends of the claim, in the sentence beside one. A
    name that the sentence has elsewhere (`closely`) must lie between the same two words in both.
    """
    before, after, ours = _run(laid.claim, i, {place for place, _ in laid.same}, laid.names)
    if not (before and after):
        return False
    before, after, theirs = _run(laid.sentence, j, {place for _, place in laid.same}, laid.names)
    if closely:
        return before and after and theirs.isdisjoint(laid.claim.keys)
    apart = len(ours) == 1 or ours.isdisjoint(laid.sentence.keys)
    return (before or after) and apart and (len(theirs) == 1 or theirs.isdisjoint(laid.claim.keys))


def _run(statement: Statement, place: int, same: set[int], names: frozenset[str]) -> tuple[bool, bool, frozenset[str]]:
    """The names in a row around a place, and whether the same word or the end stands before them and after them."""
    words = statement.words
    start = end = place
    while start and start - 1 not in same and words[start - 1].key in names:
        start -= 1
    while end + 1 < len(words) and end + 1 not in same and words[end + 1].key in names:
        end += 1
    before, after = start == 0 or start - 1 in same, end + 1 == len(words) or end + 1 in same
    return before, after, frozenset(word.key for word in words[start : end + 1])


def _turned(laid: _Laid) -> Contradiction | None:
    """The same words with the two sides of one of them exchanged: who does what to whom."""
    claim, sentence = laid.claim, laid.sentence
    if claim.passive != sentence.passive:
        return None
    ours, theirs = _once(claim), _once(sentence)
    shared = sorted(ours.keys() & theirs.keys(), key=ours.__getitem__)
    near = len(claim.keys & sentence.keys) >= NEAR_COPY * max(len(claim.keys), len(sentence.keys))
    places = [theirs[key] for key in shared]
    for middle in range(1, len(shared) - 1):
        word, other = claim.words[ours[shared[middle]]], sentence.words[places[middle]]
        if word.key in laid.names or word.measure or word.listed or other.listed or word.text != other.text:
            continue
        before = {key for key, place in zip(shared[:middle], places[:middle], strict=True) if place > places[middle]}
        rest = zip(shared[middle + 1 :], places[middle + 1 :], strict=True)
        after = {key for key, place in rest if place < places[middle]}
        if before and after and (near or (before & laid.names and after & laid.names)):
            return Contradiction(kind=Departure.ORDER, claimed=word.text, stated=word.text)
    return None


def _of_another(laid: _Laid) -> Contradiction | None:
    """A number of the sentence that stands there for another thing: "18% of those on A and 7% of those on B".

    A word of the claim stands beside a number that the claim has not, and where the number of the claim stands, in the
    same place beside it, the sentence has a word that the claim has not.
    """
    claim, sentence = laid.claim.words, laid.sentence.words
    ours, theirs = _once(laid.claim), _once(laid.sentence)
    for key in sorted(ours.keys() & theirs.keys(), key=ours.__getitem__):
        number, stands = claim[ours[key]], theirs[key]
        for place, rival in enumerate(sentence):
            if not number.measure or rival.measure != number.measure or rival.key in laid.claim.keys:
                continue
            for owner, instead in _beside(sentence, place, stands):
                if instead.key in laid.claim.keys or abs(ours.get(owner.key, -OWNED) - ours[key]) >= OWNED:
                    continue
                said, stated = f"{number.text} {owner.text}", f"{rival.text} {owner.text}"
                return Contradiction(kind=Departure.NUMBER, claimed=said, stated=stated)
    return None


def _beside(words: Sequence[Word], one: int, other: int) -> Iterator[tuple[Word, Word]]:
    """The words in the same place beside two numbers: the next, or the one behind a next that both have ("pm").

    Nothing is beside a number across "and" or a comma, and a number in brackets behind another is the same amount.
    """
    if abs(one - other) == 1:
        return
    for step in (1, -1):
        near, far = one + step, other + step
        across = False
        while min(near, far) >= 0 and max(near, far) < len(words) and words[near].key == words[far].key:
            across = across or any(words[max(at, at - step)].parted for at in (near, far))
            near, far = near + step, far + step
        if not (min(near, far) >= 0 and max(near, far) < len(words)) or abs(near - one) > REACH:
            continue
        first, second = words[near], words[far]
        across = across or any(words[max(at, at - step)].parted for at in (near, far))
        if not (across or first.measure or second.measure or {first.text, second.text} & COMPARING):
            yield first, second


def out_of_order(claim: Statement, sentences: Sequence[Statement]) -> int | None:
    """Which sentence has the words of a claim while hardly two neighbours of the claim are neighbours there; or None.

    Args:
        claim: A sentence of the answer.
        sentences: Of the passages; neighbours in any of them count.
    """
    if not len(claim.words) >= LEAST_SHUFFLED or not sentences:
        return None
    shares = [len(claim.keys & sentence.keys) / len(claim.keys) for sentence in sentences]
    best = max(range(len(shares)), key=shares.__getitem__)
    if sentences[best].passive != claim.passive:
        return None
    if shares[best] < NEAR_COPY or _kept(_neighbours(claim), map(_neighbours, sentences)) >= NEIGHBOURS:
        return None
    plain = _kept(list(pairwise(claim.plain)), (pairwise(sentence.plain) for sentence in sentences))
    return best if plain < PLAIN_NEIGHBOURS else None


def _kept(pairs: Sequence[Pair], there: Iterable[Iterable[Pair]]) -> float:
    """The share of pairs of neighbours that are neighbours there too; 0 without a pair, as figures alone have none."""
    neighbours = {pair for some in there for pair in some}
    return sum(pair in neighbours for pair in pairs) / max(1, len(pairs))


def _neighbours(statement: Statement) -> list[tuple[str, str]]:
    keys = [word.key for word in statement.words]
    return list(pairwise(keys))


def _once(statement: Statement) -> dict[str, int]:
    """The places of the words that occur once."""
    keys = [word.key for word in statement.words]
    return {key: place for place, key in enumerate(keys) if keys.count(key) == 1}
