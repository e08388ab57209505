"""What an answer begins with before it says anything: "OK, let me check"."""

from __future__ import annotations

import re
from typing import Final

_BEGINS: Final = re.compile(
    r"^\W*(?:ok|okay|sure|right|alright|yes|no problem|certainly|of course|great)[,.!:;\u2013\u2014-]+ "
    r"(?=(?:let me"
    r"|let['’]?s|i(?:['’]ll| will| have|['’]ve)? (?:check|look|found|find|see|search)\w*|here (?:is|are|you)"
    r"|give me|one moment|looking|checking)\b)",
    re.IGNORECASE,
)


def without_interjection(answer: str) -> str:
    """An answer without a word that only says that it begins.

    >>> without_interjection("OK, let me check: it was refused."), without_interjection("OK, it passed.")
    ('let me check: it was refused.', 'OK, it passed.')
    """
    return _BEGINS.sub("", answer)
