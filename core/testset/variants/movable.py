"""Parts of a question that can stand at either end: conditions, times, places, purposes, sources, facts told first."""

from __future__ import annotations

import re
from typing import Final

from core.testset.variants.indirect import asks_twice
from core.testset.variants.spans import capital, lowered
from core.testset.variants.spec import Draft
from core.testset.variants.wrapped import listed

_OPEN: Final = (
    r"(?:what|who|how|which|where|when|why|is|are|can|could|do|does|should|must|may|will|did|was|were|has|have)\b"
)
_SHORT_ASK: Final = (
    r"(?:tell me|state|please state|say|find out|check|can you tell me|could you say|could you tell me|do you know|"
    r"may i ask)"
)
_CONDITION: Final = re.compile(
    rf"^(?P<ask>{_OPEN} [^,;:]{{6,}}?) (?P<part>(?:if|when|once|unless|after|before|while) "
    r"(?:(?:i|you|we|they|it|there|someone|the|a|an|my|your|our|two|no)\b[^?]+|"
    r"[^ ]+ (?:is|are|was|were|has|have)\b[^?]+))"
    r"(?P<end>\??)$",
    re.IGNORECASE,
)
_KNOWING: Final = re.compile(
    r"\b(?:know|say|tell me|remember|recall|forget|check|sure|ask|find out|see|mean|than|told|and|or|"
    r"exactly|not|soon|long|since|from|"
    r"until|by|of|as|for|about|in|into|to|with|on|at|within|during|over|under|through|between|near|across|"
    r"only|just|even|mainly|especially)$",
    re.IGNORECASE,
)
_DAY: Final = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
_TIME: Final = (
    rf"(?:on (?:{_DAY}|weekdays|weekends|public holidays)|at (?:night|weekends|noon)|"
    r"(?:in|during) (?:the )?(?:winter|summer|spring|autumn|fall|morning|afternoon|evening)(?: \d{4}| of \d{4})?|"
    r"(?:last|this|next) (?:year|month|week|quarter|night|summer|winter)|"
    r"at the (?:moment|end of (?:the|a|my|each) \w+)|over time|today|"
    r"on \d{1,2} [A-Z][a-z]+ \d{4}|on [A-Z][a-z]+ \d{1,2},? \d{4}|on \d{4}-\d\d-\d\d)"
)
_TIMED: Final = re.compile(rf"^(?P<ask>{_OPEN} [^,;:]+?) (?P<part>{_TIME})(?P<end>\??)$", re.IGNORECASE)
_PURPOSE: Final = re.compile(
    r"^(?P<ask>(?:what (?:is|are|was|were) the (?:[a-z-]+ ){1,3}|(?:is|are) there (?:an? |any )?(?:[a-z-]+ ){1,2}|"
    r"(?:what|which) (?:[a-z]+ ){1,4}(?:is|are) (?:needed|required|necessary) ))"
    r"(?P<part>for (?!how|what|whom|\w+ing\b)(?!.*\b(?:behind|near|beside|outside|between|at|on)\b)[^,;:]+?)"
    r"(?P<end>\??)$",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    r"^(?P<ask>(?:[Ww]hat|[Ww]ho|[Ww]hich|[Ii]s|[Aa]re|[Dd]oes|[Cc]an|[Hh]ow many) [^,;:]+?) "
    r"(?P<part>(?:in|at|near) (?:the )?(?:[A-Z][\w-]+ ?)+)(?P<end>\??)$"
)
_SOURCE: Final = r"(?:according to|based on|as (?:reported|stated|disclosed|shown) in) [^,;:?]+?"
_SOURCED: Final = re.compile(rf"^(?P<ask>{_OPEN} [^,;:]+?),? (?P<part>{_SOURCE})(?P<end>\??)$", re.IGNORECASE)
_LED: Final = re.compile(
    rf"^(?P<part>(?:{_SOURCE}|(?:In|For|Under|On|At|During|Since|Until) [^,;:?]{{3,60}}?)), "
    rf"(?P<ask>{_OPEN} [^;:,]+?)(?P<end>\??)$",
    re.IGNORECASE,
)
_REQUEST: Final = re.compile(
    r"^(?P<do>(?:can|could|would) you (?:please |kindly )?(?:confirm|tell me|let me know|say|check)) (?P<what>.+)$",
    re.IGNORECASE,
)
_OF: Final = re.compile(
    r"^(?P<ask>(?:[Ww]hat|[Ww]ho) (?:is|are|was|were) the (?!number|amount|share|percentage|total|name|kind|type|sort|"
    r"part|maximum|minimum|rest|most|best|average|level|size|end|beginning|capital|meaning|purpose|role|history|process)"
    r"(?:[a-z-]+ ){0,2}[a-z-]+) of (?P<part>(?:the|my|our|'|[A-Z])[^,;:]+?)(?P<end>\??)$"
)
_STRANDED: Final = re.compile(r"^how many [^,]*[a-z] (?:is|are|was|were)$", re.IGNORECASE)
"""What asks for a place and is nothing without it: "how many spaces are"."""
_NOT_A_THING: Final = re.compile(r" in [^ ]+$| (?:of|for|from|to|by|with|at|on|in|up|out|off)$")
"""How what is asked about does not end: with the unit of the answer ("in kW"), or with a verb ("made of")."""
_TOLD_FIRST: Final = re.compile(r"^(?P<fact>(?:I|My|We) [^.?!]{6,80})\. (?P<ask>[A-Z][^.?!]*\?)$")
_REFERS: Final = re.compile(
    r"\b(?:it|this|that|these|those|they|them|then|there|he|she|still|too|also|one|same)\b", re.IGNORECASE
)
_ASKED_OF: Final = re.compile(
    rf"^(?P<ask>{_SHORT_ASK} (?:what|who|how high|how large|how long) the [a-z][a-z ]*?) of "
    r"(?P<part>(?:the )?(?:[a-z]+ ){1,3}(?:dated |called |named )?'.+') (?P<be>is|are|was|were)(?P<end>[.?]?)$",
    re.IGNORECASE,
)
_HAS: Final = re.compile(
    rf"^(?P<ask>(?:{_SHORT_ASK} )?how many [a-z][a-z ]*?) (?P<does>does )?(?P<part>the (?:[a-z]+ ){{1,3}}'.+') "
    r"(?:has|have)(?P<end>[.?]?)$",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"\b(difference between) (.+?) and ([^,]+?)(\??)$")


