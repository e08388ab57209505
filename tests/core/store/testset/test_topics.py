from dataclasses import replace

import pytest

from core.domain.errors import Conflict, NotFound
from core.domain.estimates import Estimate, Proportion
from core.domain.sources.topics import (
    EditKind,
    Term,
    Topic,
    TopicChunk,
    TopicEdit,
    TopicModel,
    TopicQuality,
    TopicSettings,
)
from core.store.testset import topics
from tests.support.stores import with_run

FIGURE = Estimate(value=0.5, low=None, high=None, n=2, method="x")
QUALITY = TopicQuality(
    coherence=FIGURE,
    silhouette=FIGURE,
    outliers=Proportion(num=1, den=3),
    largest=Proportion(num=1, den=3),
    stability=FIGURE,
    warnings=("Poor.",),
)
MODEL = TopicModel(
    id="topics_1",
    project_id="p1",
    source_id="src_1",
    settings=TopicSettings(encoder="minilm", min_size=5),
    fingerprint="f",
    content_hash="h",
    versions={"numpy": "2"},
    chunks=3,
    quality=QUALITY,
)
FOUND = (
    Topic(number=-1, size=1),
    Topic(number=0, size=1, terms=(Term(text="card", weight=0.25),), examples=("a",), alike=0.9, documents=1),
    Topic(number=1, size=1),
)
CHUNKS = tuple(
    TopicChunk(chunk_id=chunk, found=topic, topic=topic, strength=0.5, x=1.0, y=-2.0, reduced=b"\x00" * 8)
    for chunk, topic in (("c", 1), ("a", 0), ("b", -1))
)


@pytest.fixture
def filled(store):
    with_run(store)
    model = replace(MODEL, project_id="prj_1")
    with store.write("ann", "topics.build", project_id="prj_1") as connection:
        topics.put(connection, model, FOUND, CHUNKS)
    return store, model


def test_a_model_reads_back_as_it_was(filled):
    store, model = filled
    with store.read() as connection:
        assert topics.get(connection, model.id) == model
        assert topics.latest(connection, model.project_id) == model
        assert topics.topics(connection, model.id) == FOUND
        assert topics.chunks(connection, model.id) == CHUNKS
        assert list(topics.topic_of(connection, model.id).items()) == [("c", 1), ("a", 0), ("b", -1)]
        assert topics.edits(connection, model.id) == ()


def test_the_latest_model_is_the_one_made_last(filled):
    store, model = filled
    other = replace(model, id="topics_2")
    with store.write("ann", "topics.build", project_id=model.project_id) as connection:
        topics.put(connection, other, (), ())
    with store.read() as connection:
        assert topics.latest(connection, model.project_id) == other
        assert [model_found.id for model_found in topics.all(connection, model.project_id)] == ["topics_2", "topics_1"]
        assert topics.latest(connection, "nobody") is None


def test_an_edit_moves_chunks_and_is_taken_back(filled):
    store, model = filled
    edit = TopicEdit(
        kind=EditKind.SPLIT, topic=0, parts=(("a", "b"), ("c",)), chunk_ids=("a",), others=(1,), actor="ann", at="now"
    )
    described = (Topic(number=0, size=3, name="All", named_by="ann"),)
    with store.write("ann", "topics.edit", project_id=model.project_id) as connection:
        topics.add_edits(connection, model.id, [edit, replace(edit, kind=EditKind.DROP)])
        topics.forget_last_edit(connection, model.id)
        topics.replace_state(connection, model.id, described, {"a": 0, "b": 0, "c": 0}, replace(QUALITY, warnings=()))
    with store.read() as connection:
        assert topics.edits(connection, model.id) == (edit,)
        assert topics.topics(connection, model.id) == described
        assert topics.topic_of(connection, model.id) == {"c": 0, "a": 0, "b": 0}
        assert topics.clustered_topic_of(connection, model.id) == {"c": 1, "a": 0, "b": -1}
        assert topics.get(connection, model.id).quality.warnings == ()


def test_what_is_not_there_is_named(filled):
    store, model = filled
    with pytest.raises(NotFound, match="nothing"), store.read() as connection:
        topics.get(connection, "nothing")
    with pytest.raises(NotFound, match="These topics have no edits"), store.write("ann", "undo") as connection:
        topics.forget_last_edit(connection, model.id)
    with pytest.raises(Conflict, match="topics_1"), store.write("ann", "again") as connection:
        topics.put(connection, model, (), ())
