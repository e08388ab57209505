"""Context comparison (GRAMMAR, section 4.3): did a wrong answer have the context of a correct one?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.diagnosis.documents import RowDocuments


@dataclass(slots=True)
class Witnesses:
    """The documents that the correct rows of one semantic group retrieved, to be compared with the incorrect rows.

    A row's context is sufficient if some correct row of its group has every gold id that it retrieved inside the row's
    retrieved set; where the correct row retrieved no gold id, or none is known, all the ids that it retrieved. At one
    retrieved id per row this is the paper's test of equal ids. A correct row that retrieved nothing is a witness only
    for rows that retrieved nothing: it shows no document to be sufficient.
    """

    _single: dict[str, str] = field(default_factory=dict)
    _several: dict[str, dict[frozenset[str], str]] = field(default_factory=dict)
    _ordered: dict[tuple[str, ...], str] = field(default_factory=dict)
    _empty: str | None = None

    @classmethod
    def of(cls, correct: Iterable[tuple[str, RowDocuments]]) -> Witnesses:
        """The witnesses of a group, from ``(case id, documents)`` of its correct rows."""
        witnesses = cls()
        for case_id, documents in correct:
            if documents.retrieved is None:
                continue
            witnesses._ordered.setdefault(documents.ordered, case_id)
            needed = (documents.gold & documents.retrieved) or documents.retrieved
            if not needed:
                witnesses._empty = witnesses._empty or case_id
            elif len(needed) == 1:
                witnesses._single.setdefault(next(iter(needed)), case_id)
            else:
                witnesses._several.setdefault(min(needed), {}).setdefault(needed, case_id)
        return witnesses

    def sufficient(self, documents: RowDocuments) -> str | None:
        """The case that shows a row's context to be sufficient, or None."""
        retrieved = documents.retrieved
        if retrieved is None:
            return None
        if not retrieved:
            return self._empty
        for document_id in documents.ordered:
            if document_id in self._single:
                return self._single[document_id]
            for needed, case_id in self._several.get(document_id, {}).items():
                if needed <= retrieved:
                    return case_id
        return None

    def sufficient_ordered(self, documents: RowDocuments) -> str | None:
        """The strict version: the case that retrieved the very same ids in the same order, or None."""
        return None if documents.retrieved is None else self._ordered.get(documents.ordered)
