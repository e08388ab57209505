"""RAGAS-Fact: the share of an answer's claims that the retrieved contexts support; it never sees the true answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from core.domain.errors import BudgetSpent, CallFailed
from core.domain.results.responses import Response, Score
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from core.judging.claims import extract_claims
from core.judging.stored import RAGAS_FACT
from core.judging.votes import word
from core.llm import ChatModel, Prompt

METRIC = RAGAS_FACT
PROMPT = "claim_support"
PURPOSE = "support"
VERSION = 1


def _verdict(value: object) -> object:
    """A model may mean its Null as JSON does."""
    return "Null" if value is None else word(value)


class ClaimVerdict(BaseModel):
    """What the contexts say of one claim."""

    claim: int = Field(description="The number of the claim.")
    reason: str = Field(description="A few words.")
    verdict: Annotated[Literal["Yes", "No", "Null"], BeforeValidator(_verdict)]


class ClaimVerdicts(BaseModel):
    """The model's reply."""

    verdicts: list[ClaimVerdict]


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


def ragas_fact(
    case: TestCase, response: Response, chat: ChatModel, *, claims_prompt: Prompt, support_prompt: Prompt
) -> Score:
    r"""The share of an answer's claims that the retrieved contexts support.

    .. math:: |\{c \in C : \text{verdict}(c) = \text{Yes}\}| \, / \, |C|

    Two calls: one extracts the claims, one checks them all. A claim with the verdict Null counts as not supported,
    since the paper divides by all claims; the detail holds their number.

    Args:
        case: Its question.
        response: Its answer and contexts.
        chat: The model.
        claims_prompt: As for :func:`core.judging.claims.extract_claims`.
        support_prompt: With the inputs `claims` and `contexts`.

    Returns:
        The score with every claim, its verdict and reason. ``null_judgement`` where the answer claims nothing or no
        claim can be checked; ``missing_input`` without an answer or without the texts of the contexts; the call's own
        status where a call failed.

    Raises:
        BudgetSpent: Nothing more may be asked.

    Reference:
        Es et al. (2023), RAGAs; GRAMMAR, section 3 and appendix A. Differs: all claims are checked in one call, with
        the same verdicts.
    """
    if response.answer is None:
        return _unscored(case, Status.MISSING_INPUT, "The target failed, so there is no answer to extract claims from.")
    contexts = [context.text for context in response.contexts if context.text.strip()]
    if not contexts:
        return _unscored(case, Status.MISSING_INPUT, "The texts of the retrieved contexts are not known.")
    detail: dict[str, object] = {
        "model": chat.model,
        "prompts": [asdict(claims_prompt.ref), asdict(support_prompt.ref)],
        "contexts": len(contexts),
    }
    if not response.answer.strip():
        return _unscored(case, Status.NULL_JUDGEMENT, "The answer is empty and claims nothing.", detail)
    try:
        extracted = extract_claims(chat, claims_prompt, case.question, response.answer, case_id=case.case_id)
        detail["call_ids"] = [extracted.call_id]
        if not extracted.claims:
            return _unscored(case, Status.NULL_JUDGEMENT, "The answer claims nothing that could be supported.", detail)
        judged, reply = chat.ask_for(
            verdicts_of(len(extracted.claims)),
            support_prompt.render(claims=list(extracted.claims), contexts=contexts),
            purpose=PURPOSE,
            case_id=case.case_id,
            prompt=support_prompt.ref,
        )
    except BudgetSpent:
        raise
    except CallFailed as error:
        return _unscored(case, error.status, error.message, {**detail, "call_id": error.call_id})
    by_number = {item.claim: item for item in judged.verdicts}
    claims = [
        {"claim": claim, "verdict": by_number[number].verdict, "reason": by_number[number].reason.strip()}
        for number, claim in enumerate(extracted.claims, start=1)
    ]
    counts = Counter(item["verdict"] for item in claims)
    detail |= {"claims": claims, "counts": dict(counts), "call_ids": [extracted.call_id, reply.call_id]}
    if counts["Null"] == len(claims):
        return _unscored(case, Status.NULL_JUDGEMENT, "None of the answer's claims can be checked.", detail)
    return Score(case_id=case.case_id, metric=METRIC, value=counts["Yes"] / len(claims), detail=detail)


def _unscored(case: TestCase, status: Status, reason: str, detail: dict[str, object] | None = None) -> Score:
    return Score(
        case_id=case.case_id, metric=METRIC, value=None, status=status, detail={"reason": reason, **(detail or {})}
    )
