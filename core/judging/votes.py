"""The form of judging models' replies, and the verdict of their majority."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from core.judging.written import NULLS, chosen
from core.llm.loose import REASONS, Also, LooseForm

_VERDICTS = {"correct": "Correct", "true": "Correct"} | dict.fromkeys(
    ("incorrect", "not correct", "false", "wrong"), "Incorrect"
)
_YES_NO = {**dict.fromkeys(("yes", "true", "same"), "Yes"), **dict.fromkeys(("no", "false", "not the same"), "No")}
_SUPPORT = (
    dict.fromkeys(("yes", "true", "supported"), "Yes")
    | dict.fromkeys(("no", "false", "not supported", "unsupported", "contradicted"), "No")
    | dict.fromkeys(NULLS, "Null")
)


def verdict_word(value: object) -> object:
    """Correct or Incorrect, whatever its letter case: ``correct.``, ``false``, ``INCORRECT - another person``."""
    return chosen(_spelt(value), _VERDICTS, ("Incorrect",))


def yes_or_no(value: object) -> object:
    """Yes or No, which may arrive as a truth."""
    return chosen(_spelt(value), _YES_NO, ("No",))


def support_word(value: object) -> object:
    """Yes, No or Null of a claim; a model may mean its Null as JSON does."""
    return "Null" if value is None else chosen(_spelt(value), _SUPPORT, ("No", "Null"))


def reason_text(value: object) -> object:
    """A reason however it is written; it is evidence."""
    return " ".join(map(str, value)) if isinstance(value, list) else "" if value is None else value


def _spelt(value: object) -> object:
    return str(value) if isinstance(value, bool) else value


class ReferenceVerdict(LooseForm):
    """The reply of the reference judge; the reason comes first, so that it is thought of first."""

    reason: Annotated[str, BeforeValidator(reason_text), Also(REASONS)] = Field(
        description="One or two sentences that say what decided."
    )
    verdict: Annotated[
        Literal["Correct", "Incorrect"],
        BeforeValidator(verdict_word),
        Also(("judgement", "judgment", "decision", "conclusion")),
    ]


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
