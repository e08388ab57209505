"""The value with which an answer begins as a statement of its own: "Fourteen weeks, starting in May. The other ...".

What stands so at the beginning is the answer, whatever is told behind it, unless that takes it back, adds another value
to it or comes to another one.
"""

from __future__ import annotations

import re
from typing import Final

from core.judging.match.readers.figures.number_words import SMALL
from core.judging.match.readers.figures.units import UNITS
from core.judging.match.surroundings.language import FUNCTION_WORDS
from core.text.words import stem

MOST: Final = 80
"""Characters of a value at the beginning."""
MOST_READ: Final = 2_000
"""Characters of an answer that is read so."""
_LEAD: Final = re.compile(
    rf"^[\W_]*+(?P<lead>[^\n;:(—–]{{1,{MOST}}}?)[*_`\"']*\s*"
    r"(?P<border>[.!](?=\s+[^a-z\s]|\s*$)|,(?=\s)|[;:—–]|\((?![^()\n]*\d)|\s-\s|\n)(?P<rest>.*)",
    re.DOTALL,
)
_ENTRY: Final = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)])\s")
"""A line of a list, which is one of several."""
_WORD: Final = re.compile(r"[^\W_]+")
_FILL_WORDS = """
about around exactly just only roughly approximately currently none zero any not by there arent isnt werent wasnt
"""
_FILLS: Final = frozenset(_FILL_WORDS.split())
_GOES_ON: Final = re.compile(
    r"\W*(?:which|who|whose|where|when|with|without|as|at|on|for|from|starting|beginning|ending|including|according"
    r"|based|though|although|since|because|per|after|before|under|not|excluding|plus|this|it|they|he|she|that|i|we"
    r"|counting|having|being|followed|located|listed|recorded|dated|signed|paid|measured|all|both|each|of)\b"
)
"""Behind a comma, what is no second value."""
_TURNS: Final = re.compile(
    r"\bno(?=[,:;])|\b(?:not (?:so|quite|exactly|right)|instead|actually|correction|wait|sorry|hmm|in fact|rather"
    r"|on second|second look|double-?check|recount\w*|let me|misread|scratch|i mean|should be|therefore|thus|hence"
    r"|so the|so it|altogether|in total|in all|total(?:s|led|ling)?|sum|overall|combined|adds? up|comes to|or)\b|="
)
"""Behind the beginning, what may take it back or come to another value."""


def led_by(answer: str, question: str) -> str:
    """The beginning of an answer that may be its whole answer, as written; empty where it begins otherwise.

    Args:
        answer: As written.
        question: Match text of the question.

    >>> led_by("Fourteen weeks, starting in May. The third-year placement is 20 weeks.", "how long is the placement?")
    'Fourteen weeks'
    >>> led_by("Fourteen in May, and 20 in June.", "how many are there?")
    ''
    """
    found = _LEAD.match(answer[:MOST_READ])
    if found is None or len(answer) > MOST_READ or _ENTRY.match(answer):
        return ""
    rest = found["rest"].casefold()
    if (found["border"] == "," and not _GOES_ON.match(rest)) or _TURNS.search(rest):
        return ""
    return found["lead"]


def says_no_more(lead: str, reference: str, question: str) -> bool:
    """Whether the beginning of an answer has no word besides the value, its unit and what the question says.

    Args:
        lead: Match text of the beginning.
        reference: Match text of the reference.
        question: Match text of the question.
    """
    known = {stem(word) for word in _WORD.findall(f"{question} {reference}")}
    return all(
        word.isdigit() or word in FUNCTION_WORDS | _FILLS or word in UNITS or word in SMALL or stem(word) in known
        for word in _WORD.findall(lead)
    )


_NAME_FIRST: Final = re.compile(
    r"^[\W_]*(?:That|It|This|The answer)(?:'s|’s|'d be|’d be| would be| is| was| will be)[ *_]+"
    r"(?P<what>(?:[Tt]he )?[A-Z][\w&'’.-]*(?: (?:of|the|and|&|de|van|von|[A-Z0-9][\w&'’.-]*))*)"
    r"(?=[*_]*(?:[,.;:(–—]|$| at | with | in ))"
)


_MARKED: Final = re.compile(r"(?P<kind>[a-z]{3,}) (?P<mark>[a-z]|\d{1,4})")


def marked_first(plain: str, value: str) -> str:
    """Another thing of its kind that an answer begins to give, told apart by a letter or a number; or empty.

    Args:
        plain: Match text of the answer.
        value: Match text of the value.

    >>> marked_first("that would be class a, with 40 seats. class b has 12.", "class b")
    'class a'
    """
    own = _MARKED.fullmatch(value)
    if own is None:
        return ""
    first = re.match(
        r"\W*(?:that|it|this|the answer)(?:s|d be| would be| is| was) "
        rf"(?P<what>{own['kind']} (?P<mark>[a-z]|\d{{1,4}}))\b(?! (?:until|minus|in)\b)",
        plain,
    )
    return first["what"] if first and first["mark"] != own["mark"] else ""


def named_first(answer: str) -> str:
    """The name that an answer begins to give as what was asked: "That would be Harbour Street, at ..."; or empty.

    >>> named_first("That would be Harbour Street, at £79.6m. Kingsgate has more loans.")
    'Harbour Street'
    """
    found = _NAME_FIRST.match(answer)
    return found["what"].rstrip(".") if found else ""
