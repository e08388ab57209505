"""Acceptance criteria: what a system must reach, set before a run and judged by it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.domain.estimates import Estimate


class Bound(StrEnum):
    """Which number is compared with the threshold.

    The bounds are the ends of the two-sided 95% interval, so each errs in one of forty samples. A lower bound goes with
    "at least", an upper bound with "at most".
    """

    ESTIMATE = "estimate"
    LOWER = "lower bound"
    UPPER = "upper bound"


class Direction(StrEnum):
    """Which side of the threshold is good."""

    AT_LEAST = "at_least"
    AT_MOST = "at_most"

    @property
    def words(self) -> str:
        """For people.

        >>> Direction.AT_LEAST.words
        'at least'
        """
        return self.value.replace("_", " ")


class CriterionVerdict(StrEnum):
    """Whether a run meets a criterion."""

    MET = "met"
    NOT_MET = "not met"
    CANNOT_TELL = "cannot be told"


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptanceCriterion:
    """A threshold that a figure of a run must reach.

    A change makes a new version and leaves the old one as it was, so that every version can be read again.

    Attributes:
        id: The same over all versions.
        version: From 1.
        metric: ``accuracy``, another figure of :data:`core.criteria.figures.FIGURES`, or the stored name of a metric.
        bound: What is compared with the threshold.
        threshold: In the unit of the metric.
        direction: Which side of it is good.
        note: Why this threshold, in a person's words.
        set_at: UTC, ISO 8601, since when it says what it says.
        set_by: Who set it so.
        reason: Why it was changed or removed; empty for the first version.
        locked_at: When this version was locked; empty while it is a draft.
        locked_by: Who locked it.
        removed: Whether this version takes the criterion away.
    """

    id: str
    project_id: str
    version: int = 1
    metric: str
    bound: Bound = Bound.ESTIMATE
    threshold: float
    direction: Direction = Direction.AT_LEAST
    note: str = ""
    set_at: str = ""
    set_by: str = ""
    reason: str = ""
    locked_at: str = ""
    locked_by: str = ""
    removed: bool = False

    @property
    def locked(self) -> bool:
        """Whether a change of it needs a reason."""
        return bool(self.locked_at)

    def says(self) -> tuple[object, ...]:
        """What makes two versions say the same."""
        return self.metric, self.bound, self.threshold, self.direction, self.note


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionResult:
    """A criterion judged by one run.

    Attributes:
        criterion: As it is now.
        label: The figure's name for people.
        estimate: The figure with its interval and n; without a value where there is none.
        of: Cases that could have counted; n of them did.
        compared: The number that was compared with the threshold; None where there is none.
        verdict: Whether it is met.
        reason: One sentence: why it cannot be told, or what else must be known to read the verdict.
        set_after_run: Whether it was set, or changed to what it says, after the run was started.
        locked_before_run: Whether it was locked by then.
    """

    criterion: AcceptanceCriterion
    label: str
    estimate: Estimate
    of: int = 0
    compared: float | None = None
    verdict: CriterionVerdict
    reason: str = ""
    set_after_run: bool = False
    locked_before_run: bool = False

    @property
    def standing(self) -> str:
        """When it was set, beside the run, in words."""
        if self.set_after_run:
            return "set after this run was started"
        return "locked before this run" if self.locked_before_run else "set before this run, not locked by then"
