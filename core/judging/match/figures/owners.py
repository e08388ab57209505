"""Several right figures with each other's names: "Gaming 416, Visualization 2,856" for the other way round."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from core.judging.match.figures.candidates import candidates
from core.judging.match.figures.comparison import Scales, compare_figures
from core.judging.match.figures.kinds import comparable
from core.judging.match.figures.statements import Statement, read_statements
from core.judging.match.readers.figure_text import figure_text
from core.judging.match.readers.numbers import Number
from core.judging.match.readers.scales import stated_scales

MOST = 60
"""Figures of an answer that are looked at."""
_FORMER = re.compile(r"\b(?:up|down|rose|fell|increased|decreased|declined|improved|grew|dropped|changed|went)?\s?from\s(?:[a-z]{3} )?[€$£]?$")


def exchanged(figures: Sequence[Number], reference: str, answer: str, question: str) -> tuple[str, str] | None:
    """Two figures of a reference that an answer gives with each other's names or the other way round, or None.

    A name is what stands beside one of the two in the reference and not beside the other.

    Args:
        figures: Those of the reference that the answer states.
        reference: Figure text of the reference.
        answer: Figure text of the answer.
        question: Match text of the question.

    >>> from core.judging.match.readers.numbers import find_numbers
    >>> reference = "gaming had $28 million and automotive had $41 million."
    >>> exchanged(find_numbers(reference, 9), reference, "gaming: $41 million, automotive: $28 million", "")
    ('$28 million', '$41 million')
    """
    if len(figures) < 2:
        return None
    own = read_statements(candidates(reference, "amount " + question), reference, reference)
    given = read_statements(candidates(answer, "amount " + question)[:MOST], answer, reference)
    scales = Scales(question=stated_scales(question), answer=stated_scales(answer))
    there = {figure: _same(figure, own, Scales()) for figure in figures}
    here = {figure: _same(figure, given, scales) for figure in figures}
    for a, b in combinations(figures, 2):
        if a.value == b.value or not comparable(a, b) or not (there[a] and there[b] and here[a] and here[b]):
            continue
        if _names_changed(there[a], there[b], here[a], here[b]) or _turned(
            (there[a], there[b]), (here[a], here[b]), reference, answer
        ):
            return a.text.strip(), b.text.strip()
    return None


def _same(figure: Number, statements: Sequence[Statement], scales: Scales) -> tuple[Statement, ...]:
    return tuple(item for item in statements if compare_figures(figure, item.number, scales)[0] == "same")


def _about(statements: Sequence[Statement]) -> frozenset[str]:
    return frozenset().union(*(item.about for item in statements))


def _names_changed(
    there_a: Sequence[Statement],
    there_b: Sequence[Statement],
    here_a: Sequence[Statement],
    here_b: Sequence[Statement],
) -> bool:
    names_a, names_b = _about(there_a) - _about(there_b), _about(there_b) - _about(there_a)
    about_a, about_b = _about(here_a), _about(here_b)
    return len(about_a & names_b) > len(about_a & names_a) and len(about_b & names_a) > len(about_b & names_b)


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
