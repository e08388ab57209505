"""The single facts an answer claims, taken apart by a model."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, Field

from core.llm import ChatModel, Prompt

PROMPT = "claims"
PURPOSE = "claims"


class ClaimList(BaseModel):
    """The model's reply."""

    claims: list[str] = Field(description="One short full sentence for each fact, in the order of the answer.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What an answer claims.

    Attributes:
        claims: One fact each; none where the answer states none.
        call_id: The ledger's row.
    """

    claims: tuple[str, ...]
    call_id: str


def extract_claims(chat: ChatModel, prompt: Prompt, question: str, answer: str, *, case_id: str = "") -> Claims:
    """Takes an answer apart; metrics that ask for the same answer with the same prompt share the call.

    Args:
        chat: The model.
        prompt: With the inputs `question` and `answer`.
        question: What was asked, so that short answers can be written out.
        answer: What is taken apart: of a target, or a reference.
        case_id: For the ledger.

    Raises:
        CallFailed: There is no usable reply.
    """
    found, reply = chat.ask_for(
        ClaimList, prompt.render(question=question, answer=answer), purpose=PURPOSE, case_id=case_id, prompt=prompt.ref
    )
    said = (" ".join(claim.split()) for claim in found.claims)
    return Claims(claims=tuple(dict.fromkeys(claim for claim in said if claim)), call_id=reply.call_id)
