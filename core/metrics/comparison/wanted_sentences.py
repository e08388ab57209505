"""The sentences that retrieval should have found: those of the reference answers, else those of the question."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.status import Status
from core.metrics.prepared import Part, Prepared
from core.metrics.spec import Unscored

THRESHOLD = 0.5
"""Cosine from which a sentence counts as found; why this one is said in the spec of sentence_recall."""

ROUNDING = 1e-9
"""A cosine of exactly the threshold must count whatever the order of its sums."""

NOTHING_WANTED = Unscored(
    status=Status.MISSING_INPUT, reason="There is neither a reference answer nor a question that says what is wanted."
)


def wanted(prepared: Prepared) -> Part | None:
    """Whose sentences should be found: the references', the question's where they have none; None without either."""
    return next((part for part in (Part.REFERENCE, Part.QUESTION) if prepared.sentences(part)), None)


def share_found(values: Sequence[float]) -> float:
    """The share of best matches that reach the threshold.

    >>> share_found([0.5, 0.49, 1.0, -1.0])
    0.5
    """
    return sum(value >= THRESHOLD - ROUNDING for value in values) / len(values)
