"""Calibrates the scores of a run to people's labels, applies it to every case, and keeps both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

import numpy as np
import numpy.typing as npt

from core.calibration.double import Calibration, calibrate
from core.domain.errors import InsufficientData, InvalidInput
from core.domain.estimates import Estimate
from core.domain.identity import new_id
from core.domain.labels import Criterion
from core.domain.projects import Role
from core.evaluation.calibration_curve import curves
from core.evaluation.calibration_report import (
    CalibrationOptions,
    CalibrationReport,
    ConformalMethod,
    LabelRow,
)
from core.evaluation.label_levels import collapsed, level_names, level_values, weights_of
from core.evaluation.labelled_scores import LabelledScores, criterion_of, labelled_scores
from core.evaluation.stored_calibrations import calibrations_of, options_of, scores_hash
from core.labelling.agreement import level_of as measured
from core.labelling.agreement_words import reading, usable
from core.labelling.one_label import ratings_table
from core.project.service import require
from core.stats import krippendorff_alpha
from core.store import calibrations, runs
from core.store.calibrations import CaseColumns, StoredCalibration
from core.store.codec import to_row
from core.store.database import Store

ROLE = Role.VALIDATOR
"""The role that may calibrate: what a score promises is a statement of the validation."""

LEAST_SHARED = 2

MOST_METRICS = 8
"""Scores that are calibrated together; more cannot be told apart by the labels there are."""


def calibrate_run(store: Store, run_id: str, options: CalibrationOptions, *, actor: str) -> StoredCalibration:
    """Calibrates scores of a run to the labels under a criterion, and keeps the result with what every case got.

    Args:
        store: Where the run is.
        run_id: The run.
        options: What to calibrate, and how.
        actor: Who asks for it.

    Returns:
        The stored calibration; :func:`core.evaluation.stored_calibrations.report_of` reads what it found.

    Raises:
        NotFound: There is no such run or criterion.
        Forbidden: The actor is no validator of the project.
        InsufficientData: Too few labels for the three parts or for a level.
        InvalidInput: The raters do not agree and nobody insists; or the scores, labels or options are useless.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
    require(store, run.project_id, actor, ROLE)
    if len(options.metrics) > MOST_METRICS:
        raise InvalidInput(
            f"{len(options.metrics)} scores are too many to calibrate together.", f"Choose at most {MOST_METRICS}."
        )
    criterion = criterion_of(store, run_id, options.criterion_id)
    found = labelled_scores(store, run_id, criterion, options.metrics, group_attribute=options.group_attribute)
    alpha, raters = rater_agreement(store, run_id, criterion, seed=options.seed)
    _refuse(found, alpha, options)
    made = fitted(found, options, alpha)
    applied = made.apply(found.turned, found.groups or None)
    stored = StoredCalibration(
        id=new_id("cal"),
        project_id=run.project_id,
        run_id=run_id,
        criterion_id=criterion.id,
        options=to_row(options),
        report=to_row(_report(found, made, options, alpha, raters)),
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        created_by=actor,
    )
    columns = CaseColumns(probabilities=applied.accepted, sets=masks(applied.sets))
    said = {
        "criterion": criterion.name,
        "metrics": list(options.metrics),
        "model": made.report.choice.model.value,
        "alpha": options.alpha,
        "labels": int(found.labelled.sum()),
        "insisted": usable(alpha) == "refused",
    }
    with store.write(
        actor, "calibration.make", project_id=run.project_id, subject=stored.id, detail={"run": run_id, **said}
    ) as connection:
        calibrations.put(connection, stored, columns)
    return stored


def ensure_calibrated(store: Store, run_id: str, options: CalibrationOptions, *, actor: str) -> StoredCalibration:
    """The newest calibration of the run with these options; made where there is none.

    Raises:
        As :func:`calibrate_run`.
    """
    for calibration in calibrations_of(store, run_id, options.criterion_id):
        if options_of(calibration) == options:
            return calibration
    return calibrate_run(store, run_id, options, actor=actor)


def fitted(found: LabelledScores, options: CalibrationOptions, alpha: Estimate | None = None) -> Calibration:
    """The calibration itself, from what was read; nothing is stored."""
    levels, lowest = collapsed(found, options)
    truth = np.where(found.labelled, levels, np.nan)
    return calibrate(
        found.turned,
        truth,
        levels=len(level_names(found.criterion, options)),
        accept_from=lowest,
        names=found.metrics,
        clusters=found.clusters,
        random=found.random,
        weights=weights_of(found),
        groups=found.groups or None,
        method=options.method,
        alpha=options.alpha,
        conformal="aps" if options.conformal is ConformalMethod.APS else "lac",
        agreement=alpha,
        insist=options.insist,
        undecided=found.undecided,
        shares=_shares(options.shares),
        seed=options.seed,
    )


