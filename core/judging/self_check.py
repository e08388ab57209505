"""SelfCheck-QA: an answer counts as correct where the target gives the same answer each time it is asked again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from core.domain.errors import BudgetSpent, CallFailed, TargetFailed
from core.domain.results.responses import Response, Score, Verdict
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from core.judging.match import judge_match
from core.judging.match.citations import without_citations
from core.judging.models.votes import reason_text, yes_or_no
from core.judging.stored import SELF_CHECK
from core.llm import ChatModel, Prompt
from core.llm.replies.loose import REASONS, Also, LooseForm

METRIC = SELF_CHECK
PROMPT = "same_answer"
PURPOSE = "self_check"
VERSION = 1
SAMPLES = 4
"""Answers that are drawn besides the primary one (GRAMMAR, section 3)."""
PRIMARY, STOCHASTIC = 0.0, 1.0
"""Temperatures of the primary answer and of the others."""

WORD_FOR_WORD: Mapping[str, object] = {"by": "text", "reason": "Word for word the same."}

Draw = Callable[[TestCase, int, float], str | None]
"""Asks the target again: a case, the number of the draw, the temperature; None where it gave no answer."""

Compare = Callable[[TestCase, str, str], tuple[bool, dict[str, object]]]
"""Whether two answers to a case mean the same, and the evidence."""


class SameAnswer(LooseForm):
    """The model's reply."""

    reason: Annotated[str, BeforeValidator(reason_text), Also(REASONS)] = Field(description="A few words.")
    same: Annotated[Literal["Yes", "No"], BeforeValidator(yes_or_no), Also(("same answer", "verdict", "equivalent"))]


def by_model(chat: ChatModel, prompt: Prompt, *, draw: int = 0) -> Compare:
    """Asks a model whether two answers mean the same; the prompt has the inputs `question`, `first` and `second`.

    The number `draw` tells repeats of one question apart.
    """

    def compare(case: TestCase, first: str, second: str) -> tuple[bool, dict[str, object]]:
        comparison, reply = chat.ask_for(
            SameAnswer,
            prompt.render(question=case.question, first=first, second=second),
            purpose=PURPOSE,
            case_id=case.case_id,
            prompt=prompt.ref,
            sample=draw,
        )
        return comparison.same == "Yes", {
            "by": chat.model,
            "reason": comparison.reason.strip(),
            "call_id": reply.call_id,
            "prompt": asdict(prompt.ref),
        }

    return compare


def by_match(case: TestCase, first: str, second: str) -> tuple[bool, dict[str, object]]:
    """Whether one answer states the other, by the rules of the match judge; for answers that are short values.

    Citation marks do not count.
    """
    judgement = judge_match(case.question, [without_citations(first, ())], without_citations(second, ()))
    return judgement.verdict is Verdict.CORRECT, {"by": "match", "reason": judgement.reason}


def self_check_qa(
    case: TestCase, response: Response, draw: Draw | None, compare: Compare, *, samples: int = SAMPLES
) -> Score:
    """Whether the target repeats its answer: 1 where every drawn answer means the same, else 0.

    The primary answer is drawn at temperature 0 and must be the run's own: where the target gives another answer when
    it is asked again, the verdict would be about that answer, so there is no verdict.

    Args:
        case: Its question.
        response: The run's answer.
        draw: Asks the target again; None for a target that is recorded or has no temperature to set.
        compare: Such as `by_model` or `by_match`; not called for answers that are word for word the same.
        samples: How many answers are drawn at temperature 1.

    Returns:
        The score with every drawn answer and why it agrees or not. ``not_applicable`` without temperature control, or
        where the primary answer is another one; ``missing_input`` without an answer; ``api_error`` where the target
        gave none of its draws; the call's own status where a call failed.

    Raises:
        BudgetSpent: Nothing more may be asked.

    Reference:
        Manakul et al. (2023), SelfCheckGPT; GRAMMAR, section 3 and table 5 (SelfCheck-QA: whole answers, with the
        query).
    """
    if draw is None:
        return _unscored(case, Status.NOT_APPLICABLE, "The target cannot be asked again at another temperature.")
    if response.answer is None:
        return _unscored(case, Status.MISSING_INPUT, "The target failed, so there is no answer to repeat.")
    draws: list[dict[str, object]] = []
    detail: dict[str, object] = {"primary": response.answer, "samples": draws}
    try:
        primary = draw(case, 0, PRIMARY)
        if primary is None or _plain(primary) != _plain(response.answer):
            detail["asked_again"] = primary
            return _unscored(
                case,
                Status.NOT_APPLICABLE,
                "When asked again at temperature 0, the target gives another answer than in the run.",
                detail,
            )
        for sample in range(samples):
            answer = draw(case, sample, STOCHASTIC)
            if answer is None:
                return _unscored(case, Status.API_ERROR, f"The target gave no answer to draw {sample + 1}.", detail)
            repeated = _plain(answer) == _plain(primary)
            same, why = (True, dict(WORD_FOR_WORD)) if repeated else compare(case, primary, answer)
            draws.append({"answer": answer, "same": same, **why})
    except BudgetSpent:
        raise
    except CallFailed as error:
        return _unscored(case, error.status, error.message, {**detail, "call_id": error.call_id})
    except TargetFailed as error:
        return _unscored(case, Status.API_ERROR, f"The target failed when it was asked again: {error}", detail)
    agreeing = sum(bool(item["same"]) for item in draws)
    detail["agreeing"] = agreeing
    return Score(case_id=case.case_id, metric=METRIC, value=float(agreeing == samples), detail=detail)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _unscored(case: TestCase, status: Status, reason: str, detail: dict[str, object] | None = None) -> Score:
    return Score(
        case_id=case.case_id, metric=METRIC, value=None, status=status, detail={"reason": reason, **(detail or {})}
    )
