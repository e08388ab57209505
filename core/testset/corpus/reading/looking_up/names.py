"""Names of rows, heads and values as a question can quote them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.testset.corpus.reading.values import tells

MOST_ROW_WORDS = 8
MOST_HEAD_WORDS = 6
LONGEST_NUMBER = 4
"""Digits of a number by which people call a row; a longer one is for programs."""
NAMED = re.compile(r"[A-Z\d][\w.'’&/-]*(?: (?:[A-Z\d&][\w.'’&/-]*|and|of|the|for|de))*")
"""A name or a code."""
BARE = re.compile(r"[-+−–]?\d[\d,.]*")
"""A figure without a unit."""
_MARK = re.compile(r"\s*(?:\[\w{1,2}\]|[*†‡§¹]+|\((?:\d|[a-h])\))$")
"""The mark of a footnote."""
_LETTER = re.compile(r"(?<=[\w)]) [abcef]$")
"""The raised letter of a footnote behind a label; "2 h" and "14 d" are values."""
_RAISED = re.compile(r"(?:[^\W\d_]{3,}|\d) \d$")
"""A name that ends with a lone digit, which may be the raised mark of a footnote."""
_TORN = re.compile(r"[a-z]- (?!(?:and|or|to|und|et)\b)[a-z]")
"""A word that the end of a line has cut: "Bench- mark"."""
_REMARKS = re.compile(
    r"(?:.* )?(?:remarks?|notes?|comments?|descriptions?|details?|explanations?|actions?|next steps?|reasons?|what|why|"
    r"how|instructions?|meaning|definition|text|answers?|questions?|conditions?|n/?a|see(?: .*)?)",
    re.IGNORECASE,
)
"""Heads of columns in prose."""
_INITIALS = re.compile(r"\b[A-Z]\. ?[A-Z][a-z]+ [A-Z]")
"""Somebody's name before a head, which another line has left there."""
_POINTS = re.compile(r"\((?:see|cf\.|as in)\b|^of which\b", re.IGNORECASE)
"""What points to another place, or to the column before."""
_ORDINAL = re.compile(r"(?:first|second|third|fourth|fifth|last|next|other|same|do\.?|ditto)", re.IGNORECASE)
"""A row that only the one above it explains."""


def unmarked(value: str) -> str:
    """A value without the mark of a footnote.

    >>> unmarked("30 [3]"), unmarked("2 h")
    ('30', '2 h')
    """
    return _MARK.sub("", value).strip()


def label_of(cell: str) -> str:
    """The name of a row or a column without the mark of a footnote.

    >>> label_of("Studio [3]"), label_of("Moisture, max. (%) a"), label_of("Room 4:")
    ('Studio', 'Moisture, max. (%)', 'Room 4')
    """
    return _LETTER.sub("", unmarked(cell)).rstrip(":")


def names_a_row(name: str, names: Sequence[str]) -> bool:
    """Whether a name tells a row: no sentence, no long number, no mark of a footnote that became a part of it.

    Args:
        name: The row's.
        names: Those of all rows of its table.
    """
    raised = _RAISED.search(name) and 2 * sum(bool(_RAISED.search(other)) for other in names) <= len(names)
    return (
        _is_quotable(name, MOST_ROW_WORDS)
        and not raised
        and not name.endswith((".", ";", ","))
        and not _ORDINAL.fullmatch(name)
        and not (BARE.fullmatch(name) and len(name) > LONGEST_NUMBER)
        and tells(name)
    )


def names_a_column(head: str, heads: Sequence[str]) -> bool:
    """Whether a head tells a column of data: no remarks, no mark of a footnote that became a part of it.

    Args:
        head: The column's.
        heads: Those of all columns of its table.
    """
    raised = _RAISED.search(head) and sum(bool(_RAISED.search(other)) for other in heads) == 1
    return _is_quotable(head, MOST_HEAD_WORDS) and not (raised or _REMARKS.fullmatch(head) or _INITIALS.search(head))


def _is_quotable(name: str, most_words: int) -> bool:
    return (
        bool(name)
        and '"' not in name
        and len(name.split()) <= most_words
        and not (_TORN.search(name) or _POINTS.search(name))
    )
