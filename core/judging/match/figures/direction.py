"""Whether a figure is said to go up or down: "fell by 3.7%", "a net loss of $268 million"."""

from __future__ import annotations

import re

_DOWN = (
    r"(?:declin|decreas|drop|fell|fall|reduc|shr[aiu]n|contract|slid|slip|lower|worsen|deteriorat|narrow|tighten|"
    r"compress|eros|"
    r"down|lost|los[es]|cut|shortfall|deficit|negative)\w*"
)
_UP = r"(?:increas|grew|grow|rise|rose|risen|improv|expan|gain|climb|jump|surg|higher|widen|up\b|advanc|positive)\w*"
_UP_VERBS = (
    r"increas\w*|grew|grow(?:s|n|th|ing)?|ris(?:e[sn]?|ing)|rose|improv\w*|expan(?:d|s)\w*|gain(?:s|ed|ing)?|climb\w*"
    r"|rais(?:e[sd]?|ing)|accelerat\w*|higher|widen\w*|strengthen\w*|went up|up from|upward"
)
_DOWN_VERBS = (
    r"declin\w*|decreas\w*|drop(?:s|ped|ping)?|fell|fall(?:s|en|ing)?|reduc\w*|shr[aiu]nk\w*|contract(?:ed|ing|ion)"
    r"|decelerat\w*|lower|worsen\w*|deteriorat\w*|narrow(?:ed|ing|s)|tighten\w*|weaken\w*|went down|down from|downward"
    r"|slow(?:ed|ing)"
)
"""Words that say that something goes up or down, wherever they stand."""
_TO_FIGURE = (
    r"(?:\s(?:by|of|was|is|at|about|approximately|around|roughly|nearly|an?|some|only|just|slightly|from|the|:)|:|,)*"
    r"[\s(~=]*(?:[a-z]{3} )?[€$£]?$"
)
_DOWN_BEFORE = re.compile(rf"\b{_DOWN}{_TO_FIGURE}")
_LESS_GROWTH = re.compile(
    r"\b(?:reduc|cut|lower|slow|damp|weigh|shav|trimm?|hurt|hamper)\w*(?: on)?(?: (?:the|its|our|their))?"
    rf"(?: [a-z]+){{0,2}} (?:growth|increase|gains?|rise){_TO_FIGURE}"
)
"""What takes from something that goes up: "reduced growth by"."""
_UP_BEFORE = re.compile(rf"\b{_UP}{_TO_FIGURE}")
_DOWN_AFTER = re.compile(
    rf"[)\s]*(?:(?:percent|percentage points?|basis points?|year[ -]over[ -]year|yoy)\s)*{_DOWN}\b"
)
_UP_AFTER = re.compile(rf"[)\s]*(?:(?:percent|percentage points?|basis points?|year[ -]over[ -]year|yoy)\s)*{_UP}\b")
_LOSS_BEFORE = re.compile(
    r"\b(?:loss(?:es)?|cash used (?:in|for) [a-z ]{0,30}|outflows?)(?: \([a-z ]{1,20}\))?"
    r"(?:\s(?:of|was|were|is|amounted to|totall?ed|came to|at|about|approximately|for|in|the|fy|fiscal|year|"
    r"quarter|[12]\d{3}|:)|:)*"
    r"\s?[(~]?\s?(?:[a-z]{3} )?[€$£]?$"
)
_CHANGE_ASKED = re.compile(
    r"\b(?:chang|grow|grew|increas|decreas|declin|differ|improv|rise|rose|fell|fall|drop|evol|widen|narrow|tighten|shrink|"
    r"year[ -]over[ -]year|yoy)\w*"
)
_DOWN_ASKED = re.compile(r"\b(?:declin|decreas|drop|fell|fall|reduc|loss|losses|lost|deficit|narrow|tighten|shrink)\w*")
_RESULT_ASKED = re.compile(r"\b(?:income|profit|earnings|result|ebit\w*|ebt|cash flows?|margin|return|roa|roe|eps)\b")
_ANY_UP = re.compile(rf"\b(?:{_UP_VERBS})\b")
_ANY_DOWN = re.compile(rf"\b(?:{_DOWN_VERBS})\b")
_IN_OTHER_UNITS = re.compile(
    r"[€$£]?\d[\d.,]*(?: ?%| percent| per cent| percentage points?| basis points?| million| billion| thousand)*"
    r",? \(?(?:or|i\.e\.,?|that is,?) (?:about |roughly |around |by )?(?:[a-z]{3} )?(?P<sign>[€$£]?)$"
)
"""The same change in other units in front of a figure: "fell 27%, or $4.7 billion"."""
REACH = 90


def stated_direction(text: str, start: int, end: int) -> int:
    """-1 where the words beside a figure say that it is a fall or a loss, 1 for a rise, else 0.

    >>> text = "net sales decreased by 3.7% to 34,033"
    >>> stated_direction(text, 23, 27), stated_direction(text, 31, 37)
    (-1, 0)
    >>> text = "currency reduced growth by 4 percentage points"
    >>> stated_direction(text, 27, 46)
    -1
    """
    before = text[max(0, start - REACH) : start]
    before = re.split(r"[.!?;\n] |\n|, (?:and|but|while|compared)\b", before)[-1]
    before = _IN_OTHER_UNITS.sub("", before)
    after = text[end : end + 60]
    if (
        _DOWN_BEFORE.search(before)
        or _LESS_GROWTH.search(before)
        or _DOWN_AFTER.match(after)
        or _LOSS_BEFORE.search(before)
    ):
        return -1
    if _UP_BEFORE.search(before) or _UP_AFTER.match(after):
        return 1
    return 0


def direction_words(text: str) -> int:
    """1 where all that a text says of directions goes up, -1 where all goes down, else 0.

    >>> direction_words("margins improved"), direction_words("margins fell"), direction_words("it rose, then fell")
    (1, -1, 0)
    """
    up, down = bool(_ANY_UP.search(text)), bool(_ANY_DOWN.search(text))
    return int(up) - int(down)


def asked_direction(question: str) -> int:
    """-1 where a question asks how far something fell, 1 where it asks for a change or a result, else 0.

    A figure without sign and words is positive for the latter.

    >>> asked_direction("by how much did costs decrease?"), asked_direction("how much did sales change?")
    (-1, 1)
    """
    change = _CHANGE_ASKED.search(question) or _RESULT_ASKED.search(question)
    if _DOWN_ASKED.search(question):
        plain = _DOWN_ASKED.sub(" ", question)
        # "income (loss)" and "increase or decrease" ask for either
        return 0 if re.search(r"\b(?:income|profit|gain|earnings|increas\w*|grow\w*)\b", plain) else -1
    return 1 if change else 0
