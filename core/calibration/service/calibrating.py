"""Calibrates the scores of a run to people's labels, applies the calibration to every case, and stores the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import cast

import numpy as np
import numpy.typing as npt

from core.calibration.double import Calibration, calibrate
from core.calibration.service.curve import curves
from core.calibration.service.label_levels import collapsed, level_names, level_values, weights_of
from core.calibration.service.report import CalibrationOptions, CalibrationReport, ConformalMethod, LabelRow
from core.calibration.service.stored import calibrations_of, options_of, scores_hash
from core.domain.errors import InsufficientData, InvalidInput
from core.domain.estimates import Estimate
from core.domain.identity import new_id
from core.domain.results.labels import Criterion, LabelRule
from core.domain.sources.projects import Role
from core.labelling.agreement.alpha import level_of as measurement_level
from core.labelling.agreement.words import SharedCases, Usable, reading, shared_cases, usable
from core.labelling.labelled_scores import LabelledScores, criterion_of, labelled_scores
from core.labelling.one_label import ratings_table
from core.project.service import require
from core.stats import krippendorff_alpha
from core.store.codec import to_row
from core.store.database import Store
from core.store.people import calibrations
from core.store.people.calibrations import CaseColumns, StoredCalibration
from core.store.results import runs

ROLE = Role.VALIDATOR
"""The role that may calibrate: the promise of a score is a statement of the validation."""

LEAST_SHARED = 2

MOST_METRICS = 8
"""The largest number of scores calibrated together; labels are too few to separate the effects of more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAgreement:
    """How far the raters of a run agree under a criterion.

    Attributes:
        alpha: Krippendorff's alpha; without a value, and with the reason as its method, where two raters share fewer
            than two cases.
        raters: Who labelled.
        shared: The cases it is of.
    """

    alpha: Estimate
    raters: tuple[str, ...]
    shared: SharedCases

    @property
    def usable(self) -> Usable:
        """Whether scores may be calibrated against these labels."""
        return usable(self.alpha)

    @property
    def one_sided(self) -> bool:
        """Whether the labels are refused although raters mostly agree: there are too few of the rarer kind."""
        return self.usable == "refused" and self.shared.one_sided

    @property
    def reading(self) -> str:
        """The agreement in plain words."""
        return reading(self.alpha, self.shared)


