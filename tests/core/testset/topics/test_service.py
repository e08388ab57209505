"""Topics of a project: found by the real encoder, changed by hand, replayed, taken back."""

from dataclasses import replace

import pytest

from core.domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from core.domain.sources.topics import OUTLIER, Clustering, EditKind, Reduction, TopicEdit, TopicSettings
from core.project.service import create_project
from core.sources.corpora import connect_corpus
from core.store.database import Store
from core.store.models import encodings
from core.store.testset import topics
from core.store.trail import audit
from core.testset.topics.edits import TopicState, replay
from core.testset.topics.service import (
    build_topics,
    edit_topics,
    is_outdated,
    project_strata,
    project_topics,
    undo_edit,
)
from core.testset.topics.strata import Crossing
from core.testset.topics.suggesting import assignments_of_outliers, split_of
from tests.support.documents.subjects import NAMES, SUBJECTS, write_subjects
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url

SETTINGS = TopicSettings(reduction=Reduction.PCA, clustering=Clustering.KMEANS, topics=4, stability_runs=1)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """One project whose topics were found once; each test works on a model of its own."""
    folder = tmp_path_factory.mktemp("topics")
    with Store.open(blank_url(folder)) as store:
        project = create_project(store, "Subjects", ACTOR)
        connect_corpus(store, project.id, write_subjects(folder / "documents"), actor=ACTOR)
        build_topics(store, project.id, SETTINGS, actor=ACTOR, model_id="first")
        yield store, project.id


@pytest.fixture
def model(built, request):
    store, project_id = built
    return store, build_topics(store, project_id, SETTINGS, actor=ACTOR, model_id=request.node.name)


def state(store, model):
    with store.read() as connection:
        return topics.topics(connection, model.id), topics.topic_of(connection, model.id)


def edit(kind, topic, **rest):
    return TopicEdit(kind=kind, topic=topic, **rest)


@pytest.mark.slow
def test_the_subjects_are_the_topics(model):
    store, found = model
    described, topic_of = state(store, found)

    assert [topic.size for topic in described] == [len(NAMES)] * len(SUBJECTS)
    assert found.chunks == len(topic_of) == 32
    assert found.settings.encoder == "minilm"
    assert "numpy" in found.versions
    labels = " ".join(topic.label for topic in described)
    assert all(word in labels for word in ("account", "card", "loan", "branch"))
    assert not is_outdated(store, found)


def test_the_same_settings_give_the_same_topics_and_encode_nothing_again(model):
    store, found = model
    with store.read() as connection:
        first = topics.get(connection, "first")
        assert topics.topics(connection, "first") == topics.topics(connection, found.id)
        assert topics.chunks(connection, "first") == topics.chunks(connection, found.id)
        vectors = encodings.count(connection, found.project_id)

    assert found.content_hash == first.content_hash
    assert vectors == 32


def test_an_id_that_is_there_is_not_built_again(model):
    store, found = model

    assert build_topics(store, found.project_id, replace(SETTINGS, seed=9), actor=ACTOR, model_id=found.id) == found


def test_edits_are_recorded_applied_and_replayed(model):
    store, found = model
    edit_topics(store, found.id, [edit(EditKind.RENAME, 0, name="First"), edit(EditKind.DROP, 3)], actor=ACTOR)
    edit_topics(store, found.id, [edit(EditKind.MERGE, 0, others=(1,))], actor=ACTOR)
    edit_topics(store, found.id, [split_of(store, found.id, 0, 2)], actor=ACTOR)
    described, topic_of = state(store, found)

    assert [topic.number for topic in described] == [0, 2, 3, 4]
    assert described[0].name == "First"
    assert described[0].named_by == ACTOR
    assert described[2].dropped
    assert described[0].size + described[3].size == 16
    with store.read() as connection:
        start = TopicState.from_clustering(topics.clustered_topic_of(connection, found.id))
        edits = topics.edits(connection, found.id)
        actions = [entry.action for entry in audit.entries(connection, found.project_id)]
        now = topics.get(connection, found.id)
    assert replay(start, edits).topic_of == topic_of
    assert {one.actor for one in edits} == {ACTOR}
    assert actions.count("topics.edit") >= 3
    assert now.quality.stability == found.quality.stability
    assert now.content_hash == found.content_hash


