"""One GroUSE metric of a sample by the judges of the panel; the metrics of one sample share their calls."""

from __future__ import annotations

from dataclasses import asdict
from typing import cast

from core.domain.status import Status
from core.judging.grouse import PROMPT_IDS, GrouseJudging, GrouseMetric, GrouseSample, GrouseScore
from core.llm import ChatModel
from core.metrics.panel import by_panel
from core.metrics.prepared import Prepared
from core.metrics.samples.sample import Sample
from core.metrics.spec import Edge, Measured, Outcome, Unscored

_M = GrouseMetric

RELEVANCY = (PROMPT_IDS[_M.ANSWER_RELEVANCY],)
ACCEPTANCE = (*RELEVANCY, PROMPT_IDS[_M.COMPLETENESS])
USEFULNESS = (*RELEVANCY, PROMPT_IDS[_M.USEFULNESS])
FAITHFULNESS = (*USEFULNESS, PROMPT_IDS[_M.FAITHFULNESS])
UNCITED = (*USEFULNESS, PROMPT_IDS[_M.FAITHFULNESS_UNCITED])
"""The prompts that each metric depends on."""

SOURCE = (
    "GroUSE (Muller et al. 2024), with prompts of our own that keep its form of reply. The judge sees the reference "
    "answer as answer 1 where there is one, and the score is answer 2's."
)
EMPTY: dict[Edge, str] = {"empty answer": "No value (missing input): there is nothing to judge."}


def grouse(prepared: Prepared, metric: GrouseMetric, *, compatible: bool = False) -> Outcome:
    """What the judges say of a sample by one metric.

    Args:
        prepared: The sample; it has a panel.
        metric: Which.
        compatible: Whether positive acceptance is that of the published package.

    Raises:
        BudgetSpent: Nothing more may be asked.
    """
    panel = prepared.panel

    def judged(chat: ChatModel) -> Outcome:
        kept = prepared.keep(
            f"grouse by {chat.spec}",
            lambda: GrouseJudging(
                grouse_sample(prepared.sample),
                chat,
                panel.prompts,
                paired=panel.paired,
                cites=panel.cites,
                case_id=prepared.sample.case_id,
            ),
        )
        judging = cast(GrouseJudging, kept)
        score = judging.compatible(metric) if compatible else judging.score(metric)
        return outcome_of(score, chat.spec, judging)

    return by_panel(panel, judged)


def grouse_sample(sample: Sample) -> GrouseSample:
    """A sample as GroUSE's judge sees it; of several reference answers, any of which will do, the first."""
    return GrouseSample(
        question=sample.question,
        references=None if sample.contexts is None else sample.texts,
        expected_answer=next((text for text in sample.references if text.strip()), None),
        actual_answer=sample.answer,
    )


def outcome_of(score: GrouseScore, model: str, judging: GrouseJudging) -> Outcome:
    """A judge's score as a metric's, with its reason, its flags, and the calls it rests on."""
    detail: dict[str, object] = {"model": model}
    if score.prompt is not None:
        detail |= {"prompts": [asdict(score.prompt)]}
    if score.call_id:
        detail |= {"call_ids": [score.call_id]}
    elif score.metric not in PROMPT_IDS:
        before = (judging.score(_M.ANSWER_RELEVANCY), judging.score(_M.COMPLETENESS))
        detail |= {
            "call_ids": [item.call_id for item in before if item.call_id],
            "prompts": [asdict(item.prompt) for item in before if item.prompt is not None],
        }
    if score.expected is not None:
        detail |= {"expected_answer": score.expected}
    if score.flags:
        detail |= {"flags": list(score.flags)}
    if score.analysis:
        detail |= {"analysis": [dict(sentence) for sentence in score.analysis]}
    if score.status is Status.SCORED and score.value is not None:
        return Measured(value=score.value, detail={"reason": score.reason, **detail})
    return Unscored(status=score.status, reason=score.reason, detail=detail)
