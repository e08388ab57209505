"""Facts that an answer tells beside the question before or after it says that the answer is missing.

"Rates are listed for Classic (1.2%) and Premium (1.75%), but none for Junior" has figures and no answer to what the
Junior account pays. It has one where what it tells is of the kind that is asked for and about what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from core.judging.match.abstention.vocabulary import SOURCE
from core.text.words import stem

_FIGURE_ASKED: Final = re.compile(
    r"\bhow (?:many|much|long|far|high|old|large|big|often|tall|deep|wide|heavy|fast)\b"
    r"|\b(?:what|which)(?: (?:is|was|are|were|percentage|share|proportion))?(?: the| an?)? (?:[\w-]+ ){0,4}?"
    r"(?:percentage|share|number|amount|rate|ratio|price|fee|cost|charge|salary|rent|limit|deductible|excess|dose|dosage"
    r"|torque|temperature|weight|height|length|width|speed|size|capacity|quantity|budget|bonus|discount|premium|headcount"
    r"|turnover|profit|revenue|margin|score|age|distance|area|volume|allowance|payout|tally|total)\b"
)
_WHEN_ASKED: Final = re.compile(r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|time)\b")
_REASON_ASKED: Final = re.compile(r"\bwhy\b|\bwhat (?:is|was|are|were) the (?:reasons?|causes?|grounds)\b")
_FIGURE: Final = re.compile(
    r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred"
    r"|thousand|million|billion|half|quarter|third|dozen|double|twice|once|free|no (?:fee|charge|limit)|unlimited"
    r"|none|nothing|depend(?:s|ing)?|var(?:y|ies)|daily|weekly|monthly|yearly|annually)\b"
)
_NOT_COUNTED: Final = re.compile(
    r"\b(?:page|clause|section|article|chapter|room|note|item|table|figure|paragraph|annex|appendix|version|ext\.?"
    r"|form|rule|step|number|no\.?) ?\d[\d.]*|\b(?:19|20)\d\d\b|\b\d{1,2} (?:january|february|march|april|may|june|july"
    r"|august|september|october|november|december)\b|\b(?:january|february|march|april|may|june|july|august|september"
    r"|october|november|december) \d{1,2}\b|\b0\d{2,4}(?: \d{2,4})+|\b[a-z]+-?\d+\b"
)
"""Figures that name a place, a day or a thing and measure nothing."""
_TIME: Final = re.compile(
    r"\d|\b(?:january|february|march|april|june|july|august|september|october|november|december|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday|today|tomorrow|yesterday|noon|midnight|spring|summer|autumn|winter|ago|never"
    r"|immediately|always|once|as soon as)\b"
)
_REASON: Final = re.compile(
    r"\b(?:because|since|due to|owing to|as a result|caused|so that|in order to|reasons?|therefore|given that|thanks to"
    r"|after|before|following|to \w+)\b"
)
_CALLED: Final = (
    (_REASON_ASKED, "reason cause grounds"),
    (re.compile(r"\bhow many\b"), "number count headcount total"),
    (re.compile(r"\bhow much\b"), "amount sum price cost"),
    (re.compile(r"^\W*who\b"), "name identity"),
    (_WHEN_ASKED, "date day year"),
)
"""What a question asks for, and how an answer may call it."""
_HOW_SOON: Final = re.compile(r"\bhow (?:long|soon|quickly|fast)\b|\bwhen\b")
_SOON: Final = re.compile(r"\b(?:as soon as|promptly|immediately|without (?:undue )?delay|right away)\b")
_LIMITED: Final = re.compile(
    r"\bonly (?:includes?|lists?|covers?|gives?|shows?|contains?|mentions?|states?|has|names?|provides?)\b"
)
"""What a source has and nothing else."""
_DESCRIBES: Final = re.compile(
    rf"^\W*(?:it|they|this|these|(?:the|this|your|our|my) (?:[\w'-]+ ){{0,3}}?{SOURCE}|(?:what|all) (?:i|it|they|we)"
    r" (?:do |does |can )?(?:see|find|have|says?|states?|mentions?|shows?)(?: is)?)"
    r"(?: (?:only|also|just|merely|simply|instead|briefly))*"
    r"(?: (?:mention|note|state|describe|list|say|see|find|cover|discuss|explain|refer|show|give|talk|point out|provide"
    r"|contain|include|set out|name|outline|record|tell)s?\b| that\b)"
)
"""A sentence that says what a source tells instead."""
_SEVERAL: Final = re.compile(r"\b(?:and|or|both|as well as)\b|[,;/]|\?.*\?")
_PRONOUN: Final = re.compile(r"^\W*(?:it|that|this|they|these|those|he|she|yes|no)\b")
_ELLIPTIC: Final = re.compile(r"^\W*(?:because|due|owing|for|by|in|on|at|from|to|until|since|after|before|\d)\b")
"""An answer that begins so leaves out what was asked."""
SHORT: Final = 4
"""Words of a claim that may be no more than the value."""
COVERED: Final = 0.5
"""The share of the question's words from which on a claim is about what is asked."""


