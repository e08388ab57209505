"""What a run's retrieval says of each case: how many passages there were, and where the first right one stood."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from sqlalchemy import Connection

from core.domain.document_ids import KnownDocuments, bare_key, normalise_id
from core.domain.runs import Run
from core.evaluation.samples import known_documents, tells_contexts
from core.store import case_columns
from core.store.case_columns import CaseColumns
from core.weakness.table import Bools, Floats

Ids = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RetrievalNumbers:
    """Numbers of each case, in the order of the test set, NaN where there is none; shape (n,).

    Attributes:
        answer_words: Words of the answer; none where the target failed.
        passages: Retrieved passages; none where the target failed or does not tell.
        rank: Of the first right document or chunk among the distinct ones retrieved, from 1.
        missed: Whether the case names a right one and none was retrieved.
        by_chunk: Whether `rank` and `missed` are about chunks, not documents.
    """

    answer_words: Floats
    passages: Floats
    rank: Floats
    missed: Bools
    by_chunk: bool


def retrieval_numbers(connection: Connection, run: Run, found: CaseColumns) -> RetrievalNumbers:
    """Reads every response once; chunks are ranked where cases name them and the target tells them, else documents.

    Ids are compared as the retrieval metrics compare them. A gold document that the corpus does not have is left out:
    that is a defect of the data and no miss of the retrieval.

    Args:
        connection: From the store.
        run: The run.
        found: Its cases.
    """
    size = len(found.case_ids)
    places = {case_id: place for place, case_id in enumerate(found.case_ids)}
    words, passages = np.full(size, np.nan), np.full(size, np.nan)
    documents: list[Ids | None] = [None] * size
    chunks: list[Ids | None] = [None] * size
    told = tells_contexts(run.target, run.options)
    for response in case_columns.retrieved(connection, run.id):
        place = places.get(response.case_id)
        if place is None or response.words is None:
            continue
        words[place], passages[place] = response.words, response.passages
        documents[place], chunks[place] = response.document_ids, response.chunk_ids
    if not told and not np.nansum(passages):
        # No response has a passage and the target is not one of ours: it does not tell, which is not "none".
        passages = np.full(size, np.nan)
        documents = [None] * size
    by_chunk = any(found.gold_chunks) and any(chunks)
    if by_chunk:
        rank = _ranks(chunks, found.gold_chunks, FirstRanks(known=None, bare=False))
    elif told or any(documents):
        rank = _ranks(documents, found.gold_documents, FirstRanks(known=known_documents(connection, run), bare=True))
    else:
        rank = np.full(size, np.nan)
    return RetrievalNumbers(
        answer_words=words,
        passages=passages,
        rank=np.where(np.isinf(rank), np.nan, rank),
        missed=np.isinf(rank),
        by_chunk=by_chunk,
    )


def _ranks(retrieved: list[Ids | None], gold: tuple[Ids, ...], ranks: FirstRanks) -> Floats:
    """NaN where nothing is known or wanted, infinite where nothing right was retrieved."""
    pairs = zip(retrieved, gold, strict=True)
    return np.array([np.nan if had is None else ranks.first(had, wanted) for had, wanted in pairs], dtype=np.float64)


class FirstRanks:
    """The rank of the first hit of `rank_hits`, for many cases: each id is read once.

    Args:
        known: The ids of the corpus; gold ids it lacks are left out. None where it is not known.
        bare: Whether a gold ``table:key`` also means the retrieved id ``key``; true for documents.
    """

    def __init__(self, *, known: KnownDocuments | None, bare: bool) -> None:
        self._bare = cache(bare_key) if bare else None
        self._spell = cache(normalise_id)
        self._own = None if known is None else cache(known.find)

    def first(self, retrieved: Ids, gold: Ids) -> float:
        """The least rank of a right one, from 1; infinite where there is none, NaN where none is wanted."""
        ranks: dict[str, int] = {}
        for one in retrieved:
            ranks.setdefault(self._spell(one), len(ranks) + 1)
        found = [self._rank(one, ranks) for one in self._as_retrieved(gold, retrieved)]
        return min(found, default=np.nan)

    def _as_retrieved(self, gold: Ids, retrieved: Ids) -> Iterable[str]:
        if self._own is None:
            return gold
        own = [found for one in gold if (found := self._own(one)) is not None]
        spelled = {self._own(one) or one: one for one in reversed(retrieved)}
        return [spelled.get(one, one) for one in own]

    def _rank(self, wanted: str, ranks: Mapping[str, int]) -> float:
        rank = ranks.get(self._spell(wanted))
        if rank is None and self._bare is not None:
            rank = ranks.get(self._bare(wanted))
        return np.inf if rank is None else rank
