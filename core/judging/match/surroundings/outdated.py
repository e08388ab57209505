"""Values that an answer says held before: "but that was the price before the change", "In the past, it was May"."""

from __future__ import annotations

import re
from typing import Final

from core.judging.match.surroundings.denial import FORMER

_BEFORE: Final = re.compile(
    r"^\W*(?:in the past|in former (?:years|times)|until (?:recently|lately))\b"
    r"[^.;:\n]{0,80}$"
)
"""From the beginning of the sentence to the value."""
_UNTIL_A_YEAR: Final = re.compile(
    r"^\W*(?P<until>(?:until|up to|before) (?:[a-z]+ )?(?:19|20)\d\d),? "
    r"(?:(?! and | but )[^.;:\n]){0,40}\b(?:had|was|were)\b(?:(?! and | but )[^.;:\n]){0,60}$"
)
"""From the beginning of the sentence to the value: "Until 2021 it had been rated"."""
_NOW_ASKED: Final = re.compile(r"\b(?:current(?:ly)?|now|today|at present)\b")
_AFTER: Final = re.compile(
    r"[^.;:\n]{0,40}[,;(–-] ?(?:but|though|although|however,?|which) "
    r"(?:that|this|it|which)? ?(?:was|were|applied|held)"
    r"[^.;:\n\d]{0,30}? (?:before|until|prior to) (?:the|that|then|[12]\d{3})\b"
)
"""From the value on."""
_USED_TO: Final = re.compile(r"\W{0,3}used to [a-z]{3,}\b[^.;\n]*\b(?:but|until|before|now|current)\b")
"""Behind a name, that it was so before: "used to lead the project, but the current lead"."""
_PAST_ASKED: Final = re.compile(r"\b(?:before|until|past|historical\w*|prior|then|at that time)\b")
"""Questions for what was before, to which such a value is the answer."""


def outdated(before: str, after: str, question: str) -> str:
    """The words that say of a value that it holds no longer; empty where none do or the question asks for the past.

    Args:
        before: Its sentence in front of it.
        after: Its sentence behind it.
        question: Match text of the question.

    >>> outdated("the price is ", " euros, but that was before the change", "what is the price?")
    'but that was before the'
    >>> outdated("in the past, ", " was the cut-off", "by when must it be in?")
    'in the past'
    >>> outdated("in the past, ", " was the cut-off", "what was the previous cut-off?")
    ''
    """
    if FORMER.search(question) or _PAST_ASKED.search(question):
        return ""
    if said := _BEFORE.match(before):
        return said[0].strip(" ,").split(",")[0]
    if _NOW_ASKED.search(question) and (said := _UNTIL_A_YEAR.match(before)):
        return said["until"]
    if said := _USED_TO.match(after):
        return said[0].split(",")[0].strip()
    said = _AFTER.match(after)
    return re.split(r"[,;(–-] ?", said[0], maxsplit=1)[-1] if said else ""
