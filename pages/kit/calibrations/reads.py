"""Cached reads of the Calibrate page: what there is to calibrate, calibrations, their cases, what follows from them."""

from __future__ import annotations

from dataclasses import dataclass

from core.calibration.budget import Budget
from core.domain.errors import PlumblineError
from core.domain.estimates import Estimate
from core.domain.labels import Criterion, ScaleKind
from core.domain.runs import VERDICT_METRIC
from core.evaluation.calibrated_cases import CalibratedCase, CasePage, calibrated_case, calibrated_cases, queue
from core.evaluation.calibrating import rater_agreement
from core.evaluation.calibration_report import CalibrationOptions, CalibrationReport
from core.evaluation.labelled_scores import group_attributes
from core.evaluation.pass_rate import PassRate, budget, pass_rate
from core.evaluation.promise import Promise, promise
from core.evaluation.stored_calibrations import calibrations_of, options_of, report_of, stale
from core.evaluation.trust import RunTrust, run_trust, trust_state
from core.labelling.agreement_words import reading, usable
from core.labelling.criteria import list_criteria
from core.labelling.one_label import one_labels
from core.store.calibrations import StoredCalibration
from core.store.database import Store
from pages.ui import metric_reads, readers


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
    """

    given: int
    random: int
    open: int
    simulated: int
    raters: tuple[str, ...]
    agreement: Estimate
    usable: str
    reading: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A figure that cannot be told, and why."""

    error: str
    hint: str


def criteria(store: Store, project_id: str) -> tuple[Criterion, ...]:
    """The project's criteria that have levels, retired ones last."""

    def read() -> tuple[Criterion, ...]:
        found = [one for one in list_criteria(store, project_id, retired=True) if one.kind is not ScaleKind.COMMENT]
        return tuple(sorted(found, key=lambda one: one.retired))

    return readers.cached(store, "calibrate_criteria", read, project_id)  # type: ignore[return-value]


def labels(store: Store, run_id: str, criterion: Criterion) -> Labels:
    """What people said of a run under a criterion."""

    def read() -> Labels:
        found = one_labels(store, run_id, criterion.id)
        given = [label for label in found if label.value is not None]
        alpha, raters = rater_agreement(store, run_id, criterion)
        return Labels(
            given=len(given),
            random=sum(label.random for label in given),
            open=len(found) - len(given),
            simulated=sum(label.simulated for label in given),
            raters=raters,
            agreement=alpha,
            usable=usable(alpha),
            reading=reading(alpha),
        )

    return readers.cached(store, "calibrate_labels", read, run_id, criterion.id)  # type: ignore[return-value]


def counts(store: Store, run_id: str, criteria: tuple[str, ...]) -> dict[str, int]:
    """How many cases of a run have one label under each criterion."""

    def read() -> dict[str, int]:
        return {
            criterion_id: sum(label.value is not None for label in one_labels(store, run_id, criterion_id))
            for criterion_id in criteria
        }

    return readers.cached(store, "calibrate_counts", read, run_id, criteria)  # type: ignore[return-value]


def metrics(store: Store, run_id: str) -> list[str]:
    """The scores a run has, by family, the verdict last where it was judged."""
    found = metric_reads.metrics(store, run_id)
    judged = readers.summary(store, run_id).scored.get(VERDICT_METRIC, 0)
    return [*found, VERDICT_METRIC] if judged else found


def attributes(store: Store, run_id: str) -> dict[str, dict[str, int]]:
    """What the cases can be grouped by."""
    return readers.cached(store, "calibrate_attributes", lambda: group_attributes(store, run_id), run_id)  # type: ignore[return-value]


def calibrations(store: Store, run_id: str, criterion_id: str) -> tuple[StoredCalibration, ...]:
    """The calibrations of a run under a criterion, newest first."""
    return readers.cached(  # type: ignore[return-value]
        store, "calibrations", lambda: calibrations_of(store, run_id, criterion_id), run_id, criterion_id
    )