def elsewhere(question: str) -> Draft | None:
    """A question with one of its parts at the other end; None where none can surely stand there.

    >>> elsewhere("What should I do if my bin was not emptied?").question
    'If my bin was not emptied, what should I do?'
    """
    if (match := _TOLD_FIRST.match(question)) and not _REFERS.search(match["ask"]):
        return _behind(f"{match['ask']} {match['fact']}.", match["fact"])
    match = _CONDITION.match(question)
    if (
        match
        and not _KNOWING.search(re.sub(r" in$", "", match["ask"]))
        and not _REFERS.search(match["part"].split(" ", 2)[1])
        and not asks_twice(match["ask"])
    ):
        return _first(match["part"], match["ask"], match["end"])
    for pattern in (_TIMED, _SOURCED, _PURPOSE, _PLACE):
        if (
            (match := pattern.match(question))
            and not _KNOWING.search(match["ask"].strip())
            and not _STRANDED.search(match["ask"].strip())
            and not asks_twice(match["ask"])
        ):
            return _first(match["part"].strip(), match["ask"].strip(), match["end"])
    if match := _LED.match(question):
        part = match["part"]
        if request := _REQUEST.match(match["ask"]):
            inside = f"{capital(request['do'])}, {part[:1].lower()}{part[1:]}, {request['what']}{match['end']}"
            return _behind(inside, part)
        return _behind(f"{capital(match['ask'])} {part[:1].lower()}{part[1:]}{match['end']}", part)
    if (match := _OF.match(question)) and not _NOT_A_THING.search(match["part"]):
        return _first(f"regarding {match['part']}", match["ask"], match["end"])
    if match := _ASKED_OF.match(question):
        return _first(f"for {match['part']}", f"{match['ask']} {match['be']}", match["end"])
    if match := _HAS.match(question):
        there = "are there" if match["does"] else "there are"
        return _first(f"for {match['part']}", f"{match['ask']} {there}", match["end"])
    if parts := listed(question):
        return _behind(capital(f"{parts[1]} of {parts[0]}"), parts[0])
    match = _BETWEEN.search(question)
    if match and len(match[2].split()) == len(match[3].split()):
        return _behind(f"{question[: match.start()]}{match[1]} {match[3]} and {match[2]}{match[4]}", match[2])
    return None


def _first(part: str, ask: str, end: str) -> Draft:
    """The part before what is asked; written small where the question is."""
    small = ask.islower() and not end
    text = f"{part}, {lowered(ask)}{end}"
    return Draft(question=text if small else capital(text), change=f"'{part}' moved to front")


def _behind(question: str, part: str) -> Draft:
    return Draft(question=question, change=f"'{part}' moved behind")
