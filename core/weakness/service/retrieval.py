"""Retrieval figures of each case of a run: the number of passages, and the rank of the first right one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from sqlalchemy import Connection

from core.domain.results.runs import Run
from core.domain.sources.document_ids import KnownDocuments, bare_key, normalise_id
from core.runs.scores.samples import tells_contexts
from core.store import document_mappings
from core.store.results.cases import case_columns
from core.store.results.cases.case_columns import CaseColumns
from core.weakness.table import Bools, Floats

Ids = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RetrievalNumbers:
    """Numbers of each case, in the order of the test set, NaN where there is none; shape (n,).

    Attributes:
        answer_words: Words of the answer; none where the target failed.
        passages: Retrieved passages; none where the target failed or does not report them.
        rank: Of the first right document or chunk among the distinct ones retrieved, from 1.
        missed: Whether the case names a right one and none was retrieved.
        by_chunk: Whether `rank` and `missed` are about chunks, not documents.
    """

    answer_words: Floats
    passages: Floats
    rank: Floats
    missed: Bools
    by_chunk: bool


def retrieval_numbers(connection: Connection, run: Run, columns: CaseColumns) -> RetrievalNumbers:
    """Reads every response once; chunks are ranked where cases and target name them, else documents.

    Ids are compared as the retrieval metrics compare them. A gold document that the corpus does not have is left out:
    that is a data defect, not a retrieval miss.

    Args:
        connection: From the store.
        run: The run.
        columns: Its cases.
    """
    size = len(columns.case_ids)
    places = {case_id: place for place, case_id in enumerate(columns.case_ids)}
    words, passages = np.full(size, np.nan), np.full(size, np.nan)
    documents: list[Ids | None] = [None] * size
    chunks: list[Ids | None] = [None] * size
    reports_contexts = tells_contexts(run.target, run.options)
    for response in case_columns.retrieved(connection, run.id):
        place = places.get(response.case_id)
        if place is None or response.words is None:
            continue
        words[place], passages[place] = response.words, response.passages
        documents[place], chunks[place] = response.document_ids, response.chunk_ids
    if not reports_contexts and not np.nansum(passages):
        # No response has a passage and the target is not built in: retrieval is not reported, which is not "none".
        passages = np.full(size, np.nan)
        documents = [None] * size
    by_chunk = any(columns.gold_chunks) and any(chunks)
    if by_chunk:
        rank = _ranks(chunks, columns.gold_chunks, FirstRanks(corpus=None, bare=False))
    elif reports_contexts or any(documents):
        rank = _ranks(
            documents, columns.gold_documents, FirstRanks(corpus=document_mappings.of_run(connection, run), bare=True)
        )
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
    return np.array(
        [
            np.nan if retrieved_ids is None else ranks.first(retrieved_ids, gold_ids)
            for retrieved_ids, gold_ids in pairs
        ],
        dtype=np.float64,
    )


class FirstRanks:
    """The rank of the first hit of `rank_hits`, for many cases: each id is read once.

    Args:
        corpus: The ids of the corpus; gold ids it lacks are left out. None where it is not known.
        bare: Whether a gold ``table:key`` also means the retrieved id ``key``; true for documents.
    """

    def __init__(self, *, corpus: KnownDocuments | None, bare: bool) -> None:
        self._bare = cache(bare_key) if bare else None
        self._spell = cache(normalise_id)
        self._find_all = None if corpus is None else cache(corpus.find_all)

    def first(self, retrieved: Ids, gold: Ids) -> float:
        """The least rank of a right one, from 1; infinite where there is none, NaN where none is wanted."""
        ranks: dict[str, int] = {}
        for document_id in retrieved:
            ranks.setdefault(self._spell(document_id), len(ranks) + 1)
        gold_ranks = [self._rank(document_id, ranks) for document_id in self._as_retrieved(gold, retrieved)]
        return min(gold_ranks, default=np.nan)

    def _as_retrieved(self, gold: Ids, retrieved: Ids) -> Iterable[str]:
        find_all = self._find_all
        if find_all is None:
            return gold
        known_gold = list(dict.fromkeys(known_id for document_id in gold for known_id in find_all(document_id)))
        spelled = {next(iter(find_all(name)), name): name for name in reversed(retrieved)}
        return [spelled.get(document_id, document_id) for document_id in known_gold]

    def _rank(self, gold_id: str, ranks: Mapping[str, int]) -> float:
        rank = ranks.get(self._spell(gold_id))
        if rank is None and self._bare is not None:
            rank = ranks.get(self._bare(gold_id))
        return np.inf if rank is None else rank
