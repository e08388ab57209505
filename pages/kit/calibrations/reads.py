"""Cached reads of the Calibrate page: what there is to calibrate, calibrations, their cases, what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.calibration.labels.budget import Budget
from core.calibration.service.calibrating import rater_agreement
from core.calibration.service.cases.results import CalibratedCase, CasePage, calibrated_case, calibrated_cases, queue
from core.calibration.service.pass_rate import PassRate, budget, pass_rate
from core.calibration.service.promise import Promise, promise
from core.calibration.service.report import CalibrationOptions, CalibrationReport
from core.calibration.service.stored import calibrations_of, options_of, report_of, stale
from core.calibration.service.trust import RunTrust, run_trust, trust_state
from core.domain.errors import PlumblineError
from core.domain.estimates import Estimate
from core.domain.results.labels import Criterion, ScaleKind
from core.domain.results.runs import VERDICT_METRIC
from core.labelling.criteria import list_criteria
from core.labelling.labelled_scores import group_attributes
from core.labelling.one_label import one_labels
from core.store.database import Store
from core.store.people import labels as label_table
from core.store.people.calibrations import StoredCalibration
from core.store.writing.versions import Kind
from pages.kit import cache, project_reads
from pages.kit.scores import reads

RESTS_ON: Final[tuple[Kind, ...]] = ("runs", "answers", "scores", "labels", "test_sets")
"""What a calibration is made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What people said of a run under a criterion, counted.

    Attributes:
        given: Cases with one label.
        random: Of them drawn at random.
        open: Cases with labels that the rule makes none of: raters differ or could not judge.
        simulated: Cases whose raters a machine played.
        raters: Who labelled.
        agreement: Krippendorff's alpha.
        usable: ``fine``, ``warned`` or ``refused``.
        reading: The agreement in plain words.
        one_sided: Whether the labels are refused although raters mostly agree: there are too few of the rarer kind.
    """

    given: int
    random: int
    open: int
    simulated: int
    raters: tuple[str, ...]
    agreement: Estimate
    usable: str
    reading: str
    one_sided: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A figure that cannot be told, and why."""

    error: str
    hint: str


@cache.read("labels")
def criteria(store: Store, project_id: str) -> tuple[Criterion, ...]:
    """The project's criteria that have levels, retired ones last."""
    scales = [
        criterion
        for criterion in list_criteria(store, project_id, retired=True)
        if criterion.kind is not ScaleKind.COMMENT
    ]
    return tuple(sorted(scales, key=lambda item: item.retired))


@cache.read("labels", "runs")
def labelled_runs(store: Store, project_id: str, criterion_id: str = "") -> frozenset[str]:
    """The runs of a project whose answers have labels, those under one criterion where any has."""
    with store.read() as connection:
        pairs = label_table.labelled_runs(connection, project_id)
    under = frozenset(run_id for run_id, criterion in pairs if criterion == criterion_id)
    return under or frozenset(run_id for run_id, _ in pairs)


@cache.read(*RESTS_ON)
def labels(store: Store, run_id: str, criterion: Criterion) -> Labels:
    """What people said of a run under a criterion."""
    case_labels = one_labels(store, run_id, criterion.id)
    ratings = [label for label in case_labels if label.value is not None]
    agreement = rater_agreement(store, run_id, criterion)
    return Labels(
        given=len(ratings),
        random=sum(label.random for label in ratings),
        open=len(case_labels) - len(ratings),
        simulated=sum(label.simulated for label in ratings),
        raters=agreement.raters,
        agreement=agreement.alpha,
        usable=agreement.usable,
        reading=agreement.reading,
        one_sided=agreement.one_sided,
    )


@cache.read(*RESTS_ON)
def counts(store: Store, run_id: str, criteria: tuple[str, ...]) -> dict[str, int]:
    """How many cases of a run have one label under each criterion."""
    return {
        criterion_id: sum(label.value is not None for label in one_labels(store, run_id, criterion_id))
        for criterion_id in criteria
    }


def metrics(store: Store, run_id: str) -> list[str]:
    """The scores a run has, by family, the verdict last where it was judged."""
    metric_names = reads.metrics(store, run_id)
    judged = project_reads.summary(store, run_id).scored.get(VERDICT_METRIC, 0)
    return [*metric_names, VERDICT_METRIC] if judged else metric_names


@cache.read("runs", "test_sets")
def attributes(store: Store, run_id: str) -> dict[str, dict[str, int]]:
    """What the cases can be grouped by."""
    return group_attributes(store, run_id)


@cache.read("calibrations")
def calibrations(store: Store, run_id: str, criterion_id: str) -> tuple[StoredCalibration, ...]:
    """The calibrations of a run under a criterion, newest first."""
    return calibrations_of(store, run_id, criterion_id)


