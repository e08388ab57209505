"""What a trial found: counts by kind of fault, and each wrong answer with what it is called."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from core.domain.sources.documents import Document
from core.faults.kinds import Cause, FaultKind
from core.faults.planting import PlantedFault


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultyAnswer:
    """One wrong answer of a faulty copy.

    Attributes:
        planted: What was planted.
        expected: What the diagnosis should call it.
        diagnosed: What it calls it.
        reason: Why, in its words.
        fault: What was done.
    """

    case_id: str
    group_id: str
    question: str
    answer: str
    planted: FaultKind
    expected: Cause
    diagnosed: Cause
    reason: str
    fault: PlantedFault


@dataclass(slots=True)
class Trial:
    """What a trial found.

    Attributes:
        cases: Test cases asked.
        facts: Facts of the test set.
        sound: Facts that the documents state and every wording was answered rightly: where faults can be planted.
        unsound: Why the others are not, by reason.
        wrong_before: Wrong answers before any fault, by what the diagnosis calls them.
        planted: Facts with a fault, by kind.
        skipped: Facts in which none could be planted, by kind and reason.
        still_right: Answers of faulty facts that are right all the same, by kind.
        not_judged: Answers of faulty facts without a verdict, by kind.
        answers: The wrong answers.
        changed: The pages that a kind of fault changed or added, as they are with all its faults, by kind.
        removed: Ids of the pages that a kind took away, by kind.
    """

    cases: int = 0
    facts: int = 0
    sound: int = 0
    unsound: Counter[str] = field(default_factory=Counter)
    wrong_before: Counter[Cause] = field(default_factory=Counter)
    planted: Counter[FaultKind] = field(default_factory=Counter)
    skipped: dict[FaultKind, Counter[str]] = field(default_factory=dict)
    still_right: Counter[FaultKind] = field(default_factory=Counter)
    not_judged: Counter[FaultKind] = field(default_factory=Counter)
    answers: list[FaultyAnswer] = field(default_factory=list)
    changed: dict[FaultKind, tuple[Document, ...]] = field(default_factory=dict)
    removed: dict[FaultKind, tuple[str, ...]] = field(default_factory=dict)
