"""Figures of an answer that are none besides another one: its parts, its whole, the same in another form or before."""

from __future__ import annotations

import re
from decimal import Decimal

from core.judging.match.figures.chosen.statements import Statement
from core.judging.match.readers.figures.numbers import Number
from core.judging.match.surroundings.language import SENTENCE_BORDER
from core.judging.match.surroundings.sentences import sentence_around

_PART_OF = re.compile(
    r"(?: (?!(?:and|or|but|per)\b)[a-z-]+){0,2} (?:out )?of (?:the |our |its |their |all |a total of )?$"
)
"""Between a part and its whole: "12 of the 31 member farms"."""
_MADE_OF = re.compile(r"[^.;:\n]{0,24}: [^.;:\n]{0,80}|[^.;:\n]{0,80}, (?:including|among them)\b[^.;:\n]{0,60}")
_ALONE_ASKED = re.compile(r"\b(?:net|base|basic|cold|excluding|without|alone|before)\b")
_ON_TOP = re.compile(
    r"[^.;\n]{0,40}[.;,] (?:on top(?: of (?:that|this|it))?|in addition|additionally|to this|besides)\b"
)
"""Behind a figure, that what follows comes besides."""
_SPANS_OF_TIME = "second|minute|hour|day|week|month|quarter|year"
_PER_SPAN = re.compile(rf"(?: [a-z]+)? per (?P<span>{_SPANS_OF_TIME})\b")
_SPAN_ASKED = re.compile(rf"\b(?:per|each|every|an?) (?:{_SPANS_OF_TIME})\b")
_USUAL_ASKED = re.compile(r"\b(?:usual(?:ly)?|typical(?:ly)?|normal(?:ly)?|most)\b")
FAR = 200
"""Characters in front of a figure in which it is said of whom it is."""
_PROFIT = re.compile(r"\b(?:profits?|gains?|surplus|earned|won)\b")
_AT_LEAST = re.compile(r"\b(?:at least|more than) $")
_OF_MOST = re.compile(
    r"\b(?:while|whereas|although|though) (?P<word>most|many|other|others|all other|the other)\b[^.;,:\n]{0,80}$"
)
"""A clause in front of a figure that is about others."""
NEAR = 60
"""Characters in front of a whole in which its sentence begins."""
_OF_ALL = re.compile(
    r"(?:^|[.;\n][^\S\n]*)(?:(?:out )?of|within) (?:the |its |our |their |all |these )?(?:total (?:of )?)?"
    r"(?:[a-z]{3} )?[€$£]?$"
)
"""In front of a whole with which a sentence begins: "Of the 142 tested, 135 passed"."""
_OUT_OF = re.compile(
    r"[^.;:]{0,80}?[ (]out of (?:a |the |its |our |their )?(?:possible |total |maximum |full )?"
    r"(?:capacity |total |maximum )?(?:of )?$"
    r"|(?: [a-z-]+){0,2} of (?:the |its |our |their )(?:original|total|possible|maximum|planned) $"
    r"|[^.;:()]{0,60} \(of (?:the |a total of )?$"
)
"""The same, wherever in a sentence: "248 enrolled out of a capacity of 260", "11 of the original 12"."""
_BEGINS = re.compile(
    r"\W*(?:(?:as (?:of|at)|in|on|at|by|for|from|per|according to|based on)\b[^.;:\d]{0,60}, )?"
    r"(?:[a-z ]{3,60} (?:shows?|lists?|says?|records?|states?|indicates?|reports?) (?:that )?)?"
    r"(?:(?:only|about|exactly|currently|a total of|in total|there (?:are|were|is|was))\W*)?"
)
_YEAR_BEFORE = re.compile(
    r"^\W*(?:(?:in|for|during) )?the (?:prior|previous|preceding) (?:fiscal |financial )?(?:year|quarter|period)\b"
    r"|^\W*(?:a|one) (?:year|quarter) (?:earlier|before|ago)\b"
)
_ALL = re.compile(r"\b(?:total\w*|combined|overall|aggregate|altogether|together|in all|all told|sums?)\b")
"""Words for several amounts as one."""
_COUNTED = re.compile(r"\bhow many (?P<what>[a-z]{3,}(?: [a-z]{3,})?)")
_TABLE_SCALES = tuple(Decimal(10) ** power for power in (3, 6, 9))
"""What the figures of a table may be in."""


def rounds_up_to(other: Number, own: Number) -> bool:
    """Whether a figure is another one in a larger magnitude: "5.6 billion (5,604 million)"."""
    scaled = other.scale > own.scale and other.currency == own.currency and other.unit == own.unit
    step = other.scale * Decimal(10) ** -other.decimals
    return scaled and other.value != own.value and abs(other.value - own.value) * 2 <= step


