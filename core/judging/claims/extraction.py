"""The single facts that an answer claims, extracted by a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator, Field

from core.llm import ChatModel, Prompt
from core.llm.replies.loose import Also, LooseForm

PROMPT = "claims"
PURPOSE = "claims"


_TEXTS = ("claim", "fact", "statement", "text", "sentence")


def _sentences(value: object) -> object:
    """Claims that come as objects with one text each."""
    if not isinstance(value, list):
        return value
    return [
        texts[0]
        if isinstance(item, dict)
        and len(texts := [item[name] for name in _TEXTS if isinstance(item.get(name), str)]) == 1
        else item
        for item in value
    ]


class ClaimList(LooseForm):
    """The model's reply."""

    claims: Annotated[list[str], BeforeValidator(_sentences), Also(("facts", "statements"))] = Field(
        description="One short full sentence for each fact, in the order of the answer."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What an answer claims.

    Attributes:
        claims: One fact each; none where the answer states none.
        call_id: The ledger's row.
    """

    claims: tuple[str, ...]
    call_id: str


def extract_claims(
    chat: ChatModel, prompt: Prompt, question: str, answer: str, *, case_id: str = "", draw: int = 0
) -> Claims:
    """Extracts the claims of an answer; metrics that need the claims of one answer by one prompt share the call.

    Args:
        chat: The model.
        prompt: With the inputs `question` and `answer`.
        question: What was asked, so that short answers can be written out.
        answer: The text whose claims are extracted: a target's answer or a reference.
        case_id: For the ledger.
        draw: Tells repeats of one question apart.

    Raises:
        CallFailed: There is no usable reply.
    """
    claim_list, reply = chat.ask_for(
        ClaimList,
        prompt.render(question=question, answer=answer),
        purpose=PURPOSE,
        case_id=case_id,
        prompt=prompt.ref,
        sample=draw,
    )
    sentences = (" ".join(claim.split()) for claim in claim_list.claims)
    return Claims(claims=tuple(dict.fromkeys(claim for claim in sentences if claim)), call_id=reply.call_id)
