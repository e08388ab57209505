"""What an answer puts in bold: where that is one figure, it is the answer's."""

from __future__ import annotations

import re
from itertools import islice

from core.judging.match.figures.kinds import comparable, is_rounded
from core.judging.match.matching.numbers import find_number
from core.judging.match.readers.figures.numbers import Number, find_numbers
from core.judging.match.readers.layout.figure_text import figure_text
from core.judging.match.readers.texts.normalise import match_text

_BOLD = re.compile(r"(?P<mark>\*\*|__)(?=\S)(?P<words>[^*\n]{1,200}?)(?<=\S)(?P=mark)")
MOST_OF_A_NAME = 5
"""Words of a name."""
_NO_NAME = re.compile(r"(?:yes|no|answer|note|result|summary|conclusion|important)\b")
_LABEL_ENDS = re.compile(r" ?[:\n]")
"""Behind what is a label or a heading: "**Supplier**: Aro"."""
MOST = 40
"""Pieces in bold that are looked at."""


def other_in_bold(reference: Number, answer: str, question: str) -> str:
    """The only figure of the kind that an answer puts in bold, where it is not the reference; or empty.

    Args:
        reference: The figure wanted.
        answer: As given, with its marks.
        question: The question.

    >>> from core.judging.match.readers.figures.numbers import parse_number
    >>> other_in_bold(parse_number("1.6%"), "2,244 / 137,888 = 0.01627, so it is **16.3%**.", "what is the margin?")
    '16.3%'
    """
    wanted, others = _in_bold(reference, answer, question)
    return others[0] if len(others) == 1 and not wanted else ""


def alone_in_bold(reference: Number, answer: str, question: str) -> str:
    """The reference as the only figure of its kind that an answer puts in bold; or empty.

    >>> from core.judging.match.readers.figures.numbers import parse_number
    >>> alone_in_bold(parse_number("$411 million"), "$380m + $31m = **$411 million**, not $9m.", "what is the cost?")
    '$411 million'
    """
    wanted, others = _in_bold(reference, answer, question)
    return wanted if not others else ""


def other_name_in_bold(wanted: str, answer: str, question: str) -> str:
    """The only thing that an answer puts in bold, where that is a name and neither wanted nor asked about; or empty.

    Args:
        wanted: Match text of the value that is wanted.
        answer: As given, with its marks.
        question: Match text of the question.

    >>> other_name_in_bold("aro", "Aro and Beka deliver in the north; in Oslo it is **Beka**.", "who delivers in oslo?")
    'Beka'
    """
    found = list(islice(_BOLD.finditer(answer), MOST))
    pieces = {piece["words"].strip(" .,") for piece in found}
    labels = any(_LABEL_ENDS.match(answer, piece.end()) or piece["words"].rstrip().endswith(":") for piece in found)
    if len(pieces) != 1 or labels:
        return ""
    words = pieces.pop()
    plain = match_text(words)
    names = words[:1].isupper() and len(words.split()) <= MOST_OF_A_NAME and not any(map(str.isdigit, words))
    own = frozenset(plain.split())
    if not names or plain in question or own & frozenset(wanted.split()) or _NO_NAME.match(plain):
        return ""
    return words


def _in_bold(reference: Number, answer: str, question: str) -> tuple[str, list[str]]:
    """The reference and other figures of its kind that an answer puts in bold, each once."""
    wanted, others = "", {}
    for piece in islice(_BOLD.finditer(answer), MOST):
        text = figure_text(piece["words"], question)
        hits = find_number(reference, text, question).hits
        if hits:
            wanted = text[hits[0].start : hits[0].end].strip()
        places = {hit.start for hit in hits}
        for number in find_numbers(text):
            if number.start not in places and comparable(reference, number) and not is_rounded(number, reference):
                others[number.value] = number.text.strip()
    return wanted, list(others.values())
