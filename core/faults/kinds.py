"""The kinds of fault, which of them are planted together, and what a diagnosis can call a wrong answer."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from core.domain.errors import InvalidInput
from core.domain.results.diagnosis import Attribution, DiagnosisRow
from core.domain.sources.evidence import FactEvidence


class FaultKind(StrEnum):
    """What is planted."""

    PAGE_DELETED = "page_deleted"
    """The page that states a fact is taken away."""
    VALUE_CHANGED = "value_changed"
    """Every page that states a fact states another value."""
    VALUE_MOVED = "value_moved"
    """The passage that states a fact stands on another page."""
    READER = "reader"
    """The passages are as they were, and the answer is another one."""
    RETRIEVAL = "retrieval"
    """The search does not find the pages that state a fact."""


class Combination(StrEnum):
    """Faults of different kinds in one copy."""

    MIXED = "mixed"
    """Every kind at once, each in facts of its own, as in a system that is broken in several places."""
    DELETED_MISREAD = "page_deleted+reader"
    """The page is taken away and the reader gives the value of another fact."""
    CHANGED_MISREAD = "value_changed+reader"
    """Every page states another value and the reader gives a third one."""
    CHANGED_HIDDEN = "value_changed+retrieval"
    """Every page states another value and the search finds none of them."""
    MOVED_HIDDEN = "value_moved+retrieval"
    """The passage stands on another page, which the search does not find."""
    MOVED_MISREAD = "value_moved+reader"
    """The passage stands on another page and the reader gives the value of another fact."""
    HIDDEN_MISREAD = "retrieval+reader"
    """The search does not find the pages and the reader gives the value of another fact."""

    @property
    def stacked(self) -> tuple[FaultKind, ...]:
        """The two kinds that meet in one fact, in the order of the chain; none where each has facts of its own."""
        return () if self is Combination.MIXED else tuple(FaultKind(name) for name in self.split("+"))


Fault = FaultKind | Combination
"""A row of the confusion table: a kind by itself, or several together."""

FAULTS: tuple[Fault, ...] = (*FaultKind, *Combination)
"""In the order in which they are shown."""

USUAL: tuple[Fault, ...] = (
    *FaultKind,
    Combination.MIXED,
    Combination.DELETED_MISREAD,
    Combination.CHANGED_MISREAD,
    Combination.MOVED_HIDDEN,
)
"""What is planted where nobody chooses: each kind alone, all at once, and each fault in the documents with another."""

TITLES: dict[Fault, str] = {
    FaultKind.PAGE_DELETED: "Page deleted",
    FaultKind.VALUE_CHANGED: "Value changed",
    FaultKind.VALUE_MOVED: "Value moved",
    FaultKind.READER: "Reader wrong",
    FaultKind.RETRIEVAL: "Retrieval wrong",
    Combination.MIXED: "All kinds mixed",
    Combination.DELETED_MISREAD: "Page deleted + reader wrong",
    Combination.CHANGED_MISREAD: "Value changed + reader wrong",
    Combination.CHANGED_HIDDEN: "Value changed + retrieval wrong",
    Combination.MOVED_HIDDEN: "Value moved + retrieval wrong",
    Combination.MOVED_MISREAD: "Value moved + reader wrong",
    Combination.HIDDEN_MISREAD: "Retrieval wrong + reader wrong",
}
"""How they are called on screens."""


class Cause(StrEnum):
    """Where a wrong answer comes from, as planted or as diagnosed."""

    KNOWLEDGE_GAP = "knowledge_gap"
    CONTRADICTION = "contradiction"
    RETRIEVAL = "retrieval"
    READER = "reader"
    UNDECIDED = "undecided"
    UNRESOLVED = "unresolved"


BLAMED = (Cause.KNOWLEDGE_GAP, Cause.CONTRADICTION, Cause.RETRIEVAL, Cause.READER)
"""Causes that accuse a module; the others accuse nobody."""

IN_DOCUMENTS = (FaultKind.PAGE_DELETED, FaultKind.VALUE_CHANGED, FaultKind.VALUE_MOVED)
"""Kinds that change the documents, so that the target must search the copy."""


def kinds_of(fault: Fault) -> tuple[FaultKind, ...]:
    """The kinds that a fault puts into its copy."""
    if isinstance(fault, FaultKind):
        return (fault,)
    return fault.stacked or tuple(FaultKind)


def needs_documents(fault: Fault) -> bool:
    """Whether a fault changes the documents, so that the target must search the copy."""
    return any(kind in IN_DOCUMENTS for kind in kinds_of(fault))


def fault_named(name: str) -> Fault:
    """A fault by its name.

    Raises:
        InvalidInput: There is no such fault.
    """
    known = {str(fault): fault for fault in FAULTS}
    if name not in known:
        raise InvalidInput(f"There is no kind of fault {name!r}.", f"Choose some of: {', '.join(known)}.")
    return known[name]


def kinds_named(names: Iterable[str]) -> tuple[Fault, ...]:
    """Faults by their names, each once.

    Raises:
        InvalidInput: There is no such fault.
    """
    return tuple(dict.fromkeys(map(fault_named, names)))


def diagnosed_cause(attribution: Attribution, row: DiagnosisRow) -> Cause:
    """The cause that a diagnosis names for a wrong answer."""
    if attribution is Attribution.KNOWLEDGE_GAP:
        return Cause.CONTRADICTION if row.evidence is FactEvidence.CONTRADICTED else Cause.KNOWLEDGE_GAP
    return {
        Attribution.RETRIEVAL: Cause.RETRIEVAL,
        Attribution.LANGUAGE_MODEL: Cause.READER,
        Attribution.UNDECIDED: Cause.UNDECIDED,
    }.get(attribution, Cause.UNRESOLVED)
