"""The kinds of fault, and what a diagnosis should call each."""

from __future__ import annotations

from enum import StrEnum

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


TITLES = {
    FaultKind.PAGE_DELETED: "Page deleted",
    FaultKind.VALUE_CHANGED: "Value changed",
    FaultKind.VALUE_MOVED: "Value moved",
    FaultKind.READER: "Reader wrong",
    FaultKind.RETRIEVAL: "Retrieval wrong",
}
"""How kinds are called on screens."""


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


def diagnosed_cause(attribution: Attribution, row: DiagnosisRow) -> Cause:
    """The cause that a diagnosis names for a wrong answer."""
    if attribution is Attribution.KNOWLEDGE_GAP:
        return Cause.CONTRADICTION if row.evidence is FactEvidence.CONTRADICTED else Cause.KNOWLEDGE_GAP
    return {
        Attribution.RETRIEVAL: Cause.RETRIEVAL,
        Attribution.LANGUAGE_MODEL: Cause.READER,
        Attribution.UNDECIDED: Cause.UNDECIDED,
    }.get(attribution, Cause.UNRESOLVED)
