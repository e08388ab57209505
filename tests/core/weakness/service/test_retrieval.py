"""The rank of the first hit, many cases at once, is that of the retrieval metrics."""

import math

from hypothesis import given
from hypothesis import strategies as st

from core.domain.sources.document_ids import KnownDocuments
from core.metrics.retrieval.ranking import rank_hits
from core.runs.scores.samples import gold_as_retrieved
from core.weakness.service.retrieval import FirstRanks

IDS = st.sampled_from(["1", "2", "1.0", "a:1", "A:1.0", "a:2", "b:1", "b:2", "page.md", "c:page.md"])
LISTS = st.lists(IDS, max_size=5).map(tuple)


def first(retrieved, gold, known, *, bare):
    """By the functions that the metrics use."""
    wanted = gold_as_retrieved(gold, retrieved, known) if bare else gold
    if not wanted:
        return None
    hits = rank_hits(retrieved, wanted, bare=bare).hits
    return hits[0] if hits else math.inf


def same(found, expected):
    return math.isnan(found) if expected is None else found == expected


@given(st.lists(st.tuples(LISTS, LISTS), min_size=1, max_size=4), st.one_of(st.none(), LISTS))
def test_documents(pairs, corpus):
    known = None if corpus is None else KnownDocuments(corpus)
    ranks = FirstRanks(corpus=known, bare=True)
    for retrieved, gold in pairs:
        assert same(ranks.first(retrieved, gold), first(retrieved, gold, known, bare=True))


@given(LISTS, LISTS)
def test_chunks(retrieved, gold):
    assert same(FirstRanks(corpus=None, bare=False).first(retrieved, gold), first(retrieved, gold, None, bare=False))
