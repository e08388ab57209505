"""The years that stand in brackets behind a name, which say for what time it was the one: "Ann Lee (from 2022)"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.judging.match.surroundings.objections import Objection
from core.judging.match.values import Hit

_YEAR = re.compile(r"(?<![\d.,-])(?:1[89]|20)\d\d(?![\d,]|\.\d)")
_TERM = re.compile(
    r"[\"')]* ?[(\[](?:(?P<since>(?:from|since|starting|as of|after)(?: [a-z]+)? )"
    r"|(?P<until>(?:until|till|up to|to|before)(?: [a-z]+)? ))?(?P<one>(?:1[89]|20)\d\d)"
    r"(?: ?(?:-|to|until|through) ?(?P<two>(?:1[89]|20)\d\d|\d\d|present|today|now)?)?[)\]]"
)


def of_another_year(hit: Hit, text: str, question: str) -> Objection | None:
    """Why a name was not the one in the year that a question asks for, or None.

    Args:
        hit: Where the name stands.
        text: Match text of the answer.
        question: Match text of the question.

    >>> hit = Hit(rule="text", start=0, end=7, reason="")
    >>> of_another_year(hit, "ann lee (from 2022)", "who led it in 2021?").rule
    'other period'
    >>> of_another_year(hit, "ann lee (2019-2023)", "who led it in 2021?") is None
    True
    """
    years = {int(year) for year in _YEAR.findall(question)}
    term = _TERM.match(text, hit.end) if len(years) == 1 else None
    if term is None:
        return None
    asked, one, two = years.pop(), int(term["one"]), term["two"] or ""
    goes_on = bool(term["since"]) or (not two and term[0].rstrip(")] ").endswith(("-", "to", "until", "through")))
    if two.isdigit():
        last = int(two) if len(two) > 2 else one - one % 100 + int(two)
    else:
        last = asked if two or (goes_on and not term["until"]) else one
    first = min(asked, one) if term["until"] else one
    if first <= asked <= max(last, first):
        return None
    shown = text[hit.start : term.end()].strip()
    return Objection(rule="other period", reason=f'The answer says "{shown}", and {asked} is asked for.')


_BEGUN = re.compile(
    r"\b(?:join|open|found|start|beg[aiu]n|born|buil[dt]|complet|launch|hire|register|publish|releas|establish|appoint"
    r"|creat|acquir|admit|licens|certif|sign|elect|enroll?|graduat|install)\w*\b"
)
_DATED = re.compile(r"[\"')]* ?[(\[](?:[a-z]+ ){0,3}(?P<year>(?:1[89]|20)\d\d)\b")


def dated_otherwise(ends: Sequence[tuple[str, int]], text: str, question: str) -> str:
    """What of a list an answer dates to another year than the one in which something began; or empty.

    "Asante (since 2019), Byrne (since 2018)" names one of those who joined in 2019.

    Args:
        ends: Each entry with where it ends in the answer.
        text: Match text of the answer.
        question: Match text of the question.

    >>> answer = "asante (since 2019), byrne (since 2018)"
    >>> dated_otherwise([("asante", 6), ("byrne", 26)], answer, "which presenters joined in 2019?")
    'byrne'
    """
    years = set(_YEAR.findall(question))
    if len(years) != 1 or not _BEGUN.search(question):
        return ""
    dated = {entry: found["year"] for entry, end in ends if (found := _DATED.match(text, end))}
    if not years & set(dated.values()):
        return ""
    return next((entry for entry, year in dated.items() if year not in years), "")
