"""Whether a value is of the sort that the noun of its property asks for: a price is an amount, a length a measure.

What a head or a field calls a property is asked for only where its noun is one that people ask for, and its value is
what they would expect to hear. Everything else ("the green of Gini", "the note of part C6", "the washing soda: 5 kg")
is left out, however it came to stand in a table.
"""

from __future__ import annotations

import re

from core.testset.corpus.reading.labels import head_noun, is_plural, singular
from core.testset.corpus.reading.vocabulary.common_words import DOES, PERSON
from core.testset.corpus.reading.vocabulary.periods import read_period
from core.testset.corpus.reading.vocabulary.property_nouns import (
    COUNTED,
    NOUNS,
    OPEN,
    PLURALS,
    SAYING_ALONE,
    VAGUE,
    Sort,
)

_DONE = re.compile(r"(?:\w+(?:ed|ilt|orn)|sold|sent|made|held|laid|bought)(?: on| in)?$")
"""What was done with a thing on a day: "last serviced"."""
_EVENTS = re.compile(
    r"\b(?:\w+(?:tion|sion|ment|ance|val|als?|ing|ture|ery|ise|ate|sure)|service|review|visit|check|test|audit|survey|"
    r"exam|trial|purchase|sale|overhaul|repair|order|report|birth|death|expiry|change|issue|start|end|launch|release|"
    r"event|match|race|flight|vote|count|sample|signature|contract|work|treatment|dose|drill|version|decision|repaint)s?$",
    re.IGNORECASE,
)
"""What takes place on a day."""
_CLOCK = re.compile(
    r"(?:from )?\d{1,2}[:.]\d\d(?: ?[ap]m)?(?: ?(?:-|–|to|until) ?\d{1,2}[:.]\d\d(?: ?[ap]m)?)?|\d{1,2} ?[ap]m"
)
_SPANS = r"(?:second|minute|min|hour|h|hr|day|night|week|month|year|yr|working day|calendar day|business day|term)s?"
_DURATION = re.compile(
    rf"(?:about |up to |at least |every )?(?:\d[\d.,/–-]*|[a-z]+) (?:to \d+ )?{_SPANS}", re.IGNORECASE
)
_LENGTH_OF_TIME = re.compile(rf"in {_SPANS}")
_MONEY = re.compile(r"[$€£]|\b(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|euros?|dollars?|pounds?|pence|cents?|francs)\b")
_PENCE = re.compile(r"\d[\d.,]* ?p")
_SHARE = re.compile(r"\d ?(?:%|per ?cent\b|percent\b)")
YEAR = re.compile(r"(?:1[6-9]\d\d|20[0-4]\d)")
"""A year in which something was done that people keep lists of."""
_NUMBER = re.compile(r"[-+−]?\d[\d.,]*")
_MEASURE = re.compile(
    r"[-+−≤≥<>]{0,2} ?\d[\d.,]*(?: ?[x×–-] ?\d[\d.,]*)* ?"
    r"(?:°? ?(?:[a-zµ][A-Za-z]{0,2}|[VWAJNKLC]|[MG][BWHP][a-z]?|V[Aa]|Hz|Nm|Pa)[²³]?(?:/[a-z][a-z²³]{0,3}|/100 km)?|"
    r"inch(?:es)?|feet|miles|metres|litres|tonnes|tons|knots|people|persons)(?: (?:per|a|of|at|in) [a-z ]+)?"
)
_DIGITS = re.compile(r"\+?[\d ()/-]*\d(?: ?ext\.? ?\d+)?")
_NAME = re.compile(
    r"(?:(?:Mr|Ms|Mrs|Dr|Prof)\.? )?[A-Z][\w.'’-]*(?: (?:[A-Z][\w.'’-]*|de|van|von|der|da|al))+(?:, .*)?"
)
_CODE = re.compile(r"(?=\S*\d)(?=\S*[A-Z])[A-Z\d][\w/.-]*")
_REMARK = re.compile(r"\([^)]*\s[^)]*\s[^)]*\)|\([a-z]+ [^)]*\)| / |\.(?=\w|\s|$)|[&+]")
"""In a head: a remark in brackets, two properties in one, a path of names, or a short form."""


UNTOLD = frozenset({"year", "years", "date", "day", "time", "amount", "figure", "value", "total", "number", "charge"})
"""Heads that do not say of what: the year in which a bell was cast, or hung, or tuned."""


