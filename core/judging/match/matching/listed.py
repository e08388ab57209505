"""Whether an answer has the parts of a list as the reference does: in order, together, with their figures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.judging.match.figures.kinds import comparable
from core.judging.match.matching.entries import CONCLUDES
from core.judging.match.matching.numbers import find_number
from core.judging.match.matching.texts import find_text
from core.judging.match.readers.figures.numbers import Number, find_numbers, parse_number
from core.judging.match.surroundings.language import SENTENCE_BORDER
from core.text.words import stem

_BORDER = re.compile(r",\s*(?:and |or )?|\s+(?:and|or|&|as well as)\s+")
MOST_OF_AN_ENTRY = 4
"""Words of an entry of an enumeration."""
_NO_ENTRY = re.compile(
    r"(?:both|all|each|which|who|that|the (?:latter|former)|in|on|at|by|for|from|with|of|also|then|finally|plus|not)\b"
    r"|\W*$|\("
)
_PIECES = re.compile(
    r"[;\n]|[.](?=\s|$)|,\s"
    r"|\b(?:and|but|while|whereas|ahead of|followed by|compared (?:with|to)|versus|vs|than|before)\b"
)
_BORDER = re.compile(r"[.;\n]")
MOST_PIECES = 100
_ANY_OF = re.compile(r"\b(?:any|name|at least) (?:one|two|three|four|\d)\b")


def concluded_without(parts: Sequence[str], text: str) -> str:
    """The concluding sentence of an answer that has some parts of the reference and lacks one; or empty.

    >>> concluded_without(("ada", "bo"), "ada, bo and cy were asked. so ada and cy came.")
    'so ada and cy came'
    """
    for sentence in SENTENCE_BORDER.split(text):
        stated = [bool(find_text(part, sentence).hits) for part in parts]
        if CONCLUDES.match(sentence) and any(stated) and not all(stated):
            return sentence.strip()
    return ""


_MOST = "best|worst|first|last|largest|highest|biggest|smallest|lowest|oldest|newest|earliest|latest|longest|shortest"
_IN_ORDER = re.compile(
    r"\b(?:in (?:the )?(?:[\w-]+ )?order|in sequence|ranked|ranking|chronological\w*|step by step)\b"
    rf"|\b(?:{_MOST}|most \w+|\w+est) first\b|\bfrom (?:the )?\w+ to (?:the )?(?:{_MOST})\b"
)
"""Questions whose answer has an order."""
_ONLY = re.compile(r"\bonly\W*$|\bonly (?:for|on|in|to|by|with)\b")


def out_of_order(parts: Sequence[str], text: str, question: str) -> str:
    r"""The parts as an answer gives them, where a question asks for an order and that is another; or empty.

    >>> out_of_order(("ada", "bo"), "1. bo\n2. ada", "list both, best first.")
    'bo, ada'
    """
    if not _IN_ORDER.search(question):
        return ""
    places = {part: hits[0].start for part in parts if (hits := find_text(part, text).hits)}
    given = sorted(places, key=lambda part: places[part])
    return "" if given == [part for part in parts if part in places] else ", ".join(given)


def only_without(parts: Sequence[str], text: str) -> str:
    """The sentence that says of some parts that it is only these, and lacks one; or empty.

    >>> only_without(("windows", "linux"), "it runs on windows only. linux users take the web version.")
    'it runs on windows only'
    """
    for sentence in SENTENCE_BORDER.split(text):
        stated = [bool(find_text(part, sentence).hits) for part in parts]
        if _ONLY.search(sentence.strip()) and any(stated) and not all(stated):
            return sentence.strip()
    return ""


_CLAUSE = re.compile(r"[.;\n]|,?\s\b(?P<turn>while|whereas|but|although|though)\b")
_ALSO = re.compile(r"\b(?:also|too|as well|likewise|joined|followed|both|all|and so)\b")
_DENIED = re.compile(r"\b(?:no|not|without|lacks?|never|[a-z]{2,}nt)\b(?: [\w-]+){0,4}")
MOST_BEFORE = 5
"""Characters in front of a name with which a clause begins: "the "."""


def set_apart(parts: Sequence[str], text: str, question: str) -> str:
    """The clause that says something else of one part than of the others, which stand in another one; or empty.

    "RX1 and RX2, while RX3 was late for another reason", "Oak and Elm. Ash has a bench but no swing".

    Args:
        parts: Of the reference; the answer states them all.
        text: Match text of the answer.
        question: Match text of the question.
    """
    borders = [(0, ""), *((found.end(), found["turn"] or "") for found in _CLAUSE.finditer(text)), (len(text), "")]
    asked = {stem(word) for word in re.findall(r"[^\W_]{3,}", question)}
    for part in parts:
        hits = find_text(part, text).hits
        if len(hits) != 1:
            continue
        at = next(
            place for place in range(len(borders) - 1) if borders[place][0] <= hits[0].start < borders[place + 1][0]
        )
        start, turn = borders[at]
        clause = text[start : borders[at + 1][0]]
        others = [other for other in parts if other != part and not find_text(other, clause).hits]
        if len(others) < len(parts) - 1 or hits[0].start - start > MOST_BEFORE or _ALSO.search(clause):
            continue
        following = _BORDER.split(text[start:], maxsplit=1)[0]
        denied = _DENIED.search(following[hits[0].end - start :])
        if turn or (denied and asked & {stem(word) for word in denied[0].split()}):
            return clause.strip()[:80]
    return ""


PLACE_PARTS = 2
"""A town and its country."""
_BESIDE = re.compile(
    r"\b(?:outside|near|close to|from|beyond|next to|north of|south of|east of|west of) (?:of )?(?:the )?$"
)
MOST_BETWEEN = 24
"""Characters between the parts of one place."""


def far_apart(parts: Sequence[str], text: str) -> str:
    """The two parts of a place ("Bergen, Norway") that an answer has far from each other; or empty.

    >>> far_apart(("bergen", "norway"), "the office is in oslo, norway, while the old vaults lie outside of bergen.")
    'bergen, norway'
    """
    if len(parts) != PLACE_PARTS:
        return ""
    first, second = (find_text(part, text).hits for part in parts)
    near = not (first and second) or any(
        abs(a.start - b.start) <= MOST_BETWEEN + len(parts[0]) for a in first for b in second
    )
    return "" if near else ", ".join(parts)


def only_near(part: str, text: str) -> bool:
    """Whether a text names a place only as what something lies near or outside of.

    >>> only_near("Rotterdam", "in utrecht, an hour from rotterdam."), only_near("Utrecht", "in utrecht.")
    (True, False)
    """
    hits = find_text(part, text).hits
    return bool(hits) and all(_BESIDE.search(text[: hit.start]) for hit in hits)


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


def any_will_do(reference: str, question: str) -> bool:
    """Whether some of what a reference lists are enough.

    Args:
        reference: Match text.
        question: Match text.

    >>> any_will_do("oak, ash, elm (any two)", "which trees are felled?"), any_will_do("oak, ash", "which two trees?")
    (True, False)
    """
    return _ANY_OF.search(f"{reference} {question}") is not None
