"""GroUSE's metrics and what a judge says by each: a value, its null, or why there is neither."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.llm import PromptRef
from core.domain.status import Status


class GrouseMetric(StrEnum):
    """What is scored; the last two follow from answer relevancy and completeness without a call."""

    ANSWER_RELEVANCY = "answer_relevancy"
    COMPLETENESS = "completeness"
    FAITHFULNESS = "faithfulness"
    FAITHFULNESS_UNCITED = "faithfulness_uncited"
    USEFULNESS = "usefulness"
    POSITIVE_ACCEPTANCE = "positive_acceptance"
    NEGATIVE_REJECTION = "negative_rejection"


JUDGED = (
    GrouseMetric.ANSWER_RELEVANCY,
    GrouseMetric.COMPLETENESS,
    GrouseMetric.USEFULNESS,
    GrouseMetric.FAITHFULNESS,
    GrouseMetric.FAITHFULNESS_UNCITED,
)
"""Those with a prompt of their own, in the order of the calls."""

SIX = tuple(metric for metric in GrouseMetric if metric is not GrouseMetric.FAITHFULNESS_UNCITED)
"""The six of the paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GrouseScore:
    """One metric of one sample.

    Attributes:
        value: 1 to 5 for answer relevancy and completeness, 0 or 1 for the others; None unless `status` is ``scored``.
        status: ``scored``; ``null_judgement`` where the judge, or the order of the calls, says that it cannot be
            evaluated; ``not_applicable``, ``missing_input``, ``not_judged``, or the status of the call that failed.
        reason: The judge's justification, or why there is no value.
        call_id: The ledger's row; empty where nothing was asked.
        prompt: What the call was made from, None where nothing was asked.
        expected: The judge's value for the expected answer, where it saw one and gave one.
        flags: What contradicts the score, a sentence each.
        analysis: What the judge wrote of each sentence, where its prompt asks for that.
    """

    metric: GrouseMetric
    value: float | None
    status: Status
    reason: str
    call_id: str = ""
    prompt: PromptRef | None = None
    expected: float | None = None
    flags: tuple[str, ...] = ()
    analysis: tuple[Mapping[str, str], ...] = ()

    @property
    def judged(self) -> bool:
        """Whether the judge came to a judgement, be it a value or null; False after a failure."""
        return self.status in {Status.SCORED, Status.NULL_JUDGEMENT}


@dataclass(frozen=True, slots=True, kw_only=True)
class GrouseScores:
    """What a judge says of one sample.

    Attributes:
        model: ``MODEL@BASE_URL`` of the judge.
        scores: Each metric that was asked for.
        compatible: Positive acceptance and negative rejection as the published package has them, for comparison.
    """

    model: str
    scores: Mapping[GrouseMetric, GrouseScore]
    compatible: Mapping[GrouseMetric, GrouseScore] = field(default_factory=dict)

    def __getitem__(self, metric: GrouseMetric) -> GrouseScore:
        """The score of a metric that was asked for."""
        return self.scores[metric]

    @property
    def call_ids(self) -> tuple[str, ...]:
        """The ledger's rows in the order of the metrics, each once."""
        return tuple(dict.fromkeys(score.call_id for score in self.scores.values() if score.call_id))
