"""The scores of a run in which weaknesses can be searched: verdict, metrics, calibrated chances, people's labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from core.calibration.service.stored import options_of, report_of
from core.domain.errors import InvalidInput
from core.domain.results.labels import Criterion, ScaleKind
from core.domain.results.runs import VERDICT_METRIC, Run
from core.labelling.criteria import list_criteria
from core.labelling.labelled_scores import criterion_of
from core.labelling.one_label import one_labels
from core.metrics.direction import lower_is_better
from core.metrics.titles import OF_SAFETY
from core.runs.scores.edits import score_range
from core.runs.scores.summary import spec_of
from core.runs.summary import unscored_reasons
from core.store.database import Store
from core.store.people import calibrations, labels
from core.store.people.calibrations import StoredCalibration
from core.store.results import runs, scores
from core.store.results.cases import run_inputs
from core.weakness.service.of_variants import OF_VARIANTS, has_variants, values_of_variants
from core.weakness.table import Floats, ScoreColumn

CHANCE, LABEL = "chance:", "label:"
"""What the key of a calibrated probability, and of the labels of a criterion, begins with."""

Kind = Literal["verdict", "metric", "chance", "label", "robustness"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChoice:
    """A score in which to search for weaknesses.

    Attributes:
        key: ``verdict``, a metric's stored name, ``chance:<calibration id>`` or ``label:<criterion id>``.
        label: For people.
        n: Cases with a value.
        of: Cases of the run.
        low: Least possible value, None where there is no bound.
        high: Greatest possible value, None where there is no bound.
        threshold: The lowest passing value, where the calibration or the criterion states one.
        unscored: Cases without a value, by reason.
    """

    key: str
    label: str
    kind: Kind
    n: int
    of: int
    low: float | None = 0.0
    high: float | None = 1.0
    higher_is_better: bool = True
    threshold: float | None = None
    unscored: Mapping[str, int] = field(default_factory=dict)


def score_choices(store: Store, run_id: str) -> tuple[ScoreChoice, ...]:
    """The scores that at least one case of a run has: verdict, metrics by name, chances newest first, labels.

    Of several calibrations of the same scores to the same criterion the newest is offered; the others can still be
    requested by key.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        counts = scores.counts(connection, run_id, run.test_set_id)
        case_ids, _ = run_inputs.groups(connection, run.test_set_id)
        stored = calibrations.of_run(connection, run_id)
        labelled = bool(labels.items_of_run(connection, run_id))
    names = sorted((name for name in counts if counts[name].scored), key=lambda name: (name != VERDICT_METRIC, name))
    criteria = list_criteria(store, run.project_id, retired=True) if labelled else []
    return (
        *(_metric_choice(counts[name], len(case_ids)) for name in names),
        *_chances(store, stored, len(case_ids)),
        *_labels(store, run, criteria, case_ids),
        *_robustness(store, run, case_ids),
    )


def score_column(store: Store, run_id: str, key: str, case_ids: Sequence[str]) -> ScoreColumn:
    """One score of every case; NaN for a case without one, be it unscored, unlabelled or failed.

    Args:
        store: Where the run is.
        run_id: The run.
        key: Of the score, see :class:`ScoreChoice`.
        case_ids: The included cases, in the order of the test set.

    Raises:
        NotFound: There is no such run, calibration or criterion.
        InvalidInput: The run has no such score, or the calibration is of another run or of other cases.
    """
    if key.startswith(CHANCE):
        return _chance_column(store, run_id, key, case_ids)
    if key.startswith(LABEL):
        criterion = criterion_of(store, run_id, key.removeprefix(LABEL))
        lowest, highest = _scale(criterion)
        return ScoreColumn(name=key, values=_label_values(store, run_id, criterion, case_ids), low=lowest, high=highest)
    with store.read() as connection:
        run = runs.get(connection, run_id)
    if key in OF_VARIANTS and has_variants(store, run):
        return ScoreColumn(
            name=key,
            values=values_of_variants(store, run, case_ids)[key],
            low=0.0,
            high=1.0,
            higher_is_better=OF_VARIANTS[key].higher_is_better,
        )
    with store.read() as connection:
        values = scores.columns(connection, run_id, [key], case_ids)[:, 0]
        if np.isnan(values).all():
            counts = scores.counts(connection, run_id, run.test_set_id)
            if key not in counts and key != VERDICT_METRIC:
                listed = ", ".join(counts) or "none yet"
                raise InvalidInput(f"The run has no score {key}.", f"Choose one of its scores: {listed}.")
    low, high = score_range(key)
    return ScoreColumn(name=key, values=values, low=low, high=high, higher_is_better=not lower_is_better(key))


def metrics_behind(store: Store, key: str) -> tuple[str, ...]:
    """The metrics a score rests on: itself, those of its calibration, or none where people gave it.

    Args:
        store: Where the run is.
        key: The score's key, see `ScoreChoice`.

    Raises:
        NotFound: There is no such calibration.
    """
    if key.startswith(LABEL):
        return ()
    if key.startswith(CHANCE):
        with store.read() as connection:
            return options_of(calibrations.get(connection, key.removeprefix(CHANCE))).metrics
    return (key,)


