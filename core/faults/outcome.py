"""What a trial found: counts by kind of fault, and each wrong answer with what it is called."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from core.domain.sources.documents import Document
from core.faults.kinds import Cause, Fault
from core.faults.planting import PlantedFault


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultyAnswer:
    """One wrong answer of a faulty copy.

    Attributes:
        planted: What was planted.
        expected: What the diagnosis should call it.
        either: What it may call it as well.
        diagnosed: What it calls it.
        reason: Why, in its words.
        fault: What was done to its fact.
    """

    case_id: str
    group_id: str
    question: str
    answer: str
    planted: Fault
    expected: Cause
    diagnosed: Cause
    reason: str
    fault: PlantedFault
    either: tuple[Cause, ...] = ()

    @property
    def named_rightly(self) -> bool:
        """Whether the diagnosis names a cause that it should or may."""
        return self.diagnosed in (self.expected, *self.either)


@dataclass(slots=True)
class Trial:
    """What a trial found.

    Attributes:
        cases: Test cases asked.
        facts: Facts of the test set.
        sound: Facts that the documents state and some wording was answered rightly: where faults can be planted.
        wordings: Wordings of sound facts that were answered rightly; only these are asked again and counted.
        unused: Other wordings of sound facts.
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
    wordings: int = 0
    unused: int = 0
    unsound: Counter[str] = field(default_factory=Counter)
    wrong_before: Counter[Cause] = field(default_factory=Counter)
    planted: Counter[Fault] = field(default_factory=Counter)
    skipped: dict[Fault, Counter[str]] = field(default_factory=dict)
    still_right: Counter[Fault] = field(default_factory=Counter)
    not_judged: Counter[Fault] = field(default_factory=Counter)
    answers: list[FaultyAnswer] = field(default_factory=list)
    changed: dict[Fault, tuple[Document, ...]] = field(default_factory=dict)
    removed: dict[Fault, tuple[str, ...]] = field(default_factory=dict)
