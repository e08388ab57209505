from hypothesis import given
from hypothesis import strategies as st

from core.domain.sources.chunks import Chunk
from core.domain.sources.documents import Document
from core.testset.topics.strata import Crossing, Stratum, crossing_of, in_drawing_order, strata


def chunk(number, document="a"):
    return Chunk(
        id=f"c{number}", document_id=document, position=number, text="x", section=(), page=None, start=0, end=1
    )


def test_outliers_and_dropped_topics_are_left_out():
    chunks = [chunk(number) for number in range(5)]
    topic_of = {"c0": 1, "c1": 0, "c2": 1, "c3": 2, "c4": -1}

    assert strata(chunks, topic_of, dropped={2}) == {
        Stratum(topic=0): ("c1",),
        Stratum(topic=1): ("c0", "c2"),
    }
    assert strata(chunks, topic_of, dropped={2}, outliers=True)[Stratum(topic=-1)] == ("c4",)


def test_topics_are_crossed_with_what_documents_tell():
    chunks = [chunk(0, "a"), chunk(1, "b"), chunk(2, "a")]
    formats = {"a": "pdf", "b": "html"}

    found = strata(chunks, {"c0": 0, "c1": 0, "c2": 0}, value_of=formats.__getitem__)

    assert found == {Stratum(topic=0, value="html"): ("c1",), Stratum(topic=0, value="pdf"): ("c0", "c2")}


def test_a_document_that_tells_no_date_has_an_unknown_one():
    dated = Document(id="a", title="", text="", format="pdf", metadata={"date": "2026-03-09T10:00:00"})
    bare = Document(id="b", title="", text="")

    assert [crossing_of(dated, crossing) for crossing in Crossing] == ["", "pdf", "2026", "2026-03"]
    assert crossing_of(bare, Crossing.YEAR) == "unknown"


@given(st.lists(st.text(min_size=1), unique=True, max_size=30), st.integers(0, 2**63 - 1), st.text(min_size=1))
def test_a_new_chunk_changes_the_order_of_no_others(ids, seed, new):
    before = in_drawing_order(ids, seed=seed)
    after = in_drawing_order([*ids, new], seed=seed)

    assert sorted(before) == sorted(ids)
    assert tuple(found for found in after if found in set(before) - {new}) == tuple(
        found for found in before if found != new
    )


def test_other_seeds_draw_other_chunks():
    ids = [f"c{number}" for number in range(50)]

    assert in_drawing_order(ids, seed=0) == in_drawing_order(reversed(ids), seed=0)
    assert in_drawing_order(ids, seed=0) != in_drawing_order(ids, seed=1)
