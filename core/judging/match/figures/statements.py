"""Which of an answer's figures is its answer: the one it concludes with, not one on the way to it or beside it.

A figure is on the way where it is an operand of a calculation with another result. It is beside where it is what the
answer compares with, where it is given for another period than the question asks for, or where another figure of its
kind stands in a sentence that is closer to the question or concludes the answer.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from core.judging.match.context import CLAUSE_BORDER, SENTENCE_BORDER, Objection
from core.judging.match.figures.asked import OWN_FROM, AskedProperty, asked_property, priced
from core.judging.match.figures.conditions import other_condition
from core.judging.match.figures.kinds import comparable
from core.judging.match.figures.roles import role
from core.judging.match.figures.words import WORD, question_words
from core.judging.match.readers.numbers import Number
from core.judging.match.readers.periods import Period, find_periods, in_period
from core.judging.match.values import SearchResult
from core.text.words import stem

CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|consequently|accordingly|in conclusion|in summary|to summari[sz]e|to sum up|overall|"
    r"in short|final(?:ly)?|as a result|this (?:gives|means|results|yields|implies|equals)|"
    r"(?:we|i|you) (?:get|obtain|arrive|find|have)|(?:which|that) (?:gives|yields|results in|equals|corresponds "
    r"to|amounts to|is equal to)|"
    r"a total of|totall?ing|altogether|adds? up to|sums? (?:up )?to|gives|yields|"
    r"comes? (?:to|out at)|so,? (?:the|its|it|that|we|this|their|in|for|\w+s (?:fy|20))|resulting in)\b"
)
IN_ALL = re.compile(r"(?: [a-z]+){0,2},? (?:in all|in total|altogether)\b")
ANSWERS = re.compile(r"\b(?:the |my )?(?:final |short |correct )?answer(?: to [^.:\n]{1,80})?(?: is\b|:)")
_YEAR_AFTER = re.compile(
    r"(?:\s?(?:million|billion|thousand|usd|eur|dollars|shares|%))*"
    r"(?:\s(?:remained|remaining|outstanding|available|recorded|reported|accrued))?\s?[,]?\s?(?:\(|in|for|during|of"
    r"|at|as of|on|"
    r"by)\s?"
    r"(?:(?:the|end|year|fiscal|of|financial|three|six|nine|twelve|months|quarter|period|ended|ending|year-end|"
    r"both|calendar|fy)\s){0,7}$"
)
_COMPARING = re.compile(
    r"\b(?:compared|versus|vs|from|than|over|against|relative to|since|prior|previous)\b(?:\s(?:to|with|in|for|"
    r"the|of|fiscal|year|quarter|ended|fy))*\s?\(?$"
)
FIGURE = re.compile(r"\d[\d.,]*(?<![.,])")
"""A figure of a question, which names what is asked about: "order 10248"."""
WORD_BEFORE = re.compile(r"[a-z]{2,}(?=\W{0,2}$)")
FAR = 40
"""Characters before a figure in which the word before it ends."""
BESIDE = 8
"""The most characters between a figure that the question names and the one that it marks."""
LABELS_NEXT = re.compile(r"\s?[:=]")
"""Behind a period that labels the figure after it: "(2021: 0.4%)"."""
AND_NEXT = re.compile(r"\band\b")
NEEDS_A_JUDGE = "needs a judge"
MOST = 100
"""Figures looked at that equal the reference, half from the beginning and half from the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A figure of an answer, with what its sentence does with it.

    Attributes:
        number: The figure.
        sentence: Place of its sentence.
        role: "stated", "result" (behind an equals sign), "operand", "compared" or "benchmark" (a target, a
            requirement, the industry's figure).
        concluding: 2 in a sentence that says "the answer is", 1 in one that says "therefore", else 0.
        about: The words of the question near it, as word families.
        following: The word behind it, as its word family.
        marked: Whether a figure that the question names stands directly before it: "zone 2 EUR 79".
        period: The period beside it, or None.
        condition: Words beside it that exclude what the question names, or empty.
    """

    number: Number
    sentence: int
    role: str
    concluding: int
    about: frozenset[str]
    following: str
    marked: bool
    period: Period | None
    condition: str = ""


def read_statements(numbers: Sequence[Number], text: str, question: str) -> tuple[Statement, ...]:
    """What an answer does with each of its figures.

    Args:
        numbers: Its figures, in order.
        text: Figure text of the answer.
        question: Match text of the question.
    """
    borders = [0, *(match.end() for match in SENTENCE_BORDER.finditer(text)), len(text) + 1]
    words, marked = question_words(question), _marked(numbers, text, question)
    periods = find_periods(text)
    starts = [period.start for period in periods]
    statements: list[Statement] = []
    for place, number in enumerate(numbers):
        sentence = bisect_right(borders, number.start) - 1
        start, end = borders[sentence], min(borders[sentence + 1], len(text))
        former = numbers[place - 1].end if place and numbers[place - 1].end > start else start
        following = numbers[place + 1].start if place + 1 < len(numbers) and numbers[place + 1].start < end else end
        before, after = (
            text[max(start, number.start - 300) : number.start],
            text[number.end : min(end, number.end + 300)],
        )
        clause = CLAUSE_BORDER.split(text[number.end : min(following, number.end + 80)], maxsplit=1)[0]
        if following < end:
            # "45 nm and the blade bolt to 60 nm": what is behind "and" names the next figure
            clause = AND_NEXT.split(clause, maxsplit=1)[0]
        own_from = former if former == start else _after_former(text, former, number.start)
        near = text[max(own_from, number.start - 200) : number.end] + " " + clause
        marker = text[max(start, number.start - 400) : number.start]
        statements.append(
            Statement(
                number=number,
                sentence=sentence,
                role=role(before, after, question),
                concluding=_concluding(marker, after),
                about=(frozenset(stem(word) for word in WORD.findall(near)) | priced(text, number.end)) & words,
                following=_word_behind(number, text),
                marked=place in marked,
                period=_period(number, text, start, end, periods, starts, numbers, place),
                condition=other_condition(text, number.start, number.end, question),
            )
        )
    return tuple(statements)


def _after_former(text: str, former: int, start: int) -> int:
    """Where the words before a figure begin to be its own: "3 free withdrawals and a limit of 5,000"."""
    border = OWN_FROM.search(text, former, start)
    return border.end() if border else former


def _marked(numbers: Sequence[Number], text: str, question: str) -> frozenset[int]:
    """The figures that stand directly behind what the question names, where the answer names others of it as well."""
    named = frozenset(FIGURE.findall(question))
    if not named:
        return frozenset()
    matches = (WORD_BEFORE.search(text, max(0, number.start - FAR), number.start) for number in numbers)
    before = [match[0] if match else "" for match in matches]
    ours = {word for word, number in zip(before, numbers, strict=True) if word and _named(number, named)}
    theirs = {word for word, number in zip(before, numbers, strict=True) if not _named(number, named)}
    return frozenset(
        place
        for place in range(1, len(numbers))
        if _named(numbers[place - 1], named)
        and before[place - 1] in ours & theirs
        and numbers[place].start - numbers[place - 1].end <= BESIDE
    )


def _named(number: Number, named: frozenset[str]) -> bool:
    return any(figure in named for figure in FIGURE.findall(number.text))


def _word_behind(number: Number, text: str) -> str:
    match = WORD.match(text, number.end + 1) if text[number.end : number.end + 1] == " " else None
    return stem(match[0]) if match else ""


def _concluding(marker: str, after: str) -> int:
    if ANSWERS.search(marker):
        return 2
    return int(bool(CONCLUDES.search(marker) or IN_ALL.match(after)))


def _period(
    number: Number,
    text: str,
    start: int,
    end: int,
    periods: Sequence[Period],
    starts: Sequence[int],
    numbers: Sequence[Number],
    place: int,
) -> Period | None:
    """The period beside a figure: behind it ("5 in 2021"), else the last one before it in its sentence."""
    behind = bisect_right(starts, number.end - 1)
    if behind < len(periods) and periods[behind].start < end:
        period = periods[behind]
        between = text[number.end : period.start]
        blocked = place + 1 < len(numbers) and numbers[place + 1].start < period.start
        if not blocked and _YEAR_AFTER.fullmatch(between) and not LABELS_NEXT.match(text, period.end):
            return period
    for period in reversed(periods[:behind]):
        if period.start < start:
            break
        if period.end <= number.start and not _COMPARING.search(text[max(start, period.start - 40) : period.start]):
            return period
    own = [period for period in periods[bisect_left(starts, start) :][:4] if period.end <= end]
    beyond = numbers[place + 1].start if place + 1 < len(numbers) else end
    own = [period for period in own if period.end <= beyond and not LABELS_NEXT.match(text, period.end)]
    if len(own) == 1 and not _COMPARING.search(text[max(start, own[0].start - 40) : own[0].start]):
        return own[0]
    return None


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
        objected = _objection(place, places, statements, question, asked, many=many)
        if objected is not None:
            found[statements[place].number.start] = objected
    return found


def _objection(
    place: int,
    hits: frozenset[int],
    statements: Sequence[Statement],
    question: str,
    asked: Sequence[Period],
    *,
    many: bool,
) -> Objection | None:
    own = statements[place]
    shown = own.number.text.strip()
    if (period := own.period) and not in_period(period, asked):
        named = f"Q{period.quarter} " if period.quarter else ""
        year = str(period.year) if period.year else ""
        return Objection(
            rule="other period", reason=f"The answer gives {shown} for {(named + year).strip()}, not for what is asked."
        )
    if own.condition:
        return Objection(rule="other value", reason=f'The answer gives {shown} for another case: "{own.condition}".')
    if own.role == "operand":
        return Objection(rule="other value", reason=f"{shown} is part of a calculation in the answer, not its result.")
    if own.role == "benchmark":
        return Objection(rule="other value", reason=f"{shown} is a benchmark in the answer, not the value asked for.")
    return None if many else _against_rivals(own, hits, statements, question, asked)


def _against_rivals(
    own: Statement,
    hits: frozenset[int],
    statements: Sequence[Statement],
    question: str,
    asked: Sequence[Period],
) -> Objection | None:
    """Whether another figure of the kind concludes the answer or stands closer to the question."""
    shown = own.number.text.strip()
    named = frozenset(FIGURE.findall(question))
    rivals = [
        other
        for at, other in enumerate(statements)
        if at not in hits
        and not other.condition
        and other.role in {"stated", "result"}
        and (other.period is None or in_period(other.period, asked))
        and comparable(own.number, other.number)
        and not _named(other.number, named)
    ]
    if not rivals:
        return None
    kin = [statements[at] for at in hits if statements[at].role != "operand"]
    final = max((other for other in (*rivals, *kin) if other.concluding), key=_last, default=None)
    if final is not None:
        beside = [other for other in rivals if _same_sentence(other, final)]
        if any(_same_sentence(other, final) for other in kin):
            rivals = beside
        elif final.concluding == 2 or len(final.about) >= len(own.about) - 1:
            concluded = final.number.text.strip()
            return Objection(rule="other value", reason=f"The answer mentions {shown} and concludes with {concluded}.")
        else:
            rivals = [other for other in rivals if other not in beside]
    if not rivals:
        return None
    if own.role == "compared" and any(
        _same_sentence(other, own) or (other.about and not own.about) for other in rivals
    ):
        return Objection(rule="other value", reason=f"The answer gives {shown} only to compare with.")
    results = [other for other in kin if other.role == "result"]
    if results and results[-1].number.start > rivals[-1].number.start:
        return None
    best = max(kin, key=lambda other: len(other.about), default=own)
    return None if best.concluding else _by_closeness(own, kin, rivals, asked_property(question))


def _by_closeness(
    own: Statement, kin: Sequence[Statement], rivals: Sequence[Statement], wanted: AskedProperty | None
) -> Objection | None:
    """Whether another figure stands closer to the words of the question, those of the property asked for first."""
    nearest = None
    shown = own.number.text.strip()
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
        rival = (nearest or closer[-1]).number.text.strip()
        return Objection(
            rule="other value", reason=f"The answer mentions {shown}; what it says of the question is {rival}."
        )
    level = [other for other in rivals if len(other.about) == len(own.about) and other.about != own.about]
    if own.about and any(not other.concluding for other in level):
        rival = level[0].number.text.strip()
        return Objection(rule=NEEDS_A_JUDGE, reason=f"{shown} and {rival} stand equally close to the question.")
    return None


def _closer(wanted: AskedProperty, some: Sequence[Statement], other: Statement) -> bool:
    """Whether one of some figures stands closer to what is asked for than another one."""
    return any(wanted.closer(one.about, other.about, one.following, other.following) for one in some)


def _last(statement: Statement) -> tuple[int, int]:
    return statement.concluding if statement.concluding == 2 else 1, statement.number.start


def _same_sentence(a: Statement, b: Statement) -> bool:
    return a.sentence == b.sentence