def is_in_thousands(other: Number, own: Number) -> bool:
    """Whether a bare figure is another one in the thousands or millions of a table: "1,383,641 (in thousands)"."""
    if other.scaled or not own.scaled or other.unit or own.unit or not other.value:
        return False
    step = own.scale * Decimal(10) ** -own.decimals
    return any(abs(other.value * scale - own.value) * 2 <= step for scale in _TABLE_SCALES)


def is_the_same_outflow(other: Number, own: Number, text: str) -> bool:
    """Whether one of two figures is the other one paid, in brackets: "$(6,621) million, or $6.62 billion"."""
    if own.value < 0 < other.value and not _PROFIT.search(text):
        own, other = other, own
    if other.value >= 0 or own.value <= 0 or other.currency != own.currency or other.unit != own.unit:
        return False
    step = own.scale * Decimal(10) ** -own.decimals
    return abs(-other.value - own.value) * 2 <= step


def is_the_same_measured(other: Number, own: Number, text: str) -> bool:
    """Whether a figure stands beside another one in brackets and is it in another unit: "7 miles (11 km)"."""
    first, second = sorted((other, own), key=lambda number: number.start)
    beside = text[first.end : second.start].strip() == "(" and text[second.end : second.end + 1] == ")"
    if not beside or not own.unit or other.unit != own.unit or not (own.plain and other.plain):
        return False
    factors = own.value / own.plain, other.value / other.plain
    steps = (_last_step(number) * factor for number, factor in zip((own, other), factors, strict=True))
    return factors[0] != factors[1] and abs(own.value - other.value) * 2 <= sum(steps)


def _last_step(number: Number) -> Decimal:
    """The unit of the last digit of a figure that is no zero before the point: 10 of 120."""
    places = number.plain.normalize().as_tuple().exponent
    return number.step if number.decimals or not isinstance(places, int) else Decimal(1).scaleb(max(0, places))


def is_of_the_year_before(other: Statement, text: str, question: str) -> bool:
    """Whether a sentence begins with the year before the one that is asked for: "In the prior fiscal year"."""
    if _YEAR_BEFORE.search(question):
        return False
    start = max(0, other.number.start - FAR)
    *former, before = SENTENCE_BORDER.split(text[start : other.number.start])
    begins = bool(former) or not start
    return begins and _YEAR_BEFORE.search(before) is not None


def is_all_in(other: Statement, own: Statement, text: str, question: str) -> bool:
    """Whether a figure is what it comes to with what an answer tells besides: "on top of that come ..., 918 in all"."""
    between = text[own.number.end : other.number.start]
    return _ON_TOP.match(between) is not None and _ALONE_ASKED.search(question) is not None


def is_for_another_span(other: Statement, text: str, question: str) -> bool:
    """Whether a figure is a rate for another span of time than the one asked for: "(100 per second on average)"."""
    span = _PER_SPAN.match(text, other.number.end)
    return span is not None and _SPAN_ASKED.search(question) is not None and span["span"] not in question


def is_detail(other: Statement, own: Statement, text: str) -> bool:
    """Whether a figure tells behind a colon what another one is made of: "three times: the first and two more"."""
    between = text[own.number.end : other.number.start]
    return _MADE_OF.fullmatch(between) is not None and len(own.about) >= len(other.about)


def is_of_most(other: Statement, text: str, question: str) -> bool:
    """Whether a figure is that of most others, or says that there is at least one: "most have the usual 24 months"."""
    if _USUAL_ASKED.search(question):
        return False
    before = SENTENCE_BORDER.split(text[max(0, other.number.start - FAR) : other.number.start])[-1]
    if other.number.word and other.number.value == 1 and _AT_LEAST.search(before):
        return True
    most = _OF_MOST.search(before)
    return most is not None and most["word"] not in question


def is_one_of_all(other: Statement, own: Statement, text: str, question: str) -> bool:
    """Whether a question asks for a total, which the sentence of one figure says it is and that of another does not."""
    if not _ALL.search(question):
        return False
    mine, theirs = (sentence_around(text, one.number.start, one.number.end) for one in (own, other))
    return _ALL.search(mine) is not None and _ALL.search(theirs) is None


def is_the_whole(other: Number, own: Number, text: str) -> bool:
    """Whether a figure is what another one is a part of: the 31 of "12 of the 31" at the beginning of a sentence."""
    if own.end >= other.start:
        begins = max(0, other.start - NEAR)
        found = _OF_ALL.search(text, begins, other.start)
        return found is not None and (found[0][:1] in ".;\n" or found.start() == 0)
    if _OUT_OF.fullmatch(text[own.end : other.start]):
        return True
    if not _PART_OF.fullmatch(text[own.end : other.start]):
        return False
    return _BEGINS.fullmatch(SENTENCE_BORDER.split(text[: own.start])[-1]) is not None


def counted(question: str) -> str:
    """What a question asks how many of, in at most two words; empty where it asks for something else."""
    counted = _COUNTED.search(question)
    return counted["what"] if counted else ""
