"""RAGAS-Fact: the share of an answer's claims that the retrieved contexts support; it never sees the true answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict

from core.domain.errors import BudgetSpent, CallFailed
from core.domain.results.responses import Response, Score
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from core.judging.claims.checks import PROMPT as PROMPT
from core.judging.claims.checks import check_claims
from core.judging.claims.extraction import extract_claims
from core.judging.stored import RAGAS_FACT
from core.llm import ChatModel, Prompt

METRIC = RAGAS_FACT
VERSION = 1


def ragas_fact(
    case: TestCase, response: Response, chat: ChatModel, *, claims_prompt: Prompt, support_prompt: Prompt, draw: int = 0
) -> Score:
    r"""The share of an answer's claims that the retrieved contexts support.

    .. math:: |\{c \in C : \text{verdict}(c) = \text{Yes}\}| \, / \, |C|

    Two calls: one extracts the claims, one checks them all. A claim with the verdict Null counts as not supported,
    since the paper divides by all claims; the detail holds their number.

    Args:
        case: Its question.
        response: Its answer and contexts.
        chat: The model.
        claims_prompt: As for :func:`core.judging.claims.extraction.extract_claims`.
        support_prompt: With the inputs `claims` and `contexts`.
        draw: Tells repeats of one question apart.

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
        extracted = extract_claims(chat, claims_prompt, case.question, response.answer, case_id=case.case_id, draw=draw)
        detail["call_ids"] = [extracted.call_id]
        if not extracted.claims:
            return _unscored(case, Status.NULL_JUDGEMENT, "The answer claims nothing that could be supported.", detail)
        checked, call_id = check_claims(
            chat, support_prompt, extracted.claims, contexts, case_id=case.case_id, draw=draw
        )
    except BudgetSpent:
        raise
    except CallFailed as error:
        return _unscored(case, error.status, error.message, {**detail, "call_id": error.call_id})
    claims = [claim.as_json() for claim in checked]
    counts = Counter(claim.verdict for claim in checked)
    detail |= {"claims": claims, "counts": dict(counts), "call_ids": [extracted.call_id, call_id]}
    if counts["Null"] == len(claims):
        return _unscored(case, Status.NULL_JUDGEMENT, "None of the answer's claims can be checked.", detail)
    return Score(case_id=case.case_id, metric=METRIC, value=counts["Yes"] / len(claims), detail=detail)


def _unscored(case: TestCase, status: Status, reason: str, detail: dict[str, object] | None = None) -> Score:
    return Score(
        case_id=case.case_id, metric=METRIC, value=None, status=status, detail={"reason": reason, **(detail or {})}
    )
