"""Traces of a reference in an answer that does not have it: enough to leave the verdict to a judge, not to accept it.

Whether "basaltic rock" is basalt, or "Lady Ashworth" Baroness Helen Ashworth, words cannot tell; that a name, a code or
a value of a list is another one, they can.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from core.judging.match.readers.texts.titles import TITLES
from core.text.words import STOP_WORDS, stem

LEAST_SHARED = 5
"""Letters that two words begin with alike, at least, to be of one family."""
SURELY_SHARED = 10
"""Letters that words of one family in two languages begin with alike, whatever their endings."""
_RANKS = """
lady lord baron baroness count countess judge justice captain colonel general president minister king queen madam mme
frau herr senator governor bishop father sister officer inspector sergeant constable detective lieutenant major admiral
commander commissioner ambassador mayor chief director manager chairman chairwoman chair engineer architect surgeon
nurse coach chef pilot agent conductor curator warden ranger technician instructor supervisor secretary archbishop
counsel attorney prosecutor trainer
"""
RANKS = TITLES | frozenset(_RANKS.split())
"""Words in front of a surname that stand for a given name."""
ENDINGS = re.compile(r"(?:|e|y|s|ed|en|ing|er|or|ic|ical|al|ly|ous|ish|ment|ion|ation|ive|able|ity|ness|ist)")
"""With which words of one family end; names of countries and their people end otherwise."""
_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")
_CODE = re.compile(r"[\d@/\\]")
_LONG = re.compile(r"[^\W\d_]{3,}")
_JOINING = frozenset("of in for to by with from on at under over only both until due".split())  # noqa: SIM905
_SEVERAL = re.compile(
    r"\b(?:list|all|every|each|are|were|have|several|various|types|kinds|two|three|four|five|six|seven|eight|nine|ten)\b"
    r"|\b(?:which|what|whose|how many)(?: \w+){0,2}? (?!is\b|was\b|has\b|does\b)[a-z]{2,}(?<![sui]s)s\b"
)
"""Questions for more than one thing."""
_OF_ONE_THING = re.compile(
    r"^(?:the|an?|his|her|its|their|in|on|at|under|by|with|for|from|of|as)\b|\d.*[^\W\d_]{2}|[^\W\d_]{2}.*\d",
    re.IGNORECASE,
)
"""A part that says more of one thing: "under Henry VIII", "22b Quay St"."""


def trace(reference: str, plain: str, answer: str, question: str) -> str:
    """What an answer without a reference has of it, in a sentence; empty where it has nothing.

    Args:
        reference: As written.
        plain: Its match text.
        answer: Match text of the answer.
        question: Match text of the question.

    >>> trace("Basalt", "basalt", "basaltic rock of volcanic origin", "what is the hill made of?")
    'The answer has "basaltic", the reference "basalt".'
    >>> trace("P10D", "p10d", "the course takes 10 days", "what is the duration?")
    'The answer has "10" of the code "P10D".'
    >>> trace("Ann Lee", "ann lee", "bob roy manages it", "who manages it?")
    ''
    """
    if _CODE.search(plain):
        return _of_a_code(reference.strip(), plain, answer, question)
    return _of_one_family(plain, answer, question) or _described(reference, plain, answer)


def has_rank(before: str) -> bool:
    """Whether the word in front of a surname is a title or a rank, which stands for a given name.

    >>> has_rank("Lady"), has_rank("Bob")
    (True, False)
    """
    return before.casefold().strip(".,:") in RANKS


def says_more_of_it(parts: Sequence[str], question: str) -> bool:
    """Whether parts between commas say more of one thing rather than list several, where one is asked for.

    Args:
        parts: Of a reference, as written.
        question: Match text of the question.

    >>> says_more_of_it(("In 1538", "under Henry VIII"), "when was it dissolved?")
    True
    >>> says_more_of_it(("loans", "cards"), "which?"), says_more_of_it(("Ann Lee", "Bob Ray"), "who manages it?")
    (False, False)
    """
    return not _SEVERAL.search(question) and any(_OF_ONE_THING.search(part) for part in parts)


def _of_a_code(reference: str, plain: str, answer: str, question: str) -> str:
    """The digits of a code that is written otherwise; a code of the same shape is another one."""
    if len(plain.split()) > 1 or _LONG.search(plain):
        return ""
    if any(_shape(token) == _shape(plain) for token in answer.split()):
        return ""
    groups = _DIGITS.findall(plain)
    if not groups or not set(groups) <= set(_DIGITS.findall(answer)) - set(_DIGITS.findall(question)):
        return ""
    return f'The answer has "{", ".join(groups)}" of the code "{reference}".'


def _shape(token: str) -> str:
    """A code with every letter and digit alike."""
    return re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", token.strip(".,;:()\"'")))


def _of_one_family(plain: str, answer: str, question: str) -> str:
    """A word of the answer that begins as a reference of one word does."""
    words = [word for word in _WORD.findall(plain) if word not in STOP_WORDS]
    if len(words) != 1 or len(words[0]) < LEAST_SHARED:
        return ""
    (own,) = words
    asked = frozenset(_WORD.findall(question))
    for word in _WORD.findall(answer):
        if word in asked or word == own:
            continue
        shared = _shared(own, word)
        ends = ENDINGS.fullmatch(own[shared:]) and ENDINGS.fullmatch(word[shared:])
        if _stem(word) == _stem(own) or shared >= SURELY_SHARED or (shared >= LEAST_SHARED and ends):
            return f'The answer has "{word}", the reference "{own}".'
    return ""


def _described(reference: str, plain: str, answer: str) -> str:
    """A reference that describes what it means, which other words can describe as well."""
    words = _WORD.findall(plain)
    inner = words[1:] if words[:1] and words[0] in {"the", "a", "an"} else words
    if len(inner) < 3 or not _JOINING & set(inner) or len(_WORD.findall(answer)) < len(inner):
        return ""
    written = [word for word in _WORD.findall(reference) if word.casefold() not in STOP_WORDS]
    if sum(word[0].islower() for word in written) < max(1, len(written) // 2):
        return ""
    return "The reference is a description, which can be said in other words."


def _shared(one: str, other: str) -> int:
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return shared


_stem = lru_cache(maxsize=65_536)(stem)
