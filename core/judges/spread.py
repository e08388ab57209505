"""Where judges disagree with each other, and judged scores with explainable ones: worst cases first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.metrics import Need, find_metric
from core.runs.scores.summary import spec_of
from core.store.database import Store
from core.store.results import runs, scores
from core.store.testset import testsets

COUNTERPARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "claim_faithfulness": ("faithfulness", "groundedness", "nli_groundedness", "lexical_precision"),
    "claim_correctness": ("token_f1", "embedding_similarity", "match"),
    "claim_coverage": ("match", "rouge_l", "token_f1"),
    "grouse_answer_relevancy": ("answer_relevancy", "answered"),
    "grouse_completeness": ("completeness_weighted", "completeness"),
    "grouse_faithfulness": ("faithfulness", "groundedness", "nli_groundedness"),
    "grouse_faithfulness_uncited": ("faithfulness", "groundedness", "nli_groundedness"),
    "grouse_positive_acceptance": ("answered",),
    "grouse_negative_rejection": ("answered",),
    "grouse_usefulness": ("answer_relevancy",),
}
"""Explainable metrics that look at the same, the nearest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """One case that several judges scored.

    Attributes:
        values: What each judge gave, by its spec; None for a null or a failure.
        statuses: How each judge ended.
        apart: The greatest value less the least one; 0 where at most one judge gave a value.
        question: What was asked.
    """

    case_id: str
    values: Mapping[str, float | None]
    statuses: Mapping[str, str]
    apart: float
    question: str = ""

    @property
    def agree(self) -> bool:
        """Whether all judges end alike: the same value, or null all of them."""
        return len(set(self.values.values())) == 1 and len(set(self.statuses.values())) == 1


def is_judged(name: str) -> bool:
    """Whether a stored metric's values come from judging models.

    >>> is_judged("claim_coverage"), is_judged("recall@5"), is_judged("unknown")
    (True, False, False)
    """
    spec = spec_of(name)
    return spec is not None and Need.JUDGE in spec.needs


def counterparts(judged: str, metrics: Sequence[str]) -> list[str]:
    """The explainable metrics of a run beside a judged one, those that look at the same first.

    >>> counterparts("claim_faithfulness", ["mrr", "groundedness", "claim_coverage", "faithfulness"])
    ['faithfulness', 'groundedness', 'mrr']
    """
    explainable = [name for name in metrics if not is_judged(name)]
    near = [name for name in COUNTERPARTS.get(find_metric(judged).name, ()) if name in explainable]
    return [*near, *(name for name in explainable if name not in near)]


def spreads(store: Store, run_id: str, metric: str) -> tuple[Spread, ...]:
    """The cases that several judges scored by a metric, where they are furthest apart first.

    A case on which some say null and others give a value comes before those on which all agree.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        found = scores.of_metric(connection, run_id, metric)
        cases = testsets.cases(connection, runs.get(connection, run_id).test_set_id)
    questions = {case.case_id: case.question for case in cases}
    items = [
        _spread(case_id, judges, questions.get(case_id, ""))
        for case_id, score in found.items()
        if isinstance(judges := score.detail.get("judges"), list)
    ]
    return tuple(sorted(items, key=lambda item: (-item.apart, -len(set(item.statuses.values())), item.case_id)))


def _spread(case_id: str, judges: Sequence[Mapping[str, object]], question: str) -> Spread:
    values = {str(part["judge"]): part.get("value") for part in judges}
    given = {name: float(value) if isinstance(value, int | float) else None for name, value in values.items()}
    numbers = [value for value in given.values() if value is not None]
    return Spread(
        case_id=case_id,
        values=given,
        statuses={str(part["judge"]): str(part.get("status", "")) for part in judges},
        apart=max(numbers) - min(numbers) if numbers else 0.0,
        question=question,
    )