def report(store: Store, calibration: StoredCalibration) -> tuple[CalibrationOptions, CalibrationReport]:
    """What a calibration was asked for, and what it found."""
    return readers.cached(  # type: ignore[return-value]
        store, "calibration_report", lambda: (options_of(calibration), report_of(calibration)), calibration.id
    )


def changed(store: Store, calibration: StoredCalibration) -> tuple[str, ...]:
    """Why a calibration is stale."""
    return readers.cached(store, "calibration_stale", lambda: stale(store, calibration), calibration.id)  # type: ignore[return-value]


def cases(store: Store, calibration_id: str, decision: str, limit: int | None, offset: int) -> CasePage:
    """Cases of a calibration by decision, the least sure first."""

    def read() -> CasePage:
        return calibrated_cases(store, calibration_id, decision or None, limit=limit, offset=offset)

    return readers.cached(store, "calibrated_cases", read, calibration_id, decision, limit, offset)  # type: ignore[return-value]


def waiting(store: Store, calibration_id: str) -> tuple[int, int]:
    """How many cases are left to people, and how many of them nobody has labelled yet."""

    def read() -> tuple[int, int]:
        everything, left = queue(store, calibration_id)
        return len(everything), len(left)

    return readers.cached(store, "calibration_queue", read, calibration_id)  # type: ignore[return-value]


def passing(store: Store, calibration_id: str) -> PassRate | Failed:
    """The pass rate of the run, or why it cannot be told."""

    def read() -> PassRate | Failed:
        try:
            return pass_rate(store, calibration_id)
        except PlumblineError as error:
            return Failed(error=error.message, hint=error.hint)

    return readers.cached(store, "pass_rate", read, calibration_id)  # type: ignore[return-value]


def planned(store: Store, calibration_id: str, width: float) -> Budget:
    """How many more labels a wanted width of the pass rate takes.

    Raises:
        InsufficientData: Too few labels to know the spread.
    """
    return readers.cached(store, "budget", lambda: budget(store, calibration_id, width), calibration_id, width)  # type: ignore[return-value]


def trusted(store: Store, run_id: str, criterion_id: str) -> RunTrust | Failed:
    """Every metric against the labels, or why that cannot be told; compared once for the same scores and labels."""

    def read() -> RunTrust | Failed:
        try:
            return run_trust(store, run_id, criterion_id)
        except PlumblineError as error:
            return Failed(error=error.message, hint=error.hint)

    try:
        # Others write to the store all the time; only what is compared makes the comparison another one.
        state = readers.cached(
            store, "trust_state", lambda: trust_state(store, run_id, criterion_id), run_id, criterion_id
        )
    except PlumblineError as error:
        return Failed(error=error.message, hint=error.hint)
    return readers.kept(store, "trust", read, run_id, criterion_id, state)  # type: ignore[return-value]


def up_to_date(store: Store, run_id: str, options: CalibrationOptions, labelled: int) -> StoredCalibration | None:
    """The calibration that these options would give again: on the same labels and scores, None where there is none.

    Args:
        store: The store.
        run_id: The run.
        options: What is asked for.
        labelled: Cases with a label now.
    """
    for made in calibrations(store, run_id, options.criterion_id):
        asked, found = report(store, made)
        if asked == options and len(found.labels) == labelled and not changed(store, made):
            return made
    return None


def audited(store: Store, calibration_id: str) -> Promise:
    """New labels against the promise."""
    return readers.cached(store, "promise", lambda: promise(store, calibration_id), calibration_id)  # type: ignore[return-value]


def newest(store: Store, run_id: str) -> StoredCalibration | None:
    """The newest calibration of a run under any criterion, None without one."""

    def read() -> StoredCalibration | None:
        return next(iter(calibrations_of(store, run_id)), None)

    return readers.cached(store, "newest_calibration", read, run_id)  # type: ignore[return-value]


def of_case(store: Store, calibration: StoredCalibration, case_id: str) -> CalibratedCase | None:
    """What a calibration says of one case, None without a score."""

    def read() -> CalibratedCase | None:
        return calibrated_case(store, calibration, case_id)

    return readers.cached(store, "calibrated_case", read, calibration.id, case_id)  # type: ignore[return-value]