def test_every_edit_can_be_taken_back(model):
    store, found = model
    before = state(store, found)
    for made in (
        edit(EditKind.RENAME, 1, name="Other"),
        edit(EditKind.MERGE, 0, others=(1, 2)),
        edit(EditKind.DROP, 0),
        edit(EditKind.RESTORE, 0),
    ):
        edit_topics(store, found.id, [made], actor=ACTOR)
    for _ in range(4):
        undo_edit(store, found.id, actor=ACTOR)

    assert state(store, found) == before
    with store.read() as connection:
        assert topics.get(connection, found.id) == found
    with pytest.raises(NotFound, match="These topics have no edits"):
        undo_edit(store, found.id, actor=ACTOR)


def test_outliers_are_seen_and_go_to_the_nearest_topic(model):
    store, found = model
    _, topic_of = state(store, found)
    loose = [chunk for chunk, topic in topic_of.items() if topic == 2][:3]
    edit_topics(store, found.id, [edit(EditKind.ASSIGN, OUTLIER, chunk_ids=tuple(loose))], actor=ACTOR)
    described, _ = state(store, found)
    assert (described[0].number, described[0].size, described[0].label) == (OUTLIER, 3, "outliers")

    third = assignments_of_outliers(store, found.id, share=0.34)
    assert sum(len(one.chunk_ids) for one in third) == 1
    edit_topics(store, found.id, assignments_of_outliers(store, found.id), actor=ACTOR)
    assert state(store, found)[1] == topic_of
    assert assignments_of_outliers(store, found.id) == ()


def test_a_refused_edit_changes_nothing(model):
    store, found = model
    before = state(store, found)
    for wrong, error in (
        ([edit(EditKind.DROP, 0), edit(EditKind.DROP, 77)], NotFound),
        ([], InvalidInput),
    ):
        with pytest.raises(error):
            edit_topics(store, found.id, wrong, actor=ACTOR)
    with pytest.raises(Forbidden):
        edit_topics(store, found.id, [edit(EditKind.DROP, 0)], actor="stranger")
    for topic, into in ((77, 2), (0, 1), (0, 99)):
        with pytest.raises((NotFound, InvalidInput)):
            split_of(store, found.id, topic, into)
    with pytest.raises(InvalidInput, match="share of outliers"):
        assignments_of_outliers(store, found.id, share=0)

    assert state(store, found) == before


def test_strata_leave_dropped_topics_out_and_cross_the_others(model):
    store, found = model
    edit_topics(store, found.id, [edit(EditKind.DROP, 1)], actor=ACTOR)

    plain = project_strata(store, found)
    by_format = project_strata(store, found, crossing=Crossing.FORMAT)
    by_year = project_strata(store, found, crossing=Crossing.YEAR)
    assert [stratum.topic for stratum in plain] == [0, 2, 3]
    assert {stratum.value for stratum in by_format} == {"markdown", "text"}
    assert {stratum.value for stratum in by_year} == {"2026", "unknown"}
    assert sum(map(len, by_year.values())) == sum(map(len, plain.values())) == 24


@pytest.mark.slow
def test_topics_of_changed_documents_are_outdated_and_keep_their_chunks(tmp_path):
    with Store.open(blank_url(tmp_path)) as store:
        project = create_project(store, "Changing", ACTOR)
        folder = write_subjects(tmp_path / "documents")
        source, _ = connect_corpus(store, project.id, folder, actor=ACTOR)
        with pytest.raises(NotFound, match="no topics yet"):
            project_topics(store, project.id)
        found = build_topics(store, project.id, SETTINGS, actor=ACTOR)
        with store.write(ACTOR, "test.empty") as connection:
            from core.store.testset import chunks

            chunks.put(connection, source.id, ())

        assert is_outdated(store, found)
        with pytest.raises(Conflict, match="documents have changed"):
            edit_topics(store, found.id, [edit(EditKind.MERGE, 0, others=(1,))], actor=ACTOR)
        edit_topics(store, found.id, [edit(EditKind.RENAME, 0, name="Still")], actor=ACTOR)
        assert state(store, found)[0][0].name == "Still"
