"""What a project lets the match judge accept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from core.domain.errors import InvalidInput

MOST_TOLERANCE = Decimal("0.2")
"""A wider tolerance would let most wrong figures pass."""
OFFERED_TOLERANCES = (Decimal(0), Decimal("0.001"), Decimal("0.005"), Decimal("0.01"), Decimal("0.02"), Decimal("0.05"))


class CoarseDates(StrEnum):
    """What a date that says less than the reference counts for ("March 2021" for 2021-03-15)."""

    NOT_ACCEPTED = "no"
    PARTLY = "partly"
    ACCEPTED = "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSettings:
    """The choices of a project.

    Attributes:
        tolerance: How far a figure may be from the reference, as a share of the reference (0.01 is 1%); 0 asks for the
            reference's own precision.
        coarse_dates: Whether a date that says less than the reference is correct, partly correct or incorrect.

    Raises:
        InvalidInput: The tolerance is no share between 0 and `MOST_TOLERANCE`.
    """

    tolerance: Decimal = Decimal(0)
    coarse_dates: CoarseDates = CoarseDates.NOT_ACCEPTED

    def __post_init__(self) -> None:
        """Refuses a tolerance out of range."""
        if not self.tolerance.is_finite() or not 0 <= self.tolerance <= MOST_TOLERANCE:
            raise InvalidInput(
                f"{self.tolerance} is no tolerance for figures.",
                f"Give a share of the reference between 0 and {MOST_TOLERANCE}; 0.01 is 1%.",
            )

    @classmethod
    def of(cls, options: Mapping[str, object]) -> MatchSettings:
        """The settings among the options of a run: ``judge_tolerance`` and ``judge_coarse_dates``.

        Raises:
            InvalidInput: One of them cannot be read.

        >>> MatchSettings.of({"judge_tolerance": 0.01}).shown_tolerance
        '1%'
        """
        tolerance = options.get("judge_tolerance") or 0
        coarse = options.get("judge_coarse_dates") or CoarseDates.NOT_ACCEPTED
        try:
            share = Decimal(str(tolerance))
        except InvalidOperation as error:
            raise InvalidInput(f"{tolerance!r} is no tolerance for figures.", "Give a number; 0.01 is 1%.") from error
        if str(coarse) not in set(CoarseDates):
            raise InvalidInput(
                f"{coarse!r} is no choice for coarser dates.", f"Choose one of {', '.join(CoarseDates)}."
            )
        return cls(tolerance=share, coarse_dates=CoarseDates(str(coarse)))

    def options(self) -> dict[str, object]:
        """The settings as options of a run, those left as they come left out."""
        chosen: dict[str, object] = {}
        if self.tolerance:
            chosen["judge_tolerance"] = float(self.tolerance)
        if self.coarse_dates is not CoarseDates.NOT_ACCEPTED:
            chosen["judge_coarse_dates"] = self.coarse_dates.value
        return chosen

    @property
    def shown_tolerance(self) -> str:
        """The tolerance in percent, as a person reads it."""
        return f"{(self.tolerance * 100).normalize():f}%"


DEFAULT = MatchSettings()
