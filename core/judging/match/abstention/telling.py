"""Answers that tell a figure at once or by their source, which declines nothing whatever they sound like."""

from __future__ import annotations

import re

from core.text.words import stem

_BY_SOURCE = re.compile(
    r"^\W*(?:according to|based on|as (?:stated|given|described) in|per the|from what i (?:can|could)"
    r" (?:find|see|tell|read)|as far as i can (?:see|tell))\b"
)
_FIGURE = re.compile(r"(?<![\w.])\d[\d.,:]*(?<![.,:])")
_NUMBER_WORD = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety)\b"
)
_FIGURE_ASKED = re.compile(
    r"\bhow (?:many|much|long|often|far|old|high|large|big|late|early)\b|\bwhen\b"
    r"|\bwhat (?:is|are|was) the (?:[\w-]+ ){0,3}?(?:deadline|date|time|fee|price|cost|rate|limit|number"
    r"|amount|period|age|penalty|maximum|minimum|temperature|ph|weight|length|size|duration|port)\b"
    r"|\bwhat (?:[\w-]+ )?(?:ph|port|time|date)\b"
)
_LACKS = re.compile(
    r"\b(?:no|not|none|nothing|neither|never|cannot|without|only|unable|missing|lacks?|unavailable|sorry|unfortunately"
    r"|however|but|contact|ask|check|please|silent|empty|blank|omits?|skips?|beyond|outside|unclear|unknown|though|although"
    r"|(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should)nt)\b"
)
"""Words without which an answer lacks nothing."""
_COUNT_ASKED = re.compile(r"\bhow many (?P<what>[a-z]{3,})")
_COUNTED = re.compile(
    rf"(?<![\w.,-])(?P<figure>\d[\d.,]*|{_NUMBER_WORD.pattern}) (?:[\w'-]+ ){{0,2}}?(?P<what>[a-z]{{3,}})"
)
_YEAR_ASKED, _YEAR = re.compile(r"\b(?:which|what) year\b"), re.compile(r"(?<![\w.,])(?:1[5-9]|20)\d\d(?![\w.,]\d)")
_ADDRESS_ASKED, _ADDRESS = re.compile(r"\be-?mail\b"), re.compile(r"\S@\S")
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|can|may|must|will|would|do|does|did)\b")
_HITS_TOLD = re.compile(r"\b(?:results?|match(?:es|ed)?|hits?|found|error|http|status)\b")
_SENTENCE = re.compile(r"[.!;](?=\s|$)|\n")
MOST_LEAD = 5
"""Words of a beginning that is a value and no statement about sources."""


def tells_from_its_source(question: str, answer: str) -> bool:
    """Whether an answer tells a figure by what it read and lacks nothing: "From what I can find, 9.4 m."."""
    told = set(_FIGURE.findall(answer)) - set(_FIGURE.findall(question))
    return bool(told) and _BY_SOURCE.match(answer) is not None and not _LACKS.search(answer)


def leads_with_a_figure(question: str, answer: str) -> bool:
    """Whether an answer to a question for a figure or a time begins with one: "14 February. Note that ..."."""
    lead = _SENTENCE.split(answer, maxsplit=1)[0]
    if (
        len(lead.split()) > MOST_LEAD
        or _VERB.search(lead)
        or not _FIGURE_ASKED.search(question)
        or _HITS_TOLD.search(lead)
    ):
        return False
    told = _FIGURE.findall(lead) or _NUMBER_WORD.findall(lead)
    return bool(told) and not set(told) <= set(_FIGURE.findall(question)) and not _LACKS.search(lead)


def tells_what_is_asked(question: str, answer: str) -> bool:
    """Whether an answer lacks nothing and has the count, the year or the address that a question asks for.

    >>> tells_what_is_asked("how many premiums are overdue?", "as of the latest list, 23 premiums are overdue.")
    True
    """
    if _ADDRESS_ASKED.search(question) and _ADDRESS.search(answer):
        return True
    if _LACKS.search(answer):
        return False
    if _YEAR_ASKED.search(question) and set(_YEAR.findall(answer)) - set(_YEAR.findall(question)):
        return True
    asked, figures = _COUNT_ASKED.search(question), set(_FIGURE.findall(question))
    counted = (told["what"] for told in _COUNTED.finditer(answer) if told["figure"] not in figures)
    return asked is not None and stem(asked["what"]) in map(stem, counted)
