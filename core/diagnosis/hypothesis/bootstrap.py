"""The record of one module's test."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.diagnosis.hypothesis.comparison import TestedModule
from core.domain.estimates import Estimate

LEVEL = 0.05
"""An adjusted p-value up to this is called a difference."""

NOT_TESTED = Estimate(value=None, low=None, high=None, n=0, method="not tested")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleTest:
    """One module's comparison.

    Attributes:
        groups: Semantic groups compared; where there are too few, how many there are.
        a: Mean share of the first value over groups, None where not tested.
        b: The same for the second.
        difference: `a` minus `b`, with its interval.
        p_value: Two-sided, None where not tested.
        p_adjusted: Holm over the modules tested.
        method: How interval and p-value were made.
        reason: Why it was not tested, or empty.
        detectable: The smallest difference that the test would find in four of five draws of as many groups; None where
            not tested, or where none would be found.
    """

    module: TestedModule
    groups: int
    a: float | None = None
    b: float | None = None
    difference: Estimate = field(default=NOT_TESTED)
    p_value: float | None = None
    p_adjusted: float | None = None
    method: str = "not tested"
    reason: str = ""
    detectable: float | None = None

    @property
    def shown(self) -> bool:
        """Whether a difference is shown at the level."""
        return self.p_adjusted is not None and self.p_adjusted <= LEVEL

    def as_json(self) -> dict[str, object]:
        """The command line's form."""
        return {
            "module": str(self.module),
            "difference": {
                "value": self.difference.value,
                "low": self.difference.low,
                "high": self.difference.high,
            },
            "p_value": self.p_value,
            "p_adjusted": self.p_adjusted,
            "method": self.method,
            "groups": self.groups,
            "a": self.a,
            "b": self.b,
            "reason": self.reason,
            "smallest_detectable_difference": self.detectable,
        }