def tells_only_besides(
    question: str,
    asked: set[str],
    gap: set[str],
    claims: Sequence[str],
    stems: Sequence[set[str]],
    *,
    told_first: bool,
) -> bool:
    """Whether what an answer tells is no answer, where it says that something is missing.

    Args:
        question: Match text.
        asked: Word families of the question.
        gap: Those of the clause that says what is missing.
        claims: What the answer tells besides, as match text.
        stems: Their word families.
        told_first: Whether a claim stands before that clause.

    >>> asked = {"rate", "junior", "account"}
    >>> claims, stems = ["i see rates for classic (1.2%)"], [{"see", "rate", "classic"}]
    >>> question, gap = "what is the rate of the junior account?", {"junior", "account"}
    >>> tells_only_besides(question, asked, gap, claims, stems, told_first=True)
    True
    >>> claims, stems = ["it is 5% for cards"], [{"card"}]
    >>> tells_only_besides("what is the fee?", {"fee"}, {"fee", "loan"}, claims, stems, told_first=True)
    False
    """
    if not claims or question.count("?") > 1 or (_HOW_SOON.search(question) and _SOON.search(claims[0])):
        return False
    told = set().union(*stems) & asked
    if told_first and _LIMITED.search(claims[0]) and (gap & asked) - told:
        return True
    if not _has_the_kind(question, claims):
        return bool(gap & (asked | named_kinds(question))) or not gap
    if not told_first or _SEVERAL.search(question.rstrip(" ?")) or _REASON_ASKED.search(question):
        return False
    if len(claims[0].split()) <= SHORT or _PRONOUN.match(claims[0]) or _ELLIPTIC.match(claims[0]):
        return False
    missing = (gap & asked) - told
    numbered = any(word[0].isdigit() for word in missing)
    return numbered or (bool(missing) and len(told) < COVERED * len(asked))


def describes_instead(question: str, asked: set[str], gap: set[str], claims: Sequence[str], first: set[str]) -> bool:
    """Whether an answer that begins with what its source lacks goes on with what the source tells instead.

    Args:
        question: Match text.
        asked: Word families of the question.
        gap: Those of the clause that says what is missing.
        claims: What the answer tells behind it, as match text.
        first: Word families of the first of them.

    >>> claims = ["it mentions the night market"]
    >>> describes_instead("is the old town safe?", {"old", "town", "saf"}, {"saf", "town"}, claims, {"night", "market"})
    True
    """
    if not claims or _SEVERAL.search(question.rstrip(" ?")) or question.count("?") > 1:
        return False
    return _DESCRIBES.match(claims[0]) is not None and 0 < len(gap & asked) >= len(first & asked)


def named_kinds(question: str) -> frozenset[str]:
    """Word families by which an answer may call what is asked: the reasons of a why, the number of a how many.

    >>> sorted(named_kinds("why did it close?"))
    ['caus', 'ground', 'reason']
    """
    return frozenset(stem(word) for asked, words in _CALLED if asked.search(question) for word in words.split())


def _has_the_kind(question: str, claims: Sequence[str]) -> bool:
    """Whether something is told of the kind that is asked for: a figure, a time, a reason; else nobody can say."""
    if _FIGURE_ASKED.search(question):
        return any(_FIGURE.search(_NOT_COUNTED.sub(" ", claim)) for claim in claims)
    if _WHEN_ASKED.search(question):
        return any(_TIME.search(claim) for claim in claims)
    if _REASON_ASKED.search(question):
        return any(_REASON.search(claim) for claim in claims)
    return True
