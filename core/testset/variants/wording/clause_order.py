"""Order of clauses: what a question is about, or its time, before instead of behind what it asks."""

from __future__ import annotations

import random
import re
from typing import Final

from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected
from core.testset.variants.movable import elsewhere
from core.testset.variants.registry import variant
from core.testset.variants.spans import capital, lowered
from core.testset.variants.spec import Draft, Family, Ground, Skip, VariantSpec

_MONTH: Final = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_SAID: Final = "reported|detailed|stated|disclosed|shown"
_WHEN: Final = "in|during|for|as of|over|across|at the end of"
_PERIOD: Final = (
    rf"(?:Q[1-4] (?:of )?\d{{4}}|\d{{4}}|{_MONTH}(?: \d{{1,2}},?)?(?: \d{{4}})?|the (?:latest|most recent|last) (?:"
    r"10-Q|quarter|report|filing|year)|the (?:first|second|third|fourth) quarter(?: of \d{4})?|(?:the|these|both|all) "
    r"(?:reported |recent |presented )?(?:quarters|periods|years|reports|filings))"
)
_TIME_LAST: Final = re.compile(rf"^(?P<ask>.+?),? (?P<time>(?:as (?:{_SAID}) )?(?:{_WHEN}) {_PERIOD})(?P<end>\??)$")
_TIME_FIRST: Final = re.compile(rf"^(?P<time>(?:In|During|For|As of|Over|Across) {_PERIOD}), (?P<ask>.+?)(?P<end>\??)$")
_ABOUT: Final = re.compile(
    r"^(?P<ask>(?:What|Who|How high|How large|How long) (?:is|are|was|were) the [^',:]+?) (?P<of>of|for) "
    r"(?P<about>(?:the |an? )?(?:[a-z]+ ){1,3}(?:dated |called |named )?'.+')(?P<end>\??)$"
)
_MANY: Final = re.compile(
    r"^(?P<ask>How many [^',]+? are there) (?P<of>in|for|of) (?P<about>(?:the )?(?:[a-z]+ ){1,3}'.+')(?P<end>\??)$"
)
_LOOK_UP: Final = re.compile(
    r"^(?:(?:Look up|Get|Find) )?+(?P<ask>(?:number of )?(?!number of )[^',:]+?) (?P<of>of|for) "
    r"(?P<about>(?:[a-z]+ ){1,3}(?:dated )?'.+')(?P<end>\??)$",
    re.IGNORECASE,
)
_IF: Final = re.compile(
    r"^(?P<cond>(?:If|When|Once|After) [^,]+), (?P<ask>(?:what|who|how|which|where)\b.+?)(?P<end>\??)$"
)


@variant(
    VariantSpec(
        name="clause_order",
        title="Order of clauses",
        question="Does the answer stay right when the parts of the question change places?",
        expected=Expected.SAME_ANSWER,
        family=Family.INPUT,
        keeps_meaning=True,
        source="HCAT 6.1, input variations.",
        version=4,
    )
)
def reorder(case: TestCase, draw: random.Random, ground: Ground) -> Draft | Skip:
    """Moves the time, the condition, or what is asked about, to the other end."""
    question = case.question.strip()
    if match := _TIME_FIRST.match(question):
        time = match["time"]
        return Draft(
            question=f"{capital(match['ask'])} {time[:1].lower()}{time[1:]}{match['end']}",
            change=f"'{time}' moved behind",
        )
    if match := _TIME_LAST.match(question):
        time = capital(match["time"])
        if " and " not in match["ask"] and match["ask"].count(",") == 0:
            return Draft(
                question=f"{time}, {lowered(match['ask'])}{match['end']}", change=f"'{match['time']}' moved to front"
            )
    if match := _IF.match(question):
        cond = match["cond"]
        return Draft(
            question=f"{capital(match['ask'])} {cond[:1].lower()}{cond[1:]}{match['end']}",
            change=f"'{cond}' moved behind",
        )
    for pattern in (_ABOUT, _MANY):
        if match := pattern.match(question):
            return Draft(
                question=f"For {match['about']}, {lowered(match['ask'])}{match['end']}",
                change=f"'{match['of']} {match['about']}' moved to front",
            )
    if (match := _LOOK_UP.match(question)) and not re.match(r"(?:Who|What|How|Which|When|Where|Why)\b", question):
        ask = match["ask"][:1].lower() + match["ask"][1:]
        return Draft(
            question=f"{capital(match['about'])}: {ask}{match['end']}", change=f"'{match['about']}' moved to front"
        )
    return elsewhere(question) or Skip("no time, condition or subject that can stand at the other end")