def label_of_score(name: str) -> str:
    """A stored score for people.

    >>> label_of_score("verdict"), label_of_score("precision@5"), label_of_score("unknown")
    ('Verdict', 'Precision at 5', 'unknown')
    """
    if name == VERDICT_METRIC:
        return "Verdict"
    spec, (_, _, k) = spec_of(name), name.partition("@")
    if spec is None:
        return OF_SAFETY.get(name, name)
    return f"{spec.title} at {k}" if k else spec.title


def _metric_choice(count: scores.MetricCount, cases: int) -> ScoreChoice:
    name = count.metric
    low, high = score_range(name)
    return ScoreChoice(
        key=name,
        label=label_of_score(name),
        kind="verdict" if name == VERDICT_METRIC else "metric",
        n=count.scored,
        of=cases,
        low=low,
        high=high,
        higher_is_better=not lower_is_better(name),
        unscored=unscored_reasons(count, cases),
    )


def _chances(store: Store, stored: Sequence[StoredCalibration], cases: int) -> Iterable[ScoreChoice]:
    offered: set[tuple[str, tuple[str, ...]]] = set()
    for calibration in stored:
        options, report = options_of(calibration), report_of(calibration)
        origin = (calibration.criterion_id, options.metrics)
        with store.read() as connection:
            values = calibrations.columns(connection, calibration.id).probabilities
        if origin in offered or values.size != cases or np.isnan(values).all():
            continue
        offered.add(origin)
        n = int((~np.isnan(values)).sum())
        yield ScoreChoice(
            key=f"{CHANCE}{calibration.id}",
            label=f"Chance of {report.criterion}, from {' and '.join(map(label_of_score, options.metrics))}",
            kind="chance",
            n=n,
            of=cases,
            threshold=report.result.threshold,
            unscored={"no score to calibrate": cases - n} if n < cases else {},
        )


def _chance_column(store: Store, run_id: str, key: str, case_ids: Sequence[str]) -> ScoreColumn:
    with store.read() as connection:
        calibration = calibrations.get(connection, key.removeprefix(CHANCE))
        values = calibrations.columns(connection, calibration.id).probabilities
    if calibration.run_id != run_id:
        raise InvalidInput(
            f"The calibration {calibration.id} is of run {calibration.run_id}, not of {run_id}.",
            "Choose a calibration of this run.",
        )
    if values.size != len(case_ids):
        raise InvalidInput(
            f"The calibration {calibration.id} is of {values.size:,} cases, and the run has {len(case_ids):,}.",
            "Calibrate again.",
        )
    return ScoreColumn(name=key, values=values)


def _labels(store: Store, run: Run, criteria: Sequence[Criterion], case_ids: Sequence[str]) -> Iterable[ScoreChoice]:
    for criterion in criteria:
        if criterion.kind is ScaleKind.COMMENT or not criterion.levels:
            continue
        values = _label_values(store, run.id, criterion, case_ids)
        n = int((~np.isnan(values)).sum())
        if not n:
            continue
        low, high = _scale(criterion)
        without_value = {label.case_id for label in one_labels(store, run.id, criterion.id) if label.value is None}
        undecided = len(without_value.intersection(case_ids))
        reasons = Counter({"not labelled": len(case_ids) - n - undecided, "no one label": undecided})
        yield ScoreChoice(
            key=f"{LABEL}{criterion.id}",
            label=f"{criterion.name}, by people",
            kind="label",
            n=n,
            of=len(case_ids),
            low=low,
            high=high,
            threshold=float(criterion.accept_from),
            unscored={reason: number for reason, number in reasons.items() if number},
        )


def _robustness(store: Store, run: Run, case_ids: Sequence[str]) -> Iterable[ScoreChoice]:
    """The scores that only a run on variants has."""
    if not has_variants(store, run):
        return
    values = values_of_variants(store, run, case_ids)
    for key, spec in OF_VARIANTS.items():
        n = int((~np.isnan(values[key])).sum())
        if n:
            yield ScoreChoice(
                key=key,
                label=spec.label,
                kind="robustness",
                n=n,
                of=len(case_ids),
                higher_is_better=spec.higher_is_better,
                unscored={spec.without: len(case_ids) - n} if n < len(case_ids) else {},
            )


def _label_values(store: Store, run_id: str, criterion: Criterion, case_ids: Sequence[str]) -> Floats:
    labels_by_case = {label.case_id: label.value for label in one_labels(store, run_id, criterion.id)}
    values = (labels_by_case.get(case_id) for case_id in case_ids)
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _scale(criterion: Criterion) -> tuple[float, float]:
    if not criterion.levels:
        raise InvalidInput(f"{criterion.name} asks for a comment and has no levels.", "Choose a criterion with levels.")
    return float(criterion.levels[0].value), float(criterion.levels[-1].value)
