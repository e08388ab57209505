"""Whether a value stands as one of several: "A or B", "A, B", "from A to B"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.judging.match.values import Hit
from core.text.words import stem

_REACH = 200
"""Characters behind a value in which "respectively" is looked for."""
_AHEAD = 40
"""Characters behind another value in which it is said what it is."""
LEAVES_A_CHOICE = "The answer leaves a choice"
"""How the reason begins where a value stands beside "or"."""
OR_AFTER = re.compile(
    r"[\"')*]*,? ?(?:/|(?:and/)?or\b)(?! (?:so|more|less|equivalently|rather|better|about)\b)"
    r"(?! (?:over|above|older|under|below|younger|fewer|beyond|upwards?)\b(?! \d))"
    r"(?! (?:by|via|through|call|phone|ring|telephone|contact|visit|write|see|online|in person)\b)"
    r"(?! (?:earlier|later|sooner|longer|higher|lower|even [a-z]+er) (?:if|when|where|in case|should|provided)\b)"
)
OR_BEFORE = re.compile(r"(?:\bor\b|/) ?(?:(?:the|a|in|on|by|at|of|it|is|was|even|with|[a-z]{3}) ){0,2}[\"'€$£]?$")
_UNIT_END = re.compile(r"(?<=[\da-z] )[a-z]+$")
_UNIT_AHEAD = re.compile(r" ?\d[\d.,]* (?P<unit>[a-z]+)")
_PER_SLASH = re.compile(
    r" ?(?:/[a-z]|[a-z]* ?/ ?\d+ [a-z]|[a-z€$£]* ?/ ?\("
    r"|[a-z€$£]* ?/ ?(?:hour|day|night|week|month|quarter|year|person|unit)\b)"
)
"""Behind a figure: a rate ("2.50/hour"), or another count beside it ("8 days / 7 nights")."""
_COUNT_BEFORE = re.compile(r"\d [a-z]+ ?/ ?$")
_DENIED_BEFORE = re.compile(
    r"\b(?:not|isnt|wasnt|no longer|never|instead of|rather than)\s(?:the |a |on |in |at )?(?:[a-z]{3} )?[€$£]?$"
)
"""Before a value that is denied, and so no choice beside another one: "not 60 days, 30"."""
LINKED = re.compile(
    r" |\n(?:- )?"
    r"|(?: ?(?!(?:for|in|at|on|by|of|yes|no)\b)[a-z%€$£]{0,3} ?)(?:,|/|-|to|,? and|,? or|&|as well as)"
    r"(?: (?:in|on|the|of|from))* ?(?:[a-z]{3} |[€$£])?"
)
STARTS = re.compile(r"\b(?:start\w*|beg[aiu]n\w*|open\w*|commenc\w*|launch\w*|initiat\w*|from|since|first)\b")
ENDS = re.compile(r"\b(?:end\w*|clos\w*|finish\w*|complet\w*|expir\w*|matur\w*|until|last)\b")
DIVIDED = re.compile(r"[)\]]* / [(\[]?[€$£]?\d")
SHARE = re.compile(r"%|percent|per cent")
FIGURE_AHEAD = re.compile(r"[^\d.;\n]{0,40}\d[\d.,]*(?P<share> ?(?:%|percent|per cent))?")
FIGURE_BEHIND = re.compile(r"\d[\d.,]*(?P<share> ?(?:%|percent|per cent))?")
CHANGED = re.compile(
    r"\b(?:increas|decreas|grew|grow|rose|rise|fell|fall|improv|declin|chang|drop|went|moved|up|down|expand|"
    r"widen|narrow|"
    r"climb|jump|slip|shr[aiu]nk|reduc)\w*\b[^.\n;]{0,80}\b(?:from|by) (?:[a-z]{3} |[€$£])?$"
)
BY_HOW_MUCH = re.compile(r"\bby (?:[a-z]{3} |[€$£])?$")
_MONEY = re.compile(r"[€$£¥]|\b[a-z]{3} ?\d|\d ?(?:euros?|dollars?|pounds?|francs?)\b")
_FROM_WHAT = re.compile(r",? (?:from|in|for|of|over|across|on) $")
_FOR_OTHERS = re.compile(r",? or (?:[a-z]{3} |[€$£])?\d[\d.,]*(?: [a-z]+)? for (?P<who>[a-z]{3,})")
_SAYS_OF_IT = re.compile(
    r"-[a-z]{3,}| (?:[a-z]+ )?(?:less|more|fewer|lower|higher|above|below|better|worse|up|down)\b(?! to\b)"
)
"""Behind another figure that is no value beside the one before it: "388 forty-foot boxes", "80 euros, 5 euros less"."""
_HYPHENED = re.compile(r"[\w.,]+-[a-z]{2,}")
_SPAN_FROM = re.compile(r",? (?:from|between) $")
_SPAN_TO = re.compile(r" ?(?:[a-z]+ )?(?:\d{4} )?(?:to|until|till|and|through|-) ?\d")
"""Behind the first end of a span: "five days, from 14 to 19 July"."""
_DAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b")
RESPECTIVELY = re.compile(r"\brespective(?:ly)?\b")


def rival_value(
    hit: Hit,
    text: str,
    question: str,
    clause_before: str,
    sentence_before: str,
    sentence_after: str,
    hits: Sequence[Hit],
    others: Sequence[tuple[int, int]],
) -> tuple[str, str] | None:
    """The rule and the sentence where a value is offered beside others of its kind, or None.

    Args:
        hit: The value in question.
        text: Match text of the answer.
        question: Match text of the question.
        clause_before: Its clause up to the value.
        sentence_before: Its sentence up to the value.
        sentence_after: Its sentence behind the value.
        hits: Every hit of every acceptable answer, which are no choice beside each other.
        others: Spans of other values of its kind.
    """
    value = text[hit.start : hit.end]
    is_number = hit.rule == "number"
    after = OR_AFTER.match(sentence_after)
    if after and is_number and _is_no_choice(value, sentence_after, after.end(), question):
        after = None
    if after and not _near([other.start for other in hits], hit.end + after.end(), 20):
        offered = (value + sentence_after[:40]).strip()
        return "hedged", f'{LEAVES_A_CHOICE}: "{offered}".'
    before = OR_BEFORE.search(clause_before)
    if is_number and (_COUNT_BEFORE.search(clause_before) or _of_another_kind_before(value, sentence_before)):
        before = None
    if before and not _near([other.end for other in hits], hit.start - len(before[0]), 8, backwards=True):
        return "hedged", f'{LEAVES_A_CHOICE}: "{(clause_before[-40:] + value).strip()}".'
    if RESPECTIVELY.search(text[hit.start : hit.start + _REACH]):
        return None
    others = [*others, *_days_besides(value, text)]
    told = [span for span in others if not _DENIED_BEFORE.search(text[max(0, span[0] - 24) : span[0]])]
    for start, end in told:
        gap = text[end : hit.start] if end <= hit.start else text[hit.end : start]
        if is_number and (gap == " / " or _counts_beside(value, text[start:end], gap)):
            continue
        if is_number and gap.strip(" $€£") == "to" and _of_a_change(text, min(start, hit.start), end <= hit.start):
            continue
        between = gap.strip() == "and" and text[: min(start, hit.start)].endswith("between ")
        ahead = text[end : end + _AHEAD]
        if (
            is_number
            and start >= hit.end
            and (_says_of_it(gap, text[start:end], ahead) or _is_for_others(text[hit.end : end + _AHEAD], question))
        ):
            continue
        if hit.rule == "date" and _is_end_asked_for("to" if between else gap, question, first=hit.start < start):
            continue
        if len(gap) <= 24 and LINKED.fullmatch(gap):
            listed = text[min(start, hit.start) : max(end, hit.end)]
            return "several values", f'The answer gives several values: "{listed}".'
    return None


def _days_besides(value: str, text: str) -> list[tuple[int, int]]:
    """Where other days of the week stand, where a value is one: "Mondays and Tuesdays" are two."""
    own = _DAY.fullmatch(value)
    return [day.span() for day in _DAY.finditer(text) if day[0].rstrip("s") != value.rstrip("s")] if own else []


def _is_for_others(after: str, question: str) -> bool:
    """Whether the figure behind "or" is for others than a question names: ", or 6.00 euros for members"."""
    others = _FOR_OTHERS.match(after)
    return others is not None and others["who"] not in question


def _says_of_it(gap: str, figure: str, after: str) -> bool:
    """Whether a figure behind another one says of it what it is, by how much it differs, or from when it lasts."""
    if _HYPHENED.fullmatch(figure) or _SAYS_OF_IT.match(after):
        return True
    return _SPAN_FROM.fullmatch(gap) is not None and _SPAN_TO.match(after) is not None


def _counts_beside(value: str, other: str, gap: str) -> bool:
    """Whether a figure behind an amount of money counts where it comes from: "CHF 41,870.50, from 212 gifts"."""
    return bool(_MONEY.search(value)) and not _MONEY.search(other) and _FROM_WHAT.search(gap) is not None


def _is_no_choice(value: str, after: str, place: int, question: str) -> bool:
    """Whether "or" and "/" behind a figure leave no choice: a rate, a fraction, a figure of another kind or unit.

    Nor does a figure for others, whom the question does not name: "8.50 euros, or 6 euros for members".
    """
    ahead = after[place:]
    if _is_for_others(after, question):
        return True
    return bool(
        _other_unit(value, ahead) or _PER_SLASH.match(after) or DIVIDED.match(after) or _of_another_kind(value, ahead)
    )


def _of_a_change(text: str, start: int, second: bool) -> bool:
    """Whether a figure before or behind "to" tells a change: the new value, or by how much ("fell by 5 to 20")."""
    change = CHANGED.search(text[max(0, start - 140) : start])
    return change is not None and (second or BY_HOW_MUCH.search(change[0]) is not None)


def _other_unit(value: str, after: str) -> bool:
    """Whether a figure behind "or" has another unit, so that both may hold: "8 years or 160,000 km"."""
    own, other = _UNIT_END.search(value), _UNIT_AHEAD.match(after)
    return bool(own and other and own[0] != other["unit"] and own[0][:4] != other["unit"][:4])


def _of_another_kind(value: str, after: str) -> bool:
    """Whether a figure behind "or" is of another kind ("5% or $6.8 billion"), so that both may be meant."""
    figure = FIGURE_AHEAD.match(after)
    return figure is not None and bool(figure["share"]) != bool(SHARE.search(value))


def _of_another_kind_before(value: str, before: str) -> bool:
    figures = list(FIGURE_BEHIND.finditer(before[-60:]))
    return bool(figures) and bool(figures[-1]["share"]) != bool(SHARE.search(value))


def _is_end_asked_for(gap: str, question: str, *, first: bool) -> bool:
    """Whether the value is the end of a period ("from A to B") that the question asks for."""
    if gap.strip() not in {"to", "until", "till", "-", "through"}:
        return False
    return bool((STARTS if first else ENDS).search(question))


def _near(places: Sequence[int], place: int, reach: int, *, backwards: bool = False) -> bool:
    if backwards:
        return any(place - reach <= other <= place + 1 for other in places)
    return any(place <= other <= place + reach for other in places)


_ONE_ASKED = re.compile(r"\b(?:who|whose)\b|\b(?:which|what) (?P<what>[a-z]{3,})\b")
_JOINED = re.compile(r" and (?P<name>[^\W\d_][\w'-]+(?: [^\W\d_][\w'-]+){0,2})(?=[.;\n]|$)")


def joined_by_another(text: str, end: int, question: str, names: frozenset[str]) -> str:
    """The other name that a clause ends with behind a value and an "and", where a question asks for one; or empty.

    Args:
        text: Match text of the answer.
        end: Where the value ends.
        question: Match text of the question.
        names: Word families of the names that the answer has besides.

    >>> joined_by_another("so it was made by ewa and horst.", 21, "which technician made it?", frozenset({"horst"}))
    'horst'
    """
    asked, joined = _ONE_ASKED.search(question), _JOINED.match(text, end)
    if asked is None or joined is None or (asked["what"] or "").endswith("s"):
        return ""
    return joined["name"] if all(stem(word) in names for word in joined["name"].split()) else ""
