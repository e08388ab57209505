"""References that answer a yes-or-no question in a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.judging.match.figures.wanted.prose import WantedFigure, figures_of
from core.judging.match.polar.booleans import LEADS, NO, YES, said_truth

ASKS = re.compile(
    r"(?:^|[.?!,:;-]\s?)\W*(?:and |so |if so,? )?(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would"
    r"|should"
    r"|may|must|am)(?:nt)?\b(?! not\b)"
)
_CHOICE = re.compile(
    r"\b(?:which|either|whether)\b[^?]{0,120}\bor\b|^\W*(?:what|which|who|whom|whose|when|where|why|how)\b"
)
_REQUEST = re.compile(
    r"\b(?:can|could|would|will) you (?:please |also |kindly )*(?:tell|explain|give|list|describe|show|name|help)"
)
_DEPENDS = re.compile(r"\b(?:whether|depends?|depending|may|might|could|can be|but|however|although)\b")
"""A statement that takes no side."""
_IF_ANY = re.compile(r"^\W*(?:in [^,]*, )?(?:what|which)\b[^?]*,? if any\b")
MORE = re.compile(
    r"\bif (?:so|yes|not)\b|[,?;]\s(?:and )?(?:what|which|how|why|when|who|where)\b"
    r"|\band (?:what|which|how|why|when|who|where|by how|to what|in what)\b"
    r"|\b(?:explain|describe|elaborate|discuss|list|name|specify|why)\b"
)
_MORE_IF_SO = re.compile(
    r"\bif (?:so|yes|any)\b|[,?;]\s(?:and )?(?:what|which|how much|how many|when|who|where|how)\b|\band (?:what"
    r"|which|how|when|who|where|by how|to what|in what)\b"
)
_FIRST_SENTENCE = re.compile(r"^.*?[.!;](?=\s|$)|^.*$", re.DOTALL)
LONGEST = 3_000
"""Characters; a longer reference is a report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """A reference that says yes or no and explains it.

    Attributes:
        truth: What it says.
        reason: Match text of what it says besides.
        figures: Those of the reason.
        asks_more: Whether the question asks for more than yes or no, given this answer.
    """

    truth: bool
    reason: str
    figures: tuple[WantedFigure, ...] = ()
    asks_more: bool = False


def _asks(question: str) -> bool:
    """Whether yes or no answers a question; "which changes, if any," is answered by none."""
    if _IF_ANY.search(question):
        return True
    return bool(ASKS.search(question)) and not _CHOICE.search(question) and not _REQUEST.search(question)


def read_explained(reference: str, plain: str, question: str) -> Explained | None:
    """A reference in a sentence to a yes-or-no question, or None.

    Args:
        reference: As given, without notes on its source.
        plain: Its match text.
        question: Match text of the question.

    >>> question = "did the margin improve in 2022?"
    >>> found = read_explained("Yes, it rose to 21.5%.", "yes, it rose to 21.5%.", question)
    >>> found.truth, found.reason, [figure.number.text for figure in found.figures]
    (True, 'it rose to 21.5%', ['21.5%'])
    """
    if len(plain) > LONGEST or not _asks(question):
        return None
    lead = LEADS.match(plain)
    word = lead[1] if lead else ""
    if lead and word in YES | NO:
        truth: bool | None = word in YES
        reason = plain[lead.end() :].strip(" .,;:-!\n")
    else:
        first = _FIRST_SENTENCE.match(plain)
        statement = first[0] if first else plain
        truth, _ = (None, "") if _DEPENDS.search(statement) else said_truth(statement, question)
        reason = plain
    if truth and _IF_ANY.search(question):
        return None
    if truth is None or (not reason and lead):
        return None
    more = MORE.search(question)
    if more and not truth:
        # "if so, how much?" asks nothing more of a no
        more = MORE.search(_MORE_IF_SO.sub(" ", question))
    figures = tuple(replace(figure, any_period=True) for figure in figures_of(reference, question))
    return Explained(truth=truth, reason=reason, figures=figures, asks_more=bool(more))
