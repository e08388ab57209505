"""Which of an answer's figures is its answer: the one it concludes with, not one on the way to it or beside it.

A figure is on the way where it is an operand of a calculation with another result. It is beside where it is what the
answer compares with, where it is given for another period than the question asks for, or where another figure of its
kind stands in a sentence that is closer to the question or concludes the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from core.judging.match.figures.asked import asked_property
from core.judging.match.figures.chosen.closeness import by_closeness, same_sentence
from core.judging.match.figures.chosen.no_rivals import (
    counted,
    is_all_in,
    is_detail,
    is_for_another_span,
    is_in_thousands,
    is_of_most,
    is_of_the_year_before,
    is_one_of_all,
    is_the_same_measured,
    is_the_same_outflow,
    is_the_whole,
    rounds_up_to,
)
from core.judging.match.figures.chosen.qualified import behind_another_word, is_unlabelled, other_kind
from core.judging.match.figures.chosen.runs import is_done_with, said_of_another_figure
from core.judging.match.figures.chosen.statements import Statement, read_statements
from core.judging.match.figures.chosen.totals import added_to, broken_down, part_of_a_sum, summed_up
from core.judging.match.figures.clauses import generic_words
from core.judging.match.figures.kinds import comparable, is_rounded
from core.judging.match.figures.two_clauses import names_alone
from core.judging.match.figures.words import MONEY_ASKED, question_words
from core.judging.match.readers.figures.units import UNITS
from core.judging.match.readers.times.periods import Period, in_period
from core.judging.match.surroundings.context import is_echo
from core.judging.match.surroundings.language import FUNCTION_WORDS
from core.judging.match.surroundings.objections import NEEDS_A_JUDGE, Objection
from core.judging.match.values import Hit, SearchResult
from core.text.words import stem

_WORKED_OUT_BEHIND = re.compile(r"[^.;(\n]{0,60}\([^)=\n]{3,120}[÷×/*][^)=\n]{3,120}\)")
"""A calculation without its result, in brackets: "5.9 times (cost of sales ÷ inventory)"."""
RELATIVE = re.compile(
    r"(?: (?:million|billion|thousand|percent|per cent))? (?:in |for )?(?:the|a) "
    r"(?:year|quarter|month) (?:before|earlier|prior|ago|after)\b|(?: (?:million|billion))? (?:in |for )?the "
    r"(?:prior|previous|preceding|following) (?:year|quarter|month)\b"
)
"""Behind a figure: "the year before"."""
SURELY = 2
"""`Statement.concluding` of a sentence that says "the answer is"."""
MOST_READ = 24
"""So many figures are read by what runs up to them; an answer with more is a table."""
MOST = 100
"""Figures looked at that equal the reference, half from the beginning and half from the end."""


def figure_objections(
    search: SearchResult, text: str, question: str, asked: Sequence[Period], *, many: bool
) -> dict[int, Objection]:
    """Why figures that equal the reference are not what the answer states, by the offset of each.

    Args:
        search: What was found.
        text: Figure text of the answer.
        question: Match text of the question.
        asked: Periods for which the figure is wanted.
        many: Whether several figures are wanted, so that another one is no rival.
    """
    if not search.places:
        return {}
    statements = read_statements(search.numbers, text, question)
    places = frozenset((*search.places, *search.other_ends))
    found = {}
    examined = (
        search.places if len(search.places) <= MOST else (*search.places[: MOST // 2], *search.places[-MOST // 2 :])
    )
    for place in examined:
        objected = _objection(place, places, statements, text, question, asked, many=many)
        if objected is not None:
            found[statements[place].number.start] = objected
    return found


def _objection(
    place: int,
    hits: frozenset[int],
    statements: Sequence[Statement],
    text: str,
    question: str,
    asked: Sequence[Period],
    *,
    many: bool,
) -> Objection | None:
    own = statements[place]
    shown = own.number.text.strip()
    if (period := own.period) and not in_period(period, asked) and not (_is_time(own) and _LEFT_ASKED.search(question)):
        if own.role == "compared" and RELATIVE.match(text, own.number.end):
            return Objection(rule=NEEDS_A_JUDGE, reason=f"The answer gives {shown} for a time that it does not name.")
        named = f"Q{period.quarter} " if period.quarter else ""
        year = str(period.year) if period.year else ""
        return Objection(
            rule="other period", reason=f"The answer gives {shown} for {(named + year).strip()}, not for what is asked."
        )
    if own.condition:
        return Objection(rule="other value", reason=f'The answer gives {shown} for another case: "{own.condition}".')
    if own.role == "operand":
        if _WORKED_OUT_BEHIND.match(text, own.number.end):
            reason = f"{shown} stands in front of a calculation that may be its own."
            return Objection(rule=NEEDS_A_JUDGE, reason=reason)
        return Objection(rule="other value", reason=f"{shown} is part of a calculation in the answer, not its result.")
    if own.role == "change":
        return Objection(rule="other value", reason=f"{shown} is by how much it changed, not the value asked for.")
    if own.role == "benchmark":
        return Objection(rule="other value", reason=f"{shown} is a benchmark in the answer, not the value asked for.")
    if many:
        return None
    summed = None if own.role == "result" else summed_up(own, statements, text, question)
    if summed and summed.rule != NEEDS_A_JUDGE:
        return summed
    called = _is_the_one_called(own, text, question)
    if not called and (objected := _against_rivals(own, hits, statements, text, question, asked)):
        # What a calculation comes to may be the answer, whatever else is said in the words of the question.
        return replace(objected, rule=NEEDS_A_JUDGE) if own.role == "result" else objected
    return _other_thing(own, statements, text, question) or summed


def _other_thing(own: Statement, statements: Sequence[Statement], text: str, question: str) -> Objection | None:
    """Whether a figure is a part of another one, of another kind, or counts something else."""
    shown = own.number.text.strip()
    whole = part_of_a_sum(own, statements, text) if own.role == "stated" and own.number.value > 0 else None
    if whole and not own.about - whole.about:
        return Objection(rule="other value", reason=f"{shown} is a part of {whole.number.text.strip()} in the answer.")
    kind = other_kind(own.number.start, text, question)
    if kind and any(is_unlabelled(other, own, text, question) for other in statements):
        return Objection(rule=NEEDS_A_JUDGE, reason=f'The answer gives {shown} as the "{kind}", and another figure.')
    if part := _part_of_it(own, statements, text, question):
        return Objection(rule="other value", reason=f"{shown} is what {part} is counted out of in the answer.")
    if objected := behind_another_word(own, text, question):
        return objected
    if counted := _counts_another(own, text, question):
        return Objection(rule=NEEDS_A_JUDGE, reason=f'The answer counts "{counted}" with {shown}.')
    return None


def _part_of_it(own: Statement, statements: Sequence[Statement], text: str, question: str) -> str:
    """The figure in front of a whole, where more is asked than how many there are: "21 out of 34"; or empty."""
    if not _HOW_MANY.search(question) or _HOW_MANY_AT_ALL.search(question):
        return ""
    parts = (one.number for one in statements if one.number.end < own.number.start)
    return next((one.text.strip() for one in parts if text[one.end : own.number.start] == " out of "), "")


def _against_rivals(
    own: Statement,
    hits: frozenset[int],
    statements: Sequence[Statement],
    text: str,
    question: str,
    asked: Sequence[Period],
) -> Objection | None:
    """Whether another figure of the kind concludes the answer or stands closer to the question."""
    shown = own.number.text.strip()
    wanted = asked_property(question)
    taken_in = _taken_in(own, statements)
    parts = broken_down(own, statements, text) | added_to(own, statements, text, question)
    kind = other_kind(own.number.start, text, question)
    rivals = [
        other
        for at, other in enumerate(statements)
        if at not in hits
        and not other.condition
        and other.role in {"stated", "result"}
        and (other.period is None or in_period(other.period, asked))
        and comparable(own.number, other.number)
        and not other.named
        and other.number.start not in parts
        and not is_of_the_year_before(other, text, question)
        and not is_echo(Hit(rule="number", start=other.number.start, end=other.number.end, reason=""), text, question)
        and not is_one_of_all(other, own, text, question)
        and not _RETRACTED.match(text, other.number.end)
        and other.number.plain not in taken_in
        and not (_HOW_MANY.search(question) and other.number.currency and not own.number.currency)
        and not is_the_same_outflow(other.number, own.number, text)
        and not is_the_same_measured(other.number, own.number, text)
        and (kind or not other_kind(other.number.start, text, question))
        and not _OF_THEM.match(text, other.number.end)
        and not is_for_another_span(other, text, question)
        and not is_all_in(other, own, text, question)
        and not is_detail(other, own, text)
        and not is_of_most(other, text, question)
        and not _not_but(other, own, text)
        and not (_QUALIFIES.fullmatch(other.number.text.strip()) and not _QUALIFIES.fullmatch(shown))
        and not (_HOW_MANY.search(question) and is_the_whole(other.number, own.number, text))
        and not (own.following and other.number.unit and own.following in counted(question))
        and not is_rounded(other.number, own.number)
        and not rounds_up_to(other.number, own.number)
        and not is_in_thousands(other.number, own.number)
        and not (
            own.number.unit
            and own.number.unit != "%"
            and _counts_things(other)
            and not (wanted and wanted.head == other.following)
        )
        and not (own.number.currency and _counts_things(other) and MONEY_ASKED.search(question))
        and not (_is_time(other) and not own.number.unit and not _UNIT_ASKED.search(question))
        and (
            other.concluding
            or own.role == "result"
            or not names_alone(own.number.start, other.number.start, text, question)
        )
    ]
    if not rivals:
        return None
    kin = [statements[at] for at in hits if statements[at].role != "operand"]
    numbers = [other.number for other in kin] or [own.number]
    if own.role != "result" and len(kin) + len(rivals) <= MOST_READ:
        others = [other.number for other in rivals if other.concluding >= own.concluding]
        if said := said_of_another_figure(own.number, numbers, others, text, question):
            return Objection(
                rule="other value", reason=f"The answer mentions {shown}; what it says of the question is {said}."
            )
        if is_done_with(own.number, [*numbers, *others], text, question):
            return None
    final = max((other for other in (*rivals, *kin) if other.concluding), key=_last, default=None)
    if final is not None:
        beside = [other for other in rivals if same_sentence(other, final)]
        if any(same_sentence(other, final) for other in kin):
            if (
                final in beside
                and not own.concluding
                and own.about <= final.about
                and own.number.end < final.number.start
            ):
                concluded = final.number.text.strip()
                return Objection(rule="other value", reason=f"The answer mentions {shown} and ends with {concluded}.")
            rivals = beside
        elif final.concluding == SURELY or len(final.about) >= len(own.about) - 1:
            return _concluded_otherwise(own, final)
        else:
            rivals = [other for other in rivals if other not in beside]
    if not rivals:
        return None
    if own.role == "compared" and any(same_sentence(other, own) or (other.about and not own.about) for other in rivals):
        return Objection(rule="other value", reason=f"The answer gives {shown} only to compare with.")
    results = [other for other in kin if other.role == "result"]
    if results and results[-1].number.start > rivals[-1].number.start:
        return None
    best = max(kin, key=lambda other: len(other.about), default=own)
    return None if best.concluding else by_closeness(own, kin, rivals, text, question)


def _not_but(other: Statement, own: Statement, text: str) -> bool:
    """Whether a figure is denied in front of another one: "it did not rise by 6% as proposed but by 4%"."""
    before = text[max(0, other.number.start - _NEAR) : other.number.start]
    between = text[other.number.end : own.number.start]
    return _DENIES.search(before) is not None and _BUT.fullmatch(between) is not None


def _taken_in(own: Statement, statements: Sequence[Statement]) -> list[Decimal]:
    """The figures that a calculation takes in whose result a figure is."""
    if own.role != "result":
        return []
    return [other.number.plain for other in statements if other.role == "operand" and same_sentence(other, own)]


def _is_the_one_called(own: Statement, text: str, question: str) -> bool:
    """Whether a number is behind the word for what is asked: "Store 2 holds the most" where a store is asked for."""
    called = _WHICH_ONE.search(question)
    before = text[max(0, own.number.start - 40) : own.number.start]
    if called is None or called["what"] in FUNCTION_WORDS:
        return False
    return re.search(rf"\b{called['what']}(?: no\.?| number| #)? ?$", before) is not None


def _concluded_otherwise(own: Statement, final: Statement) -> Objection:
    """What it means that an answer concludes with another figure, which may be of less that is asked."""
    shown, concluded = own.number.text.strip(), final.number.text.strip()
    if final.concluding < SURELY and len(final.about) < len(own.about):
        return Objection(rule=NEEDS_A_JUDGE, reason=f"The answer gives {shown} and then concludes with {concluded}.")
    return Objection(rule="other value", reason=f"The answer mentions {shown} and concludes with {concluded}.")


_RETRACTED = re.compile(
    r"[^.;\n\d]{0,12}?[,.;-] ?(?:no,? wait|wait|sorry|correction|oops|scratch that|my mistake|i misread)\b"
)
"""Behind a figure that is taken back."""
_LEFT_ASKED = re.compile(r"\b(?:remain\w*|left|until|till|to maturity|matures?|expires?|ends?|due)\b")
"""Questions for the time until something, whose end has a year of its own."""
_QUALIFIES = re.compile(r"[\w.,]+-[a-z]{2,}")
"""A measure that says of what kind something is: "388 forty-foot boxes"."""
_NEAR = 40
_DENIES = re.compile(r"\b(?:not|(?:do|does|did|is|are|was|were|has|have|had|wo|would)nt)\b[^.,;:\n]*$")
_BUT = re.compile(r"[^.;:\n]{0,40}\bbut (?:[a-z]+ ){0,3}(?:[a-z]{3} )?[€$£]?")
_OF_THEM = re.compile(r"(?: [a-z]+)? of (?:them|these|those|whom|which)\b")
"""Behind a figure that is a part of the one before it."""
_WHICH_ONE = re.compile(r"\bwhich (?P<what>[a-z]{3,})\b")
_HOW_MANY = re.compile(r"\bhow many ")
_HOW_MANY_AT_ALL = re.compile(
    r"\b(?:is|are|was|were) there\b(?!.*\b(?:that|which|who|with|left)\b)"
    r"|\b(?:does|do|did|has|have|had)\b[^?]*\b(?:have|own)\W*$|\b(?:in total|in all|altogether|overall)\b"
)
"""Questions how many there are, whatever is said of some of them."""
_UNIT_ASKED = re.compile(
    rf"\b(?:{'|'.join(sorted((re.escape(name) for name in UNITS if name.isalpha()), key=len, reverse=True))})\b"
)
_BEHIND = re.compile(r" (?P<first>[a-z]{3,})(?P<rest>(?: [a-z]{2,}){0,3})")


def _counts_another(own: Statement, text: str, question: str) -> str:
    """What a figure counts where the question asks how many of something else there are, or empty."""
    wanted = asked_property(question) if _HOW_MANY.search(question) else None
    if wanted and own.number.unit not in {"", "%"} and not _UNIT_ASKED.search(question):
        return own.number.text.strip()
    behind = _BEHIND.match(text, own.number.end)
    if wanted is None or behind is None or own.number.unit or own.number.currency or not behind["first"].endswith("s"):
        return ""
    first = behind["first"]
    families = {stem(word) for word in (first, *behind["rest"].split())}
    if first in FUNCTION_WORDS or families & (wanted.words | question_words(question)) or own.about & wanted.words:
        return ""
    return "" if stem(first) in generic_words() else first


def _is_time(other: Statement) -> bool:
    """Whether a figure is a span of time, which stands beside a ratio in other words: "9.5 times, or 38 days"."""
    return other.number.unit in {"s", "month"}


def _counts_things(other: Statement) -> bool:
    """Whether a figure counts something that is no money: "102.7 million shares"."""
    return not other.number.currency and not other.number.unit and bool(other.following)


def _last(statement: Statement) -> tuple[int, int]:
    return statement.concluding if statement.concluding == SURELY else 1, statement.number.start
