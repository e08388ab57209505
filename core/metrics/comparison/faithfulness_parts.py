"""What faithfulness is made of: of each claim its support, specifics, consistency and, with a model, entailment.

Every part lies in [0, 1], higher is better, and each looks at the sentences of the answer that claim something. No
value falls when a part rises.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType

from core.metrics.comparison.entailment import probabilities, readings
from core.metrics.comparison.lexical import answer_words, stems_of
from core.metrics.comparison.specifics import Specific
from core.metrics.comparison.support.claims import support_of
from core.metrics.comparison.support.contradictions import Contradiction
from core.metrics.comparison.support.stating import ANNOUNCING, announces, specifics_of
from core.metrics.comparison.weights import length_in_words, shares, weighted_mean
from core.metrics.prepared import Part, Prepared
from core.text.words import stem

WEIGHTS: Mapping[str, float] = MappingProxyType({"semantic": 0.4, "together": 0.4, "lexical": 0.2})
"""Share of each part of the support of a claim."""

PARTS = (*WEIGHTS, "specifics", "consistency", "entailment", "reading")
"""The names of all parts; entailment is there with an NLI model only, reading in `claim_reading` only."""

READER_SHARE = 0.7
"""Share of the reading in the support of a claim, beside the words."""

UNRELATED, SUPPORTED = 0.3, 0.85
"""Where the mean of the support says nothing, since any two texts of one field have as much, and where it says all."""

LOWEST = 0.3
"""Share of the lowest claim in the score: an invention is not made good by many copied sentences."""

CONTRADICTED, OF_ITS_OWN = 0.3, 0.7
"""The most a claim can have that says something else than the sentence it follows, or that adds words of its own."""

ADDED = 2
"""So many words in a row that occur nowhere are an addition; a single one may be another word for the same."""

RULES: Mapping[str, float] = MappingProxyType({"no claim": 0.5, "nothing retrieved": 0.0})
"""Values where there are no parts. Without a claim nothing is supported and nothing is invented; a claim without any
context has no support."""

HALF_LIFE = 2
"""So many specifics that occur nowhere halve the part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One sentence of the answer that claims something.

    Attributes:
        place: Which sentence of the answer it is.
        weight: Its share of the semantic part; None where it only announces what follows.
        parts: The parts of this sentence alone, none where it only announces.
        best: The context sentences that support it best, one or two; of a contradicted claim the one it departs from.
        contradiction: What it says differently from that sentence, None where nothing was found.
        added: The words in a row that it adds and no text has, empty where there are not `ADDED` of them.
        specifics: Its numbers, dates, codes and names.
    """

    place: int
    weight: float | None
    parts: Mapping[str, float]
    best: tuple[int, ...]
    contradiction: Contradiction | None
    added: tuple[str, ...]
    specifics: tuple[Specific, ...]

    @property
    def value(self) -> float | None:
        """The score of this sentence alone."""
        return claim_value(self.parts) if self.parts else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """An answer, checked against its contexts.

    Attributes:
        value: The score.
        parts: The parts of the whole answer: means over its claims, weighted by words, and all its specifics.
        claims: Its claims in order.
        unfound: Distinct content words of the claims that occur in no context.
    """

    value: float
    parts: Mapping[str, float]
    claims: tuple[Claim, ...]
    unfound: tuple[str, ...]


def claim_value(parts: Mapping[str, float]) -> float:
    """The score of a claim: min(support * specifics, consistency).

    The support is (m - 0.3) / 0.55 between 0 and 1, with m the weighted mean of the parts in `WEIGHTS` that are there;
    with entailment it is the mean of that and the entailment, with a reading 0.3 of that and 0.7 of the reading.

    Args:
        parts: Values in [0, 1] by the names in `PARTS`; specifics and consistency are 1 where they are not there. Where
            there is a reading alone, it is the support.

    >>> round(claim_value({"semantic": 0.7, "together": 0.5, "lexical": 0.6}), 3)  # (0.28 + 0.2 + 0.12 - 0.3) / 0.55
    0.545
    >>> claim_value({"semantic": 0.9, "together": 1.0, "lexical": 1.0, "consistency": 0.3})
    0.3
    """
    names = [name for name in WEIGHTS if name in parts]
    if names:
        mean = weighted_mean([parts[name] for name in names], shares([WEIGHTS[name] for name in names]))
        found = [min(max((mean - UNRELATED) / (SUPPORTED - UNRELATED), 0.0), 1.0)]
    else:
        found = []
    if "entailment" in parts:
        found.append(parts["entailment"])
    support = math.fsum(found) / len(found) if found else parts.get("reading", 1.0)
    if "reading" in parts:
        support = (1.0 - READER_SHARE) * support + READER_SHARE * parts["reading"]
    return min(support * parts.get("specifics", 1.0), parts.get("consistency", 1.0))


def combine(values: Sequence[float], weights: Sequence[float]) -> float:
    """The score of an answer: 0.7 of the weighted mean of its claims and 0.3 of the lowest of them.

    Args:
        values: One a claim.
        weights: One a claim, adding up to 1.

    >>> round(combine([1.0, 0.5], [0.75, 0.25]), 4)  # 0.7 * 0.875 + 0.3 * 0.5
    0.7625
    """
    return (1.0 - LOWEST) * weighted_mean(values, weights) + LOWEST * min(values)


def specifics_value(missing: int) -> float:
    """2 / (2 + m) for m specifics that occur nowhere: 1, 2/3, 1/2, 2/5...

    It counts and takes no share, since one invented amount is not made good by many true ones.

    >>> [round(specifics_value(missing), 3) for missing in range(4)]
    [1.0, 0.667, 0.5, 0.4]
    """
    return HALF_LIFE / (HALF_LIFE + missing)


def check(
    prepared: Prepared, claims: Sequence[int], by_model: Mapping[int, Mapping[str, float]] | None = None
) -> Checked:
    """The parts of an answer and of each of its claims.

    Args:
        prepared: The sample; answer and contexts must be encoded, and there must be contexts.
        claims: Which sentences of the answer claim something, at least one.
        by_model: Parts of the claims that a model gives; by default the entailment, where there is an NLI model.
    """
    sentences = prepared.sentences(Part.ANSWER)
    stating = [place for place in claims if not announces(prepared, place, claims)]
    weights = dict(zip(stating, shares([length_in_words(sentences[place].text) for place in stating]), strict=True))
    read = _entailed(prepared) if by_model is None else by_model
    made = tuple(_claim(prepared, place, weights.get(place), read.get(place, {})) for place in claims)
    whole = [(claim, claim.weight) for claim in made if claim.weight is not None]
    value = combine([claim_value(claim.parts) for claim, _ in whole], [weight for _, weight in whole])
    announced = [specific for claim in made if claim.weight is None for specific in claim.specifics]
    parts = {
        name: weighted_mean([claim.parts[name] for claim, _ in whole], [weight for _, weight in whole])
        for name in PARTS
        if all(name in claim.parts for claim, _ in whole)
    }
    parts["specifics"] = specifics_value(_missing([specific for claim in made for specific in claim.specifics]))
    words_of_answer = answer_words(prepared)
    return Checked(
        value=value * specifics_value(_missing(announced)),
        parts=MappingProxyType(parts),
        claims=made,
        unfound=tuple(dict.fromkeys(word for place in stating for word in words_of_answer[place].unfound)),
    )


def _claim(prepared: Prepared, place: int, weight: float | None, read: Mapping[str, float]) -> Claim:
    specifics = specifics_of(prepared, place)
    if weight is None:
        return Claim(place=place, weight=None, parts={}, best=(), contradiction=None, added=(), specifics=specifics)
    support = support_of(prepared, place)
    departs, added = support.contradicted, _added(prepared, place)
    parts = {
        "semantic": support.similarity,
        "together": support.together,
        "lexical": support.anywhere,
        "specifics": specifics_value(_missing(specifics)),
        "consistency": CONTRADICTED if departs else OF_ITS_OWN if added else 1.0,
        **read,
    }
    return Claim(
        place=place,
        weight=weight,
        parts=MappingProxyType(parts),
        best=(departs.by,) if departs else support.best,
        contradiction=departs.contradiction if departs else None,
        added=added,
        specifics=specifics,
    )


def _missing(specifics: Iterable[Specific]) -> int:
    """How many distinct ones occur nowhere."""
    return len({(specific.kind, specific.text) for specific in specifics if not specific.found})


def _added(prepared: Prepared, place: int) -> tuple[str, ...]:
    """The longest run of at least `ADDED` words that neither passages nor question have; words of lists say nothing."""
    sentence_words = answer_words(prepared)[place]
    known = stems_of(prepared.sample.question) | ANNOUNCING
    unfound = frozenset(sentence_words.unfound)
    longest: list[str] = []
    for own, run in groupby(sentence_words.words, key=lambda word: word in unfound and stem(word) not in known):
        words = list(run)
        if own and len(words) > len(longest):
            longest = words
    return tuple(longest) if len(longest) >= ADDED else ()


def _entailed(prepared: Prepared) -> Mapping[int, Mapping[str, float]]:
    """How probable it is that the contexts entail each answer sentence, nothing without an NLI model."""
    if prepared.nli is None:
        return {}
    head = prepared.nli.head
    entailment_values: dict[int, float] = {}
    for read in readings(prepared):
        best = float(probabilities(read.logits)[:, head.entailment].max())
        # of a sentence read in pieces the least entailed one counts
        entailment_values[read.sentence] = min(best, entailment_values.get(read.sentence, 1.0))
    return {place: {"entailment": value} for place, value in entailment_values.items()}
