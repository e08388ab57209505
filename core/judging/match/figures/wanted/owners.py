"""Several right figures with each other's names: "Gaming 416, Visualization 2,856" for the other way round."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from operator import itemgetter

from core.judging.match.figures.candidates import candidates
from core.judging.match.figures.chosen.statements import Statement, read_statements
from core.judging.match.figures.comparison import Scales, compare_figures
from core.judging.match.figures.kinds import comparable
from core.judging.match.readers.figures.numbers import Number
from core.judging.match.readers.figures.scales import stated_scales

LEAST = 2
BOTH = 2
MOST = 60
"""Figures of an answer that are looked at."""
_TOGETHER = re.compile(r"(?:(?!\band\b)[^,;.\n]){1,60}")
"""What may stand between two figures that go together."""
_FORMER = re.compile(
    r"\b(?:up|down|rose|fell|increased|decreased|declined|improved|grew|dropped|changed"
    r"|went)?\s?from\s(?:[a-z]{3} )?[€$£]?$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Two figures of a reference that an answer may give with each other's names.

    Attributes:
        first: One of the two, as the reference writes it.
        second: The other.
        sure: Whether both have the other's name; else one has it, and the other none.
    """

    first: str
    second: str
    sure: bool = True


def exchanged(figures: Sequence[Number], reference: str, answer: str, question: str) -> Exchange | None:
    """Two figures of a reference that an answer gives with each other's names or the other way round, or None.

    A name is what stands beside one of the two in the reference and not beside the other.

    Args:
        figures: Those of the reference that the answer states.
        reference: Figure text of the reference.
        answer: Figure text of the answer.
        question: Match text of the question.

    >>> from core.judging.match.readers.figures.numbers import find_numbers
    >>> reference = "gaming had $28 million and automotive had $41 million."
    >>> found = exchanged(find_numbers(reference, 9), reference, "gaming: $41 million, automotive: $28 million", "")
    >>> found.first, found.second, found.sure
    ('$28 million', '$41 million', True)
    """
    if len(figures) < LEAST:
        return None
    own = read_statements(candidates(reference, "amount " + question), reference, reference)
    given = read_statements(candidates(answer, "amount " + question)[:MOST], answer, reference)
    scales = Scales(question=stated_scales(question), answer=stated_scales(answer))
    there = {figure: _same(figure, own, Scales()) for figure in figures}
    here = {figure: _same(figure, given, scales) for figure in figures}
    doubt = None
    for a, b in combinations(figures, 2):
        if a.value == b.value or not comparable(a, b) or not (there[a] and there[b] and here[a] and here[b]):
            continue
        changed = _names_changed(there[a], there[b], here[a], here[b])
        if changed == BOTH or _turned((there[a], there[b]), (here[a], here[b]), reference, answer):
            return Exchange(first=a.text.strip(), second=b.text.strip())
        if changed and doubt is None:
            doubt = Exchange(first=a.text.strip(), second=b.text.strip(), sure=False)
    return _pairs_changed(figures, here, (own, reference), (given, answer), scales) or doubt


def _pairs_changed(
    figures: Sequence[Number],
    here: dict[Number, tuple[Statement, ...]],
    own: tuple[Sequence[Statement], str],
    given: tuple[Sequence[Statement], str],
    scales: Scales,
) -> Exchange | None:
    """Figures of two kinds that go together in the reference ("8 shares for $3") and with another in the answer."""
    partner = {
        figure: other for left, right in _pairs(*own) for figure, other in _named(figures, left, right, Scales())
    }
    for left, right in _pairs(*given):
        for figure, other in _named(figures, left, right, scales):
            wanted = partner.get(figure)
            if (
                wanted is not None
                and other != wanted
                and other in partner
                and here[wanted]
                and comparable(wanted, other)
            ):
                return Exchange(first=wanted.text.strip(), second=other.text.strip())
    return None


def _named(figures: Sequence[Number], left: Number, right: Number, scales: Scales) -> list[tuple[Number, Number]]:
    """Two neighbours as figures of the reference, both ways round; none where one is no figure of it."""
    first, second = (
        next((figure for figure in figures if compare_figures(figure, side, scales)[0] == "same"), None)
        for side in (left, right)
    )
    return [(first, second), (second, first)] if first is not None and second is not None else []


def _pairs(statements: Sequence[Statement], text: str) -> list[tuple[Number, Number]]:
    """Neighbours of two kinds in one clause."""
    return [
        (left.number, right.number)
        for left, right in pairwise(statements)
        if _dimension(left.number) != _dimension(right.number)
        and _TOGETHER.fullmatch(text[left.number.end : right.number.start])
    ]


def _dimension(number: Number) -> str:
    return "money" if number.currency else number.unit


def _same(figure: Number, statements: Sequence[Statement], scales: Scales) -> tuple[Statement, ...]:
    return tuple(item for item in statements if compare_figures(figure, item.number, scales)[0] == "same")


def _about(statements: Sequence[Statement]) -> frozenset[str]:
    return frozenset().union(*(item.about for item in statements))


