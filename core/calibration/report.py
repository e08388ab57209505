"""The results of a calibration, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from typing import Any

from core.calibration.checks import Caution
from core.calibration.decisions import Errors
from core.calibration.populations import PopulationCheck
from core.calibration.probability.choosing import Choice
from core.calibration.probability.improvement import Figure
from core.calibration.probability.quality import ReliabilityBin
from core.domain.estimates import Estimate, Proportion


class Decision(StrEnum):
    """The decision on an answer."""

    ACCEPT = "accept"
    REJECT = "reject"
    HUMAN = "human"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The use of cases in a calibration.

    Attributes:
        cases: Cases of the run.
        scored: Cases with every score.
        labelled: Cases with a label.
        labelled_unscored: Cases with a label and without a score; they are not used.
        random: Cases labelled, scored and drawn at random.
        fit: Cases of the fit part, for the probability model.
        conformal: Cases of the conformal part, for the quantile.
        test: Cases of the test part, for the test of the promise.
        unused: Targeted cases of clusters that came into the conformal or the test part.
        targeted: Targeted cases in the fit part.
        clusters_conformal: Clusters of the conformal part.
        clusters_test: Clusters of the test part.
        needed: The smallest number of random labels for which each part is large enough.
        undecided: Cases with ratings and no combined label (tie, raters differ, cannot judge); not among the labelled.
    """

    cases: int
    scored: int
    labelled: int
    labelled_unscored: int
    random: int
    fit: int
    conformal: int
    test: int
    unused: int
    targeted: int
    clusters_conformal: int
    clusters_test: int
    needed: int
    undecided: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupQuantile:
    """The conformal quantile that is used for a group.

    Attributes:
        group: Its name; ``(all)`` for all cases.
        n: Its labels in the conformal part.
        k: The rank of the quantile among n.
        value: The quantile in use; None where every level is in every set.
        own: Whether it is the group's own; else it is that of all.
    """

    group: str
    n: int
    k: int
    value: float | None
    own: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCoverage:
    """How many sets of a group hold the label, on the test part."""

    group: str
    coverage: Proportion


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCount:
    """How many cases have this set of levels; no level is the empty set."""

    levels: tuple[int, ...]
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionCount:
    """The number of cases with one decision.

    Attributes:
        n: Cases.
        wrong: Of those in the test part, cases on which people decided otherwise; None for human and unlabelled cases.
    """

    decision: Decision
    n: int
    wrong: Proportion | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """The probability of acceptance at one score."""

    score: float
    accepted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All results of a calibration.

    Attributes:
        names: Of the scores.
        levels: How many levels a label can have, counted from 0.
        accept_from: The lowest accepted level.
        alpha: The share of sets that may miss the label.
        conformal: ``lac`` or ``aps``.
        shares: Of the random share to fit, conformalise, test.
        n: The use of cases.
        choice: The probability model and the models it was compared with.
        reading: How the score before calibration was read as a probability.
        figures: Calibration error, Brier score and log loss on the test part, before and after.
        bins_before: Reliability on the test part of the score read as a probability.
        bins_after: The same of the calibrated probability.
        curve: The fitted curve over the range of the score, empty for several scores.
        quantiles: That of all first, then one a group.
        coverage: Sets of the test part that hold the label.
        expected_low: Lower end of the range of coverage on a test part of this size in 95 of 100 calibrations; None
            without a promise, by group, and where cases share sources.
        expected_high: Upper end.
        coverage_by_group: The same by group.
        sets: Sets on the test part.
        sets_all: Sets of all scored cases.
        decisions: On the test part, with the cases on which people decided otherwise.
        decisions_all: Of all scored cases.
        threshold: The lowest probability that the machine accepts; None where none can be promised.
        threshold_how: How it was chosen.
        errors: At the threshold, on the test part.
        populations: The labelled random cases against the others, a score each.
        agreement: Krippendorff's alpha of the raters, where it was given.
        insisted: Whether the calibration was made although raters do not agree.
        cautions: Limitations that a reader must know.
    """

    names: tuple[str, ...]
    levels: int
    accept_from: int
    alpha: float
    conformal: str
    shares: tuple[float, ...]
    seed: int
    n: Counts
    choice: Choice
    reading: str
    figures: tuple[Figure, ...]
    bins_before: tuple[ReliabilityBin, ...]
    bins_after: tuple[ReliabilityBin, ...]
    curve: tuple[CurvePoint, ...]
    quantiles: tuple[GroupQuantile, ...]
    coverage: Proportion
    expected_low: float | None
    expected_high: float | None
    coverage_by_group: tuple[GroupCoverage, ...]
    sets: tuple[SetCount, ...]
    sets_all: tuple[SetCount, ...]
    decisions: tuple[DecisionCount, ...]
    decisions_all: tuple[DecisionCount, ...]
    threshold: float | None
    threshold_how: str
    errors: Errors | None
    populations: tuple[PopulationCheck, ...]
    agreement: Estimate | None
    insisted: bool
    cautions: tuple[Caution, ...]

    def figure(self, name: str) -> Figure:
        """One of ``ece``, ``brier``, ``log_loss``."""
        return next(item for item in self.figures if item.name == name)

    def as_json(self) -> dict[str, object]:
        """The whole report as plain JSON."""
        return {item.name: _plain(getattr(self, item.name)) for item in fields(self)}


def _plain(value: Any) -> object:
    if isinstance(value, Estimate | Proportion):
        return value.as_json()
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple | list):
        return [_plain(entry) for entry in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    return value
