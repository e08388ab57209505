"""Claims checked against texts: one call for all claims of an answer, with a verdict and the passage that decides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from core.judging.models.votes import reason_text, support_word
from core.llm import ChatModel, Prompt
from core.llm.replies.loose import REASONS, Also, LooseForm

PROMPT = "claim_support"
PURPOSE = "support"


_NUMBER = re.compile(r"\s*(?:claim[\W_]{0,3}|no\.?\s*|#)?(\d{1,4})\W{0,2}\s*", re.IGNORECASE)


def _claim(value: object) -> object:
    """The number of a claim, perhaps as ``Claim 1``."""
    match = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    return int(match[1]) if match else value


def _passage(value: object) -> object:
    """The number of a passage however it is written; it is evidence, so one that cannot be read is none."""
    if isinstance(value, bool):
        return None
    number = re.fullmatch(r"\D{0,12}(\d{1,4})\D{0,3}", str(value)) if value is not None else None
    return int(number[1]) if number else None


class ClaimVerdict(LooseForm):
    """What the texts say of one claim."""

    claim: Annotated[int, BeforeValidator(_claim), Also(("claim number", "number", "id"))] = Field(
        description="The number of the claim."
    )
    reason: Annotated[str, BeforeValidator(reason_text), Also(REASONS)] = Field(description="A few words.")
    passage: Annotated[int | None, BeforeValidator(_passage)] = Field(
        default=None, description="The number of the passage that decides, null where none does."
    )
    verdict: Annotated[Literal["Yes", "No", "Null"], BeforeValidator(support_word), Also(("judgement", "judgment"))]


class ClaimVerdicts(LooseForm):
    """The model's reply."""

    verdicts: Annotated[list[ClaimVerdict], Also(("claims", "results", "judgements", "judgments"))]

    @model_validator(mode="before")
    @classmethod
    def _by_number(cls, document: Any) -> Any:
        """An object whose names are the numbers of the claims."""
        if not isinstance(document, dict) or not document:
            return document
        numbers = [_claim(name) for name in document]
        if not all(
            isinstance(number, int) and isinstance(value, dict)
            for number, value in zip(numbers, document.values(), strict=True)
        ):
            return document
        return {
            "verdicts": [{"claim": number, **value} for number, value in zip(numbers, document.values(), strict=True)]
        }


@lru_cache(maxsize=256)
def verdicts_of(claims: int) -> type[ClaimVerdicts]:
    """The form of a reply about so many claims: each has exactly one verdict."""

    class Complete(ClaimVerdicts):
        @model_validator(mode="after")
        def _each_once(self) -> Complete:
            numbers = sorted(item.claim for item in self.verdicts)
            if numbers != list(range(1, claims + 1)):
                raise ValueError(f"give one verdict for each of the claims 1 to {claims}, not for {numbers}")
            return self

    Complete.__name__ = Complete.__qualname__ = ClaimVerdicts.__name__
    return Complete


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """One claim with what the texts say of it.

    Attributes:
        verdict: Yes, No, or Null where it cannot be checked.
        passage: The place of the text that decides, from 0; None where none was named or there is no such text.
    """

    claim: str
    verdict: Literal["Yes", "No", "Null"]
    reason: str
    passage: int | None = None

    def as_json(self) -> dict[str, object]:
        """As it is stored; the passage is numbered from 1, as people see it."""
        shown = {} if self.passage is None else {"passage": self.passage + 1}
        return {"claim": self.claim, "verdict": self.verdict, "reason": self.reason, **shown}


def check_claims(
    chat: ChatModel, prompt: Prompt, claims: Sequence[str], texts: Sequence[str], *, case_id: str = "", draw: int = 0
) -> tuple[tuple[CheckedClaim, ...], str]:
    """Says of each claim whether the texts support it; equal claims and texts cost one call, whoever asks.

    Args:
        chat: The model.
        prompt: With the inputs `claims` and `contexts`.
        claims: At least one, in order.
        texts: What they are checked against: passages, a reference answer, or an answer.
        case_id: For the ledger.
        draw: Tells repeats of one question apart.

    Returns:
        The claims in order, and the ledger's row.

    Raises:
        CallFailed: There is no usable reply.
    """
    judged, reply = chat.ask_for(
        verdicts_of(len(claims)),
        prompt.render(claims=list(claims), contexts=list(texts)),
        purpose=PURPOSE,
        case_id=case_id,
        prompt=prompt.ref,
        sample=draw,
    )
    by_number = {item.claim: item for item in judged.verdicts}
    checked = tuple(
        CheckedClaim(
            claim=claim,
            verdict=by_number[number].verdict,
            reason=by_number[number].reason.strip(),
            passage=_existing(by_number[number].passage, len(texts)),
        )
        for number, claim in enumerate(claims, start=1)
    )
    return checked, reply.call_id


def _existing(number: int | None, texts: int) -> int | None:
    return number - 1 if number is not None and 1 <= number <= texts else None
