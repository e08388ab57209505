"""The results of a comparison of judges: figures of each, the curve of RAGAS-Fact, and the agreement of pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.estimates import Estimate, Proportion
from core.judges.reading import Tendency
from core.judging.decisive import Agreement


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeFigures:
    """One judge against the reference.

    Attributes:
        key: Under which its scores are stored.
        judge: Its identity: a spec, a model, "match".
        precision: Correct answers among those it calls correct; low means optimism.
        recall: Answers it calls correct among the correct ones; low means cynicism.
        kappa: Agreement with the reference beyond chance.
        both_correct: Answers that are correct and called so.
        too_kind: Wrong answers that it calls correct.
        too_harsh: Correct answers that it calls wrong.
        both_incorrect: Answers that are wrong and called so.
        judged: Cases with a verdict of both that the match rules did not give to both, the sum of these four.
        of: Cases with a reference verdict.
        unscored: Of those, why a case does not count, by status; "not reached" for no score at all.
        tendency: How it errs.
        reading: The same in words.
        sees_reference: Whether it sees the true answer.
        threshold: The lowest value at which it calls an answer correct, None for a judge that gives verdicts.
        finished: Whether it has scored every answer.
    """

    key: str
    judge: str
    precision: Proportion
    recall: Proportion
    kappa: Estimate
    both_correct: int
    too_kind: int
    too_harsh: int
    both_incorrect: int
    judged: int
    of: int
    unscored: Mapping[str, int]
    tendency: Tendency
    reading: str
    sees_reference: bool
    threshold: float | None = None
    finished: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """RAGAS-Fact as a classifier at one threshold."""

    threshold: float
    precision: Proportion
    recall: Proportion


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAgreement:
    """Two judges that both see the reference, on the cases that both judged."""

    first: str
    second: str
    found: Agreement


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeComparison:
    """The judges of a run against a reference.

    Attributes:
        reference: Key of the reference verdicts.
        title: Their description, for people.
        base: Correct answers among all with a reference verdict: the precision of calling everything correct.
        judges: Every judge but the reference itself, reference-free ones last.
        curve: RAGAS-Fact over its threshold; empty where it has not judged.
        pairs: Agreement of the judges that see the true answer, the reference among them where it is one.
        undecided: Cases without a reference verdict.
        weighted: Whether cases count one over their chance to be labelled.
    """

    reference: str
    title: str
    base: Proportion
    judges: tuple[JudgeFigures, ...]
    curve: tuple[CurvePoint, ...]
    pairs: tuple[PairAgreement, ...]
    undecided: int
    weighted: bool = False
