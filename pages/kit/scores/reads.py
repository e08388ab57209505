"""Cached reads of a run's scores: metrics in figures, one case's scores, two metrics beside each other, edits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.domain.responses import Score
from core.domain.runs import VERDICT_METRIC
from core.evaluation.applicable import Applicable, applicable
from core.evaluation.comparing_metrics import (
    Correlations,
    Disagreement,
    Distribution,
    correlations,
    disagreements,
    distribution,
)
from core.evaluation.metric_summary import MetricSummary, metric_summaries, score_matrix
from core.evaluation.samples import sample_for
from core.evaluation.scoring import ScoringOptions
from core.metrics import Sample
from core.store import runs, scores, testsets
from core.store.database import Store
from core.store.scores import ScoreEdit
from pages.ui import metric_names, readers
from pages.ui.metric_charts import Point

MOST_POINTS: Final = 5_000
"""Cases of a scatter; of more a sample is drawn."""
MOST_DISAGREEMENTS: Final = 50
SEED: Final = 0
"""Of that sample, so that the same cases are drawn every time."""


def metrics(store: Store, run_id: str) -> list[str]:
    """The metrics a run has scores of, by family, the verdict left out."""
    found = readers.summary(store, run_id).scored
    return sorted((name for name in found if name != VERDICT_METRIC), key=metric_names.order)


def of_case(store: Store, run_id: str, case_id: str) -> Mapping[str, Score]:
    """Every score of one case by metric, with its evidence."""

    def read() -> dict[str, Score]:
        with store.read() as connection:
            return scores.of_case(connection, run_id, case_id)

    return readers.cached(store, "case_scores", read, run_id, case_id)  # type: ignore[return-value]


def edits(store: Store, run_id: str, case_id: str, metric: str) -> tuple[ScoreEdit, ...]:
    """What people changed about one score, newest first."""

    def read() -> tuple[ScoreEdit, ...]:
        with store.read() as connection:
            return scores.edits(connection, run_id, case_id, metric)

    return readers.cached(store, "edits", read, run_id, case_id, metric)  # type: ignore[return-value]


def sample(store: Store, run_id: str, case_id: str) -> Sample:
    """The texts the evidence of a case points into."""
    return readers.cached(store, "sample", lambda: sample_for(store, run_id, case_id), run_id, case_id)  # type: ignore[return-value]


def summaries(store: Store, run_id: str) -> tuple[MetricSummary, ...]:
    """Every metric of a run in figures."""
    return readers.cached(store, "metric_summaries", lambda: metric_summaries(store, run_id), run_id)  # type: ignore[return-value]


def unfinished(store: Store, run_id: str) -> frozenset[str]:
    """The metrics whose scoring has begun and is not finished: their n is another than that of the rest."""
    return frozenset(item.name for item in summaries(store, run_id) if item.version and not item.finished)


def usable(store: Store, run_id: str, nli: str) -> tuple[Applicable, ...]:
    """Every metric there is, with what the run lacks for it when this NLI model is named."""
    options = ScoringOptions(nli=nli)
    return readers.cached(store, "applicable", lambda: applicable(store, run_id, options), run_id, nli)  # type: ignore[return-value]


def spreads(store: Store, run_id: str, names: tuple[str, ...]) -> Mapping[str, Distribution]:
    """How the values of each metric are spread."""

    def read() -> dict[str, Distribution]:
        matrix = score_matrix(store, run_id, names)
        return {name: distribution(matrix, name) for name in names}

    return readers.cached(store, "distributions", read, run_id, names)  # type: ignore[return-value]


def together(store: Store, run_id: str, names: tuple[str, ...]) -> Correlations:
    """How metrics go together, pair by pair."""

    def read() -> Correlations:
        return correlations(score_matrix(store, run_id, names))

    return readers.cached(store, "correlations", read, run_id, names)  # type: ignore[return-value]


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


def pair(store: Store, run_id: str, a: str, b: str) -> Pair:
    """Two metrics case by case, and where they disagree most."""

    def read() -> Pair:
        matrix = score_matrix(store, run_id, [a, b, VERDICT_METRIC])
        first, second, verdicts = matrix.column(a), matrix.column(b), matrix.column(VERDICT_METRIC)
        both = np.flatnonzero(~(np.isnan(first) | np.isnan(second)))
        shown = both
        if both.size > MOST_POINTS:
            shown = np.sort(np.random.default_rng(SEED).choice(both, MOST_POINTS, replace=False))
        worst = disagreements(matrix, a, b, MOST_DISAGREEMENTS)
        with store.read() as connection:
            test_set_id = runs.get(connection, run_id).test_set_id
            asked = {item.case_id: testsets.case(connection, test_set_id, item.case_id).question for item in worst}
        return Pair(
            points=tuple(
                Point(
                    case_id=matrix.case_ids[place],
                    x=float(first[place]),
                    y=float(second[place]),
                    verdict=_verdict(verdicts[place]),
                )
                for place in shown
            ),
            n=int(both.size),
            of=len(matrix.case_ids),
            worst=tuple((item, asked[item.case_id]) for item in worst),
        )

    return readers.cached(store, "metric_pair", read, run_id, a, b)  # type: ignore[return-value]


def _verdict(value: float) -> str:
    return "not_judged" if np.isnan(value) else "correct" if value == 1.0 else "incorrect"
