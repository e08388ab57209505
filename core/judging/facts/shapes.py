"""The shape of a value that is neither a number nor a date nor a name: "T2P 5G3" and "12 - 355 ml cans" each have one.

Two values of one shape can stand in each other's place: where a page has "T2P 5G3" after "postal code", it states
another code than "T2P 2T3", although both begin alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from core.text.words import contains_phrase, fold

RUN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|\s+|[^\w\s]|_")
"""What a value is made of: figures, letters, blanks and single signs."""

FIGURES, LETTERS = r"\d+(?:[.,]\d+)*", r"[^\W\d_]+"


@lru_cache(maxsize=50_000)
def shape_of(value: str) -> re.Pattern[str] | None:
    """What values of the same shape are found with; None where the value has no figures, or nothing but them.

    >>> pattern = shape_of("T2P 2T3")
    >>> pattern.search("The postal code is T2P 5G3.").group(), pattern.search("The postal code is 8020.")
    ('T2P 5G3', None)
    >>> shape_of("Marketing Manager"), shape_of("75016")
    (None, None)
    """
    runs = RUN.findall(value.strip())
    if not any(run[0].isdigit() for run in runs) or len(runs) < 2:
        return None
    parts = [_part(run, runs[place - 1] if place else "") for place, run in enumerate(runs)]
    return re.compile(rf"(?<!\w){''.join(parts)}(?!\w)")


def of_the_same_shape(value: str, passage: str, excluded: Sequence[str] = ()) -> str:
    """The first piece of a passage that has the shape of a value and is another one; empty where there is none.

    Args:
        value: Whose shape counts.
        passage: Where to look.
        excluded: Folded names that are no answer.
    """
    pattern = shape_of(value)
    if pattern is None:
        return ""
    return next(
        (
            piece
            for piece in pattern.findall(passage)
            if fold(piece) != fold(value) and not any(contains_phrase(name, piece) for name in excluded)
        ),
        "",
    )


def _part(run: str, before: str) -> str:
    """What a run of a value is found with; beside a sign there may be blanks or none."""
    if run.isspace():
        return r"\s*" if _is_sign(before) else r"\s+"
    found = FIGURES if run[0].isdigit() else LETTERS if run[0].isalpha() else re.escape(run)
    return rf"\s*{found}" if before and (_is_sign(run) != _is_sign(before)) and not before.isspace() else found


def _is_sign(run: str) -> bool:
    return bool(run) and not run[0].isalnum() and not run.isspace()
