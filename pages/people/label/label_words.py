"""A label in words, as the second look shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.domain.results.labels import Criterion, Label, LabelRound, LabelStatus
from pages.people.label.setup import rounds as label_rounds

CANNOT: Final = "cannot be judged"


def level(criterion: Criterion, value: float | None) -> str:
    """A level with its anchor."""
    if value is None:
        return CANNOT
    anchor = next((level.anchor for level in criterion.levels if level.value == value), "")
    return f"{value:.3g} {anchor}".strip()


def answer(criterion: Criterion, label: Label) -> str:
    """What a rater said."""
    return CANNOT if label.status is LabelStatus.CANNOT_JUDGE else level(criterion, label.value)


def rater(label: Label, rounds: Mapping[str, LabelRound]) -> str:
    """Who said it, marked where a machine played it."""
    return label_rounds.rater_name(label.rater, played=label_rounds.simulated(rounds.get(label.round_id)))
