"""The match judge: verdicts by rules a person can check, and the readers of numbers, dates and text behind them."""

from core.judging.match.judge import VERSION, judge_match
from core.judging.match.readers.figures.numbers import Number, find_numbers, parse_number
from core.judging.match.readers.texts.normalise import normalise_text
from core.judging.match.readers.times.dates import DateSpan, Reading, find_dates, parse_date
from core.judging.match.reference import contains
from core.judging.match.values import Match

__all__ = [
    "VERSION",
    "DateSpan",
    "Match",
    "Number",
    "Reading",
    "contains",
    "find_dates",
    "find_numbers",
    "judge_match",
    "normalise_text",
    "parse_date",
    "parse_number",
]
