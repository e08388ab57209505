"""Zero in words: an answer that says that there is none of what a question asks for."""

from __future__ import annotations

import re

from core.judging.match.abstention import find_gap
from core.judging.match.figures.words import question_words
from core.judging.match.values import Hit
from core.text.words import stem

NONE = re.compile(
    r"\b(?:nothing (?:is|was|are|has been|remains|left|more)|no|did not \w+ any|not \w+ any|without any"
    r"|(?:not|never|[a-z]{2,}nt)(?: \w+){1,2} (?:a single|one single|even (?:one|a single)|so much as (?:an?|one))"
    r"|none of (?:our|the|its|their|these|those|your|my|his|her|[a-z]{3,}s)"
    r"|(?:nobody|no one)(?! (?:but|except|other|else than|apart|besides)\b)"
    r" (?:is|was|are|were|has been|have been)(?! (?:absent|without|under|against|asking|saying))"
    r"(?: (?:yet|currently"
    r"|still|on|in|at|for|with|under|the|an?))*)"
    r" (?:(?:19|20)\d\d )?(?P<what>[a-z]+(?: [a-z]+){0,3})"
)
_JUST_NONE = re.compile(
    r"\W*(?P<said>(?:(?:there (?:is|are|was|were|have been) |it has |they have )?(?:none|nil|nobody|no one)"
    r"(?: of them)?"
    r"|there (?:is|are|was|were)(?:nt| not) any)(?: at all| whatsoever| so far)?)\W*"
)
_NOT_ONE = re.compile(r"\b(?P<said>there (?:is|are|was|were|has been|have been)(?:nt| not) (?:a single|even) one)\b")
_OWES_NOTHING = re.compile(
    r"\b(?P<said>nothing (?:to pay|(?:is |was )?(?:owed|owing|due|outstanding|payable))|owe[sd]? nothing"
    r"|(?:does|do|did)nt owe anything|(?:paid|settled) (?:off )?in full|fully (?:paid|settled)"
    r"|(?:no|without(?: any)?) (?:outstanding|open|unpaid)"
    r" (?:balance|debt|amount|fines?|fees?|charges?|invoices?))\b"
)
_OWED = re.compile(
    r"\b(?:ow(?:e[sd]?|ing)|due|outstanding|unpaid|balance|debt|fines?|fees?|payable|arrears|charges?)\b"
)
_SOLD_OUT = re.compile(r"\b(?P<said>out of stock|sold out|none left|nothing left)\b")
_STOCK = re.compile(r"\b(?:in stock|stocks?|inventory|left|availability)\b")
_AT_GROUND = re.compile(r"\b(?P<said>ground (?:floor|level))\b")
_FLOOR = re.compile(r"\b(?:floors?|store?ys?|levels?)\b")
_NOT_YET = re.compile(
    r"\b(?:not|no longer|never|if|when|until|before|once|after|unless|must|be|should|will|rarely|hardly|seldom|ever"
    r"|was|were|nt) (?:[a-z]+ )?$"
)
_NONE_DONE = re.compile(
    r"\b(?P<said>none (?:was|were|is|are|has been|have been) (?P<done>[a-z]{3,}))\b(?=\s*(?:[.;\n]|$))"
)
_NOT_AT_ALL = re.compile(
    r"\b(?P<said>(?:was|were|has|have|had|is|are|did)(?: not|nt) (?:been )?(?P<done>[a-z]{3,})[^.;\n]{0,20}? at all"
    r"|(?:was|were|has been|have been) never (?P<never>[a-z]{3,}))\b"
)
_TIMES = re.compile(r"\bhow (?:many times|often)\b")
_FIGURE = re.compile(r"\d+")
_HOW_MANY = re.compile(r"\b(?:how many|number of|count)\b")
FAMILY = 5
"""First letters that words of one family share."""
MAX_GAP = 200
"""Characters after "no" in which a gap in the documents is looked for: "no information on goodwill"."""


ZERO_IN_WORDS = 'number: 0 = "'
"""How the reason of a hit begins that is told in words."""


def none_of_it(text: str, question: str) -> list[Hit]:
    """Where an answer says in words that there is none of what a question asks for: "no goodwill was impaired"."""
    if (none := _JUST_NONE.fullmatch(text) or _NOT_ONE.search(text)) and _HOW_MANY.search(question):
        reason = f'{ZERO_IN_WORDS}{none["said"]}"'
        return [Hit(rule="number", start=none.start("said"), end=none.end("said"), reason=reason)]
    # Beside a figure of its own, what is none may be of something else.
    alone = set(_FIGURE.findall(text)) <= set(_FIGURE.findall(question))
    done = _NONE_DONE.search(text) if alone else None
    if done and _HOW_MANY.search(question) and (stem(done["done"]) in question_words(question)):
        return [Hit(rule="number", start=done.start(), end=done.end(), reason=f'{ZERO_IN_WORDS}{done["said"]}"')]
    never = _NOT_AT_ALL.search(text) if alone and _TIMES.search(question) else None
    if never and stem(never["done"] or never["never"]) in question_words(question):
        return [Hit(rule="number", start=never.start(), end=never.end(), reason=f'{ZERO_IN_WORDS}{never["said"]}"')]
    for said, asked in ((_OWES_NOTHING, _OWED), (_SOLD_OUT, _STOCK), (_AT_GROUND, _FLOOR)):
        none = said.search(text) if alone and asked.search(question) else None
        if none and not _NOT_YET.search(text[: none.start()]):
            return [Hit(rule="number", start=none.start(), end=none.end(), reason=f'{ZERO_IN_WORDS}{none["said"]}"')]
    wanted = question_words(question)
    for match in NONE.finditer(text):
        gap = find_gap(text[match.start() : match.start() + MAX_GAP])
        declines = gap is not None and gap.start() == 0
        told = match["what"].split()
        if not declines and any(stem(word) in wanted or _akin(word, question) for word in told):
            reason = f'{ZERO_IN_WORDS}{match[0]}"'
            return [Hit(rule="number", start=match.start(), end=match.end(), reason=reason)]
    return []


def _akin(word: str, question: str) -> bool:
    """Whether a question has a word of the family of another one: absent, absences."""
    return len(word) > FAMILY and re.search(rf"\b{re.escape(word[:FAMILY])}", question) is not None
