"""Cases with a weakness somebody put there: 4 topics x 3 kinds x 2 forms of question, 10 cases each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from core.weakness.table import CaseTable, ScoreColumn, attribute_of

TOPICS = ("cards", "fees", "loans", "savings")
KINDS = ("date", "number", "text")
FORMS = ("long", "short")
EACH = 10


def planted_table(
    right: Callable[[str, str, str], int], *, missing: Callable[[str, str, str], int] | None = None, **score: object
) -> CaseTable:
    """240 cases; `right` says how many of each ten are answered correctly, `missing` how many have no score.

    The scores of a ten are the same in each order: first the missing ones, then the wrong, then the right.
    """
    named = [key for key in product(TOPICS, KINDS, FORMS) for _ in range(EACH)]
    values: list[float] = []
    for key in product(TOPICS, KINDS, FORMS):
        none = missing(*key) if missing else 0
        good = right(*key)
        values += [np.nan] * none + [0.0] * (EACH - none - good) + [1.0] * good
    return table_of_values(values, named, **score)


def table_of_values(values: Sequence[float], named: Sequence[tuple[str, str, str]], **score: object) -> CaseTable:
    """The same cases with scores of one's own."""
    columns = {name: [key[place] for key in named] for place, name in enumerate(("topic", "answer_type", "form"))}
    return CaseTable(
        case_ids=tuple(f"c{place}" for place in range(len(values))),
        clusters=np.arange(len(values), dtype=np.int64),
        score=ScoreColumn(name="verdict", values=np.array(values, dtype=np.float64), **score),  # type: ignore[arg-type]
        attributes=tuple(attribute_of(name, found) for name, found in columns.items()),
    )