def _names_changed(
    there_a: Sequence[Statement],
    there_b: Sequence[Statement],
    here_a: Sequence[Statement],
    here_b: Sequence[Statement],
) -> int:
    """How many of two figures have the other's name; one counts only where the other has no name of its own."""
    names_a, names_b = _about(there_a) - _about(there_b), _about(there_b) - _about(there_a)
    about_a, about_b = _about(here_a), _about(here_b)
    wrong = [len(about_a & names_b) > len(about_a & names_a), len(about_b & names_a) > len(about_b & names_b)]
    unnamed = [not about_a & names_a, not about_b & names_b]
    return BOTH if all(wrong) else int((wrong[0] and unnamed[1]) or (wrong[1] and unnamed[0]))


def _turned(
    there: tuple[Sequence[Statement], Sequence[Statement]],
    here: tuple[Sequence[Statement], Sequence[Statement]],
    reference: str,
    answer: str,
) -> bool:
    """Whether what was the former value is the present one in the answer: "up from 18%" for "up to 18%"."""
    was_former = [_all_former(side, reference) for side in there]
    is_former = [_all_former(side, answer) for side in here]
    return (was_former[0] != was_former[1] or _compared(there) is not None) and (
        (is_former == [True, False] and (was_former == [False, True] or _compared(there) == 1))
        or (is_former == [False, True] and (was_former == [True, False] or _compared(there) == 0))
    )


def _all_former(statements: Sequence[Statement], text: str) -> bool:
    return all(_FORMER.search(text[max(0, item.number.start - 30) : item.number.start]) for item in statements)


def _compared(sides: tuple[Sequence[Statement], Sequence[Statement]]) -> int | None:
    """Which of two figures is only compared with, where one of them is."""
    compared = [all(item.role == "compared" for item in side) for side in sides]
    return compared.index(True) if compared.count(True) == 1 else None


def out_of_order(figures: Sequence[Number], answer: str, question: str) -> str:
    """The figures in the order in which an answer first gives them, where that is another one; else empty.

    >>> from core.judging.match.readers.figures.numbers import find_numbers
    >>> figures = find_numbers("5% then 7% then 6%", 9)
    >>> out_of_order(figures, "5%, 6% and 7%", ""), out_of_order(figures, "first 5%, then 7%, at last 6%", "")
    ('5%, 6%, 7%', '')
    """
    scales = Scales(question=stated_scales(question), answer=stated_scales(answer))
    numbers = candidates(answer, "amount " + question)
    places = []
    for figure in figures:
        place = next(
            (at for at, number in enumerate(numbers) if compare_figures(figure, number, scales)[0] == "same"), -1
        )
        if place >= 0:
            places.append((place, figure))
    given = [figure for _, figure in sorted(places, key=itemgetter(0))]
    return "" if given == [figure for _, figure in places] else ", ".join(figure.text.strip() for figure in given)


_FROM_TO = re.compile(
    r"\bfrom (?:[a-z]{3} |[€$£])?(?P<first>\d[\d.,]*)[^.;\d\n]{0,20}? to (?:[a-z]{3} |[€$£])?(?P<then>\d[\d.,]*)"
)
_WAS = re.compile(
    r"\b(?:from|compared (?:with|to)|against|versus|vs\.?|after|previous\w*|prior|was|were|been|than|at)"
    r"\s[^.;\n]{0,12}$"
)
_YEAR = r"\b(?:19|20)\d\d\b"
MOST_BETWEEN = 32
"""Characters in front of a figure in which it may be called the former one."""


def turned_round(reference: str, answer: str) -> str:
    """The figures of a change ("from 14 to 13") that an answer gives the other way round; or empty.

    Args:
        reference: Figure text of the reference.
        answer: Figure text of the answer.

    >>> turned_round("it fell from 14.1% to 13.5%", "it was 13.5% in 2021 and 14.1% in 2022")
    '13.5, 14.1'
    >>> turned_round("it fell from 14.1% to 13.5%", "it fell to 13.5% from 14.1%")
    ''
    """
    change = _FROM_TO.search(reference)
    if change is None:
        return ""
    first, then = (change[name].rstrip(".,") for name in ("first", "then"))
    places = [_place(digits, answer) for digits in (first, then)]
    if -1 in places or places[0] < places[1]:
        return ""
    in_years = rf"{re.escape(then)}[^.;\n]*{_YEAR}[^.;\n]*{re.escape(first)}[^.;\n]*{_YEAR}"
    is_called_former = _WAS.search(answer[max(0, places[0] - MOST_BETWEEN) : places[0]])
    return "" if is_called_former and not re.search(in_years, answer) else f"{then}, {first}"


def _place(digits: str, text: str) -> int:
    found = re.search(rf"(?<![\d.,]){re.escape(digits)}(?!\d|[.,]\d)", text)
    return found.start() if found else -1


def is_former(figure: Number, text: str, question: str) -> bool:
    """Whether a text gives a figure only as the value before a change ("from 5% to 7%").

    Args:
        figure: The figure.
        text: Figure text.
        question: Match text of the question.
    """
    numbers = [
        number for number in candidates(text, "amount " + question) if compare_figures(figure, number)[0] == "same"
    ]
    return bool(numbers) and all(_FORMER.search(text[max(0, number.start - 30) : number.start]) for number in numbers)
