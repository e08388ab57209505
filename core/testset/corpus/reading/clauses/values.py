"""What a part of a clause gives: a day, an amount, a share, a number of things, how often, by whom."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.testset.corpus.reading.vocabulary.periods import DATE
from core.text.words import STOP_WORDS

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
DAY = rf"(?:(?:{DATE})|\d{{1,2}} (?:{_MONTHS}) \d{{4}}|(?:{_MONTHS}) (?:19|20)\d\d|(?:19|20)\d\d|\d{{4}}-\d\d-\d\d)"
_CODES = "EUR|USD|GBP|CHF|CZK|PLN|HUF|RON|SEK|NOK|DKK|JPY|CNY|AUD|CAD|euros?|dollars|pounds|francs|cents"
_SCALE = r"(?: (?:hundred|thousand|million|billion))?"
WORDS = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety"
_FIGURE = rf"\d[\d,]*(?:\.\d+)?{_SCALE}"
_HEDGE = r"(?:(?:about|around|approximately|nearly|almost|over|more than|less than|fewer than|up to|at least|at most|no more than|a maximum of|a minimum of|no later than) )?"  # noqa: E501
MONEY = rf"{_HEDGE}(?:[$€£] ?{_FIGURE}|{_FIGURE} (?:{_CODES})\b|(?:EUR|USD|GBP|CHF) {_FIGURE})"
SHARE = rf"{_HEDGE}\d[\d,]*(?:\.\d+)?(?: ?%| per ?cent| percent)"
NUMBER = rf"{_HEDGE}(?:{_FIGURE}|{WORDS})"
_DATED = re.compile(
    rf"(?P<prep>on|in|by|until|since|from|before) (?P<value>(?:the (?:end|beginning|start) of )?{DAY})(?P<tail>(?: at .*)?)$"  # noqa: E501
)
_PAID = re.compile(
    rf"(?:(?P<prep>for|to|by|at|of|from|with|against) )?(?:(?P<article>an?|the) )?(?P<value>{MONEY})(?P<tail>(?: .+)?)$"
)
_SHARED = re.compile(rf"(?:(?P<prep>to|by|at|from|with) )?(?P<value>{SHARE})(?P<tail>(?: .+)?)$")
_COUNTED = re.compile(
    rf"(?:(?P<prep>within|for|after|with|to|in|from|at|on|over|by|into|before) )?(?P<value>{NUMBER}) (?P<rest>[a-z].*)$"
)
_OFTEN = re.compile(
    rf"(?P<value>every (?:(?:{_FIGURE}|{WORDS}|other|second|third) )?(?:second|minute|hour|day|night|week|month|quarter|year|decade|time)s?)$"  # noqa: E501
)
_NOUN = re.compile(
    r"(?P<noun>(?:[a-z][\w'’-]* ?){1,3}?)(?P<tail>(?: (?:of|per|a|an|each|every|in|and|or|than|that|later|earlier|more|less|old|long|ago) ?.*|,.*)?)$"  # noqa: E501
)
_UNITS = frozenset(
    [
        "km",
        "kg",
        "m",
        "cm",
        "mm",
        "mg",
        "g",
        "t",
        "kW",
        "hp",
        "kB",
        "MB",
        "GB",
        "TB",
        "Hz",
        "kHz",
        "MHz",
        "GHz",
        "ms",
        "s",
        "h",
        "V",
        "A",
        "W",
        "bytes",
        "bits",
        "feet",
        "people",
        "percent",
        "staff",
    ]
)
WHEN = {
    "on": "When",
    "in": "When",
    "by": "By when",
    "until": "Until when",
    "since": "Since when",
    "from": "From when",
    "before": "Before which date",
}
NAME = r"(?:(?:Mr|Ms|Mrs|Dr)\.? )?[A-ZÀ-Þ][\w.'’&-]*(?: (?:[A-ZÀ-Þ][\w.'’&-]*|of|and|the|de|von|van|da|del|&))*(?<! of)(?<! and)(?<! the)"  # noqa: E501
ROLE = (
    r"(?:the|an?|our) (?:[\w-]+ ){0,3}(?:manager|officer|committee|board|director|head|auditor|auditors|team|department|desk|unit|owner|"  # noqa: E501
    r"council|authority|chair|chairman|chairwoman|clerk|cashier|teller|supervisor|administrator|maintainer|maintainers|lead|leader|"
    r"secretary|adviser|advisor|panel|registrar|controller|treasurer|inspector|supplier|contractor|landlord|tenant|borrower|lender|insurer|"
    r"employer|employee|court|ministry|regulator|president|king|queen|emperor|captain|driver|operator)(?: of [\w ]+)?"
)
_DONE_BY = re.compile(rf"by (?P<value>{NAME}|{ROLE})$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value and how it is asked for.

    Attributes:
        words: As the sentence has it.
        ask: What the question begins with: "When", "How many working days".
        strand: A preposition that stays at the end: "How much was it bought for?"; or empty.
        tail: What follows the value and stays in the question, or empty.
        at: The preposition before it, or empty.
        kind: "date", "money", "share", "number", "often" or "agent".
        open: Whether the question names what its noun is: "days of receipt".
    """

    words: str
    ask: str
    at: str = ""
    strand: str = ""
    tail: str = ""
    kind: str


