"""Answers that decline in words no rule knows: a small model over the words of an answer and how they sound.

The rules tell most refusals from answers by what their words mean; people find ever new words ("The leaflet keeps mum
about it"). One half of the model has a weight for each run of one to three words that several domains have in common,
with the question's own words and its figures made alike, and one for how many words are new to it: who declines seldom
names anything. The other half (`core.judging.match.abstention.model.meaning`) reads the states of a sentence encoder;
it is asked only where the first leaves a doubt. What they say of an answer and of each of its clauses is weighed with
what the rules saw in `core.judging.match.abstention.model.weighing`.

The weights are fitted by ``python -m bench.abstention_model --write``, which names the answers they are fitted on.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.judging.match.abstention.model import meaning
from core.text.words import STOP_WORDS, stem

MAX_CHARACTERS = 900
"""Longer answers are left to the rules: those the model is fitted on are shorter."""
WEIGHTS = Path(__file__).with_name("weights.json")
MOST_NEW = 4
"""More words that are new to the model are counted as so many."""
CONSTANT = ""
"""The name of the constant among the weights."""
KNOWN = "= "
"""What stands before a word that the model knows from answers that decline."""
_WORD = re.compile(r"[a-z0-9][\w'/-]*|[?:<>\[\]|#]")
MOST_UNKNOWN = 0.5
"""Share of words that the model does not know above which it says nothing: they are of another language."""
LINK = re.compile(r"https?:|www\.")
"""An answer that gives a link says where to look."""
_DIGIT = re.compile(r"\d")
_COUNT_WORDS = """
two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety hundred
thousand million half twice
"""
_COUNTS = frozenset(_COUNT_WORDS.split())
_POLAR = re.compile(r"(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|am)\b")
_YES_OR_NO = "YN"
_LONGEST = 3
SURELY_ANSWERS = -6.0
"""Log odds by words alone below which the other half is not asked."""
MOST_BY_WORDS = 7.0
"""Log odds by words alone count no further than this."""
Sound = Callable[[str], float]
"""Log odds that a text declines, by how it sounds."""
_ASKED, _FIGURE = "Q", "0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """What the model says of an answer, as log odds that it declines.

    Attributes:
        whole: Of the answer as a whole.
        by_words: The same by its words alone.
        by_sound: The same by how it sounds.
        clauses: Each clause that has a word, with its log odds; one at least.
    """

    whole: float
    by_words: float
    by_sound: float
    clauses: tuple[tuple[str, float], ...]


def chances(
    question: str,
    clauses: Sequence[str],
    weights: Mapping[str, float] | None = None,
    *,
    sound: Sound = meaning.logit,
    surely_answers: float = SURELY_ANSWERS,
) -> Chances | None:
    """How likely an answer and each of its clauses decline; None where the model does not say.

    It is too long, or of words the model does not know, its words alone say that it surely answers, or the encoder that
    reads how it sounds is not installed.

    Args:
        question: Match text.
        clauses: What the answer says, as match text.
        weights: Of another model than the one that comes with Plumbline.
        sound: The half of the model that reads how a text sounds, of another model likewise.
        surely_answers: Log odds by words alone below which an answer is not looked at.

    >>> chances("how long is the interval?", ["the programme keeps mum about it."]).whole > 0
    True
    >>> [odds > 0 for _, odds in chances("how long is it?", ["twenty minutes.", "i could not tell you."]).clauses]
    [False, True]
    """
    clauses = [clause for clause in clauses if _WORD.search(clause)]
    whole = " ".join(clauses)
    if not clauses or len(whole) > MAX_CHARACTERS:
        return None
    if sound is meaning.logit and meaning.without_model():
        return None
    weights = _weights() if weights is None else weights
    seen = tokens(whole, question)
    if sum(KNOWN + token not in weights for token in seen) > MOST_UNKNOWN * len(seen):
        return None
    by_words = _by_words(seen, weights)
    if by_words < surely_answers:
        return None
    by_sound = sound(alike(seen))
    of_whole = (min(MOST_BY_WORDS, by_words) + by_sound) / 2
    of_clauses = [_log_odds(clause, question, weights, sound) for clause in clauses] if len(clauses) > 1 else [of_whole]
    return Chances(
        whole=of_whole,
        by_words=by_words,
        by_sound=by_sound,
        clauses=tuple(zip(clauses, of_clauses, strict=True)),
    )


def tokens(text: str, question: str) -> list[str]:
    """The words of a text, the question's own made alike, and figures that the question does not have.

    >>> tokens("no fee for the 2nd card", "what is the fee?")
    ['no', 'Q', 'for', 'the', '0', 'card']
    """
    asked, words = _asked(question)
    seen = [_alike(token, asked, words) for token in _WORD.findall(text[:MAX_CHARACTERS])]
    return [_YES_OR_NO, *seen] if _POLAR.match(question) else seen


def features(seen: Sequence[str], known: Collection[str]) -> set[str]:
    """What the model sees of a text.

    Args:
        seen: Its words, as `tokens` gives them.
        known: The words that the model knows, each after `KNOWN`.

    >>> sorted(features(["no", "Q", "zander"], {"= no", "= Q"}))[:3]
    ['$ zander', '+new 1', 'Q']
    """
    return {*_runs(seen), f"+new {min(MOST_NEW, sum(KNOWN + token not in known for token in seen))}"}


def alike(seen: Sequence[str]) -> str:
    """A text for the half that reads how it sounds: the question's own words made alike.

    >>> alike(["YN", "no", "Q", "for", "the", "0", "card"])
    'no it for the 0 card'
    """
    return " ".join(meaning.ALIKE if token == _ASKED else token for token in seen if token != _YES_OR_NO)


def _by_words(seen: Sequence[str], weights: Mapping[str, float]) -> float:
    return weights[CONSTANT] + math.fsum(weights.get(one, 0.0) for one in features(seen, weights))


def _log_odds(text: str, question: str, weights: Mapping[str, float], sound: Sound) -> float:
    seen = tokens(text, question)
    by_words = _by_words(seen, weights)
    if by_words < SURELY_ANSWERS:
        return by_words
    return (min(MOST_BY_WORDS, by_words) + sound(alike(seen))) / 2


def _runs(seen: Sequence[str]) -> Iterator[str]:
    for length in range(1, _LONGEST + 1):
        for start in range(len(seen) - length + 1):
            yield " ".join(seen[start : start + length])
    for before, after in zip(seen, seen[2:], strict=False):
        yield f"{before} _ {after}"
    if seen and seen[0] == _YES_OR_NO:
        for token in seen:
            yield f"{_YES_OR_NO} {token}"
        seen = seen[1:]
    if seen:
        yield f"^ {seen[0]}"
        yield f"^ {' '.join(seen[:2])}"
        yield f"$ {seen[-1]}"


def _alike(token: str, asked: frozenset[str], words: frozenset[str]) -> str:
    if _DIGIT.search(token) or token in _COUNTS:
        return _ASKED if token in words else _FIGURE
    return _ASKED if token not in STOP_WORDS and stem(token) in asked else token


@lru_cache(maxsize=256)
def _asked(question: str) -> tuple[frozenset[str], frozenset[str]]:
    """Word families of a question, and its words."""
    words = frozenset(_WORD.findall(question))
    return frozenset(stem(word) for word in words if word not in STOP_WORDS), words


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, float]:
    """The weight of each feature, the constant, and the known words."""
    weights: dict[str, float] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return weights
