"""What a run's retrieval says of each case: how many passages there were, and where the first right one stood."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection

from core.domain.document_ids import KnownDocuments
from core.domain.runs import Run
from core.evaluation.samples import gold_as_retrieved, known_documents, tells_contexts
from core.metrics.ranking import rank_hits
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
        rank = _ranks(chunks, found.gold_chunks, _Ranks(known=None, bare=False))
    elif told or any(documents):
        rank = _ranks(documents, found.gold_documents, _Ranks(known=known_documents(connection, run), bare=True))
    else:
        rank = np.full(size, np.nan)
    return RetrievalNumbers(
        answer_words=words,
        passages=passages,
        rank=np.where(np.isinf(rank), np.nan, rank),
        missed=np.isinf(rank),
        by_chunk=by_chunk,
    )


def _ranks(retrieved: list[Ids | None], gold: tuple[Ids, ...], ranks: _Ranks) -> Floats:
    """NaN where nothing is known or wanted, infinite where nothing right was retrieved."""
    return np.array(
        [
            np.nan if had is None or not wanted else ranks.first(had, wanted)
            for had, wanted in zip(retrieved, gold, strict=True)
        ],
        dtype=np.float64,
    )


class _Ranks:
    """The rank of the first hit; equal lists, as the wordings of one question have them, are worked out once."""

    def __init__(self, *, known: KnownDocuments | None, bare: bool) -> None:
        self._known, self._bare = known, bare
        self._found: dict[tuple[Ids, Ids], float] = {}

    def first(self, retrieved: Ids, gold: Ids) -> float:
        key = (retrieved, gold)
        if key not in self._found:
            wanted = gold_as_retrieved(gold, retrieved, self._known) if self._bare else gold
            self._found[key] = _first(rank_hits(retrieved, wanted, bare=self._bare).hits) if wanted else np.nan
        return self._found[key]


def _first(hits: tuple[int, ...]) -> float:
    return float(hits[0]) if hits else np.inf
