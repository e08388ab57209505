"""What people said of the system before it was tested, and how the run stands against their acceptance criteria."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.report.content import Number


class Outcome(StrEnum):
    """How a criterion came out."""

    MET = "met"
    MISSED = "missed"
    UNDECIDED = "undecided"
    """There is no value, so nobody can say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """A risk that was named before the tests.

    Attributes:
        tests: Which part of the report looks at it.
    """

    name: str
    materiality: str = ""
    tests: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What the system is for.

    Attributes:
        said: Heading and text, in order; texts that are empty were not written.
    """

    said: tuple[tuple[str, str], ...] = ()
    risks: tuple[Risk, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionOutcome:
    """An acceptance criterion and how the run stands against it.

    Attributes:
        text: Such as "Accuracy at least 0.90".
        on: What is compared: the estimate, or the lower or upper end of its interval.
        reason: Why there is no verdict, or what is close; empty otherwise.
        locked_at: When it was locked; empty where it is not.
        before_run: Whether it was locked before the run began.
    """

    text: str
    on: str
    threshold: float
    number: Number
    outcome: Outcome
    reason: str = ""
    locked_at: str = ""
    before_run: bool = False
    changed: int = 0
