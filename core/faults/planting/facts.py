"""Facts that can take a fault, the faults that were planted, and what another value of a fact is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.faults.kinds import FaultKind
from core.judging.facts.values import reference_values


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundFact:
    """A fact that the documents state and that the target answered rightly in some wording.

    Attributes:
        group_id: The filled SQL query.
        subjects: What the question was filled with.
        answers: The acceptable values.
        passage: What states it.
        stating: Ids of every document that states it, that of the passage first.
        others: The values of other facts, in the order of the test set: those of its template, then those of the same
            kind, a date for a date.
        gold: Ids of the documents of its records.
        mentioning: Ids of other documents that name the subject.
        case_ids: The wordings that were answered rightly; only these are asked again and counted.
    """

    group_id: str
    subjects: tuple[str, ...]
    answers: tuple[str, ...]
    passage: str
    stating: tuple[str, ...]
    others: tuple[str, ...]
    gold: tuple[str, ...] = ()
    mentioning: tuple[str, ...] = ()
    case_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedFault:
    """One fault, or two that meet in one fact.

    Attributes:
        kind: What was planted, the first of the chain where there are two.
        also: The other kind that was planted in the same fact.
        group_id: The fact.
        document_ids: The pages that were changed, taken away or hidden.
        before: The passage as it was.
        after: The passage as it is now; empty where it is gone.
        home: The page that a moved passage stands on now; empty for the other kinds.
        repeated: Ids of documents that still state the fact.
    """

    kind: FaultKind
    group_id: str
    document_ids: tuple[str, ...]
    before: str
    after: str = ""
    home: str = ""
    repeated: tuple[str, ...] = ()
    also: tuple[FaultKind, ...] = ()

    @property
    def kinds(self) -> tuple[FaultKind, ...]:
        """Every kind that was planted in the fact."""
        return (self.kind, *self.also)


def kind_of(answers: Sequence[str]) -> str:
    """What sort of value answers a question: a date, a number, a name or other words."""
    value = next(iter(reference_values(answers)), None)
    if value is None:
        return "nothing"
    if value.date or value.number:
        return "a date" if value.date else "a number"
    return "a name" if value.text[:1].isupper() and not any(sign.isdigit() for sign in value.text) else "words"


def other_value(fact: SoundFact, besides: str = "") -> str:
    """The first value of another fact that this fact does not have; empty where there is none.

    Args:
        fact: The fact.
        besides: A value that it shall not be either.
    """
    own = reference_values((*fact.answers, besides) if besides else fact.answers)
    return next((other for other in fact.others if not any(value.stated_in(other) for value in own)), "")
