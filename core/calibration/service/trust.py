"""Which metric to trust: every metric of a run and the verdict against what people say."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.calibration.trust import LEAST, Trust, compare_metrics
from core.domain.runs import VERDICT_METRIC
from core.evaluation.labelled_scores import criterion_of, labelled_scores
from core.store import run_inputs, runs, scores
from core.store.database import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseMiss:
    """A case that a metric and people see most differently.

    Attributes:
        score: As it is stored.
        label: People's level, or the mean of their levels.
        gap: Rank of the score less that of the label, -1 to 1: above 0 the metric is kinder than people.
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
        labels: Labelled cases they are judged on.
        left_out: Targeted labels that were left out: such cases are not like the others.
        simulated: Labels of which a machine played the raters.
        misses: The worst misses of each metric, by name.
    """

    trust: Trust
    labels: int
    left_out: int
    simulated: int
    misses: Mapping[str, tuple[CaseMiss, ...]]


def run_trust(
    store: Store, run_id: str, criterion_id: str, metrics: Sequence[str] | None = None, *, seed: int = 0
) -> RunTrust:
    """Judges metrics by how well they tell what people accept.

    The labels are those drawn at random. Where fewer than ten were, all of them show how the metrics do; but a case
    that was chosen because of a score is no fair witness for it, so no metric is named the best.

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
    found = labelled_scores(store, run_id, criterion, metrics or scored_metrics(store, run_id))
    random = found.labelled & found.random
    some = random if int(random.sum()) >= LEAST else found.labelled
    chosen = np.flatnonzero(some)
    values = np.array([found.labels[found.case_ids[place]].value or 0.0 for place in chosen], dtype=np.float64)
    trust = compare_metrics(
        found.turned[chosen],
        values,
        found.metrics,
        accept_from=float(criterion.accept_from),
        clusters=found.clusters[chosen],
        seed=seed,
    )
    if chosen.size > random.sum():
        trust = replace(
            trust,
            winner=None,
            sentence=f"Only {int(random.sum())} labels were drawn at random; the others were chosen because of a "
            "score, so no metric is named.",
        )
    ids = sorted({found.case_ids[chosen[miss.case]] for one in trust.metrics for miss in one.worst})
    with store.read() as connection:
        shown = run_inputs.pairs(connection, runs.get(connection, run_id), ids, contexts=False)
        asked = {case.case_id: case.question for case, _ in shown}
    return RunTrust(
        trust=trust,
        labels=int(chosen.size),
        left_out=int(found.labelled.sum() - chosen.size),
        simulated=sum(found.labels[found.case_ids[place]].simulated for place in chosen),
        misses={
            one.name: tuple(
                CaseMiss(
                    case_id=found.case_ids[place],
                    question=asked.get(found.case_ids[place], ""),
                    score=float(found.raw[place, found.metrics.index(one.name)]),
                    label=miss.label,
                    gap=miss.gap,
                )
                for miss in one.worst
                for place in [int(chosen[miss.case])]
            )
            for one in trust.metrics
        },
    )


def trust_state(store: Store, run_id: str, criterion_id: str) -> str:
    """A short hash of all that `run_trust` rests on: criterion, scores, clusters, labels and how they were drawn.

    Two equal states give the same comparison, so that it needs to be made once only; the state takes much less time.

    Raises:
        NotFound: There is no such run or criterion.
        InvalidInput: The run has no score, or the criterion no levels.
    """
    criterion = criterion_of(store, run_id, criterion_id)
    found = labelled_scores(store, run_id, criterion, scored_metrics(store, run_id))
    said = [
        (case_id, label.value, label.random, label.simulated)
        for case_id, label in sorted(found.labels.items())
        if label.value is not None
    ]
    made = hashlib.sha256(repr((criterion, found.metrics, found.case_ids, said)).encode())
    for table in (found.raw, found.turned, found.clusters):
        made.update(np.ascontiguousarray(table).tobytes())
    return made.hexdigest()[:16]


def scored_metrics(store: Store, run_id: str) -> tuple[str, ...]:
    """The metrics of a run that have a value somewhere, the verdict last."""
    with store.read() as connection:
        counted = scores.counts(connection, run_id, runs.get(connection, run_id).test_set_id)
    names = sorted(name for name, count in counted.items() if count.scored and name != VERDICT_METRIC)
    return (*names, VERDICT_METRIC) if counted.get(VERDICT_METRIC) and counted[VERDICT_METRIC].scored else tuple(names)
