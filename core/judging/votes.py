"""The form of judging models' replies, and the verdict of their majority."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field


def word(value: object) -> object:
    """A verdict whatever its letter case: ``correct.`` is Correct."""
    return value.strip(" .\"'").capitalize() if isinstance(value, str) else value


class ReferenceVerdict(BaseModel):
    """The reply of the reference judge; the reason comes first, so that it is thought of first."""

    reason: str = Field(description="One or two sentences that say what decided.")
    verdict: Annotated[Literal["Correct", "Incorrect"], BeforeValidator(word)]


def majority(votes: Sequence[str], of: int) -> str:
    """The verdict that more than half of the planned votes give; empty where there is none.

    A failed vote counts for no verdict, so a verdict never needs fewer votes than it would with every vote in.

    Args:
        votes: The votes received.
        of: The number of votes planned.

    >>> majority(["Correct", "Correct"], 3), majority(["Correct", "Incorrect"], 3), majority(["Correct"], 1)
    ('Correct', '', 'Correct')
    """
    return next((vote for vote in dict.fromkeys(votes) if 2 * votes.count(vote) > of), "")
