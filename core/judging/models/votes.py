"""The form of judging models' replies, and the verdict of their majority."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from core.judging.models.reply_values import NULLS, chosen
from core.llm.replies.loose import REASONS, Also, LooseForm, plain

_VERDICTS = {"correct": "Correct", "true": "Correct"} | dict.fromkeys(
    ("incorrect", "not correct", "false", "wrong"), "Incorrect"
)
_SECOND = ("verdict", "judgement", "judgment", "decision", "conclusion", "iscorrect")
"""How names end under which a reply gives a verdict."""
_CONCLUDED = re.compile(
    r"\b(?:so|therefore|thus|hence|overall)\b[^.;]{0,60}\b(?:is|was)\s+(incorrect|correct|wrong)\W*\Z", re.IGNORECASE
)
"""The verdict at which a reason arrives."""
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


def _is_word(value: object) -> bool:
    return isinstance(value, (str, bool))


def reason_text(value: object) -> object:
    """A reason however it is written; it is evidence."""
    return " ".join(map(str, value)) if isinstance(value, list) else "" if value is None else value


def _spelt(value: object) -> object:
    return str(value) if isinstance(value, bool) else value


class ReferenceVerdict(LooseForm):
    """The reply of the reference judge; the reason comes first, so that it is thought of first."""

    @model_validator(mode="before")
    @classmethod
    def _of_one_mind(cls, document: Any) -> Any:
        """A second verdict under another name, or one at which the reason arrives, must be the same."""
        if not isinstance(document, dict):
            return document
        said = {plain(name): value for name, value in document.items()}
        verdicts = {verdict_word(value) for name, value in said.items() if name.endswith(_SECOND) and _is_word(value)}
        reasons = " ".join(str(value) for name, value in said.items() if name in REASONS)
        verdicts |= {verdict_word(found) for found in _CONCLUDED.findall(reasons)} if verdicts else set()
        if {"Correct", "Incorrect"} <= verdicts:
            raise ValueError("it gives two verdicts")
        return document

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
