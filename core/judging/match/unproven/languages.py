"""Counts that an answer may give in words of another language, which no rule reads."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+")
_FUNCTION_WORDS: Final = {
    "German": "wurden werden insgesamt wegen jahr nach meist uber zum zur der die das und ist sind ein eine im mit von"
    " fur nicht auf es den dem wurde bei aus gibt derzeit",
    "Dutch": "de het een en is zijn van op met voor niet bij aan die dat worden werd heeft hebben dit er momenteel",
    "French": "le la les des et est sont un une du dans avec pour pas il elle au aux dont par sur nous vous",
    "Spanish": "el la los las es son un una del en con para no hay se por su al lo que esta estan",
    "Italian": "il lo la gli le sono un una del nel con per non ci si di che al della dei delle",
    "Portuguese": "os as sao um uma do da no na com para nao ha se por ao que dos das",
}
_OF_LANGUAGES: Final = {name: frozenset(words.split()) for name, words in _FUNCTION_WORDS.items()}
_ENGLISH: Final = frozenset(
    "the and are were there it for with by from that this has have not you our their which these".split()  # noqa: SIM905
)
LEAST: Final = 3
"""Function words of a language that an answer in it has."""


def in_another_language(answer: str) -> str:
    """The language of an answer that is not in English, as far as its function words tell; or empty.

    Args:
        answer: Match text.

    >>> in_another_language("op het kantoor in breda werken er twaalf."), in_another_language("it is the first of two.")
    ('Dutch', '')
    """
    words = _WORD.findall(answer)
    found = {name: len(own.intersection(words)) for name, own in _OF_LANGUAGES.items()}
    best = max(found, key=lambda name: found[name])
    enough = found[best] >= min(LEAST, max(2, len(words) // 4))
    return best if enough and found[best] > 2 * sum(word in _ENGLISH for word in words) else ""
