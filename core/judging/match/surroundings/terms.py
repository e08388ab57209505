"""The years that stand in brackets behind a name, which say for what time it was the one: "Ann Lee (from 2022)"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.judging.match.surroundings.objections import Objection, undecided
from core.judging.match.values import Hit

_YEAR = re.compile(r"(?<![\d.,-])(?:1[89]|20)\d\d(?![\d,]|\.\d)")
_ANY_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_TERM = re.compile(
    r"[\"')]* ?[(\[](?:(?P<since>(?:from|since|starting|as of|after)(?: \d{1,2})?(?: [a-z]+)? )"
    r"|(?P<until>(?:until|till|up to|to|before)(?: \d{1,2})?(?: [a-z]+)? ))?(?P<one>(?:1[89]|20)\d\d)"
    r"(?: ?(?:-|to|until|through) ?(?P<two>(?:1[89]|20)\d\d|\d\d|present|today|now)?)?[)\]]"
)
_BEGUN = re.compile(
    r"\b(?:join|open|found|start|beg[aiu]n|born|buil[dt]|complet|launch|hire|register|publish|releas|establish|appoint"
    r"|creat|acquir|admit|licens|certif|sign|elect|enroll?|graduat|install)\w*\b"
)
_BESIDE = re.compile(r"[\"')]* ?[(\[](?P<said>[^()\[\]]{0,80})")
_BEGAN = re.compile(r"^(?:[^,;]*, )?(?:(?P<how>since|in|from|[a-z]{4,}) )?(?P<year>(?:1[89]|20)\d\d)\b")
SAME = 4
"""First letters that words of one family share."""


def of_another_year(hit: Hit, text: str, question: str) -> Objection | None:
    """Why a name was not the one in the year that a question asks for, or None.

    A bare year or two may be those of a life or a book: it is left to a judge where another name has one that fits.

    Args:
        hit: Where the name stands.
        text: Match text of the answer.
        question: Match text of the question.

    >>> hit = Hit(rule="text", start=0, end=7, reason="")
    >>> of_another_year(hit, "ann lee (from 2022)", "who led it in 2021?").rule
    'other period'
    >>> of_another_year(hit, "ann lee (2019-2023)", "who led it in 2021?") is None
    True
    >>> of_another_year(hit, "ann lee (1856-1920)", "who is the 2021 prize named after?") is None
    True
    """
    years = {int(year) for year in _YEAR.findall(question)}
    term = _TERM.match(text, hit.end) if len(years) == 1 else None
    if term is None or _holds(term, asked := years.pop()):
        return None
    shown = text[hit.start : term.end()].strip()
    if term["since"] or term["until"]:
        return Objection(rule="other period", reason=f'The answer says "{shown}", and {asked} is asked for.')
    others = (other for other in _TERM.finditer(text) if other.start() != term.start())
    if any(_holds(other, asked) for other in others):
        return undecided(f'The answer says "{shown}", and {asked} of another one.')
    return None


def _holds(term: re.Match[str], asked: int) -> bool:
    """Whether a term has a year."""
    one, two = int(term["one"]), term["two"] or ""
    since, until = term["since"] or "", term["until"] or ""
    if until:
        return asked <= one - until.startswith("before")
    if two.isdigit():
        return one <= asked <= (int(two) if len(two) > 2 else one - one % 100 + int(two))
    goes_on = bool(since or two) or term[0].rstrip(")] ").endswith(("-", "to", "until", "through"))
    return one + since.startswith("after") <= asked and (goes_on or asked == one)


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
    dated: dict[str, set[str]] = {}
    for entry, end in ends:
        beside = _BESIDE.match(text, end)
        began = _BEGAN.match(beside["said"]) if beside else None
        how = (began["how"] or "since") if began else ""
        if beside and began and (how in {"since", "in", "from"} or how[:SAME] in question):
            dated[entry] = set(_ANY_YEAR.findall(beside["said"]))
    if not any(years & told for told in dated.values()):
        return ""
    return next((entry for entry, told in dated.items() if not years & told), "")