def report(store: Store, calibration: StoredCalibration) -> tuple[CalibrationOptions, CalibrationReport]:
    """What a calibration was asked for, and what it found."""
    return _report(store, calibration, calibration.id)


@cache.constant()
def _report(
    store: Store, _calibration: StoredCalibration, calibration_id: str
) -> tuple[CalibrationOptions, CalibrationReport]:
    return options_of(_calibration), report_of(_calibration)


def changed(store: Store, calibration: StoredCalibration) -> tuple[str, ...]:
    """Why a calibration is stale."""
    return _stale(store, calibration, calibration.id)


@cache.read("calibrations", *RESTS_ON)
def _stale(store: Store, _calibration: StoredCalibration, calibration_id: str) -> tuple[str, ...]:
    return stale(store, _calibration)


@cache.read("calibrations", *RESTS_ON)
def cases(store: Store, calibration_id: str, decision: str, limit: int | None, offset: int) -> CasePage:
    """Cases of a calibration by decision, the least sure first."""
    return calibrated_cases(store, calibration_id, decision or None, limit=limit, offset=offset)


@cache.read("calibrations", *RESTS_ON)
def waiting(store: Store, calibration_id: str) -> tuple[int, int]:
    """How many cases are left to people, and how many of them nobody has labelled yet."""
    all_cases, unlabelled = queue(store, calibration_id)
    return len(all_cases), len(unlabelled)


@cache.read("calibrations", *RESTS_ON)
def passing(store: Store, calibration_id: str) -> PassRate | Failed:
    """The pass rate of the run, or why it cannot be told."""
    try:
        return pass_rate(store, calibration_id)
    except PlumblineError as error:
        return Failed(error=error.message, hint=error.hint)


@cache.read("calibrations", *RESTS_ON)
def planned(store: Store, calibration_id: str, width: float) -> Budget:
    """How many more labels a wanted width of the pass rate takes.

    Raises:
        InsufficientData: Too few labels to know the spread.
    """
    return budget(store, calibration_id, width)


def trusted(store: Store, run_id: str, criterion_id: str) -> RunTrust | Failed:
    """Every metric against the labels, or why that cannot be told; compared once for the same scores and labels."""
    try:
        # Only what is compared makes the comparison another one, not every score that is written.
        state = _trust_state(store, run_id, criterion_id)
    except PlumblineError as error:
        return Failed(error=error.message, hint=error.hint)
    return _trusted(store, run_id, criterion_id, state)


@cache.read(*RESTS_ON)
def _trust_state(store: Store, run_id: str, criterion_id: str) -> str:
    return trust_state(store, run_id, criterion_id)


@cache.constant()
def _trusted(store: Store, run_id: str, criterion_id: str, state: str) -> RunTrust | Failed:
    try:
        return run_trust(store, run_id, criterion_id)
    except PlumblineError as error:
        return Failed(error=error.message, hint=error.hint)


def up_to_date(store: Store, run_id: str, options: CalibrationOptions, labelled: int) -> StoredCalibration | None:
    """The calibration that these options would give again: on the same labels and scores, None where there is none.

    Args:
        store: The store.
        run_id: The run.
        options: What is asked for.
        labelled: Cases with a label now.
    """
    for calibration in calibrations(store, run_id, options.criterion_id):
        earlier_options, earlier_report = report(store, calibration)
        if earlier_options == options and len(earlier_report.labels) == labelled and not changed(store, calibration):
            return calibration
    return None


@cache.read("calibrations", *RESTS_ON)
def audited(store: Store, calibration_id: str) -> Promise:
    """New labels against the promise."""
    return promise(store, calibration_id)


@cache.read("calibrations")
def newest(store: Store, run_id: str) -> StoredCalibration | None:
    """The newest calibration of a run under any criterion, None without one."""
    return in_view(store, run_id)


def in_view(store: Store, run_id: str, linked: str = "") -> StoredCalibration | None:
    """The calibration of a run that a link names, else its newest under any criterion; None without one."""
    stored = calibrations_of(store, run_id)
    return next((one for one in stored if one.id == linked), next(iter(stored), None))


def of_case(store: Store, calibration: StoredCalibration, case_id: str) -> CalibratedCase | None:
    """What a calibration says of one case, None without a score."""
    return _of_case(store, calibration, calibration.id, case_id)


@cache.read("calibrations", *RESTS_ON)
def _of_case(store: Store, _calibration: StoredCalibration, calibration_id: str, case_id: str) -> CalibratedCase | None:
    return calibrated_case(store, _calibration, case_id)
