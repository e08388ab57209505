"""Colloquial wording: contractions, small talk and the words of a chat."""

from __future__ import annotations

import random
import re
from typing import Final

from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected
from core.testset.variants.registry import variant
from core.testset.variants.spans import lowered, protected, states, values_of
from core.testset.variants.spec import Draft, Family, Ground, Skip, VariantSpec
from core.testset.variants.wrapped import wrapped

_SHORT: Final = (
    (re.compile(r"\b([Ww]hat|[Ww]ho|[Ww]here|[Hh]ow|[Ww]hen) is\b"), r"\1's"),
    (re.compile(r"\b(I) am\b"), r"\1'm"),
    (re.compile(r"\b(I) would\b"), r"\1'd"),
    (re.compile(r"\b(that|it) is\b"), r"\1's"),
)
_CASUAL: Final = (
    (re.compile(r"\b([Cc])ould you kindly\b"), r"\1an you"),
    (
        re.compile(r"\bI would be grateful if you could\b|\bI'd be grateful if you could\b"),
        "it'd be great if you could",
    ),
    (re.compile(r"\b[Pp]lease\b ?"), "pls "),
    (re.compile(r"\binformation\b"), "info"),
)
_OPENINGS: Final = ("hey, ", "hi, quick question: ", "ok so ", "hiya, ", "quick q: ")
_LOOKING: Final = re.compile(r"(?:[Ll]ook up|[Ff]ind|[Gg]ive(?: me)?|[Tt]ell me|[Ss]how(?: me)?|[Ss]tate|[Nn]ame) ")
_DIRECTS: Final = re.compile(
    r"(?:list|explain|describe|check|get|compare|summari[sz]e|calculate|count|outline|analy[sz]e|assess|examine|"
    r"evaluate|identify|combine|discuss) ",
    re.I,
)
_CLOSINGS: Final = (" thx", " thanks!", " cheers", "")
_GREETED: Final = re.compile(r"(?:hey|hi|hello|hiya|quick question)\b[,:]? ", re.IGNORECASE)
_REMARK: Final = re.compile(r"it(?: is|['’]s) [^?]*$", re.IGNORECASE)
_CUT: Final = re.compile(r"\b(?:called|is|are|was|were|because|the|and|of|by|with|from)$")
"""Ends of a sentence that somebody else is to finish."""
_ASKS: Final = re.compile(
    r"(?:what|who|where|when|which|how|why|is|are|was|were|do|does|did|has|have|can|could|will|would|"
    r"should|shall|may|might|must|whose|whom|under|in|for|on|at|from|of|to|by|with|if|after|before|since|until)\b",
    re.IGNORECASE,
)


@variant(
    VariantSpec(
        name="colloquial",
        title="Colloquial wording",
        question="Does the answer stay right when people write as they talk?",
        expected=Expected.SAME_ANSWER,
        family=Family.INPUT,
        keeps_meaning=True,
        source="HCAT 6.1, input variations.",
        version=4,
    )
)
def loosen(case: TestCase, draw: random.Random, ground: Ground) -> Draft | Skip:
    """Contracts verbs, uses casual words and opens or closes the question as in a chat."""
    question = case.question.strip()
    values = values_of(case.sql_params)
    if _REMARK.match(question):
        return Skip("it is a statement and asks nothing")
    if _CUT.search(question) and not _ASKS.match(question):
        return Skip("it is no whole sentence")
    told = []
    for pattern, replacement in (*_SHORT, *_CASUAL):
        match = pattern.search(question)
        if match and not any(start < match.end() and match.start() < end for start, end in protected(question, values)):
            question = question[: match.start()] + match.expand(replacement) + question[match.end() :]
            told.append(f"'{match[0].strip()}' became '{match.expand(replacement).strip()}'")
    opened = _opened(question, draw, contracted=bool(told))
    if isinstance(opened, Skip):
        return opened
    question, how = opened
    told += [how] if how else []
    closing = draw.choice(_CLOSINGS)
    if closing and question[-1:].isalnum():
        closing = "," + closing
    if closing:
        told.append(f"closed with '{closing.strip(' ,')}'")
    return Draft(question=question + closing, change="; ".join(told))


def _opened(question: str, draw: random.Random, *, contracted: bool) -> tuple[str, str] | Skip:
    """The question as it is opened in a chat, and what was done; one that is contracted already may stay as it is."""
    inner = wrapped(question)
    small = question[:1].lower() + question[1:]
    if _GREETED.match(question):
        return small, "first letter small"
    if inner and inner.told:
        lead = draw.choice(("can you tell me {}?", "could u check {}?", "hey, do you know {}?"))
        return lead.format(inner.clause), "asked as in a chat"
    if inner:
        opening = draw.choice(("hey, ", "hi, ", "hiya, "))
        return opening + small, f"opened with '{opening.strip()}'"
    if order := _LOOKING.match(question):
        lead = draw.choice(("can you look up ", "could u find ", "i need the "))
        return lead + _noun(question[order.end() :]), "asked as in a chat"
    if _ASKS.match(question) or (question.endswith("?") and not contracted):
        opening = draw.choice(_OPENINGS)
        return opening + lowered(question), f"opened with '{opening.strip()}'"
    if states(question):
        return Skip("it is a statement and asks nothing")
    if _DIRECTS.match(question):
        return draw.choice(("hey, can you ", "could u ")) + small, "asked as in a chat"
    if contracted:
        return question, ""
    return "hey, need this: " + lowered(question), "opened with 'hey, need this:'"


def _noun(text: str) -> str:
    return text.removeprefix("the ")
