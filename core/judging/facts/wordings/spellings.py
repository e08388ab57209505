"""Codes that documents put in words: "operator" for OPR, "Yes" for 1, learnt from the records that have each code.

Nothing says that "operator" is OPR. But where the pages of all employees have one word in the same place of the same
sentence, and it is "operator" for all with OPR and "grader" for all with GRD, the word in that place is the code.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import combinations
from math import exp, lgamma

from core.domain.sources.evidence import FactEvidence, FactFinding
from core.judging.facts.fact import Fact
from core.judging.facts.wordings.patterns import GAP, Pattern, common
from core.judging.facts.wordings.siblings import SUBJECT
from core.judging.facts.wordings.statements import Cut, ToldFact
from core.text.words import stems

MOST_CODES = 12
"""Different values above which a column is no list of codes."""
LEAST = 2
"""Records that must have a code before its spelling is known, and codes that must be known."""
MOST_PAIRED = 8
"""Records of which sentences are compared with each other."""
MOST_ALIKE = 60
"""Pairs of their sentences that are compared word by word."""
LEAST_SHARED = 0.5
"""Of the words of the longer sentence, how many both must have."""
CHANCE = 0.02
"""The most probable that a place may tell the codes by chance, as one with "the firm" and "the company" may."""
WRONG = 5
"""A place tells the code where this many times as many records agree as do not."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A place in a sentence that has the code of a record in words.

    Attributes:
        pattern: The sentence.
        codes: By what stands in the place, the code.
    """

    pattern: Pattern
    codes: Mapping[str, str]


def spellings_of(known: Sequence[ToldFact]) -> tuple[Spelling, ...]:
    """The places in which documents have the codes of records in words; those that more records show first.

    Args:
        known: Facts of several subjects, with what documents say about these.
    """
    of_code = Counter(told.fact.values[0].key for told in known)
    if not LEAST <= len(of_code) <= MOST_CODES or len(known) < 2 * len(of_code):
        return ()
    about = [(told.fact, _said_once([cut for _, _, cut in told.passages])) for told in known]
    candidates: dict[Pattern, None] = {}
    for (fact, cuts), (other, others) in combinations(_of_each_code(about), 2):
        if fact.values[0].key != other.values[0].key:
            alike = _most_alike(cuts, others)
            candidates |= dict.fromkeys(pattern for a, b in alike for pattern in _differing(a, b))
    fitting = [pattern for pattern in candidates if SUBJECT not in pattern.after]
    found = [
        (agreed, Spelling(pattern, codes))
        for pattern in fitting
        for agreed, codes in _codes(pattern, about, len(fitting))
    ]
    found.sort(key=lambda item: (-item[0], item[1].pattern.before, item[1].pattern.after))
    return tuple(spelling for _, spelling in found)


def in_words(told: ToldFact, spellings: Sequence[Spelling]) -> FactFinding | None:
    """The first passage about the subjects that has the code of the fact in words, else one with another code.

    Args:
        told: What should be stated, with what documents say about its subjects.
        spellings: Of the codes.
    """
    mine = {value.key for value in told.fact.values}
    other: FactFinding | None = None
    for spelling in spellings:
        for source, piece, cut in told.passages:
            said = spelling.pattern.value_in(cut)
            code = spelling.codes.get(said, "")
            if not code or (other is not None and code not in mine):
                continue
            finding = FactFinding(
                evidence=FactEvidence.PRESENT if code in mine else FactEvidence.CONTRADICTED,
                document_id=source.document.id,
                passage=piece.passage.text,
                document_ids=(source.document.id,),
                other_value="" if code in mine else said,
            )
            if code in mine:
                return finding
            other = finding
    return other


def _said_once(cuts: Sequence[Cut]) -> list[Cut]:
    """What is said of a record once: rows of a table, the same but for figures, have no code of the whole record."""
    without_figures = [tuple(GAP if token[0].isdigit() else token for token in cut.tokens) for cut in cuts]
    times = Counter(without_figures)
    return [cut for cut, tokens in zip(cuts, without_figures, strict=True) if times[tokens] == 1]


def _of_each_code(about: Sequence[tuple[Fact, list[Cut]]]) -> list[tuple[Fact, list[Cut]]]:
    """Some of the records with passages, of as many different codes as there are."""
    turns: defaultdict[str, int] = defaultdict(int)
    ranked = []
    for place, (fact, cuts) in enumerate(about):
        if cuts:
            turns[fact.values[0].key] += 1
            ranked.append((turns[fact.values[0].key], place))
    return [about[place] for _, place in sorted(ranked)[:MOST_PAIRED]]


def _most_alike(cuts: Sequence[Cut], others: Sequence[Cut]) -> list[tuple[Cut, Cut]]:
    """Passages of two records that share at least half of their words, those that share most first."""
    words_of_others = [(other, set(other.tokens)) for other in others]
    pairs = []
    for cut in cuts:
        mine = set(cut.tokens)
        for other, words in words_of_others:
            longer = max(len(cut.tokens), len(other.tokens))
            # Most pairs are too unlike in length to share enough, whatever their words are.
            if min(len(mine), len(words)) < LEAST_SHARED * longer:
                continue
            share = len(mine & words) / longer
            if share >= LEAST_SHARED:
                pairs.append((share, cut, other))
    return [(cut, other) for _, cut, other in nlargest(MOST_ALIKE, pairs, key=lambda pair: pair[0])]


def _differing(one: Cut, other: Cut) -> Iterator[Pattern]:
    """Two passages that are the same but for some places: a pattern for each of them."""
    tokens = common(one.tokens, other.tokens)
    if not any(token[0].isalpha() for token in tokens):
        return
    for place, token in enumerate(tokens):
        if token == GAP:
            yield Pattern(tokens[:place], tokens[place + 1 :])


def _codes(
    pattern: Pattern, about: Sequence[tuple[Fact, list[Cut]]], tried: int
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """What stands in a pattern for each code, where one follows from the other; nothing where that may be chance."""
    pairs: Counter[tuple[str, str]] = Counter()
    for fact, cuts in about:
        said = {value for cut in cuts if (value := pattern.value_in(cut))}
        if len(said) == 1:
            pairs[said.pop(), fact.values[0].key] += 1
    of_said: dict[str, str] = {}
    of_code: dict[str, str] = {}
    for (said_here, code), _ in sorted(pairs.items(), key=lambda item: (-item[1], item[0])):
        if said_here not in of_said and code not in of_code:
            of_said[said_here], of_code[code] = code, said_here
    agreed = [times for pair, times in pairs.items() if of_said.get(pair[0]) == pair[1]]
    sure = {said_here: code for said_here, code in of_said.items() if pairs[said_here, code] >= LEAST}
    asked = about[0][0].shared & stems(" ".join((*pattern.before, *pattern.after)))
    chance = _chance(agreed) * (1 if asked else tried)
    if len(sure) >= LEAST and (sum(pairs.values()) - sum(agreed)) * WRONG <= sum(agreed) and chance <= CHANCE:
        yield sum(agreed), sure


def _chance(times: Sequence[int]) -> float:
    """How probable it is that other words, as often each, fall on the codes like this by chance: k! / multinomial."""
    ways = lgamma(sum(times) + 1) - sum(lgamma(number + 1) for number in times)
    return exp(lgamma(len(times) + 1) - ways)
