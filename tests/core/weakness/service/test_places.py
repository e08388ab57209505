"""Cases on the topic map: by their gold chunks, by their gold documents, or not at all."""

from dataclasses import replace

import numpy as np
import pytest

from core.domain.sources.chunks import Chunk
from core.domain.testset.cases import TestCase
from core.store.database import Store
from core.store.testset import topics
from core.weakness.service.places import _rows, case_places, failure_clusters, places_of
from core.weakness.table import CaseTable, ScoreColumn
from tests.support.stores import blank_url
from tests.support.weakness.failing_map import failing_map


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path / "data")) as opened:
        yield opened


def table(case_ids, values):
    score = ScoreColumn(name="verdict", values=np.asarray(values, dtype=float))
    clusters = np.array([sum(map(ord, case_id.rpartition("-")[0])) for case_id in case_ids])
    return CaseTable(case_ids=tuple(case_ids), clusters=clusters, score=score, attributes=())


def test_cases_lie_where_their_chunks_or_documents_lie(store, tmp_path):
    run = failing_map(store, tmp_path / "documents")
    found = case_places(store, run.id)
    by_chunk, by_document = places_of(found, ["cards-pewter-1", "cards-pewter-2"])
    assert found.places[by_chunk] == pytest.approx(found.places[by_document])
    assert found.places[by_chunk, 0] > 10
    assert found.topic.levels[found.topic.codes[by_chunk]] == "Cards"
    assert (found.placed, found.no_gold, found.unknown) == (64, 1, 1)


def test_a_case_of_several_chunks_lies_between_them(store, tmp_path):
    run = failing_map(store, tmp_path / "documents")
    found = case_places(store, run.id)
    with store.read() as connection:
        at = {chunk.chunk_id: (chunk.x, chunk.y) for chunk in topics.chunks(connection, "tm_map")}
    assert len(at) == 32
    assert np.nanmin(found.places) >= 0
    assert np.isnan(found.places[places_of(found, ["homeless", "lost"])]).all()


def test_without_topics_no_case_has_a_place(store, tmp_path):
    run = failing_map(store, tmp_path / "documents", with_topics=False)
    found = case_places(store, run.id)
    assert found.model is None
    assert (found.placed, found.no_gold, found.unknown) == (0, 1, 65)
    report = failure_clusters(found, table(found.case_ids, np.ones(66)))
    assert report.reason == "No case has both a score and a place on the map."


@pytest.mark.slow
def test_what_fails_together_is_found_with_its_topic_and_words(store, tmp_path):
    run = failing_map(store, tmp_path / "documents")
    found = case_places(store, run.id)
    wrong = ["cards" in case_id for case_id in found.case_ids]
    (cluster,) = failure_clusters(found, table(found.case_ids, np.invert(wrong))).clusters
    assert cluster.topics == (("Cards", 16),)
    assert cluster.failing.size == 16
    assert any("card" in term.text for term in cluster.terms)


def test_cases_that_a_filter_leaves_keep_their_places(store, tmp_path):
    run = failing_map(store, tmp_path / "documents")
    found = case_places(store, run.id)
    some = [case_id for case_id in found.case_ids if case_id.endswith("-1")]
    report = failure_clusters(found, table([*some, "nobody"], [*("cards" not in one for one in some), 1.0]))
    assert (report.looked_at, report.no_place) == (32, 1)
    assert report.clusters[0].topics == (("Cards", 8),)


def test_a_document_stands_at_its_passage_that_the_question_speaks_of():
    chunks = [
        Chunk(id=f"k{place}", document_id="card", position=place, text=text, section=(), page=None, start=0, end=1)
        for place, text in enumerate(
            ["The card is blue.", "Its annual fee is 20.", "The card, its limit and its shop."]
        )
    ]
    case = TestCase(case_id="c", question="What is the annual fee of the card?", gold_document_ids=("card",))
    assert _rows([case], {"k0": 5, "k1": 6, "k2": 7}, chunks) == [[6]]
    # A passage that is not on the map cannot be chosen, and what names its passages is not guessed.
    assert _rows([case], {"k0": 5, "k2": 7}, chunks) == [[5]]
    assert _rows([replace(case, gold_chunk_ids=("k2",))], {"k0": 5, "k2": 7}, chunks) == [[7]]
