"""Unit tests of judges of claims: the claim metrics, RAGAS-Fact, and the comparison of answers of SelfCheck-QA."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from core.domain.errors import BudgetSpent, CallFailed
from core.domain.results.judge_tests import Judged, UnitTest
from core.domain.results.responses import Context, Response, Score
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from core.judging import self_check as checking
from core.judging.claims import checks, extraction
from core.judging.claims import support as supporting
from core.judging.claims.support import ragas_fact
from core.judging.self_check import by_model
from core.judging.stored import RAGAS_FACT, SELF_CHECK
from core.llm import ChatModel, Prompts
from core.metrics.judges import Panel
from core.metrics.registry import find_metrics
from core.metrics.samples.sample import Sample
from core.metrics.scoring import Models, score_samples

CLAIMS: Final = "claims"
SAME_ANSWER: Final = "same_answer"
METRICS: Final[Mapping[str, tuple[str, ...]]] = {
    CLAIMS: ("claim_faithfulness", "claim_correctness", "claim_coverage"),
    RAGAS_FACT: (RAGAS_FACT,),
    SELF_CHECK: (SAME_ANSWER,),
}
"""The kinds of judges and what each can be asked."""

PROMPTS: Final[Mapping[str, tuple[str, ...]]] = {
    CLAIMS: (extraction.PROMPT, checks.PROMPT),
    RAGAS_FACT: (extraction.PROMPT, supporting.PROMPT),
    SELF_CHECK: (checking.PROMPT,),
}
CALLS: Final[Mapping[str, int]] = {CLAIMS: 5, RAGAS_FACT: 2, SELF_CHECK: 1}
"""The most calls of a model in one test: the claims of two texts, each taken once, and three checks."""

Asked = Callable[..., tuple[Judged, ...]]
"""A test and the number of the repeat, with `chat` and `prompts`."""


def _claims(test: UnitTest, draw: int, chat: ChatModel, prompts: Prompts) -> tuple[Judged, ...]:
    """The claim metrics as they score a run, the expected answer being the reference."""
    wanted = [metric for metric in METRICS[CLAIMS] if metric in test.conditions]
    sample = Sample(
        case_id=test.id,
        question=test.question,
        answer=test.actual,
        contexts=_contexts(test),
        references=(test.expected,) if test.expected else (),
    )
    models = Models(panel=Panel(judges=(chat,), prompts=prompts, draw=draw))
    scores = [score for batch in score_samples([sample], find_metrics(wanted), models) for score in batch]
    return tuple(_judged(score) for score in scores)


def _ragas_fact(test: UnitTest, draw: int, chat: ChatModel, prompts: Prompts) -> tuple[Judged, ...]:
    """The share of the claims that the documents support, over all claims."""
    score = ragas_fact(
        _case(test),
        Response(case_id=test.id, answer=test.actual, contexts=_contexts(test)),
        chat,
        claims_prompt=prompts(extraction.PROMPT, variant=chat.prompts),
        support_prompt=prompts(supporting.PROMPT, variant=chat.prompts),
        draw=draw,
    )
    return (_judged(score),)


def _same_answer(test: UnitTest, draw: int, chat: ChatModel, prompts: Prompts) -> tuple[Judged, ...]:
    """Whether the model finds the expected and the actual answer to mean the same, which SelfCheck-QA asks of draws."""
    compare = by_model(chat, prompts(checking.PROMPT, variant=chat.prompts), draw=draw)
    try:
        same, detail = compare(_case(test), test.expected, test.actual)
    except BudgetSpent:
        raise
    except CallFailed as error:
        failed = Judged(
            metric=SAME_ANSWER, value=None, status=error.status, reason=error.message, call_id=error.call_id
        )
        return (failed,)
    reason, call_id = str(detail["reason"]), str(detail["call_id"])
    return (Judged(metric=SAME_ANSWER, value=float(same), status=Status.SCORED, reason=reason, call_id=call_id),)


ASKED: Final[Mapping[str, Asked]] = {CLAIMS: _claims, RAGAS_FACT: _ragas_fact, SELF_CHECK: _same_answer}


def _case(test: UnitTest) -> TestCase:
    return TestCase(case_id=test.id, question=test.question, reference_answers=(test.expected,))


def _contexts(test: UnitTest) -> tuple[Context, ...]:
    return tuple(Context(document_id=str(place), text=text) for place, text in enumerate(test.references, start=1))


def _judged(score: Score) -> Judged:
    """A score with what the judge says of each claim as its reason, those that are not supported first."""
    calls = score.detail.get("call_ids")
    last = calls[-1] if isinstance(calls, list) and calls else score.detail.get("call_id", "")
    return Judged(
        metric=score.metric, value=score.value, status=score.status, reason=_reason(score), call_id=str(last or "")
    )


def _reason(score: Score) -> str:
    rows = score.detail.get("claims")
    said = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    said.sort(key=lambda row: row.get("verdict") == "Yes")
    each = [f"{row.get('verdict')}: {row.get('claim')} ({row.get('reason')})" for row in said]
    return " ".join([*filter(None, [str(score.detail.get("reason", ""))]), *each])
