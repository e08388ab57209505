"""Cached reads of a run's scores: metrics in figures, one case's scores, two metrics beside each other, edits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.domain.results.responses import Score
from core.domain.results.runs import VERDICT_METRIC
from core.llm.spending.estimates import Outlook
from core.metrics import Sample
from core.runs.scores.applicable import Applicable, applicable
from core.runs.scores.choice import ScoringOptions
from core.runs.scores.comparing import (
    Correlations,
    Disagreement,
    Distribution,
    correlations,
    disagreements,
    distribution,
)
from core.runs.scores.judging_cost import judging_calls
from core.runs.scores.samples import sample_for
from core.runs.scores.summary import MetricSummary, metric_summaries, score_matrix
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.scores import ScoreEdit
from core.store.testset import testsets
from pages.kit import cache, project_reads
from pages.kit.scores import names as metric_names
from pages.kit.scores.charts import Point

MOST_POINTS: Final = 5_000
"""Cases of a scatter; of more a sample is drawn."""
MOST_DISAGREEMENTS: Final = 50
SEED: Final = 0
"""Of that sample, so that the same cases are drawn every time."""


def metrics(store: Store, run_id: str) -> list[str]:
    """The metrics a run has scores of, by family, the verdict left out."""
    counts = project_reads.summary(store, run_id).scored
    return sorted((name for name in counts if name != VERDICT_METRIC), key=metric_names.order)


def measured(store: Store, run_id: str) -> list[str]:
    """Those of its metrics that have a value for at least one case."""
    counts = project_reads.summary(store, run_id).scored
    return [name for name in metrics(store, run_id) if counts[name]]


@cache.read("scores")
def of_case(store: Store, run_id: str, case_id: str) -> Mapping[str, Score]:
    """Every score of one case by metric, with its evidence."""
    with store.read() as connection:
        return scores.of_case(connection, run_id, case_id)


@cache.read("scores")
def edits(store: Store, run_id: str, case_id: str, metric: str) -> tuple[ScoreEdit, ...]:
    """What people changed about one score, newest first."""
    with store.read() as connection:
        return scores.edits(connection, run_id, case_id, metric)


@cache.read("runs", "answers", "test_sets", "sources")
def sample(store: Store, run_id: str, case_id: str) -> Sample:
    """The texts the evidence of a case points into."""
    return sample_for(store, run_id, case_id)


@cache.read("runs", "answers", "scores", "test_sets")
def summaries(store: Store, run_id: str) -> tuple[MetricSummary, ...]:
    """Every metric of a run in figures."""
    return metric_summaries(store, run_id)


def unfinished(store: Store, run_id: str) -> frozenset[str]:
    """The metrics whose scoring has begun and is not finished: their n is another than that of the rest."""
    return frozenset(item.name for item in summaries(store, run_id) if item.version and not item.finished)


@cache.read("runs", "answers", "test_sets", "sources", "prices", "calls", "endpoints", "prompts")
def judging_cost(store: Store, run_id: str, metrics: tuple[str, ...], judges: str) -> Outlook:
    """The model calls of scoring a run with these metrics and judges."""
    with store.read() as connection:
        run = runs.get(connection, run_id)
    return Outlook(parts=judging_calls(store, run, metrics, judges))


@cache.read("runs", "answers", "scores", "test_sets", "sources")
def usable(store: Store, run_id: str, nli: str, judges: str = "") -> tuple[Applicable, ...]:
    """Every metric there is, with what the run lacks for it when these models are named."""
    return applicable(store, run_id, ScoringOptions(nli=nli, metric_judges=judges))


@cache.read("runs", "scores", "test_sets")
def spreads(store: Store, run_id: str, names: tuple[str, ...]) -> Mapping[str, Distribution]:
    """How the values of each metric are spread."""
    matrix = score_matrix(store, run_id, names)
    return {name: distribution(matrix, name) for name in names}


@cache.read("runs", "scores", "test_sets")
def together(store: Store, run_id: str, names: tuple[str, ...]) -> Correlations:
    """How metrics go together, pair by pair."""
    return correlations(score_matrix(store, run_id, names))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two metrics of a run, case by case.

    Attributes:
        points: Cases that both scored; a sample where there are more than `MOST_POINTS`.
        n: Cases that both scored.
        of: Cases of the run.
        worst: The cases where the two disagree most, with their questions.
    """

    points: tuple[Point, ...]
    n: int
    of: int
    worst: tuple[tuple[Disagreement, str], ...]


@cache.read("runs", "scores", "test_sets")
def pair(store: Store, run_id: str, a: str, b: str) -> Pair:
    """Two metrics case by case, and where they disagree most."""
    matrix = score_matrix(store, run_id, [a, b, VERDICT_METRIC])
    first, second, verdicts = matrix.column(a), matrix.column(b), matrix.column(VERDICT_METRIC)
    both = np.flatnonzero(~(np.isnan(first) | np.isnan(second)))
    places = both
    if both.size > MOST_POINTS:
        places = np.sort(np.random.default_rng(SEED).choice(both, MOST_POINTS, replace=False))
    worst = disagreements(matrix, a, b, MOST_DISAGREEMENTS)
    with store.read() as connection:
        test_set_id = runs.get(connection, run_id).test_set_id
        items = {item.case_id: testsets.case(connection, test_set_id, item.case_id).question for item in worst}
    return Pair(
        points=tuple(
            Point(
                case_id=matrix.case_ids[place],
                x=float(first[place]),
                y=float(second[place]),
                verdict=_verdict(verdicts[place]),
            )
            for place in places
        ),
        n=int(both.size),
        of=len(matrix.case_ids),
        worst=tuple((item, items[item.case_id]) for item in worst),
    )


def _verdict(value: float) -> str:
    return "not_judged" if np.isnan(value) else "correct" if value == 1.0 else "incorrect"