def fits(attribute: str, value: str, kind: str, unit: str = "") -> bool:
    """Whether a person would ask for such a property, and hear such a value.

    Args:
        attribute: The property as a noun: "annual fee", "date of the next service".
        value: As the table or the field gives it.
        kind: How the match judge reads the value.
        unit: Of a bare figure, such as "in millions of dollars"; empty where the value has its own.

    >>> fits("annual fee", "€45", "number"), fits("green", "≥ 0.55", "text"), fits("note", "KEL only", "text")
    (True, False, False)
    >>> fits("usual time", "45", "number", "in minutes"), fits("cut-off time", "15:30", "date")
    (False, True)
    >>> fits("excess mileage", "11.4p", "number"), fits("year", "1923", "date")
    (False, False)
    """
    sort = sort_of(value, kind, unit)
    noun = singular(head_noun(attribute))
    if not noun or _REMARK.search(attribute) or read_period(attribute)[0] is not None:
        return False
    if attribute.casefold() in UNTOLD:
        return False
    if sort is Sort.NUMBER and value.isdigit() and not unit and is_counted(attribute):
        return True
    if sort in (Sort.DATE, Sort.NUMBER) and kind == "date" and _DONE.search(attribute):
        return not value.isdigit() or YEAR.fullmatch(value) is not None
    if sort is Sort.PERSON or PERSON.fullmatch(attribute):
        person = bool(PERSON.fullmatch(attribute) or DOES.search(noun)) and not is_plural(attribute)
        if re.search(r"\d", value):
            return False  # a name with its telephone number
        if person and re.search(r"[(:–]| - |\bvacant\b", value):
            return False  # "vacant - acting: Lorna Birch"
        called = value[:1].isupper() or DOES.search(value)
        office = sort is Sort.TEXT and called and (" " in value or DOES.search(value.casefold()))
        return (person and (sort is Sort.PERSON or bool(office))) or (
            sort is Sort.PERSON and _of(Sort.TEXT, attribute, noun)
        )
    return _of(sort, attribute, noun)


def is_counted(attribute: str) -> bool:
    """Whether a head names things that a row has a number of: "field engineers", "seats"."""
    return bool(COUNTED.fullmatch(attribute)) and "(" not in attribute


def _of(sort: Sort, attribute: str, noun: str) -> bool:
    """Whether a noun is one for values of a sort, and says of what."""
    if is_plural(attribute) and head_noun(attribute) not in PLURALS:
        return False
    return noun in NOUNS[sort] and (noun not in OPEN or _is_told(attribute, noun, sort))


def _is_told(attribute: str, noun: str, sort: Sort) -> bool:
    """Whether the words around a noun that says little say of what it is: "cut-off time", "number of stops"."""
    words = attribute.casefold().split()
    at = next((place for place, word in enumerate(words) if singular(word.strip(",")) == noun), 0)
    if noun == "date":
        of = attribute.removeprefix("date of ").removeprefix("the ")
        return of == attribute or bool(_EVENTS.search(of))
    before = [word for word in words[:at] if word not in VAGUE]
    if noun == "rate" and sort is Sort.MONEY:
        return True
    if noun == "limit" and sort is Sort.SHARE:
        return bool(before)
    alone = noun in SAYING_ALONE and (sort is not Sort.NUMBER or noun in ("class", "floor", "level", "code", "size"))
    return bool(before) or words[at + 1 : at + 2] in (["of"], ["per"], ["between"]) or alone


def sort_of(value: str, kind: str, unit: str = "") -> Sort:
    """What a value is.

    >>> sort_of("£45 a year", "number").value, sort_of("19:30", "date").value, sort_of("3 months", "text").value
    ('money', 'clock', 'duration')
    """
    if _CLOCK.fullmatch(value) and (":" in value or kind == "date" or value.endswith("m")):
        return Sort.CLOCK
    if _MONEY.search(unit) or _MONEY.search(value) or _PENCE.fullmatch(value):
        return Sort.MONEY
    if "percent" in unit or _SHARE.search(value):
        return Sort.SHARE
    if _LENGTH_OF_TIME.fullmatch(unit) or _DURATION.fullmatch(value):
        return Sort.DURATION
    if kind == "date" and not value.isdigit():
        return Sort.DATE
    if _NUMBER.fullmatch(value):
        return Sort.MEASURE if unit else Sort.NUMBER
    if (unit and value[:1].isdigit()) or _MEASURE.fullmatch(value):
        return Sort.MEASURE
    if _CODE.fullmatch(value) or _DIGITS.fullmatch(value):
        return Sort.CODE
    return Sort.PERSON if _NAME.fullmatch(value) else Sort.TEXT
