"""What an answer does with each of its figures: states it, compares with it, calculates with it, concludes with it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from core.judging.match.figures.asked import OWN_FROM, priced
from core.judging.match.figures.chosen.roles import role
from core.judging.match.figures.conditions import other_condition
from core.judging.match.figures.words import WORD, question_words
from core.judging.match.readers.figures.number_words import SMALL
from core.judging.match.readers.figures.numbers import Number
from core.judging.match.readers.times.periods import Period, find_periods
from core.judging.match.surroundings.language import CLAUSE_BORDER, SENTENCE_BORDER
from core.text.words import stem

_EXACTLY = re.compile(r"[^.;\d]{0,16}?,? to be (?:exact|precise)\b")
_EXACT_BEFORE = re.compile(
    r"\b(?:exactly|precisely|exact (?:figure|number|count|value|amount|total)(?: is)?):? ?(?:[a-z]{3} )?[€$£]?$"
)
CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|consequently|accordingly|in conclusion|in summary|to summari[sz]e|to sum up|overall|"
    r"in short|final(?:ly)?|as a result|this (?:gives|means|results|yields|implies|equals)|"
    r"(?:we|i|you) (?:get|obtain|arrive|find|have)|(?:which|that) (?:gives|yields|results in|equals|corresponds "
    r"to|amounts to|is equal to)|"
    r"(?:sum|total|difference|product|quotient|result) "
    r"(?:of (?:(?:the|these|those|both|all)(?: (?:two|three|four|five))?(?: [a-z]+)?|them) )?"
    r"(?:is|was|equals|comes? to|amounts? to)|a total of|in total,|totall?ing|altogether|adds? up to|sums? (?:up )?to"
    r"|gives?|yields?|"
    r"comes? (?:to|out at)|so,? (?:the|its|it|that|we|this|their|in|for|\w+s (?:fy|20))|resulting in"
    r"|(?:which|that|this) makes|making (?:it|a total)|so (?:about|around|roughly|nearly|approximately|some)"
    r"|so(?= [€$£]?\d)|meaning|i\.e|in other words|all in all|bottom line|that is to say)\b"
)
_SO = re.compile(r"\W*so\b(?! (?:far|long|much|many)\b)")
IN_ALL = re.compile(r"(?: [a-z]+){0,2},? (?:in all|in total|altogether|all in all)\b")
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
_WHOLE = re.compile(r"(?: ?%| percent| per cent)?(?: of (?:it|them|these|those|that|this))?[.](?= [a-z])")
"""Behind a figure that is a first sentence by itself: "Half of it."."""
FAR = 40
"""Characters before a figure in which the word before it ends."""
BESIDE = 8
"""The most characters between a figure that the question names and the one that it marks."""
LABELS_NEXT = re.compile(
    r"\s?[:=]|\s(?:it|they|this|that) (?:was|were|is|are|became|rose|grew|fell|dropped|had|has|came|stood|reached"
    r"|went)\b"
)
"""Behind a period that labels the figure after it: "(2021: 0.4%)", "in 2022 it was 8.1"."""
_NAMES_NEXT = re.compile(r"\b(?:of|was|were|is|are|at|to|:|=)\s?(?:about |some |around )?(?:[a-z]{3} )?[€$£]?\s?$")
_NEXT_NAME = re.compile(r"\b(?:on|with|against|from|over|for|in|under|after|before|there (?:is|are|was|were))\s")
"""Where the name of the next figure begins: "11.7 on revenue of 15.1"."""
_REACHED = re.compile(r"\bto (?:about |around |roughly |approximately |nearly )?(?:[a-z]{3} )?[€$£]?\s?$")
AND_NEXT = re.compile(r"\band\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A figure of an answer, with what its sentence does with it.

    Attributes:
        number: The figure.
        sentence: Place of its sentence.
        role: "stated", "result" (behind an equals sign), "operand", "compared", "change" (by how much) or "benchmark"
            (a target, a requirement, the industry's figure).
        concluding: 2 in a sentence that says "the answer is", 1 in one that says "therefore", else 0.
        about: The words of the question near it, as word families.
        following: The word behind it, as its word family.
        named: Whether the question names it, so that it says what is asked about: "order 10248".
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
    named: bool
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
    words, named = question_words(question), frozenset(FIGURE.findall(question)) | _named_in_words(question)
    marked = _marked(numbers, text, named) if named else frozenset()
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
            clause = _NEXT_NAME.split(clause, maxsplit=1)[0] if _NAMES_NEXT.search(clause) else clause
        own_from = former if former == start else _after_former(text, former, number.start)
        near = text[max(own_from, number.start - 200) : number.end] + " " + clause
        marker = text[max(start, number.start - 400) : number.start]
        statements.append(
            Statement(
                number=number,
                sentence=sentence,
                role=role(before, after, question, share=number.unit == "%" and not after.startswith(" or ")),
                concluding=2 if _leads(text, number) else _concluding(marker, after),
                about=(frozenset(stem(word) for word in WORD.findall(near)) | priced(text, number.end)) & words,
                following=_word_behind(number, text),
                named=_named(number, named),
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


def _marked(numbers: Sequence[Number], text: str, named: frozenset[str]) -> frozenset[int]:
    """The figures that stand directly behind what the question names, where the answer names others of it as well."""
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
    return any(figure in named for figure in FIGURE.findall(number.text) or [number.text])


def _named_in_words(question: str) -> frozenset[str]:
    """The number words of a question: "two or more notches"."""
    return frozenset(word for word in re.findall(r"[a-z]+", question) if SMALL.get(word, 0) > 1)


def _word_behind(number: Number, text: str) -> str:
    match = WORD.match(text, number.end + 1) if text[number.end : number.end + 1] == " " else None
    return stem(match[0]) if match else ""


def _leads(text: str, number: Number) -> bool:
    """Whether an answer begins with a figure that is a sentence by itself."""
    return not text[: number.start].strip() and _WHOLE.match(text, number.end) is not None


def _concluding(marker: str, after: str) -> int:
    if ANSWERS.search(marker):
        return 2
    if _EXACTLY.match(after) or _EXACT_BEFORE.search(marker):
        return 2
    return int(bool(CONCLUDES.search(marker) or _SO.match(marker) or IN_ALL.match(after)))


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
        if _REACHED.search(text[start : number.start]) and _is_of_another(period, text, numbers[:place]):
            continue
        if period.end <= number.start and not _COMPARING.search(text[max(start, period.start - 40) : period.start]):
            return period
    if _REACHED.search(text[start : number.start]):
        return None
    own = [period for period in periods[bisect_left(starts, start) :][:4] if period.end <= end]
    beyond = numbers[place + 1].start if place + 1 < len(numbers) else end
    own = [period for period in own if period.end <= beyond and not LABELS_NEXT.match(text, period.end)]
    if len(own) == 1 and not _COMPARING.search(text[max(start, own[0].start - 40) : own[0].start]):
        return own[0]
    return None


def _is_of_another(period: Period, text: str, former: Sequence[Number]) -> bool:
    """Whether a period stands directly behind a figure, as where a change began: "from 26 in 2022 to 30"."""
    before = next((number for number in reversed(former) if number.end <= period.start), None)
    return before is not None and _YEAR_AFTER.fullmatch(text[before.end : period.start]) is not None
