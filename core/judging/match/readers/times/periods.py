"""Years and quarters beside a figure: which period a figure is given for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.judging.match.readers.times.dates import MONTHS

_YEAR = r"(?:19|20)\d\d"
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_MONTH = "|".join(sorted(MONTHS, key=lambda name: (-len(name), name)))
PERIOD = re.compile(
    rf"(?<![\w.,$€£])(?<!\D-)(?:(?:q(?P<q>[1-4])|(?P<q2>[1-4])q|(?P<qname>first|second|third|fourth|[1-4](?:st|nd|rd|"
    rf"th))[ -](?:fiscal )?quarter)"
    rf"(?:,? (?:of |in )?(?:the )?)?(?:(?:fiscal|calendar|financial)(?: year)?|fy|year)? ?(?P<qyear>{_YEAR})?"
    rf"|(?P<date>(?:(?:{_MONTH})\.?,? (?:\d{{1,2}},? ?)?|\d{{1,2}}(?:st|nd|rd|th)? (?:{_MONTH})\.?,? "
    rf")(?P<dyear>{_YEAR})|{_YEAR}-\d\d(?:-\d\d)?)"
    rf"|(?:fy|cy|fye)? ?(?P<year>{_YEAR})(?:/\d\d(?!\d))?(?: ?q(?P<q3>[1-4]))?)(?![\d%]|[.,]\d| ?(?:million|"
    rf"billion|thousand|shares|units)\b)"
)


DOCUMENT = re.compile(
    r" (?:annual report|form\b|[\d#]{1,2}-[kqf]\b|report\b|filing|proxy|earnings (?:release|call)|press release)"
)
"""Behind a year that names a document: the 2022 annual report."""


_DATED = re.compile(r"\b(?:dated|(?:released|published|issued|filed|printed|updated) on)(?: the)? ?$")
"""Before the date of a document, which is no period of what it tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A year or a quarter in a text.

    Attributes:
        year: Four digits, or None for a quarter without its year.
        quarter: 1 to 4, or None.
        dated: Whether it is a date with a month: the day on which a fiscal year ends may lie in the next year.
        start: Offset in the text.
        end: Offset behind it.
    """

    year: int | None
    quarter: int | None = None
    dated: bool = False
    start: int = 0
    end: int = 0


def find_periods(text: str) -> tuple[Period, ...]:
    """The years and quarters of a text, in order.

    Args:
        text: Normalised (:func:`core.judging.match.readers.texts.normalise.match_text`).

    >>> [(period.year, period.quarter) for period in find_periods("q2 2023, fy2022, the third quarter of fiscal 2021")]
    [(2023, 2), (2022, None), (2021, 3)]
    """
    periods = []
    for match in PERIOD.finditer(text):
        if DOCUMENT.match(text, match.end()) or _DATED.search(text[max(0, match.start() - 20) : match.start()]):
            continue
        quarter = match["q"] or match["q2"] or match["q3"]
        number = int(quarter) if quarter else _ORDINALS.get(match["qname"] or "")
        year = match["qyear"] or match["dyear"] or match["year"] or (match["date"] or "")[:4]
        periods.append(
            Period(
                year=int(year) if year else None,
                quarter=number,
                dated=match["date"] is not None,
                start=match.start(),
                end=match.end(),
            )
        )
    return tuple(periods)


def agree(asked: Period, stated: Period, *, exact: bool) -> bool:
    """Whether a stated period may be the one asked for; what one of the two leaves out does not count.

    Args:
        asked: Of the question.
        stated: Beside the figure.
        exact: Whether the year that a date falls in must be the year asked for; else a fiscal year may end in the
            year before or after.
    """
    if asked.quarter and stated.quarter and asked.quarter != stated.quarter:
        return False
    if asked.year is None or stated.year is None:
        return True
    reach = 0 if exact or asked.dated == stated.dated else 1
    return abs(asked.year - stated.year) <= reach


def in_period(period: Period, asked: Sequence[Period]) -> bool:
    """Whether a stated period is one of those asked for, or lies between the first and the last of them."""
    years = [item.year for item in asked if item.year]
    if not asked:
        return True
    exact = any(item.dated for item in asked)
    if any(agree(item, period, exact=exact and period.dated) for item in asked):
        return True
    return len(years) > 1 and period.year is not None and min(years) <= period.year <= max(years)
