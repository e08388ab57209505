"""Whether the gold ids of a test set name documents: looked at before it is frozen and before it is run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.domain.sources.document_ids import normalise_id
from core.domain.sources.projects import SourceKind
from core.store import document_mappings, sources
from core.store.database import Store
from core.store.testset import testsets

LEAST: Final = 0.2
"""Share of gold ids with a document below which ids and documents hardly belong together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldFit:
    """Gold ids of a test set and how many of them name a document.

    Attributes:
        ids: Different gold ids.
        missing: Those that name no document, in the order of the cases.
    """

    ids: int
    missing: tuple[str, ...]

    @property
    def matched(self) -> int:
        """How many name a document."""
        return self.ids - len(self.missing)

    @property
    def none(self) -> bool:
        """Whether not one of them names a document, so that recall and precision have no value."""
        return not self.matched

    @property
    def poor(self) -> bool:
        """Whether so few do that the ids are likely to be spelled in another way."""
        return self.matched < LEAST * self.ids

    @property
    def sentence(self) -> str:
        """What is to be known, one sentence; empty where every id names a document."""
        if not self.missing:
            return ""
        examples = ", ".join(self.missing[:3])
        if self.none:
            return (
                f"No gold id of the test set names a document ({self.ids:,} ids, such as {examples}): document recall "
                "and precision will have no value."
            )
        name = "names" if len(self.missing) == 1 else "name"
        return f"{len(self.missing):,} of {self.ids:,} gold ids {name} no document, such as {examples}."


def gold_fit(store: Store, test_set_id: str) -> GoldFit | None:
    """Compares the gold ids of a test set with the project's documents.

    Args:
        store: Where the test set lives.
        test_set_id: The test set; excluded cases do not count.

    Returns:
        None where no documents are loaded or no case has a gold id.

    Raises:
        NotFound: There is no such test set.
    """
    with store.read() as connection:
        test_set = testsets.get(connection, test_set_id)
        corpus = sources.latest(connection, test_set.project_id, SourceKind.CORPUS)
        if corpus is None:
            return None
        documents = document_mappings.known(connection, test_set.project_id, corpus.id)
        exists: dict[str, str | None] = {}
        for gold in testsets.gold_ids(connection, test_set_id):
            spelled = normalise_id(gold)
            if spelled not in exists:
                exists[spelled] = None if documents.find_all(gold) else gold
    missing = tuple(gold for gold in exists.values() if gold is not None)
    return GoldFit(ids=len(exists), missing=missing) if exists else None