def rater_agreement(
    store: Store, run_id: str, criterion: Criterion, *, seed: int = 0
) -> tuple[Estimate, tuple[str, ...]]:
    """Krippendorff's alpha of those who labelled the run under a criterion, and who they are.

    Returns:
        The estimate; its value is None, with the reason as its method, where two raters share fewer than two cases.
    """
    table = ratings_table(store, run_id, criterion.id)
    values = np.asarray(table.values, dtype=np.float64)
    there = np.asarray(~np.isnan(values), dtype=bool).reshape(values.shape)
    raters = tuple(rater for rater, own in zip(table.raters, there, strict=True) if own.any())
    shared = int((there.sum(axis=0) >= 2).sum())
    if shared < LEAST_SHARED:
        why = "only one rater labelled" if len(raters) == 1 else "hardly a case has labels of two raters"
        return Estimate(value=None, low=None, high=None, n=shared, method=why), raters
    return krippendorff_alpha(values, level=measured(criterion), seed=seed), raters


def masks(sets: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint16]:
    """Sets as one bit a level, bit j for level j, shape (n,)."""
    return np.asarray(sets @ (1 << np.arange(sets.shape[1])), dtype=np.uint16)


def _refuse(found: LabelledScores, alpha: Estimate, options: CalibrationOptions) -> None:
    if not found.labelled.any():
        error = InsufficientData(1, 0, f"labels under {found.criterion.name}")
        error.hint = "Open a round on the Label page, and let people label some cases."
        raise error
    if usable(alpha) == "refused" and not options.insist:
        raise InvalidInput(
            f"The raters do not agree on {found.criterion.name}. {reading(alpha)}",
            "Make the guidelines clearer and adjudicate, or insist, and the result will say so.",
        )
    if len(found.criterion.levels) > calibrations.MOST_LEVELS:
        raise InvalidInput(
            f"{found.criterion.name} has {len(found.criterion.levels)} levels.",
            f"Calibrate to at most {calibrations.MOST_LEVELS}.",
        )


def _report(
    found: LabelledScores, made: Calibration, options: CalibrationOptions, alpha: Estimate, raters: Sequence[str]
) -> CalibrationReport:
    labels = _labels(found, made, options)
    criterion = found.criterion
    return CalibrationReport(
        criterion=criterion.name,
        question=criterion.question,
        level_values=level_values(criterion, options),
        level_names=level_names(criterion, options),
        rule=criterion.rule.value,
        accept_value=criterion.accept_from,
        result=replace(made.report, insisted=usable(alpha) == "refused"),
        labels=labels,
        curves=curves(found, made),
        agreement=alpha,
        usable=usable(alpha),
        reading=reading(alpha),
        raters=tuple(raters),
        answered=int(found.answered.sum()),
        simulated=sum(row.simulated for row in labels),
        scores_hash=scores_hash(found),
    )


def _labels(found: LabelledScores, made: Calibration, options: CalibrationOptions) -> tuple[LabelRow, ...]:
    levels, lowest = collapsed(found, options)
    applied = made.apply(found.turned, found.groups or None)
    rows = []
    for place in np.flatnonzero(found.labelled):
        case_id, chance = found.case_ids[place], float(applied.accepted[place])
        label, decision = found.labels[case_id], applied.decisions[place]
        rows.append(
            LabelRow(
                case_id=case_id,
                scores=tuple(None if np.isnan(value) else float(value) for value in found.raw[place]),
                level=int(levels[place]),
                accepted=bool(levels[place] >= lowest),
                chance=None if np.isnan(chance) else chance,
                decision="" if decision is None else decision.value,
                part=str(made.parts[place]),
                cluster=int(found.clusters[place]),
                group=found.groups[place] if found.groups else "",
                probability=label.probability,
                random=label.random,
                simulated=label.simulated,
                at=label.at,
            )
        )
    return tuple(rows)


def _shares(given: Sequence[float]) -> tuple[float, float, float]:
    if len(given) != 3:
        raise InvalidInput(f"There are {len(given)} shares.", "Give three: to fit, to conformalise, to test.")
    return cast(tuple[float, float, float], tuple(given))
