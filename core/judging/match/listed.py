"""Whether an answer lists more than the reference does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.judging.match.figures.kinds import comparable
from core.judging.match.number_match import find_number
from core.judging.match.readers.numbers import Number, find_numbers, parse_number
from core.judging.match.text_match import find_text

_MORE = re.compile(
    r"^,? (?:and|or|as well as|plus) (?!(?:is|are|was|were|has|have|had|it|its|they|which|who|that"
    r"|both|all|then|thus|the (?:latter|last|first)|in|on|at|by|for|from|to|with|not|no|each|respectively|so|since|etc"
    r"|among|according|as|while|but|though|whose|where|when)\b)"
    r"(?P<more>[\w'-]+(?: [\w'-]+){0,2})(?=\s*(?:[.;\n]|$))"
)
"""One more entry with which a list and its statement end."""
_SOME = re.compile(
    r"\b(?:some|any|examples?|e\.?g|another|one of"
    r"|(?:name|give|list|mention|state) (?:me )?(?:an?|one|two|three|four|five))\b"
)
_PIECES = re.compile(
    r"[;\n]|[.](?=\s|$)|,\s"
    r"|\b(?:and|but|while|whereas|ahead of|followed by|compared (?:with|to)|versus|vs|than|before)\b"
)
_BORDER = re.compile(r"[.;\n]")
MOST_PIECES = 100


def one_more(parts: Sequence[str], text: str, question: str) -> str:
    """The entry that an answer has beyond the parts of the reference, at the end of its list; or empty.

    Args:
        parts: Of the reference; the answer states them all.
        text: Match text of the answer.
        question: Match text of the question; one that asks for some takes any.

    >>> one_more(("valves", "seals"), "valves, seals and motors", "which products?")
    'motors'
    >>> one_more(("valves", "seals"), "valves and seals", "which products?")
    ''
    """
    if _SOME.search(question):
        return ""
    ends = []
    for part in parts:
        hits = find_text(part, text).hits
        if not hits:
            return ""
        ends.append(hits[-1].end)
    last = max(ends)
    if _BORDER.search(text[min(ends) : last]):
        return ""
    more = _MORE.match(text[last:])
    return more["more"] if more else ""


def mispaired(parts: Sequence[str], text: str, question: str) -> str:
    """The figure that an answer gives beside the name of a reference of one name and one figure, where it is another.

    >>> mispaired(("china", "8%"), "europe grew most with 8%, ahead of china with 5%.", "which region grew most?")
    '5%'
    >>> mispaired(("china", "8%"), "china grew 8%, ahead of europe with 5%.", "which region grew most?")
    ''
    """
    figures = [number for part in parts if (number := parse_number(part))]
    names = [part for part in parts if parse_number(part) is None]
    if len(figures) != 1 or len(names) != 1:
        return ""
    beside: list[Number] = []
    for piece in _PIECES.split(text, maxsplit=MOST_PIECES):
        if not find_text(names[0], piece).hits:
            continue
        if find_number(figures[0], piece, question).hits:
            return ""
        beside.extend(number for number in find_numbers(piece) if comparable(figures[0], number))
    return beside[0].text.strip() if beside else ""
