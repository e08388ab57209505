"""Sentences that documents have for many subjects with other values in them, and what stands in the value's place.

"For insurance we carry it at EUR 838,500" has no word of "insured value". Where the pages of other objects have theirs
in a sentence that is the same but for names and figures, what stands there on the page of this one is its value. Two
subjects with different values are enough to show such a sentence, since they are compared whole and not word by word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import combinations, groupby

from core.domain.sources.evidence import FactEvidence, FactFinding
from core.judging.facts.values import LONG_TEXT, OPEN_ENDED, ReferenceValue
from core.judging.facts.wordings.siblings import SUBJECT, TOKEN
from core.judging.facts.wordings.statements import Cut, Side, ToldFact
from core.text.words import STOP_WORDS

LEAST = 2
"""Subjects that must have their value in a pattern, with so many different values."""
LEAST_SIGNS = 4
"""The same of a pattern that has no word but signs: "*, VALUE, *"."""
MISLED = 4
"""A pattern counts where it holds this many times as often a subject's value as another one."""
MOST_OTHERS = 3
"""Subjects for each one with its value whose pages may have another one there: much of what pages say may be wrong."""
MOST_WORDS = 12
"""Words above which what stands in the value's place is no value."""
MOST_PAIRED, MOST_TRIED = 20, 60
"""Subjects whose passages are compared with each other, and patterns of which it is looked what they hold."""
LEAST_WORDS = 5
"""Words and signs that a value may have in any case: a date in words has more than in figures."""
MOST_PLACES = 4
"""Passages with its value that are looked at for each subject."""
GAP = "*"
"""Stands for words that differ from subject to subject."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A passage with its value and all that differs from subject to subject taken out.

    Attributes:
        before: From the start of the passage to the value.
        after: From the value to the end of the passage.
        longest: The most words and signs that a value has.
    """

    before: Side
    after: Side
    longest: int = MOST_WORDS

    @property
    def is_telling(self) -> bool:
        """Whether it has a word that means something, or differs in nothing but the value."""
        tokens = (*self.before, *self.after)
        words = [token for token in tokens if token[0].isalpha()]
        return any(word not in STOP_WORDS for word in words) or (bool(words) and GAP not in tokens)

    def value_in(self, cut: Cut) -> str:
        """What stands in the value's place of a passage; empty where the passage is another one."""
        tokens = cut.tokens
        if not _may_frame(self.before[:1], tokens[:1]) or not _may_frame(self.after[-1:], tokens[-1:]):
            return ""
        start = _end_of(self.before, tokens, 0)
        if start is None or start >= len(tokens):
            return ""
        if not self.after:
            end = len(tokens)
        else:
            first = self.after[: self.after.index(GAP)] if GAP in self.after else self.after
            end, last = 0, len(tokens) - len(first)
            place = _place_of(first, tokens, start + 1, last)
            while place is not None and not end:
                end = place if _reaches_end(self.after, tokens, place) else 0
                place = _place_of(first, tokens, place + 1, last)
        return cut.text_of(start, end) if start < end <= start + self.longest else ""


def patterns_of(about: Sequence[ToldFact]) -> tuple[Pattern, ...]:
    """The patterns in which documents state facts of a kind; those that more subjects show first.

    Args:
        about: Facts of several subjects, with what documents say about these.
    """
    shown = [(told.fact, places) for told in about if (places := told.standing(MOST_PLACES))]
    candidates: Counter[Pattern] = Counter()
    for (fact, places), (other, others) in combinations(shown[:MOST_PAIRED], 2):
        if fact.values[0].key == other.values[0].key:
            continue
        candidates.update({pattern for a in places for b in others if (pattern := _shared(a, b)) is not None})
    longest = max((len(TOKEN.findall(value.text)) for told in about for value in told.fact.values), default=0)
    likely = sorted(candidates, key=lambda pattern: (-candidates[pattern], pattern.before, pattern.after))[:MOST_TRIED]
    usual = (replace(pattern, longest=max(LEAST_WORDS, longest + 1)) for pattern in likely)
    found = [(support, pattern) for pattern in usual if (support := _support(pattern, about))]
    found.sort(key=lambda item: (-item[0], -len(item[1].before) - len(item[1].after), item[1].before, item[1].after))
    return tuple(pattern for _, pattern in found)


def in_pattern(told: ToldFact, patterns: Sequence[Pattern]) -> FactFinding | None:
    """The first passage about the subjects that has a value of the fact in a pattern, else one that has another value.

    Args:
        told: What should be stated, with what documents say about its subjects.
        patterns: In which documents state the same of others.
    """
    values = told.fact.values
    other: FactFinding | None = None
    for pattern in patterns:
        for source, piece, cut in told.passages:
            value = pattern.value_in(cut)
            if not value:
                continue
            if any(own.stated_in(value) for own in values):
                return FactFinding(
                    evidence=FactEvidence.PRESENT,
                    document_id=source.document.id,
                    passage=piece.passage.text,
                    document_ids=(source.document.id,),
                )
            if other is None and all(_is_rival(own, value, piece.passage.text) for own in values):
                other = FactFinding(
                    evidence=FactEvidence.CONTRADICTED,
                    document_id=source.document.id,
                    passage=piece.passage.text,
                    document_ids=(source.document.id,),
                    other_value=value,
                )
    return other


