"""Sentences that documents have for many subjects with other values in them, and what stands in the value's place.

"For insurance we carry it at EUR 838,500" has no word of "insured value". Where the pages of other objects have theirs
in a sentence that is the same but for names and figures, what stands there on the page of this one is its value. Two
subjects with different values are enough to show such a sentence, since they are compared whole and not word by word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import combinations, groupby

from core.domain.sources.evidence import FactEvidence, FactFinding
from core.judging.facts.fact import Fact
from core.judging.facts.reading import Source
from core.judging.facts.siblings import SUBJECT, TOKEN, with_subjects
from core.judging.facts.values import LONG_TEXT, OPEN_ENDED, ReferenceValue
from core.text.pages import Piece
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
MOST_CUT = 20_000
"""Passages that are kept cut into what they say."""
MOST_PLACES = 4
"""Passages with its value that are looked at for each subject."""
NEW = tuple((word,) for word in ("it", "its", "the", "he", "she", "they", "their", "his", "her", SUBJECT))
"""What stands after an "and" that begins to say another thing."""
GAP = "*"
"""Stands for words that differ from subject to subject."""

DIGITS_BEFORE, DIGITS_AFTER = re.compile(r"\d[.,:]$"), re.compile(r"[.,:]\d")
"""What stands beside a piece of a number."""

Side = tuple[str, ...]


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


def patterns_of(about: Sequence[tuple[Fact, Sequence[Told]]]) -> tuple[Pattern, ...]:
    """The patterns in which documents state facts of a kind; those that more subjects show first.

    Args:
        about: Facts of several subjects, each with what documents say about these.
    """
    shown = [(fact, places) for fact, cuts in about if (places := list(_standing(fact, cuts))[:MOST_PLACES])]
    candidates: Counter[Pattern] = Counter()
    for (fact, places), (other, others) in combinations(shown[:MOST_PAIRED], 2):
        if fact.values[0].key == other.values[0].key:
            continue
        candidates.update({pattern for a in places for b in others if (pattern := _shared(a, b)) is not None})
    longest = max((len(TOKEN.findall(value.text)) for fact, _ in about for value in fact.values), default=0)
    likely = sorted(candidates, key=lambda pattern: (-candidates[pattern], pattern.before, pattern.after))[:MOST_TRIED]
    usual = (replace(pattern, longest=max(LEAST_WORDS, longest + 1)) for pattern in likely)
    found = [(support, pattern) for pattern in usual if (support := _support(pattern, about))]
    found.sort(key=lambda item: (-item[0], -len(item[1].before) - len(item[1].after), item[1].before, item[1].after))
    return tuple(pattern for _, pattern in found)


def in_pattern(fact: Fact, told: Sequence[Told], patterns: Sequence[Pattern]) -> FactFinding | None:
    """The first passage about the subjects that has a value of the fact in a pattern, else one that has another value.

    Args:
        fact: What should be stated.
        told: What documents say about its subjects.
        patterns: In which documents state the same of others.
    """
    other: FactFinding | None = None
    for pattern in patterns:
        for source, piece, cut in told:
            value = pattern.value_in(cut)
            if not value:
                continue
            if any(own.stated_in(value) for own in fact.values):
                return FactFinding(
                    evidence=FactEvidence.PRESENT,
                    document_id=source.document.id,
                    passage=piece.passage.text,
                    document_ids=(source.document.id,),
                )
            if other is None and all(_is_rival(own, value, piece.passage.text) for own in fact.values):
                other = FactFinding(
                    evidence=FactEvidence.CONTRADICTED,
                    document_id=source.document.id,
                    passage=piece.passage.text,
                    document_ids=(source.document.id,),
                    other_value=value,
                )
    return other


def about_subjects(fact: Fact, sources: Iterable[Source]) -> Iterator[Told]:
    """Every passage that speaks about the subjects and about nobody else."""
    for source in sources:
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


def is_written(fact: Fact, told: Iterable[Told]) -> bool:
    """Whether what documents say about the subjects of a fact has its value as it stands."""
    return any(fact.stated_in(piece) for _, piece, _ in told)


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


def _support(pattern: Pattern, about: Sequence[tuple[Fact, Sequence[Told]]]) -> int:
    """How many subjects have their value in a pattern; 0 where that is too few, or too many have another one there."""
    right: set[str] = set()
    subjects = misled = others = 0
    for fact, passages in about:
        found = [value for _, _, cut in passages if (value := pattern.value_in(cut))]
        if not found:
            continue
        if any(value.stated_in(one) for value in fact.values for one in found):
            right.update(value.key for value in fact.values)
            subjects += 1
            # Where most of what stands there is something else, the pattern fits several properties.
            misled += len({one for one in found if not any(value.stated_in(one) for value in fact.values)}) > 0
        elif fact.telling and any(fact.stated_in(piece) for _, piece, _ in passages):
            misled += 1
        else:
            others += 1
    least = LEAST if pattern.is_telling else LEAST_SIGNS
    enough = subjects >= least and len(right) >= least
    # Two small numbers are often the same by chance, two names or dates are not.
    chance = any(value.number is not None and not value.telling for fact, _ in about for value in fact.values)
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
