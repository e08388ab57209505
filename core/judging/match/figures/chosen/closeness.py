"""Which of two figures the words of a question stand closer to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.judging.match.figures.asked import AskedProperty, asked_property
from core.judging.match.figures.chosen.statements import Statement
from core.judging.match.figures.clauses import asked_words, families
from core.judging.match.figures.two_clauses import says_both
from core.judging.match.surroundings.objections import NEEDS_A_JUDGE, Objection
from core.judging.match.surroundings.sentences import sentence_around

FEW = 1
"""So many words of a question may be the name of what it is about."""
_CODE_ASKED = re.compile(r"\b(?:post(?:al)? ?codes?|zip(?: codes?)?)\b")
_NO_DIGIT = re.compile(r"\D")
LEAST_CODE = 4
"""Digits of a code."""
_TOTAL_ASKED = re.compile(r"\b(?:total|sum|altogether|in all|combined|overall)\b")
_TOTAL = re.compile(r"(?:^|\n)\W*(?:grand |overall )?total\b[^\n\d]*$")
NEAR = 40
"""Characters before a figure that say whether it is a change."""
_BY_HOW_MUCH = re.compile(r"\bby how (?:much|many)\b")
_A_CHANGE = re.compile(
    r"\b(?:an?|the) (?:increase|rise|growth|gain|decrease|decline|drop|fall|reduction|difference|change) of"
    r" (?:about |around |roughly |nearly |almost |some )?(?:[a-z]{3} )?[€$£]?$"
)
MOST_BEFORE = 60
"""Characters before a figure in which its line says that it is a total."""
_BY = r"(?P<by>by|at|in|on|from|to|for|with|during|under|before|after|via)(?: the| an?)?"
_PART_BEFORE = re.compile(rf"\b{_BY} [\w-]+(?: [\w-]+)?,? (?:and )?(?:another )?$")
_PART_BEHIND = re.compile(rf" {_BY} (?P<what>[\w-]+(?: [\w-]+)?)")
_IS_THE = re.compile(r"\W{0,3}(?:is|was|are|were) (?:the|its|their|our) (?P<what>(?:[\w-]+ ){0,4}[\w-]+)")


def by_closeness(
    own: Statement, kin: Sequence[Statement], rivals: Sequence[Statement], text: str, question: str
) -> Objection | None:
    """Whether another figure stands closer to the words of the question, those of the property asked for first."""
    wanted = asked_property(question)
    rivals = [other for other in rivals if not _shares_its_verb(own, other, text)]
    if not rivals:
        return None
    nearest = None
    shown = own.number.text.strip()
    if (
        _is_called_what_is_asked(own, text, question)
        or _is_the_code(own, rivals, question)
        or _is_the_total(own, rivals, text, question)
        or _is_the_change(own, text, question)
    ):
        return None
    if not own.marked and (marked := next((other for other in rivals if other.marked), None)):
        rival = marked.number.text.strip()
        return Objection(
            rule=NEEDS_A_JUDGE, reason=f"{rival} stands beside a figure that the question names, {shown} not."
        )
    if wanted is not None:
        if all(_closer(wanted, [own, *kin], other) for other in rivals):
            return None
        nearest = next((other for other in rivals if all(_closer(wanted, [other], one) for one in (own, *kin))), None)
    most = max(len(other.about) for other in (*kin, own))
    closer = [other for other in rivals if len(other.about) > most]
    if nearest or closer:
        is_of_another = nearest is None and wanted is not None and _may_be_of_another(closer[-1], wanted)
        return _against(own, nearest or closer[-1], text, question, is_of_another=is_of_another)
    both = next(
        (other for other in rivals if not other.concluding and _says_both(kin, own, other, text, question)), None
    )
    if both is not None:
        rival = both.number.text.strip()
        return Objection(rule=NEEDS_A_JUDGE, reason=f"The answer says {shown} and then {rival} of the same.")
    level = [other for other in rivals if len(other.about) == len(own.about) and other.about != own.about]
    if own.about and any(not other.concluding for other in level):
        rival = level[0].number.text.strip()
        return Objection(rule=NEEDS_A_JUDGE, reason=f"{shown} and {rival} stand equally close to the question.")
    return None


def _shares_its_verb(own: Statement, other: Statement, text: str) -> bool:
    """Whether the figure before one has its verb, and what is asked stands with it: "300 by day and 212 by night"."""
    if other.number.end >= own.number.start or not same_sentence(own, other):
        return False
    former = _PART_BEFORE.search(text[other.number.end : own.number.start])
    part = _PART_BEHIND.match(text, own.number.end)
    if former is None or part is None or former["by"] != part["by"]:
        return False
    return not families(part["what"]).isdisjoint(own.about - other.about)


def _against(own: Statement, other: Statement, text: str, question: str, *, is_of_another: bool) -> Objection:
    """What it means that another figure stands closer: another value, or a doubt where both may be meant."""
    shown, rival = own.number.text.strip(), other.number.text.strip()
    doubt = ""
    if is_of_another and not own.about:
        doubt = f"What is asked stands beside neither {shown} nor {rival}."
    elif own.about and not own.about <= other.about and not same_sentence(own, other):
        doubt = f"{shown} and {rival} stand beside other words that are asked."
    elif len(other.about) == 1 and not same_sentence(own, other) and _asked_in_its_sentence(own, text, question):
        doubt = f"{shown} stands beside words that are asked, and so does {rival}."
    if doubt:
        return Objection(rule=NEEDS_A_JUDGE, reason=doubt)
    return Objection(
        rule="other value", reason=f"The answer mentions {shown}; what it says of the question is {rival}."
    )


def _says_both(kin: Sequence[Statement], own: Statement, other: Statement, text: str, question: str) -> bool:
    """Whether another figure is said of the same thing behind all that are right."""
    if own.period != other.period and (own.period is None) != (other.period is None):
        return False
    last = max((item.number.start for item in kin), default=own.number.start)
    return other.number.start > last and says_both(own.number.start, other.number.start, text, question)


def _may_be_of_another(other: Statement, wanted: AskedProperty) -> bool:
    """Whether a figure has little more than the name of what is asked about, and no word of the property."""
    return not other.about & wanted.words and len(other.about) <= FEW


def _closer(wanted: AskedProperty, some: Sequence[Statement], other: Statement) -> bool:
    """Whether one of some figures stands closer to what is asked for than another one."""
    return any(wanted.closer(one.about, other.about, one.following, other.following) for one in some)


def _is_the_total(own: Statement, rivals: Sequence[Statement], text: str, question: str) -> bool:
    """Whether a total is asked for and the line of a figure says that it is one, that of no other."""
    if not _TOTAL_ASKED.search(question):
        return False
    ahead = [text[max(0, one.number.start - MOST_BEFORE) : one.number.start] for one in (own, *rivals)]
    return [_TOTAL.search(words) is not None for words in ahead] == [True] + [False] * len(rivals)


def _is_the_change(own: Statement, text: str, question: str) -> bool:
    """Whether a question asks by how much something changed, and a figure is said to be that: "an increase of 5"."""
    before = text[max(0, own.number.start - NEAR) : own.number.start]
    return _BY_HOW_MUCH.search(question) is not None and _A_CHANGE.search(before) is not None


def _is_called_what_is_asked(own: Statement, text: str, question: str) -> bool:
    """Whether the words behind a figure say that it is what is asked: "0.236, is the effective tax rate"."""
    named = _IS_THE.match(text, own.number.end)
    return named is not None and len(families(named["what"]) & asked_words(question)) > 1


def _is_the_code(own: Statement, rivals: Sequence[Statement], question: str) -> bool:
    """Whether a postal code is asked for, and a figure has the most digits: "18 rue de la Paix, 69003 Lyon"."""
    digits = [len(_NO_DIGIT.sub("", item.number.text)) for item in (own, *rivals)]
    return _CODE_ASKED.search(question) is not None and digits[0] > max(LEAST_CODE - 1, *digits[1:])


def _asked_in_its_sentence(own: Statement, text: str, question: str) -> bool:
    """Whether the sentence of a figure has a word of the question, which one word near another cannot outweigh."""
    sentence = sentence_around(text, own.number.start, own.number.end)
    return not asked_words(question).isdisjoint(families(sentence))


def same_sentence(a: Statement, b: Statement) -> bool:
    """Whether two figures stand in one sentence."""
    return a.sentence == b.sentence
