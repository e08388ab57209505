"""The comparison of a row's document ids: match, recall, and gold ids that name no document."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from core.domain.results.diagnosis import DiagnosisRow
from core.domain.sources.document_ids import KnownDocuments, bare_key, normalise_id


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDocuments:
    """The ids of one row in one spelling.

    Attributes:
        gold: Gold ids, spelled as the retrieved ids where those name the same document; empty where unknown.
        retrieved: Retrieved ids; None where the target does not report them.
        ordered: The same, best first, each once.
        id_match: Whether the two sets are equal; None where either is unknown, or the row is not comparable.
        recall: Whether every gold document was retrieved; None in the same cases.
        hit: Whether any gold document was retrieved; None where either is unknown.
        dangling: Gold ids that name no document of the corpus; None where the corpus is not known.
        in_corpus: Whether a gold document is in the corpus; None where that is not known.
    """

    gold: frozenset[str]
    retrieved: frozenset[str] | None
    ordered: tuple[str, ...]
    id_match: bool | None
    recall: bool | None
    hit: bool | None
    dangling: tuple[str, ...] | None
    in_corpus: bool | None


class DocumentReader:
    """Reads the ids of many rows; equal ids are compared once.

    Args:
        rows: All rows of the run. Where none reports a retrieved id, retrieval counts as unobserved: a target that does
            not report what it retrieved is not a target that retrieved nothing.
        known_ids: The ids of the corpus, or None. Without them a gold document is known to be in the corpus only
            where some row retrieved it.
        also_retrieved: Ids that other rows of the run retrieved, where only some of them are read.
    """

    def __init__(
        self,
        rows: Iterable[DiagnosisRow],
        known_ids: Collection[str] | None = None,
        also_retrieved: Iterable[str] = (),
    ) -> None:
        all_retrieved = {raw for row in rows for raw in row.retrieved_ids or ()}.union(also_retrieved)
        self._spelling: dict[str, str] = {}
        self._documents: dict[object, RowDocuments] = {}
        self._corpus_given = known_ids is not None
        self._corpus = KnownDocuments(sorted(all_retrieved) if known_ids is None else known_ids)
        self._in_corpus: dict[str, bool] = {}
        self.observed = bool(all_retrieved)

    def read(self, row: DiagnosisRow) -> RowDocuments:
        """The comparison of the ids of one row."""
        key = (row.true_ids, row.retrieved_ids, row.fact_document_ids, row.comparable)
        documents = self._documents.get(key)
        if documents is None:
            documents = self._documents[key] = self._read(row)
        return documents

    def _read(self, row: DiagnosisRow) -> RowDocuments:
        ordered = tuple(dict.fromkeys(self._spell(raw) for raw in row.retrieved_ids or ()))
        retrieved = frozenset(ordered) if self.observed and row.retrieved_ids is not None else None
        gold = self._as_retrieved(row.true_ids, retrieved)
        fact_ids = self._as_retrieved(row.fact_document_ids, retrieved) | (gold if row.comparable else frozenset())
        comparable = bool(gold) and row.comparable and retrieved is not None
        dangling = tuple(raw for raw in dict.fromkeys(row.true_ids) if not self._is_known(raw))
        return RowDocuments(
            gold=gold,
            retrieved=retrieved,
            ordered=ordered,
            id_match=gold == retrieved if comparable else None,
            recall=gold <= retrieved if comparable and retrieved is not None else None,
            hit=not fact_ids.isdisjoint(retrieved) if fact_ids and retrieved is not None else None,
            dangling=dangling if self._corpus_given else None,
            in_corpus=self._any_known((*row.true_ids, *row.fact_document_ids)),
        )

    def _spell(self, raw: str) -> str:
        spelled = self._spelling.get(raw)
        if spelled is None:
            spelled = self._spelling[raw] = normalise_id(raw)
        return spelled

    def _as_retrieved(self, ids: tuple[str, ...], retrieved: frozenset[str] | None) -> frozenset[str]:
        spelled = [self._spell(raw) for raw in ids]
        if not retrieved:
            return frozenset(spelled)
        return frozenset(
            bare if full not in retrieved and (bare := bare_key(full)) in retrieved else full for full in spelled
        )

    def _is_known(self, raw: str) -> bool:
        in_corpus = self._in_corpus.get(raw)
        if in_corpus is None:
            in_corpus = self._in_corpus[raw] = self._corpus.find(raw) is not None
        return in_corpus

    def _any_known(self, ids: tuple[str, ...]) -> bool | None:
        if not ids:
            return None
        if any(self._is_known(raw) for raw in ids):
            return True
        return False if self._corpus_given else None
