"""What counts as weak."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.errors import InvalidInput


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaknessOptions:
    """When a part of the cases is weak: significant, large enough to matter, and with enough cases.

    Attributes:
        q: Share of false alarms among what is called weak that is accepted on average (Benjamini and Hochberg).
        min_effect: How much worse than the rest a part must be, in units of the score; for a score without bounds, of
            its standard deviation.
        least: Clusters of a part with a score, fewer are not tested; and as many outside it.
    """

    q: float = 0.10
    min_effect: float = 0.10
    least: int = 5

    def __post_init__(self) -> None:
        if not 0.0 < self.q < 1.0:
            raise InvalidInput(f"The false discovery rate is {self.q}.", "Choose one between 0 and 1, such as 0.1.")
        if not self.min_effect >= 0.0:
            raise InvalidInput(f"The least effect is {self.min_effect}.", "Choose 0 or more, such as 0.1.")
        if self.least < 2:
            raise InvalidInput(f"At least {self.least} groups is too few.", "Choose 2 or more, such as 5.")
