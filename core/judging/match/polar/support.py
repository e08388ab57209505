"""Whether the reasons of two answers to a yes-or-no question have anything in common."""

from __future__ import annotations

import re

from core.judging.match.abstention import find_gap
from core.text.words import PADDING, STOP_WORDS, stem

_WORD = re.compile(r"[^\W\d_]{2,}")
_DENIED = re.compile(r"\bwithout (?:any |a |an |the |prior |further )*(?P<what>[^\W\d_]{3,})")
_RESTRICTS = re.compile(r"\b(?:only|solely|exclusively|limited to|restricted to|except\w*)\b")
_CONDITIONS = re.compile(rf"{_RESTRICTS.pattern}|\b(?:just|merely|unless|but not|other than|exclud\w+|apart from)\b")
_SAYS = frozenset({"yes", "no", "true", "false", "correct", "indeed", "not"})
_OPPOSED = tuple(
    (re.compile(rf"\b(?:{one})\b"), re.compile(rf"\b(?:{other})\b"))
    for one, other in (
        ("sold|divested|disposed of", "acquired|bought|purchased"),
        ("granted|agreed to|approved|accepted", "refused|declined|denied|rejected"),
        ("issued|borrowed|drew", "repaid|redeemed|retired"),
        ("breached|violated", "complied|met|satisfied"),
        ("won|prevailed", "lost"),
        ("opened", "closed"),
        ("hired", "laid off|dismissed"),
    )
)
"""Acts of which one is the opposite of the other."""
LEAST_WORDS = 3
"""Telling words of its own that a reason must have to be compared."""
MAX_READ = 20_000


def speaks_of_something_else(reference: str, answer: str, question: str) -> bool:
    """Whether both give reasons and share no telling word besides those of the question.

    Args:
        reference: Match text of the reference's reason.
        answer: Match text of the answer.
        question: Match text of the question.

    >>> reference, question = "the lease of the harbour office was signed in may", "were contracts signed?"
    >>> speaks_of_something_else(reference, "yes, a lease for the office.", question)
    False
    >>> speaks_of_something_else(reference, "yes, with a caterer for the summer party.", question)
    True
    """
    asked = _stems(question)
    wanted, given = _stems(reference) - asked, _stems(answer) - asked
    return min(len(wanted), len(given)) >= LEAST_WORDS and not wanted & given and find_gap(answer) is None


def denies_the_reason(reference: str, answer: str) -> str:
    """The words of one reason that deny what the other says, or empty.

    >>> denies_the_reason("with a notice period of 30 days", "yes, without notice")
    'without notice'
    """
    for text, other in ((answer, reference), (reference, answer)):
        words = _stems(other)
        for match in _DENIED.finditer(text[:MAX_READ]):
            what = stem(match["what"])
            if what in words and not any(stem(denied["what"]) == what for denied in _DENIED.finditer(other)):
                return match[0]
    return ""


def opposite_act(reference: str, answer: str) -> str:
    """The act of an answer that is the opposite of a reference's, which it does not have; or empty.

    >>> opposite_act("it sold its 60% interest", "yes, it acquired a 60% interest")
    'acquired'
    """
    for one, opposite in (*_OPPOSED, *(pair[::-1] for pair in _OPPOSED)):
        said = opposite.search(answer[:MAX_READ])
        if said and one.search(reference) and not one.search(answer[:MAX_READ]) and not opposite.search(reference):
            return said[0]
    return ""


def unrestricted(reference: str, answer: str) -> str:
    """The word of a reference that restricts its yes, where an answer restricts nothing; or empty.

    >>> unrestricted("public transport only", "yes, public transport and private cars")
    'only'
    >>> unrestricted("public transport only", "yes, but just for trains and buses")
    ''
    """
    restricts = _RESTRICTS.search(reference)
    return restricts[0] if restricts and not _CONDITIONS.search(answer[:MAX_READ]) else ""


def _stems(text: str) -> set[str]:
    words = (word for word in _WORD.findall(text[:MAX_READ]) if word not in STOP_WORDS and word not in PADDING)
    return {stem(word) for word in words if word not in _SAYS}


_AT_NO_COST = re.compile(r"\b(?:(?:at|for) no (?:extra |additional )?(?:cost|charge|fee)|without charge)\b")


_NUMBERED = re.compile(r"(?<=[a-z] )no\. ?(?=[a-z]{0,4}[-/ ]?\d)")
"""What is no denial: "approval no. KH-44"."""


def in_the_words_asked(text: str, question: str) -> str:
    """An answer that says "at no cost" in the words of a question whether something is free, "no. 4" as a number.

    >>> in_the_words_asked("dogs travel at no cost.", "do dogs travel free of charge?")
    'dogs travel free of charge.'
    """
    text = _NUMBERED.sub("number ", text)
    return _AT_NO_COST.sub("free of charge", text) if re.search(r"\bfree\b", question) else text
