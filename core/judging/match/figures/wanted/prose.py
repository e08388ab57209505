"""References in prose: which of their figures the question asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.judging.match.figures.candidates import PERCENT_WORD, candidates
from core.judging.match.figures.chosen.statements import Statement, read_statements
from core.judging.match.figures.direction import stated_direction
from core.judging.match.figures.kinds import SMALL
from core.judging.match.figures.words import MONEY_ASKED
from core.judging.match.readers.figures.numbers import Number
from core.judging.match.readers.layout.figure_text import figure_text
from core.judging.match.readers.times.periods import Period, find_periods, in_period

MOST_FIGURES = 12
"""A reference with more figures is a report, not an answer to compare figure by figure."""
CLOSE = 2
"""Words of the question beside one figure of a sentence, where those without any are further detail."""
SHORT = 12
"""A reference of so few words with a figure is a figure, where the question asks for one."""
ASKS_FIGURE = re.compile(
    r"\b(?:how (?:much|many|large|big|high|long|far|old)|by how|calculate|compute|"
    r"what (?:percentage|percent|proportion|share|portion|fraction|amount|number|rate|ratio|level|size|price|"
    r"figures?)|"
    r"(?:what|which)\b[^?.]{0,120}\b(?:amount|number|total|rate|rates|ratio|margin|margins|percentage|share|"
    r"proportion|revenues?|sales|income|"
    r"profit|loss|expenses?|costs?|cash flows?|cash (?:from|provided|generated|used)|ebitd?a|eps|earnings|assets"
    r"|liabilities|equity|debt|capex|"
    r"expenditures?|spend\w*|"
    r"dividends?|growth|yield|price|value|balance|inventory|inventories|turnover|figures?|change in|increase in|"
    r"decrease in|return on))\b"
)
NOT_A_FIGURE = re.compile(
    r"^\W*(?:who|whom|whose|why|where|when|is|are|was|were|do|does|did|has|have|had|can|could|should|would|will|"
    r"describe|explain|"
    r"discuss|list|name|identify|outline|how (?:did|does|do|is|are|was|were|has|have|can))\b"
    r"|\b(?:which (?:segment|company|product|region|country|year|quarter|bank|business|of)|main (?:reason|"
    r"driver|factor)s?|primary (?:reason|driver|factor)s?|"
    r"(?:chief|principal|key) (?:factor|driver|reason|influence)s?|what (?:drove|caused|led|explains|are the "
    r"(?:main|key|major))|(?:as|the) (?:main |key |primary )?(?:causes?|reasons?) (?:of|for))\b"
)
OPEN_ENDED = re.compile(
    r"\b(?:in what ways?|(?:what|which) (?:\w+ ){0,3}"
    r"(?:movements?|patterns?|trends?|insights?|legal|details|changes in|contributors?|correlation|"
    r"relationship|connection|impact|implications?|steps|strateg\w+|risks?|reasons?|causes?|factors?|drivers?|role|focus\w*|"
    r"priorities|initiatives|areas)|suggests?|gleaned|implications?|implicate|influence|why|explain|describe|discuss|analy[sz]e|"
    r"examine|correlat\w+|(?:do|does|did|can|could|might|may) (?:\w+ ){0,6}(?:affect|impact|relate|align|reflect))\b"
)
"""A question, or a second part of it, that a figure does not answer."""
SEVERAL_ASKED = re.compile(
    r"\b(?:and|both|each|respectively|compare[ds]?|comparison|versus|vs|between|breakdown|by segment|over "
    r"(?:time|the)|per (?:segment|quarter|year)|"
    r"rates|margins|figures|from)\b"
)
SHARE_ASKED = re.compile(
    r"%|\b(?:percent|percentage|proportion|share|portion|fraction|growth|margin|rate|rates)\b|per cent"
)
COUNT = re.compile(r"(?:[Aa]bout |[Aa]pproximately |[Aa]round |~)?[€$£]?\d[\d.,]*%?(?: [a-z][a-z-]*){0,4}\.?")
_SHORT_FIGURE = re.compile(
    r"(?:(?:every|each|after|within|about|approximately|around|up to|at most|at least|maximum|max\.?|minimum|min\.?"
    r"|for|in"
    r"|by|once|it is|the|a|of|no more than|not more than|only|for up to)\s)*"
    r"(?:[a-z]{3}\s|[€$£]\s?)?(?:\d[\d.,']*|[a-z]+(?=\s(?:days?|weeks?|months?|years?|hours?|minutes?)\b))(?:\s?[a-z°%·/^.-]+){0,5}\.?"
)
"""A figure with what it counts and a few small words: "every 25 operating hours", "after six months"."""
_ASKS_NAME = re.compile(r"\b(?:name|title|called|address|code|model|version|street|which|who|whom|whose)\b")
_ASKS_TIME = re.compile(
    r"^\W*(?:when|how (?:often|long|soon)|by when|until when)\b|\b(?:how often|how long|how soon)\b"
)
_OF_TIME = frozenset({"s", "month"})
_ITEM = re.compile(r"[.)]\s")
MOST_ITEMS = 20
"""A small number with a full stop or a bracket behind it counts the items of a list."""
HYPHENATED = re.compile(r"-[a-z]")
"""Behind a figure that is part of a word: a 364-day loan."""
YES_OR_NO = re.compile(r"^\W*(?:yes|no)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedFigure:
    """A figure that a reference in prose states as its answer.

    Attributes:
        number: The figure.
        sign: -1 or 1 where the words beside it say that it is a fall or a rise.
        period: The period beside it, or None.
        any_period: Whether the period that an answer gives with it does not count.
    """

    number: Number
    sign: int = 0
    period: Period | None = None
    any_period: bool = False


def wanted_figures(reference: str, question: str) -> tuple[WantedFigure, ...]:
    """The figures of a reference in prose that the question asks for; empty where it asks for something else.

    Operands, comparisons, figures for other periods and figures of the question are not asked for; a share is where
    the question asks for one. Where the reference concludes, its conclusion is the answer.

    Args:
        reference: As given.
        question: Match text of the question.

    >>> [figure.number.text for figure in wanted_figures(
    ...     "Fees were 20 of 80, 20 / 80 = 25%. Therefore, the share is 25%.", "what share of income were fees?")]
    ['25%']
    """
    plain = figure_text(reference)
    if YES_OR_NO.match(plain) or not (asks_figure(question) or _is_count(reference, question)):
        return ()
    statements = read_statements(candidates(plain, "amount " + question), plain, question)
    asked = find_periods(question)
    several = bool(SEVERAL_ASKED.search(question)) or len(asked) > 1
    wanted = [item for item in statements if _is_value(item, plain, question)]
    wanted = [item for item in wanted if item.role != "operand" and (several or item.role != "compared")]
    wanted = [item for item in wanted if item.period is None or in_period(item.period, asked)]
    if SHARE_ASKED.search(question):
        shares = [item for item in wanted if item.number.unit == "%"]
        wanted = shares or wanted
    elif PERCENT_WORD.search(plain) and not several:
        amounts = [item for item in wanted if item.number.unit != "%"]
        wanted = amounts or wanted
    if MONEY_ASKED.search(question):
        money = [item for item in wanted if item.number.currency]
        wanted = money or wanted
    if not several:
        concluding = [item for item in wanted if item.concluding]
        kept = concluding or wanted
        wanted = [item for item in kept if item.sentence == (kept[-1] if concluding else kept[0]).sentence]
        closest = max((len(item.about) for item in wanted), default=0)
        wanted = [item for item in wanted if item.about or closest < CLOSE]
    figures: dict[object, WantedFigure] = {}
    for item in wanted:
        number = item.number
        period = item.period if several and len(wanted) > 1 else None
        key = number.value, number.unit, (period.year, period.quarter) if period else None
        sign = stated_direction(plain, number.start, number.end)
        earlier = item.role == "compared" and period is None
        figures.setdefault(key, WantedFigure(number=number, sign=sign, period=period, any_period=earlier))
    return tuple(figures.values()) if 0 < len(figures) <= MOST_FIGURES else ()


def figures_of(reference: str, question: str) -> tuple[WantedFigure, ...]:
    """Every figure that a reference in prose gives, but operands, years, names and figures of the question.

    Args:
        reference: As given.
        question: Match text of the question.

    >>> [figure.number.text for figure in figures_of("Yes, it rose from 20.3% in 2021 to 21.5%.", "did it rise?")]
    ['20.3%', '21.5%']
    """
    plain = figure_text(reference)
    statements = read_statements(candidates(plain, "amount " + question), plain, question)
    figures: dict[object, WantedFigure] = {}
    for item in statements:
        listed = _ITEM.match(plain, item.number.end) and item.number.plain <= MOST_ITEMS and not item.number.decimals
        if item.role != "operand" and not listed and _is_value(item, plain, question):
            sign = stated_direction(plain, item.number.start, item.number.end)
            figures.setdefault(
                (item.number.value, item.number.unit),
                WantedFigure(number=item.number, sign=sign, period=item.period),
            )
    return tuple(figures.values()) if len(figures) <= MOST_FIGURES else ()


def asks_figure(question: str) -> bool:
    """Whether a question, or one of several in a row, asks for a figure.

    >>> asks_figure("does it pay a dividend?"), asks_figure("is it liquid? what is the quick ratio?")
    (False, True)
    """
    parts = re.split(r"(?<=[?.!])\s", question)
    if OPEN_ENDED.search(question):
        return False
    return any(ASKS_FIGURE.search(part) and not NOT_A_FIGURE.search(part) for part in parts)


def _is_count(reference: str, question: str) -> bool:
    """Whether a reference is a figure with what it counts: "7,000 jobs"."""
    if COUNT.fullmatch(reference.strip()):
        return not NOT_A_FIGURE.search(question)
    plain = figure_text(reference)
    if not _SHORT_FIGURE.fullmatch(plain) or _ASKS_NAME.search(question):
        return False
    numbers = candidates(plain, "amount")
    timed = any(number.unit in _OF_TIME for number in numbers) and _ASKS_TIME.search(question)
    return len(numbers) == 1 and bool(timed or not NOT_A_FIGURE.search(question))


def _is_value(item: Statement, plain: str, question: str) -> bool:
    number = item.number
    if (
        number.ordinal
        or HYPHENATED.match(plain, number.end)
        or "-" in number.text[1:]
        or (number.word and abs(number.plain) <= SMALL and len(plain.split()) > SHORT)
    ):
        return False
    is_year = number.text.isdigit() and len(number.text) == 4 and number.text.startswith(("19", "20"))
    return not is_year and f" {number.text.strip()} " not in f" {question.replace('?', ' ').replace(',', ' ')} "
