"""Marks of citation in an answer, which say where something stands and are no part of what it says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.judging.match.readers.texts.normalise import key
from core.text.citations import without_marks

_SOURCE = (
    r"(?:documents?|docs?|sources?|src|references?|refs?|passages?|contexts?|chunks?|citations?|cite|footnotes?|fn"
    r"|notes?|snippets?|excerpts?|pages?|pp?)"
)
_NAMED = rf"{_SOURCE}(?:[\s.:#=_-]*(?:id|no|nr)\b)?[\s.:#=_-]*[\w:./#-]*\d[\w:./#-]*"
_IDENTIFIER = r"[^\W\d_]\w*(?:[-_:#./]\w+)*[-_:#./]\w*\d\w*"
_ROWS = r"[^\W\d_][\w.-]{1,40},\s(?:rows?|lines?)\s\d{1,6}(?:-\d{1,6})?"
_ONE = rf"(?:{_NAMED}|{_IDENTIFIER}|{_ROWS})"
_SEVERAL = rf"{_ONE}(?:\s*[,;]\s*(?:{_ONE}|\d{{1,3}}))*"
_NUMBERS = r"\^?\d{1,3}(?:\s*[,;\u2010-\u2015-]\s*\d{1,3})*"
_LINK = r"\(\s*(?:https?://|/|#|\.)[^\s()]*\)"
_MARK = re.compile(
    rf"\s?(?:\[\s*(?P<linked>{_NUMBERS})\s*\]{_LINK}"
    rf"|\[\s*(?P<square>{_SEVERAL})\s*\](?:{_LINK})?"
    rf"|【\s*(?P<tortoise>{_NUMBERS}|{_SEVERAL}|\d+(?::\d+)?†[^】\n]*)\s*】)",
    re.IGNORECASE,
)


_GLUED = re.compile(
    r"(?<=[a-z]{4})\d{1,3}(?=[.,;:!?]|\s|$)|(?<=\b(?:19|20)\d\d)\d{1,2}(?=\.(?:\s|$))|(?<=[a-z]{4}[.!?])\d{1,2}(?=\s|$)"
)
"""Numbers of sources that lost their place above the line: "in Mississippi12. It was fought in 19803."."""
_GLUED_TO_A_DATE = re.compile(r"(?P<date>\b[A-Z][a-z]+ \d{1,2}, (?:19|20)\d\d)\d{1,2}(?=[.,;]?(?:\s|$))")
LEAST_GLUED = 2


def _without_glued(answer: str, references: Sequence[str]) -> str:
    answer = _GLUED_TO_A_DATE.sub(r"\g<date>", answer)
    if len(_GLUED.findall(answer)) < LEAST_GLUED or any(_GLUED.search(reference) for reference in references):
        return answer
    return _GLUED.sub("", answer)


def without_citations(answer: str, references: Sequence[str]) -> str:
    """An answer without its marks of citation: ``[1]``, ``[1, 3]``, ``【1】``, ``[doc-3]``, ``[source 2, p. 4]``.

    A mark stays where it may be what is asked for: all marks where a reference holds square brackets itself, one such
    as ``[AB-12]`` where a reference holds its words, and an answer of nothing but marks. Which numbers in brackets are
    marks is decided by :mod:`core.text.citations`.

    Args:
        answer: As the target gave it.
        references: Every acceptable answer.

    >>> without_citations("The number is 7 [1].", ["1"]), without_citations("It is [1].", ["1"])
    ('The number is 7.', 'It is [1].')
    >>> without_citations("It is 7 [doc-3][4].", ["3"]), without_citations("It is [AB-12].", ["AB-12"])
    ('It is 7.', 'It is [AB-12].')
    """
    answer = _without_glued(answer, references)
    if not ("[" in answer or "【" in answer) or any("[" in reference or "【" in reference for reference in references):
        return answer
    reference_keys = [f" {key(reference)} " for reference in references]

    def unless_in_reference(match: re.Match[str]) -> str:
        source = match["square"] or match["tortoise"]
        words = f" {key(source)} " if source and not source.strip("^").isdecimal() else ""
        return match[0] if words.strip() and any(words in reference for reference in reference_keys) else ""

    return without_marks(_MARK.sub(unless_in_reference, answer)).strip() or answer
