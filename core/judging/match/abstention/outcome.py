"""What an answer does, and how each reader of it counts that: the one place that says so."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """What an answer as a whole does.

    | | `answered`, answerable x answered | `match` | `faithfulness` |
    |---|---|---|---|
    | ANSWERED | answered | its value is compared | its claims are checked |
    | PARTLY | answered, marked partly | its value is compared; without one `abstained` | its claims are checked |
    | DECLINED | declined | `abstained`; correct where the reference has no answer either | nothing to check |
    | ASKS_BACK | declined, and marked as asking back | `abstained` | nothing to check |
    """

    ANSWERED = "answered"
    """It tells something. What it leaves open besides is no part of the question, or the reason for what it tells."""
    PARTLY = "partly"
    """It tells something and declines what was asked, or a part of it."""
    DECLINED = "declined"
    """It has no answer, or must not give it, and tells nothing that would be one."""
    ASKS_BACK = "asks back"
    """It asks for what it needs to answer."""

    @property
    def declines(self) -> bool:
        """Whether nothing is answered."""
        return self in {Outcome.DECLINED, Outcome.ASKS_BACK}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """An answer, read.

    Attributes:
        outcome: What it does.
        words: The words that show it, as they are compared; empty where it answers.
        says_so: Whether these words tell of a gap; else the answer only asks back, or sends somebody elsewhere.
        learned: Whether the reader of refusals decided against the rules (`core.encoders.classifiers.refusal_reader`).
    """

    outcome: Outcome
    words: str = ""
    says_so: bool = False
    learned: bool = False


ANSWERED = Reading(outcome=Outcome.ANSWERED)
