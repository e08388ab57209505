"""Figures that are parts of a total in an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.judging.match.figures.chosen.closeness import same_sentence
from core.judging.match.figures.chosen.statements import Statement
from core.judging.match.figures.kinds import comparable

_PARTS_FOLLOW = re.compile(r"[:(]|\b(?:of which|of these|of them|including|made up of|consisting of|namely)\b")


def broken_down(own: Statement, statements: Sequence[Statement], text: str) -> frozenset[int]:
    """Where the figures behind another one start that make it up: "412: 209 in, 188 out and 15 shifts"."""
    behind = [
        one.number
        for one in statements
        if one.number.start > own.number.start and same_sentence(one, own) and comparable(own.number, one.number)
    ]
    if len(behind) < 2 or sum(number.plain for number in behind) != own.number.plain:
        return frozenset()
    parted = _PARTS_FOLLOW.search(text[own.number.end : behind[0].start])
    return frozenset(number.start for number in behind) if parted else frozenset()


def part_of_a_sum(own: Statement, statements: Sequence[Statement], text: str) -> Statement | None:
    """The total in front of a figure that is broken down into it and others: "149: 37 flagged and 112 overdue"."""
    return next(
        (
            whole
            for whole in statements
            if whole.number.end <= own.number.start and own.number.start in broken_down(whole, statements, text)
        ),
        None,
    )
