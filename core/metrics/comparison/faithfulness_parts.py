"""What faithfulness is made of: similarity, words, specifics and, where there is a model, entailment.

Every part lies in [0, 1], higher is better, and each looks at the sentences of the answer that claim something. The
score is their weighted mean, so it never falls when a part rises.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

from core.judging.match.abstention import Move, makes_no_claim, moves
from core.metrics.comparison.entailment import probabilities, readings
from core.metrics.comparison.lexical import SentenceWords, answer_words, stems_of
from core.metrics.comparison.similarity import best_matches
from core.metrics.comparison.specifics import Kind, Specific, find_specifics
from core.metrics.comparison.weights import length_in_words, shares, weighted_mean
from core.metrics.prepared import Part, Prepared
from core.text.words import PADDING, stem

WEIGHTS: Mapping[str, float] = MappingProxyType({"semantic": 0.4, "lexical": 0.4, "specifics": 0.2, "entailment": 0.4})
"""Share of each part; divided by the sum over the parts that are there."""

RULES: Mapping[str, float] = MappingProxyType({"no claim": 0.5, "nothing retrieved": 0.0})
"""Values where there are no parts. Without a claim nothing is supported and nothing is invented; a claim without any
context has no support."""

HALF_LIFE = 2
"""So many specifics that occur nowhere halve the part."""

ANNOUNCES = (":", "：")
"""A sentence that ends so announces what follows and is not matched itself, if it says nothing of its own."""

OWN_WORDS = 1
"""So many words that occur nowhere are a manner of announcing; a sentence with more says something of its own."""

_OF_LISTS = """
additional additionally advice also approach area aspect available based basic benefit best brief category common
component consider consist contain context criterion description difference different document element essential
example explanation factor feature first follow following further general generally group guide guideline however idea
important include including instruction item key kind list main major many means measure method multiple notable number
often option order outline overview part passage perform point popular primary principle procedure process reason
recommend recommendation requirement result rule section several similar simple simply source special stage step
strategy suggest suggestion summary take text tip top topic try type typical typically usual usually variety various way
yes able couple due might new note related two three four five
"""
ANNOUNCING = frozenset(stem(word) for word in (*_OF_LISTS.split(), *PADDING))
"""What lists are announced with ("In general, follow these steps:"), and words of requests; they say nothing alone."""

_OF_ITSELF = re.compile(
    r"\b(?:as an? )?(?:AI|LLM)\b|\b(?:my|our) (?:[a-z]+ )?(?:knowledge|training|update|cut-?off)\b[^,;.?]*",
    re.IGNORECASE,
)
"""What an assistant says of itself when it declines: that it is an AI, and the day its training ended."""
_GERMAN = re.compile(
    r"\b(?:ich|sie|wir|nicht|nichts|keine?n?|und|das|der|bitte|ihnen|leider|welche[rsn]?)\b", re.IGNORECASE
)
"""In German every noun has a capital, so capitals tell no names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One sentence of the answer that claims something.

    Attributes:
        place: Which sentence of the answer it is.
        weight: Its share of the semantic part; None where it only announces what follows.
        parts: The parts of this sentence alone, none where it only announces.
        best: Which context sentence is nearest, -1 where there is none.
        specifics: Its numbers, dates, codes and names.
    """

    place: int
    weight: float | None
    parts: Mapping[str, float]
    best: int
    specifics: tuple[Specific, ...]

    @property
    def value(self) -> float | None:
        """The score of this sentence alone."""
        return combine(self.parts) if self.parts else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """An answer, checked against its contexts.

    Attributes:
        parts: The parts of the whole answer.
        claims: Its claims in order.
        unfound: Distinct content words of the claims that occur in no context.
    """

    parts: Mapping[str, float]
    claims: tuple[Claim, ...]
    unfound: tuple[str, ...]


def combine(parts: Mapping[str, float]) -> float:
    """The weighted mean of the parts that are there: sum_p w_p v_p / sum_p w_p.

    Args:
        parts: Values in [0, 1] by the names in `WEIGHTS`, at least one.

    >>> round(combine({"semantic": 0.5, "lexical": 1.0, "specifics": 0.5}), 3)  # 0.4 * 0.5 + 0.4 * 1 + 0.2 * 0.5
    0.7
    """
    names = list(parts)
    return weighted_mean([parts[name] for name in names], shares([WEIGHTS[name] for name in names]))


def specifics_value(missing: int) -> float:
    """2 / (2 + m) for m specifics that occur nowhere: 1, 2/3, 1/2, 2/5...

    It counts and takes no share, since one invented amount is not made good by many true ones.

    >>> [round(specifics_value(missing), 3) for missing in range(4)]
    [1.0, 0.667, 0.5, 0.4]
    """
    return HALF_LIFE / (HALF_LIFE + missing)


def claims_of(prepared: Prepared) -> tuple[int, ...]:
    """Which sentences of the answer claim something; none where the answer as a whole abstains.

    What sounds like no claim is one all the same where it says something of its own: a polite way to announce ("Here
    are the steps:") by its words, and a sentence that declines or asks, or any of an answer that abstains, by a number,
    date, code or name that neither the passages nor the question have.
    """
    words_of_answer = answer_words(prepared)

    def claims(place: int, sentence: str) -> bool:
        if not (prepared.abstained or makes_no_claim(sentence)):
            return True
        announces = not prepared.abstained and sentence.endswith(ANNOUNCES)
        return (announces and _says_something(prepared, words_of_answer[place])) or _invents(prepared, place)

    sentences = prepared.sentences(Part.ANSWER)
    return tuple(place for place, sentence in enumerate(sentences) if claims(place, sentence.text))


def specifics_of(prepared: Prepared, place: int) -> tuple[Specific, ...]:
    """The specifics of a sentence of the answer, looked up in the passages and the question; made once a sentence."""

    def make() -> tuple[Specific, ...]:
        sources = (*prepared.sample.texts, prepared.sample.question)
        return find_specifics(prepared.sentences(Part.ANSWER)[place].text, sources)

    return cast(tuple[Specific, ...], prepared.keep(f"specifics {place}", make))


def _invents(prepared: Prepared, place: int) -> bool:
    """Whether a sentence that sounds like no claim has a specific that occurs nowhere.

    Names count only where it declines or asks: who greets or sends somebody elsewhere names a person or a desk.
    """
    sentence = prepared.sentences(Part.ANSWER)[place].text
    absent = [specific for specific in specifics_of(prepared, place) if not specific.found]
    if not absent:
        return False
    if _OF_ITSELF.search(sentence):
        sources = (*prepared.sample.texts, prepared.sample.question)
        absent = [specific for specific in find_specifics(_OF_ITSELF.sub(" ", sentence), sources) if not specific.found]
    names = not {Move.DECLINES, Move.ASKS}.isdisjoint(moves(sentence)) and not _GERMAN.search(sentence)
    return any(names or specific.kind is not Kind.NAME for specific in absent)


def _says_something(prepared: Prepared, sentence_words: SentenceWords) -> bool:
    """Whether more words than `OWN_WORDS` occur neither in passages nor question; numbers count elsewhere."""
    question_stems = stems_of(prepared.sample.question)
    own = {stem(word) for word in sentence_words.unfound if not any(map(str.isdigit, word))}
    return len(own - question_stems - ANNOUNCING) > OWN_WORDS


def _announces(prepared: Prepared, place: int, claims: Sequence[int]) -> bool:
    """Whether a sentence does no more than announce a claim that follows."""
    if not prepared.sentences(Part.ANSWER)[place].text.endswith(ANNOUNCES) or place == max(claims):
        return False
    return not _says_something(prepared, answer_words(prepared)[place])


def check(prepared: Prepared, claims: Sequence[int]) -> Checked:
    """The parts of an answer and of each of its claims.

    Args:
        prepared: The sample; answer and contexts must be encoded, and there must be contexts.
        claims: Which sentences of the answer claim something, at least one.
    """
    sentences = prepared.sentences(Part.ANSWER)
    stating = [place for place in claims if not _announces(prepared, place, claims)]
    weights = shares([length_in_words(sentences[place].text) for place in stating])
    matches, words_of_answer = best_matches(prepared, Part.ANSWER, Part.CONTEXTS), answer_words(prepared)
    specifics = {place: specifics_of(prepared, place) for place in claims}
    entailed = _entailed(prepared)

    def parts_of(
        places: Sequence[int], weights: Sequence[float], place_specifics: Iterable[Specific]
    ) -> Mapping[str, float]:
        parts = {"semantic": weighted_mean([max(0.0, matches.values[place]) for place in places], weights)}
        stems = {stem(word) for place in places for word in words_of_answer[place].words}
        if stems:
            absent = {stem(word) for place in places for word in words_of_answer[place].unfound}
            parts["lexical"] = 1.0 - len(absent) / len(stems)
        parts["specifics"] = specifics_value(
            len({(specific.kind, specific.text) for specific in place_specifics if not specific.found})
        )
        if entailed is not None:
            parts["entailment"] = weighted_mean([entailed[place] for place in places], weights)
        return MappingProxyType(parts)

    by_place = dict(zip(stating, weights, strict=True))
    return Checked(
        parts=parts_of(stating, weights, [specific for some in specifics.values() for specific in some]),
        claims=tuple(
            Claim(
                place=place,
                weight=by_place.get(place),
                parts=parts_of([place], (1.0,), specifics[place]) if place in by_place else {},
                best=matches.best[place],
                specifics=specifics[place],
            )
            for place in claims
        ),
        unfound=tuple(dict.fromkeys(word for place in stating for word in words_of_answer[place].unfound)),
    )


def _entailed(prepared: Prepared) -> Mapping[int, float] | None:
    """How probable it is that the contexts entail each answer sentence, None without an NLI model."""
    if prepared.nli is None:
        return None
    head = prepared.nli.head
    entailment_values: dict[int, float] = {}
    for read in readings(prepared):
        best = float(probabilities(read.logits)[:, head.entailment].max())
        # of a sentence read in pieces the least entailed one counts
        entailment_values[read.sentence] = min(best, entailment_values.get(read.sentence, 1.0))
    return entailment_values