def calibrate_run(store: Store, run_id: str, options: CalibrationOptions, *, actor: str) -> StoredCalibration:
    """Calibrates scores of a run to the labels under a criterion, and stores the result with that of every case.

    Args:
        store: Where the run is.
        run_id: The run.
        options: What to calibrate, and how.
        actor: Who requests it.

    Returns:
        The stored calibration; :func:`core.calibration.service.stored.report_of` reads its report.

    Raises:
        NotFound: There is no such run or criterion.
        Forbidden: The actor is no validator of the project.
        InsufficientData: Too few labels for the three parts or for a level.
        InvalidInput: The raters do not agree and `insist` is not set; or the scores, labels or options are not valid.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
    require(store, run.project_id, actor, ROLE)
    if len(options.metrics) > MOST_METRICS:
        raise InvalidInput(
            f"{len(options.metrics)} scores are too many to calibrate together.", f"Choose at most {MOST_METRICS}."
        )
    criterion = criterion_of(store, run_id, options.criterion_id)
    if options.raters is LabelRule.MEAN and len(criterion.levels) == 2:
        raise InvalidInput(
            f"The labels under {criterion.name} are yes or no, and have no mean.",
            "Combine them by their median or by majority; both are the vote.",
        )
    run_scores = labelled_scores(
        store, run_id, criterion, options.metrics, group_attribute=options.group_attribute, rule=options.raters
    )
    agreement = rater_agreement(store, run_id, criterion, seed=options.seed)
    _refuse(run_scores, agreement, options)
    calibration = fitted(run_scores, options, agreement.alpha)
    applied = calibration.apply(run_scores.turned, run_scores.groups or None)
    stored = StoredCalibration(
        id=new_id("cal"),
        project_id=run.project_id,
        run_id=run_id,
        criterion_id=criterion.id,
        options=to_row(options),
        report=to_row(_report(run_scores, calibration, options, agreement)),
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        created_by=actor,
    )
    columns = CaseColumns(probabilities=applied.accepted, sets=masks(applied.sets))
    summary = {
        "criterion": criterion.name,
        "metrics": list(options.metrics),
        "model": calibration.report.choice.model.value,
        "alpha": options.alpha,
        "labels": int(run_scores.labelled.sum()),
        "insisted": agreement.usable == "refused",
    }
    with store.write(
        actor, "calibration.make", project_id=run.project_id, subject=stored.id, detail={"run": run_id, **summary}
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


def fitted(run_scores: LabelledScores, options: CalibrationOptions, alpha: Estimate | None = None) -> Calibration:
    """The calibration itself, from scores and labels in memory; nothing is stored."""
    levels, lowest = collapsed(run_scores, options)
    truth = np.where(run_scores.labelled, levels, np.nan)
    return calibrate(
        run_scores.turned,
        truth,
        levels=len(level_names(run_scores.criterion, options)),
        accept_from=lowest,
        names=run_scores.metrics,
        clusters=run_scores.clusters,
        random=run_scores.random,
        weights=weights_of(run_scores),
        groups=run_scores.groups or None,
        method=options.method,
        alpha=options.alpha,
        conformal="aps" if options.conformal is ConformalMethod.APS else "lac",
        agreement=alpha,
        insist=options.insist,
        undecided=run_scores.undecided,
        shares=_shares(options.shares),
        seed=options.seed,
    )


def rater_agreement(store: Store, run_id: str, criterion: Criterion, *, seed: int = 0) -> RunAgreement:
    """How far the raters of a run agree under a criterion."""
    table = ratings_table(store, run_id, criterion.id)
    values = np.asarray(table.values, dtype=np.float64)
    has_label = np.asarray(~np.isnan(values), dtype=bool).reshape(values.shape)
    raters = tuple(rater for rater, row in zip(table.raters, has_label, strict=True) if row.any())
    shared = shared_cases(values, criterion.anchors)
    if shared.n < LEAST_SHARED:
        reason = "only one rater labelled" if len(raters) == 1 else "fewer than two cases have labels of two raters"
        alpha = Estimate(value=None, low=None, high=None, n=shared.n, method=reason)
    else:
        alpha = krippendorff_alpha(values, level=measurement_level(criterion), seed=seed)
    return RunAgreement(alpha=alpha, raters=raters, shared=shared)


def masks(sets: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint16]:
    """Sets as one bit a level, bit j for level j, shape (n,)."""
    return np.asarray(sets @ (1 << np.arange(sets.shape[1])), dtype=np.uint16)


def _refuse(run_scores: LabelledScores, agreement: RunAgreement, options: CalibrationOptions) -> None:
    if not run_scores.labelled.any():
        error = InsufficientData(1, 0, f"labels under {run_scores.criterion.name}")
        error.hint = "Open a round on the Label page, and have people label some cases."
        raise error
    if agreement.usable == "refused" and not options.insist:
        raise _refusal(run_scores.criterion.name, agreement)
    if len(run_scores.criterion.levels) > calibrations.MOST_LEVELS:
        raise InvalidInput(
            f"{run_scores.criterion.name} has {len(run_scores.criterion.levels)} levels.",
            f"Calibrate to at most {calibrations.MOST_LEVELS}.",
        )


def _refusal(criterion: str, agreement: RunAgreement) -> InvalidInput:
    if agreement.one_sided:
        return InvalidInput(
            f"The labels of {criterion} are too one-sided. {agreement.reading}",
            "Open another round of this run, or insist; the result will then state it.",
        )
    return InvalidInput(
        f"The raters do not agree on {criterion}. {agreement.reading}",
        "Clarify the guidelines and adjudicate, or insist; the result will then state it.",
    )


def _report(
    run_scores: LabelledScores, calibration: Calibration, options: CalibrationOptions, agreement: RunAgreement
) -> CalibrationReport:
    labels = _labels(run_scores, calibration, options)
    criterion = run_scores.criterion
    return CalibrationReport(
        criterion=criterion.name,
        question=criterion.question,
        level_values=level_values(criterion, options),
        level_names=level_names(criterion, options),
        rule=(options.raters or criterion.rule).value,
        accept_value=criterion.accept_from,
        result=replace(calibration.report, insisted=agreement.usable == "refused"),
        labels=labels,
        curves=curves(run_scores, calibration),
        agreement=agreement.alpha,
        usable=agreement.usable,
        reading=agreement.reading,
        raters=agreement.raters,
        answered=int(run_scores.answered.sum()),
        simulated=sum(row.simulated for row in labels),
        scores_hash=scores_hash(run_scores),
    )


def _labels(run_scores: LabelledScores, calibration: Calibration, options: CalibrationOptions) -> tuple[LabelRow, ...]:
    levels, lowest = collapsed(run_scores, options)
    applied = calibration.apply(run_scores.turned, run_scores.groups or None)
    rows = []
    for place in np.flatnonzero(run_scores.labelled):
        case_id, chance = run_scores.case_ids[place], float(applied.accepted[place])
        label, decision = run_scores.labels[case_id], applied.decisions[place]
        rows.append(
            LabelRow(
                case_id=case_id,
                scores=tuple(None if np.isnan(value) else float(value) for value in run_scores.raw[place]),
                level=int(levels[place]),
                accepted=bool(levels[place] >= lowest),
                chance=None if np.isnan(chance) else chance,
                decision="" if decision is None else decision.value,
                part=str(calibration.parts[place]),
                cluster=int(run_scores.clusters[place]),
                group=run_scores.groups[place] if run_scores.groups else "",
                probability=label.probability,
                random=label.random,
                simulated=label.simulated,
                at=label.at,
            )
        )
    return tuple(rows)


def _shares(shares: Sequence[float]) -> tuple[float, float, float]:
    if len(shares) != 3:
        raise InvalidInput(f"There are {len(shares)} shares.", "Give three: to fit, to conformalise, to test.")
    return cast(tuple[float, float, float], tuple(shares))