def _shared(one: tuple[Side, Side], other: tuple[Side, Side]) -> Pattern | None:
    """What two passages have in common; None where that says nothing, or not where the value begins and ends."""
    (before, after), (before_other, after_other) = one, other
    if before[-1:] != before_other[-1:] or after[:1] != after_other[:1]:
        return None
    left, right = common(before[::-1], before_other[::-1])[::-1], common(after, after_other)
    if left[-1:] == (GAP,) or right[:1] == (GAP,):
        return None
    return Pattern(left, right)


def common(one: Side, other: Side) -> Side:
    """The tokens that two texts share in order, what differs as one gap each; figures always differ."""
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    side: list[str] = []
    at = (0, 0)
    for block in blocks:
        if (block.a, block.b) != at:
            side.append(GAP)
        side.extend(GAP if token[0].isdigit() else token for token in one[block.a : block.a + block.size])
        at = (block.a + block.size, block.b + block.size)
    return tuple(token for place, token in enumerate(side) if token != GAP or side[place - 1 : place] != [GAP])


def _support(pattern: Pattern, about: Sequence[ToldFact]) -> int:
    """How many subjects have their value in a pattern; 0 where that is too few, or too many have another one there."""
    right: set[str] = set()
    subjects = misled = others = 0
    for told in about:
        found = told.found_in(pattern)
        if found.own:
            right.update(value.key for value in told.fact.values)
            subjects += 1
            # Where most of what stands there is something else, the pattern fits several properties.
            misled += found.other
        elif found.other and told.fact.telling and told.is_written:
            misled += 1
        elif found.other:
            others += 1
    least = LEAST if pattern.is_telling else LEAST_SIGNS
    enough = subjects >= least and len(right) >= least
    # Two small numbers are often the same by chance, two names or dates are not.
    chance = any(value.number is not None and not value.telling for told in about for value in told.fact.values)
    most = subjects if chance or not pattern.is_telling else subjects * MOST_OTHERS
    most_misled = subjects // MISLED if pattern.is_telling else 0
    return subjects if enough and misled <= most_misled and others <= most else 0


def _is_rival(value: ReferenceValue, other: str, passage: str) -> bool:
    """Whether what stands in the value's place is another value of the same kind; in small letters there is no name.

    A flag or a code counts too: a pattern shows that documents write them as the database has them.
    """
    if OPEN_ENDED.match(other) or SUBJECT in other or other in value.key or len(value.key.split()) > LONG_TEXT:
        return False
    if value.number is not None or value.date is not None or any(map(str.isdigit, value.key)):
        return any(map(str.isdigit, other))
    start = passage.casefold().find(other)
    small = start != -1 and passage[start : start + len(other)].islower()
    return any(map(str.isalpha, other)) and not (small and value.text[0].isupper())


def _may_frame(edge: Side, token: Side) -> bool:
    """Whether a passage can begin or end with the first or last token of a pattern, which most do not."""
    return not edge or edge == token or edge == (GAP,)


def _end_of(side: Side, tokens: Side, start: int) -> int | None:
    """Where the tokens of a side end that stand in order from a place on, the first ones right there."""
    place, anchored = start, True
    for run in _runs(side):
        if run == (GAP,):
            anchored = False
            continue
        found = _place_of(run, tokens, place, place if anchored else len(tokens) - len(run))
        if found is None:
            return None
        place, anchored = found + len(run), True
    return place if anchored else None


def _place_of(run: Side, tokens: Side, start: int, last: int) -> int | None:
    """Where a run of tokens begins first, from one place to another; None where it does not."""
    while start <= last:
        try:
            start = tokens.index(run[0], start, last + 1)
        except ValueError:
            return None
        if tokens[start : start + len(run)] == run:
            return start
        start += 1
    return None


def _reaches_end(side: Side, tokens: Side, start: int) -> bool:
    """Whether a side stands in order from a place on, up to the end of the passage."""
    runs = _runs(side)
    if runs[-1] == (GAP,):
        return _end_of(side[:-1], tokens, start) is not None
    if len(runs) == 1:
        return tokens[start:] == runs[0]
    last = len(tokens) - len(runs[-1])
    before = _end_of(side[: -len(runs[-1]) - 1], tokens, start)
    return before is not None and before <= last and tokens[last:] == runs[-1]


@lru_cache(maxsize=10_000)
def _runs(side: Side) -> tuple[Side, ...]:
    """The stretches between the gaps of a side, and each gap."""
    return tuple(tuple(run) for _, run in groupby(side, lambda token: token == GAP))
