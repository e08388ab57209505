"""The metrics of a run in figures: mean with interval, n scored of N, reasons for the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput
from core.domain.estimates import Estimate
from core.domain.results.runs import VERDICT_METRIC
from core.metrics import Family, MetricSpec, find_metric
from core.runs.scores.edits import score_range
from core.runs.summary import unscored_reasons
from core.stats import clustered_mean
from core.store.database import Store
from core.store.results import measurements, runs, scores
from core.store.results.cases import run_inputs

NO_SCORE = "no score"
"""The method of a mean over nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSummary:
    """One metric of a run.

    Attributes:
        name: Under which the scores are stored ("precision@5").
        spec: What it is, None where this version does not know it.
        mean: Of the values, interval clustered on the filled SQL query.
        median: Of the values, None without one.
        clusters: Filled SQL queries among the scored cases.
        scored: Cases with a value.
        of: Cases of the run.
        unscored: Cases without one, by reason; where the target failed that is the reason.
        edited: Cases whose score a person changed.
        version: The metric's version when it was scored; 0 where that is not known.
        options: Models and language it was scored with.
        stale: Whether the metric has a newer version now.
        finished: Whether every answered case was scored.
        outdated: Cases whose score is of an older version or other options, and waits to be measured anew.
        scored_at: UTC, ISO 8601, or empty.
        scored_by: Who asked for it, or empty.
    """

    name: str
    spec: MetricSpec | None
    mean: Estimate
    median: float | None
    clusters: int
    scored: int
    of: int
    unscored: Mapping[str, int]
    edited: int
    version: int
    options: Mapping[str, object]
    stale: bool
    finished: bool
    outdated: int = 0
    scored_at: str = ""
    scored_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreMatrix:
    """Every case of a run by every metric asked for.

    Attributes:
        case_ids: In the order of the test set, excluded cases left out.
        clusters: Number of the filled SQL query each case was made from, shape (n,).
        names: The metrics, the verdict among them where asked for.
        values: Shape (n, m), NaN where there is no value.
    """

    case_ids: tuple[str, ...]
    clusters: npt.NDArray[np.int64]
    names: tuple[str, ...]
    values: npt.NDArray[np.float64]

    def column(self, name: str) -> npt.NDArray[np.float64]:
        """The values of one metric, shape (n,).

        Raises:
            InvalidInput: The matrix does not have it.
        """
        if name not in self.names:
            raise InvalidInput(f"The metric {name} was not read.", f"Use one of: {', '.join(self.names)}.")
        return self.values[:, self.names.index(name)]


def spec_of(name: str) -> MetricSpec | None:
    """What a stored metric is; None for the verdict and for one this version does not know."""
    if name == VERDICT_METRIC:
        return None
    try:
        return find_metric(name).spec
    except InvalidInput:
        return None


def score_matrix(store: Store, run_id: str, names: Sequence[str]) -> ScoreMatrix:
    """Reads the values of some metrics of a run, column by column; a metric without a score is a column of NaN.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        case_ids, groups = run_inputs.groups(connection, run.test_set_id)
        values = scores.columns(connection, run_id, names, case_ids)
    numbers: dict[str, int] = {}
    return ScoreMatrix(
        case_ids=tuple(case_ids),
        clusters=np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.int64),
        names=tuple(names),
        values=values,
    )


def metric_summaries(store: Store, run_id: str) -> tuple[MetricSummary, ...]:
    """Every metric that a run was scored with, by family, then by name; the verdict is in the run's own summary.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        counted = scores.counts(connection, run_id, run.test_set_id)
        stored = scores.of_run(connection, run_id)
        outdated = measurements.outdated(connection, run_id)
    names = sorted({*counted, *stored} - {VERDICT_METRIC}, key=_place)
    matrix = score_matrix(store, run_id, names)
    summaries = []
    for name in names:
        spec, how = spec_of(name), stored.get(name)
        values = matrix.column(name)
        there = ~np.isnan(values)
        count = counted.get(name) or scores.MetricCount(metric=name, scored=0, unscored={}, failed=0)
        summaries.append(
            MetricSummary(
                name=name,
                spec=spec,
                mean=mean_of(name, values[there], matrix.clusters[there]),
                median=float(np.median(values[there])) if there.any() else None,
                clusters=int(np.unique(matrix.clusters[there]).size),
                scored=int(there.sum()),
                of=len(matrix.case_ids),
                unscored=unscored_reasons(count, len(matrix.case_ids)),
                edited=count.edited,
                version=how.version if how else 0,
                options=how.options if how else {},
                stale=spec is not None and how is not None and how.version < spec.version,
                finished=how is not None and how.finished,
                outdated=outdated.get(name, 0),
                scored_at=how.scored_at if how else "",
                scored_by=how.scored_by if how else "",
            )
        )
    return tuple(summaries)


def mean_of(name: str, values: npt.NDArray[np.float64], clusters: npt.NDArray[np.int64]) -> Estimate:
    """The mean of a metric's values with an interval over clusters; no value for no values."""
    if not values.size:
        return Estimate(value=None, low=None, high=None, n=0, method=NO_SCORE)
    low, high = score_range(name)
    return clustered_mean(values, clusters, low=low, high=high)


def _place(name: str) -> tuple[int, str]:
    spec = spec_of(name)
    families = list(Family)
    return (families.index(spec.family) if spec else len(families), name)
