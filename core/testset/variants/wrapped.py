"""Questions inside another sentence: "Please state what the fee of the card 'Gold' is."."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from core.testset.variants.spans import capital

_TOLD: Final = r"(?:please )?(?:tell me|state|find out|say|check|look up|show me)"
_ASKED: Final = (
    r"(?:can|could|would) you (?:please |kindly )?(?:tell me|say|check|find out)|do you know|may i ask|"
    r"(?:do you have )?any idea|(?:i am |i'm )?just wondering|i (?:would|'d) like to know|i (?:need|want) to know"
)
_WRAPPED: Final = re.compile(
    rf"^(?:(?P<told>{_TOLD})|(?:{_ASKED})) (?P<clause>(?:what|who|when|where|why|which|how|if|whether)\b.+?)[.?]?$",
    re.I,
)
_LISTED: Final = re.compile(
    r"^(?P<whose>[A-Z][a-z]+(?: [a-z]+){0,2} '.+'): (?P<what>(?!what|who|how|which|when|look|find)[a-z][a-z ]*)$"
)
_TURNED: Final = re.compile(
    r"^(?P<ask>what|who|how high|how large|how long) (?P<noun>the .+) (?P<be>is|are|was|were)$", re.I
)


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A question as a clause of another sentence.

    Attributes:
        clause: The clause, in the order of a statement, without the mark at the end.
        told: Whether the sentence around it is a directive.
    """

    clause: str
    told: bool

    def direct(self) -> str:
        """The clause as a question of its own; empty where its verb cannot be moved by rule.

        >>> wrapped("Please state what the fee of the card 'Gold' is.").direct()
        "What is the fee of the card 'Gold'?"
        """
        if not (match := _TURNED.match(self.clause)):
            return ""
        return capital(f"{match['ask']} {match['be']} {match['noun']}?")


def wrapped(question: str) -> Wrapped | None:
    """The clause that a sentence asks about; None where the question stands by itself.

    >>> wrapped("May I ask who the manager is?")
    Wrapped(clause='who the manager is', told=False)
    """
    match = _WRAPPED.match(question.strip())
    return Wrapped(clause=match["clause"], told=bool(match["told"])) if match else None


def listed(question: str) -> tuple[str, str] | None:
    """Whose property and which one a note asks for; None where it is no such note.

    >>> listed("Employee 'Jane Peacock': hire date")
    ("employee 'Jane Peacock'", 'hire date')
    """
    match = _LISTED.match(question.strip())
    return (match["whose"][:1].lower() + match["whose"][1:], match["what"]) if match else None
