"""Which language a text is in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

READ = 2_000
"""Characters of a text that are read; more say nothing new about its language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The likeliest language of a text.

    Attributes:
        code: ISO 639-1, such as ``en``; empty where the text has no letters.
        probability: Of that language among the 97 that are known, 0 to 1.
    """

    code: str
    probability: float


def language_of(text: str) -> Language:
    """The likeliest language of a text; the first call in a process takes seconds.

    >>> language_of("Wie hoch ist die Jahresgebühr der Karte?").code
    'de'
    >>> language_of("2.95 %")
    Language(code='', probability=0.0)
    """
    read = text[:READ]
    if not any(map(str.isalpha, read)):
        return Language(code="", probability=0.0)
    code, probability = _identifier().classify(read)
    return Language(code=str(code), probability=float(probability))


def main_language(texts: Iterable[str]) -> str:
    """The language of most characters of some texts, as a code; empty where none has letters."""
    weights: dict[str, int] = {}
    for text in texts:
        detected = language_of(text).code
        if detected:
            weights[detected] = weights.get(detected, 0) + len(text[:READ])
    return max(weights, key=lambda code: (weights[code], code), default="")


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier: LanguageIdentifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    return identifier
