"""Topics are found by a worker: with names by a model, stopped, resumed, never twice."""

import pytest

from core import jobs
from core.domain.errors import InvalidInput, NotFound
from core.domain.jobs import Job, JobState
from core.domain.llm import Endpoint
from core.domain.sources.topics import Clustering, Reduction, TopicSettings
from core.jobs import JobContext
from core.project.service import create_project
from core.sources.corpora import connect_corpus
from core.store import jobs as job_rows
from core.store.codec import to_row
from core.store.database import Store
from core.store.models import encodings, endpoints
from core.store.testset import topics
from core.testset.topics.building import KIND, names_of, start_topics, topics_job
from core.testset.topics.service import build_topics
from tests.core.testset.grounded.llm.script import part
from tests.support.documents.subjects import write_subjects
from tests.support.processes.killed_job import killed_and_resumed
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url

SETTINGS = TopicSettings(reduction=Reduction.PCA, clustering=Clustering.KMEANS, topics=4, stability_runs=1)


def name(body):
    """The model names a topic by its first word."""
    return {"name": f'"About {part(body, "words").split(",")[0]}".'}


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    with Store.open(blank_url(tmp_path / "data")) as store:
        made = create_project(store, "Subjects", ACTOR)
        connect_corpus(store, made.id, write_subjects(tmp_path / "documents"), actor=ACTOR)
        yield store, made.id


def latest(store, project_id):
    with store.read() as connection:
        model = topics.latest(connection, project_id)
        return model, topics.topics(connection, model.id) if model else ()


def context_of(store, project_id, params):
    job = Job(id="job_1", project_id=project_id, kind=KIND, actor=ACTOR, params=params)
    with store.write(ACTOR, "job.start", project_id=project_id) as connection:
        job_rows.add(connection, job)
    return JobContext(store, job)


@pytest.mark.slow
def test_a_worker_finds_what_is_found_here(project):
    store, project_id = project
    job = start_topics(store, project_id, SETTINGS, actor=ACTOR)
    ended = jobs.wait(store, job.id, seconds=120)
    assert ended.state is JobState.FINISHED, ended.error
    there, _ = latest(store, project_id)
    here = build_topics(store, project_id, SETTINGS, actor=ACTOR)

    assert there.id == job.subject
    assert there.content_hash == here.content_hash
    assert there.settings == here.settings


@pytest.mark.slow
def test_a_model_gives_names_once_also_when_the_worker_is_killed(project):
    store, project_id = project
    with LlmServer(name, hold_after=2) as server:
        with store.write(ACTOR, "test.endpoint", project_id=project_id) as connection:
            where = Endpoint(
                id="end_1",
                project_id=project_id,
                name="Held",
                base_url=server.base_url,
                concurrency=2,
                timeout_s=600,
                deadline_s=600,
            )
            endpoints.put(connection, where)
        job = start_topics(store, project_id, SETTINGS, actor=ACTOR, namer=server.spec("m"))
        ended = killed_and_resumed(store, job, server, at_once=2)
        assert ended.state is JobState.FINISHED, ended.error
    model, found = latest(store, project_id)
    with store.read() as connection:
        edits = topics.edits(connection, model.id)

    assert [topic.name for topic in found] == [f"About {topic.terms[0].text}" for topic in found]
    assert {topic.named_by for topic in found} == {"m"}
    assert len(edits) == 4
    assert len(topics_of_all(store, project_id)) == 1


def topics_of_all(store, project_id):
    with store.read() as connection:
        return topics.all(connection, project_id)


def test_a_topic_without_a_name_has_a_reason(project):
    store, project_id = project
    model = build_topics(store, project_id, SETTINGS, actor=ACTOR)
    replies = iter([{"name": "Cards"}, {"name": "x" * 200}, {"name": " '' "}, {"name": "Loans"}])
    with LlmServer(lambda body: next(replies)) as server:
        naming = names_of(store, model, server.spec(), actor=ACTOR)
        sent = str(server.bodies)

    assert len(naming.edits) == 2
    assert len(naming.failures) == 2
    assert all(why.startswith("The model gave a name of ") for why in naming.failures.values())
    assert "savings account" in sent


def test_a_stopped_job_keeps_its_vectors_and_stores_nothing_else(project):
    store, project_id = project
    context = context_of(store, project_id, {"settings": to_row(SETTINGS), "model_id": "t1", "namer": ""})
    told = []

    def watch(stage, done, total):
        told.append(stage)
        if stage == "Clusters":
            context._stop.set()

    context.progress = watch
    assert topics_job(context) is False
    assert latest(store, project_id) == (None, ())
    with store.read() as connection:
        assert encodings.count(connection, project_id) == 32
    assert "Map" not in told


def test_what_cannot_be_found_is_refused_before_a_worker_starts(project, tmp_path):
    store, project_id = project
    with pytest.raises(InvalidInput, match="dimensions"):
        start_topics(store, project_id, TopicSettings(dimensions=0), actor=ACTOR)
    with pytest.raises(InvalidInput):
        start_topics(store, project_id, SETTINGS, actor=ACTOR, namer="nonsense")
    empty = create_project(store, "Empty", ACTOR)
    with pytest.raises(NotFound, match="no documents"):
        start_topics(store, empty.id, SETTINGS, actor=ACTOR)
