"""The tone of an answer, from -1 to 1: by a classification model, or by a lexicon of service words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Protocol

from core.domain.errors import InvalidInput
from core.encoders.classifiers.texts import TextClassifier, open_text_classifier

LEXICON: Final = "lexicon"
_GOOD_WORDS: Final = """
good great excellent welcome happy glad pleased pleasure help helpful easy easily recommend recommended best
perfect ideal suitable eligible qualify approved accept accepted thank thanks congratulations benefit benefits
free reward rewards trust trusted safe secure confident certainly gladly support enjoy valued warmly likely can
able
"""
_GOOD: Final = frozenset(_GOOD_WORDS.split())
_BAD_WORDS: Final = """
bad poor unfortunately sorry regret refuse refused reject rejected decline declined deny denied risk risky fraud
suspicious suspect problem problems difficult unlikely cannot unable impossible penalty default worse worst
warning careful caution doubt doubtful fail failed failure wrong ineligible unsuitable afraid limited never
"""
_BAD: Final = frozenset(_BAD_WORDS.split())
_NOT: Final = frozenset({"not", "no", "never", "cannot", "without", "nor", "hardly"})
_WORD: Final = re.compile(r"[a-z]+(?:n't)?")
_POSITIVE: Final = re.compile(r"pos|happy|joy|good|5 star|4 star", re.I)
_NEGATIVE: Final = re.compile(r"neg|sad|anger|bad|1 star|2 star", re.I)


class ToneRater(Protocol):
    """Something that says how friendly texts are."""

    @property
    def name(self) -> str:
        """What people read."""

    def rate(self, texts: Sequence[str]) -> list[float]:
        """The tone of each text, from -1 (cold) to 1 (warm)."""


class ToneLexicon:
    """(warm - cold) / (warm + cold) of the words of a short list; 0 where none stands in the text.

    English only; a word behind "not" counts as its opposite, and irony is not seen.

    >>> ToneLexicon().rate(["We are happy to help.", "Unfortunately you cannot.", "The fee is 12."])
    [1.0, -1.0, 0.0]
    """

    name = LEXICON

    def rate(self, texts: Sequence[str]) -> list[float]:
        """The tone of each text."""
        return [_tone(text) for text in texts]


class ToneModel:
    """The probability of a model's positive labels less that of its negative ones.

    Raises:
        InvalidInput: The model's labels name no positive or no negative one.
    """

    def __init__(self, classifier: TextClassifier) -> None:
        self.name = classifier.name
        self._classifier = classifier
        self._good = [place for place, label in enumerate(classifier.labels) if _POSITIVE.search(label)]
        self._bad = [place for place, label in enumerate(classifier.labels) if _NEGATIVE.search(label)]
        if not self._good or not self._bad:
            raise InvalidInput(
                f"The labels of {classifier.name} name no positive and negative: {', '.join(classifier.labels)}.",
                "Use a model for sentiment whose labels do.",
            )

    def rate(self, texts: Sequence[str]) -> list[float]:
        """The tone of each text."""
        shares = self._classifier.probabilities(texts)
        return [float(row[self._good].sum() - row[self._bad].sum()) for row in shares]


def open_tone(spec: str = "") -> ToneRater:
    """The lexicon, or the model of that name or folder."""
    return ToneLexicon() if spec in ("", LEXICON) else ToneModel(open_text_classifier(spec))


def _tone(text: str) -> float:
    warm = cold = 0
    before = ""
    for word in _WORD.findall(text.lower().replace("’", "'")):
        negated = before in _NOT or before.endswith("n't")
        good, bad = word in _GOOD, word in _BAD
        if negated and good:
            good, bad = False, True
        elif negated and bad and word not in _NOT:
            good, bad = True, False
        warm, cold = warm + good, cold + bad
        before = word
    return (warm - cold) / (warm + cold) if warm + cold else 0.0
