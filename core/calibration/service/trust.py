"""The validity of each metric: every metric of a run and the verdict compared with people's labels."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.calibration.labels.trust import LEAST, Trust, compare_metrics
from core.domain.results.runs import VERDICT_METRIC
from core.labelling.labelled_scores import criterion_of, labelled_scores
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.cases import run_inputs


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseMiss:
    """A case that a metric and people rank very differently.

    Attributes:
        score: As it is stored.
        label: People's level, or the mean of their levels.
        gap: Rank of the score less that of the label, -1 to 1: above 0 the metric is more lenient than people.
    """

    case_id: str
    question: str
    score: float
    label: float
    gap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTrust:
    """Every metric of a run against the labels under a criterion.

    Attributes:
        trust: The metrics, the best first.
        labels: Labelled cases on which they are assessed.
        left_out: Targeted labels that were left out: such cases are not representative.
        simulated: Labels of simulated raters.
        misses: The cases with the largest gaps of each metric, by name.
    """

    trust: Trust
    labels: int
    left_out: int
    simulated: int
    misses: Mapping[str, tuple[CaseMiss, ...]]


def run_trust(
    store: Store, run_id: str, criterion_id: str, metrics: Sequence[str] | None = None, *, seed: int = 0
) -> RunTrust:
    """Assesses metrics by how well they predict what people accept.

    The labels are those drawn at random. Where fewer than ten were, all labels are used; but a case that was chosen
    because of a score biases the assessment of that score, so no metric is named the best.

    Args:
        store: Where the run is.
        run_id: The run.
        criterion_id: Whose labels.
        metrics: Which; every metric with a score and the verdict when None.
        seed: Of resamples and folds.

    Raises:
        NotFound: There is no such run or criterion.
        InvalidInput: The run has no score, or the criterion no levels.
    """
    criterion = criterion_of(store, run_id, criterion_id)
    run_scores = labelled_scores(store, run_id, criterion, metrics or scored_metrics(store, run_id))
    random = run_scores.labelled & run_scores.random
    sample = random if int(random.sum()) >= LEAST else run_scores.labelled
    places = np.flatnonzero(sample)
    values = np.array(
        [run_scores.labels[run_scores.case_ids[place]].value or 0.0 for place in places], dtype=np.float64
    )
    trust = compare_metrics(
        run_scores.turned[places],
        values,
        run_scores.metrics,
        accept_from=float(criterion.accept_from),
        clusters=run_scores.clusters[places],
        seed=seed,
    )
    if places.size > random.sum():
        trust = replace(
            trust,
            winner=None,
            sentence=f"Only {int(random.sum())} labels were drawn at random; the others were chosen because of a "
            "score, so no metric is named the best.",
        )
    ids = sorted({run_scores.case_ids[places[miss.case]] for metric in trust.metrics for miss in metric.worst})
    with store.read() as connection:
        pairs = run_inputs.pairs(connection, runs.get(connection, run_id), ids, contexts=False)
        questions = {case.case_id: case.question for case, _ in pairs}
    return RunTrust(
        trust=trust,
        labels=int(places.size),
        left_out=int(run_scores.labelled.sum() - places.size),
        simulated=sum(run_scores.labels[run_scores.case_ids[place]].simulated for place in places),
        misses={
            metric.name: tuple(
                CaseMiss(
                    case_id=run_scores.case_ids[place],
                    question=questions.get(run_scores.case_ids[place], ""),
                    score=float(run_scores.raw[place, run_scores.metrics.index(metric.name)]),
                    label=miss.label,
                    gap=miss.gap,
                )
                for miss in metric.worst
                for place in [int(places[miss.case])]
            )
            for metric in trust.metrics
        },
    )


def trust_state(store: Store, run_id: str, criterion_id: str) -> str:
    """A short hash of the inputs of `run_trust`: criterion, scores, clusters, labels and how they were drawn.

    Equal states give the same comparison, so it can be cached; the state takes much less time to compute.

    Raises:
        NotFound: There is no such run or criterion.
        InvalidInput: The run has no score, or the criterion no levels.
    """
    criterion = criterion_of(store, run_id, criterion_id)
    run_scores = labelled_scores(store, run_id, criterion, scored_metrics(store, run_id))
    label_rows = [
        (case_id, label.value, label.random, label.simulated)
        for case_id, label in sorted(run_scores.labels.items())
        if label.value is not None
    ]
    digest = hashlib.sha256(repr((criterion, run_scores.metrics, run_scores.case_ids, label_rows)).encode())
    for table in (run_scores.raw, run_scores.turned, run_scores.clusters):
        digest.update(np.ascontiguousarray(table).tobytes())
    return digest.hexdigest()[:16]


def scored_metrics(store: Store, run_id: str) -> tuple[str, ...]:
    """The metrics of a run that have a value somewhere, the verdict last."""
    with store.read() as connection:
        counts = scores.counts(connection, run_id, runs.get(connection, run_id).test_set_id)
    names = sorted(name for name, count in counts.items() if count.scored and name != VERDICT_METRIC)
    return (*names, VERDICT_METRIC) if counts.get(VERDICT_METRIC) and counts[VERDICT_METRIC].scored else tuple(names)
