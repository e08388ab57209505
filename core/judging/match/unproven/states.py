"""The state of a record ("rejected") in another word, or in words that no list has ("turned down")."""

from __future__ import annotations

import re
from typing import Final

_STATES: Final = tuple(
    frozenset(words.split())
    for words in (
        "denied rejected declined refused disapproved",
        "cancelled canceled voided annulled withdrawn",
        "completed finished done concluded fulfilled",
        "pending awaiting outstanding waiting unresolved unprocessed",
        "approved accepted granted authorised authorized cleared passed",
        "active live current ongoing running operational",
        "inactive dormant disabled deactivated idle",
        "expired lapsed ended",
        "suspended blocked frozen halted paused",
        "shipped dispatched sent",
        "paid settled",
        "overdue late delayed",
        "terminated dismissed discharged",
        "closed shut",
        "broken defective faulty damaged",
        "vacant empty unoccupied",
        "deceased dead died",
        "occupied taken filled",
    )
)
"""States of a record that people call by another word."""
_WAITING: Final = frozenset({"pending", "awaiting", "waiting"})
_OTHERS = """
available unavailable new old good fair poor excellent failed successful upheld overturned overruled draft final planned
scheduled postponed high low medium normal critical urgent rented reserved lost found open
positive negative returned won passed
"""
_KNOWN: Final = frozenset[str]().union(*_STATES, _OTHERS.split())
_ASKED: Final = re.compile(
    r"\b(?:status|state|decision|outcome|result|verdict|ruling|stage|phase|condition|disposition|resolution)\b"
)
_PLACE_ASKED: Final = re.compile(r"\b(?:in which|which|what) state (?:is|are|does|do|was)\b")
_FIRST: Final = re.compile(r";|[.!?](?=\s|$)")
_SHUT_DOWN: Final = re.compile(r"\bshut down\b|\bpassed away\b")
"""What names no state of a record: a turbine that is serviced is shut down, and whoever passed away passed nothing."""
_WORD: Final = re.compile(r"[^\W_]+")
MOST_WORDS: Final = 3
"""Words of a state."""


def same_state(plain: str, said: str) -> str:
    """The state of a record by another word that an answer has, in a sentence; empty where it has none.

    Args:
        plain: Match text of the reference.
        said: Match text of the answer.

    >>> same_state("denied", "the claim was rejected.")
    '"rejected" may mean "denied".'
    """
    own = plain.strip(" .")
    words = frozenset(_WORD.findall(said))
    for states in _STATES:
        if own in states and own not in words and (found := sorted(states & words)):
            return f'"{found[0]}" may mean "{own}".'
    return ""


def state_in_other_words(plain: str, said: str, question: str) -> str:
    """Why an answer may describe the state that a question asks for, in a sentence; empty where it names another.

    Args:
        plain: Match text of the reference.
        said: Match text of the answer.
        question: Match text of the question.

    >>> state_in_other_words("rejected", "the city office turned it down.", "what is the status of the request?")
    'The answer names no state and may describe "rejected".'
    >>> state_in_other_words("rejected", "the request was approved.", "what is the status of the request?")
    ''
    """
    own = plain.strip(" .")
    words = own.replace("_", " ").split()
    if (
        not _ASKED.search(question)
        or _PLACE_ASKED.search(question)
        or len(words) > MOST_WORDS
        or not all(word.isalpha() for word in words)
    ):
        return ""
    told = frozenset(_WORD.findall(_FIRST.split(_SHUT_DOWN.sub(" ", said), maxsplit=1)[0])) - frozenset(
        _WORD.findall(question)
    )
    if len(words) > 1 and told & frozenset(words) and not told & _KNOWN - _WAITING:
        return f'The answer has "{min(told & frozenset(words))}" of "{own}".'
    if told & _KNOWN or len(told) <= MOST_WORDS:
        return ""
    return f'The answer names no state and may describe "{own}".'