def value_of(piece: str, *, passive: bool) -> Value | None:
    """The value of one part of a clause; None where it has none that a person would ask for.

    >>> value_of("within 10 working days of receipt", passive=True).ask
    'Within how many working days of receipt'
    >>> value_of("for 24,500 EUR", passive=True), value_of("for the client", passive=True)
    (Value(words='24,500 EUR', ask='How much', at='for', strand='for', tail='', kind='money'), None)
    """
    if dated := _DATED.match(piece):
        return Value(
            words=dated["value"], ask=WHEN[dated["prep"]], at=dated["prep"], tail=dated["tail"].strip(), kind="date"
        )
    if often := _OFTEN.match(piece):
        return Value(words=often["value"], ask="How often", at="every", kind="often")
    if passive and (agent := _DONE_BY.match(piece)):
        return Value(words=agent["value"], ask="Who", at="by", strand="by", kind="agent")
    if paid := _PAID.match(piece):
        prep, tail = paid["prep"] or "", paid["tail"].strip()
        if (
            paid["article"]
            or re.match(r"(?!a\b|an\b|per\b|each\b|every\b|in\b|of\b|or\b|plus\b)[a-z]+", tail)
            or re.search(r"\d", tail)
        ):
            return None
        return Value(words=paid["value"], ask="How much", at=prep, strand=prep, tail=tail, kind="money")
    if shared := _SHARED.match(piece):
        prep, tail = shared["prep"] or "", shared["tail"].strip()
        ask = f"{prep.capitalize()} what percentage" if prep else "What percentage"
        if re.match(r"(?!a\b|an\b|per\b|each\b|every\b|of\b)", tail) and tail:
            return None
        if tail.startswith("of "):
            ask, tail = f"{ask} {tail}", ""
        return Value(words=shared["value"], ask=ask, at=prep, tail=tail, kind="share")
    return _counted(piece)


def _counted(piece: str) -> Value | None:
    counted = _COUNTED.match(piece)
    noun = _NOUN.match(counted["rest"]) if counted else None
    if counted is None or noun is None or re.match(r"1\d{3}$|20\d\d$", counted["value"]):
        return None
    things, prep, tail = noun["noun"].strip(), counted["prep"] or "", noun["tail"].strip()
    last = things.split()[-1]
    if set(things.split()) & STOP_WORDS:
        return None
    if (last not in _UNITS and not (last.endswith("s") and not last.endswith("ss"))) or (
        re.search(r"\d", tail) and not re.match(r"per \d+ \w+$", tail)
    ):
        return None
    value = counted["value"]
    upto = re.match(r"(up to|at least|at most) ", value)
    before = f"{prep} {upto[1] if upto else ''}".strip()
    if tail.startswith("of "):
        if re.search(r"[()'\"]|ing\b", tail):
            return None
        things, tail = f"{things} {tail}", ""
    elif tail.startswith(("old", "long", "later", "earlier", "ago", "more", "less", "or ", "and ", "that", "than")):
        return None
    ask = f"{before} how many {things}".strip()
    unit = f"{value[upto.end() :] if upto else value} {things.split(' of ')[0]}"
    return Value(words=unit, ask=ask[:1].upper() + ask[1:], at=prep, tail=tail, kind="number")
