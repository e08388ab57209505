"""The report of a stored calibration: results, the labels they rest on, the curve, and the agreement of the raters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.calibration.report import Report
from core.calibration.splits import SHARES
from core.domain.estimates import Estimate
from core.domain.results.labels import LabelRule


class LevelsKept(StrEnum):
    """The target of a calibration to several levels: accepted or not, or each level."""

    ACCEPTED = "accepted"
    EACH = "each"


class ConformalMethod(StrEnum):
    """How prediction sets follow from the probabilities: ``lac`` is the paper's method."""

    LAC = "lac"
    APS = "aps"


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationOptions:
    """What to calibrate, and how.

    Attributes:
        metrics: The scores, one or several together, the verdict among them where wanted.
        criterion_id: Whose labels.
        method: A probability model, or ``auto`` to choose by cross-validation.
        conformal: ``lac`` (the paper's score) or ``aps``.
        alpha: The share of prediction sets that may miss the label.
        group_attribute: Mondrian: an attribute of cases, or ``form``; empty for one promise for all.
        levels: Of a criterion with more than two levels: ``accepted`` or not, or ``each`` level.
        raters: How the labels of several raters are combined; the criterion's rule where None.
        shares: Of the random labels to fit, to conformalise, to test.
        seed: Of every random choice.
        insist: Calibrate although the raters do not agree; the result states it.
    """

    metrics: tuple[str, ...]
    criterion_id: str
    method: str = "auto"
    conformal: ConformalMethod = ConformalMethod.LAC
    alpha: float = 0.1
    group_attribute: str = ""
    levels: LevelsKept = LevelsKept.ACCEPTED
    raters: LabelRule | None = None
    shares: tuple[float, ...] = SHARES
    seed: int = 0
    insist: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRow:
    """One label that a calibration rests on.

    Attributes:
        scores: As they are stored, None where there is none; in the order of the options' metrics.
        level: Number of the level, 0 the lowest, as it was calibrated to.
        accepted: Whether people accept the answer.
        chance: The calibrated probability of that, None without a score.
        decision: ``accept``, ``reject`` or ``human``, empty without a score.
        part: ``fit``, ``conformal``, ``test``, ``unused``; empty without a score.
        cluster: Number of the filled SQL query.
        group: Its group, empty where there are none.
        probability: Chance of the case to be labelled.
        random: Whether it was drawn at random.
        simulated: Whether its raters are simulated.
        at: When its last label was saved.
    """

    case_id: str
    scores: tuple[float | None, ...]
    level: int
    accepted: bool
    chance: float | None
    decision: str
    part: str
    cluster: int
    group: str = ""
    probability: float = 1.0
    random: bool = True
    simulated: bool = False
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A stretch of the axis where every case has the same prediction set.

    Attributes:
        low: Where it begins; as stored for one score, a probability for several.
        high: Where it ends.
        levels: Numbers of the levels in the set.
        decision: ``accept``, ``reject`` or ``human``.
    """

    low: float
    high: float
    levels: tuple[int, ...]
    decision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """The probability of acceptance over the axis, with its prediction sets, for the cases of a group.

    Attributes:
        group: Whose quantile cuts the sets; ``(all)`` for that of all cases.
        x: The score as it is stored, ascending; the probability itself where several scores are calibrated together.
        chance: Of acceptance at each.
        stretches: The sets, from left to right; empty where they change back and forth.
        threshold: The lowest accepted x; None where the machine accepts nowhere.
    """

    group: str
    x: tuple[float, ...]
    chance: tuple[float, ...]
    stretches: tuple[Stretch, ...]
    threshold: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationReport:
    """A calibration as it is stored.

    Attributes:
        criterion: The name of the criterion.
        question: What people were asked.
        level_values: Each level that was calibrated to, lowest first; 0 and 1 for accepted or not.
        level_names: Their descriptions.
        rule: How several labels were combined.
        accept_value: The lowest level of the criterion that counts as accepted.
        result: The findings.
        labels: Every label of the run under the criterion, unscored cases among them.
        curves: One for all cases, then one for each group with a quantile of its own.
        agreement: Krippendorff's alpha of the raters.
        usable: ``fine``, ``warned`` or ``refused``, and then insisted on.
        reading: The agreement in plain words.
        raters: Who labelled.
        answered: Cases of the run that the target answered.
        simulated: Labels of simulated raters.
        scores_hash: By metric, a hash of the values it was calibrated on.
    """

    criterion: str
    question: str
    level_values: tuple[int, ...]
    level_names: tuple[str, ...]
    rule: str
    accept_value: int
    result: Report
    labels: tuple[LabelRow, ...]
    curves: tuple[Curve, ...]
    agreement: Estimate
    usable: str
    reading: str
    raters: tuple[str, ...]
    answered: int
    simulated: int
    scores_hash: Mapping[str, object] = field(default_factory=dict)

    @property
    def insisted(self) -> bool:
        """Whether it was made although the raters do not agree."""
        return self.usable == "refused"
