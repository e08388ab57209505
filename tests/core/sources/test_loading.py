"""Documents are loaded by a worker: stopped, killed, resumed, never twice; uploads do not outlive their load."""

import os
import stat

import psutil
import pytest

from core import jobs
from core.domain.errors import Forbidden, InvalidInput, NotFound, SourceUnavailable
from core.domain.jobs import JobState
from core.domain.sources.projects import Role, SourceKind
from core.jobs.liveness import mark
from core.project.service import create_project
from core.sources.loading import (
    KEPT_S,
    KIND,
    UNCLAIMED_S,
    clean_spools,
    cutting_work,
    load_job,
    loading_work,
    start_cut,
    start_load,
    start_reload,
)
from core.sources.service import connect_corpus
from core.sources.spool import Spool, all_spools, spools
from core.store import jobs as job_rows
from core.store import projects, sources
from core.store.database import Store
from core.store.testset import chunks
from tests.support.processes import held_load
from tests.support.processes.killed_job import until
from tests.support.processes.stopped_job import LIMIT_S, ask_to_stop
from tests.support.small_bank import ACTOR, write_documents
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    for name in ("PLUMBLINE_DATABASE_URL", "PLUMBLINE_REQUIRE_LOGIN", "PLUMBLINE_ENCODER"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "data").mkdir()
    with Store.open(blank_url(tmp_path / "data")) as opened:
        yield opened


@pytest.fixture
def project(store):
    return create_project(store, "Bank", ACTOR)


@pytest.fixture
def folder(tmp_path):
    return write_documents(tmp_path / "documents")


def corpora(store, project):
    with store.read() as connection:
        return [one for one in sources.all(connection, project.id) if one.kind is SourceKind.CORPUS]


def held(store, source):
    with store.read() as connection:
        return sources.corpus(connection, source.id), chunks.of(connection, source.id)


def ended(store, job):
    return jobs.wait(store, job.id, seconds=LIMIT_S)


@pytest.mark.slow
def test_a_worker_loads_what_is_loaded_here(store, project, folder):
    job = start_load(store, project.id, folder, actor=ACTOR, name="Papers")
    done = ended(store, job)
    assert done.state is JobState.FINISHED, done.error
    [there] = corpora(store, project)
    here, _ = connect_corpus(store, create_project(store, "Other", ACTOR).id, folder, actor=ACTOR)
    assert (there.id, there.name, there.location) == (job.subject, "Papers", str(folder))
    assert held(store, there)[0] == held(store, here)[0]
    assert [chunk.text for chunk in held(store, there)[1]] == [chunk.text for chunk in held(store, here)[1]]
    assert all_spools() == []


@pytest.mark.slow
def test_uploads_reach_the_worker_and_are_deleted(store, project):
    files = [("fees.md", b"# Fees\n\nThe fee is 3."), ("../hours.txt", b"Open daily."), ("empty.txt", b"")]
    spool = Spool.holding(files)
    modes = [
        stat.S_IMODE(path.stat().st_mode) for path in (spools(), spool.folder, *(spool.folder / "files").iterdir())
    ]
    assert {mode & 0o077 for mode in modes} == {0}
    done = ended(store, start_load(store, project.id, actor=ACTOR, name="3 uploaded files", uploads=spool))
    assert done.state is JobState.FINISHED, done.error
    [source] = corpora(store, project)
    corpus, made = held(store, source)
    assert (source.name, source.location) == ("3 uploaded files", "uploaded:files")
    assert [document.id for document in corpus.documents] == ["fees.md", "hours.txt"]
    assert [item.reason for item in corpus.skipped] == ["it is empty"]
    assert len(made) == 2
    assert all_spools() == []
    with pytest.raises(InvalidInput, match="3 uploaded files was uploaded, and uploaded files are not kept"):
        start_reload(store, source.id, actor=ACTOR)


@pytest.mark.slow
def test_uploads_of_which_none_can_be_read_are_deleted(store, project):
    spool = Spool.holding([("empty.txt", b"")])
    done = ended(store, start_load(store, project.id, actor=ACTOR, name="empty.txt", uploads=spool))
    assert done.state is JobState.FAILED
    assert done.error == "No document could be read in empty.txt (empty.txt: it is empty)."
    assert all_spools() == []
    assert corpora(store, project) == []


def at(store, job):
    told = jobs.get(store, job.id).progress
    return told and (told.stage, told.done, told.total, told.item)


def started_held(store, project, tmp_path, *, uploads=None):
    """A load of four documents that is held inside the third, after two were read."""
    gate = tmp_path / "gate"
    files = {"a.txt": "Alpha.", "b.txt": "Beta.", "c.held": str(gate), "d.txt": "Delta."}
    if uploads:
        spool, place = Spool.holding([(name, text.encode()) for name, text in files.items()]), ""
    else:
        spool, place = Spool.create(), tmp_path / "held"
        place.mkdir()
        for name, text in files.items():
            (place / name).write_text(text)
    params = {"act": "load", "place": str(place), "name": "Held", "uploads": bool(uploads), "spool": spool.id}
    job = jobs.start(
        store,
        project_id=project.id,
        kind=KIND,
        params=params,
        actor=ACTOR,
        subject="src_held",
        command=held_load.COMMAND,
    )
    until(gate.with_suffix(".reached").exists, "the worker did not get to the document that holds it")
    return job, spool, gate


@pytest.mark.slow
@pytest.mark.parametrize("uploads", [False, True])
def test_a_killed_load_leaves_the_corpus_whole_and_reads_only_the_rest(store, project, folder, tmp_path, uploads):
    first, _ = connect_corpus(store, project.id, folder, actor=ACTOR)
    before = held(store, first)
    job, spool, gate = started_held(store, project, tmp_path, uploads=uploads)
    psutil.Process(jobs.get(store, job.id).worker.pid).kill()
    until(lambda: jobs.get(store, job.id).state is JobState.INTERRUPTED, "the kill went unnoticed")
    assert corpora(store, project) == [first]
    assert held(store, first) == before
    read = spool.journal.path.read_text()
    assert ("Alpha." in read, "Beta." in read, "Delta." in read) == (True, True, False)
    assert spool.journal.path.stat().st_mode & 0o077 == 0
    assert clean_spools(store) == []
    spool.journal.path.write_text(read.replace("Alpha.", "Alpha, as it was read before.") + '[{"id": "cut o')
    gate.touch()
    jobs.resume(store, job.id, ACTOR, command=held_load.COMMAND)
    done = ended(store, job)
    assert done.state is JobState.FINISHED, done.error
    assert [source.id for source in corpora(store, project)] == [first.id, "src_held"]
    texts = [document.text for document in held(store, corpora(store, project)[1])[0].documents]
    assert texts == ["Alpha, as it was read before.", "Beta.", "Held and let go.", "Delta."]
    assert held(store, first) == before
    assert all_spools() == []


@pytest.mark.slow
def test_a_stopped_load_stores_nothing_and_goes_on_when_it_is_resumed(store, project, tmp_path):
    job, spool, gate = started_held(store, project, tmp_path)
    until(lambda: at(store, job) == ("Reading documents", 2, 4, "c.held"), "the worker does not say where it is")
    ask_to_stop(store, job.id)
    gate.touch()
    assert ended(store, job).state is JobState.STOPPED
    assert corpora(store, project) == []
    assert [kept.id for kept in all_spools()] == [spool.id]
    jobs.resume(store, job.id, ACTOR, command=held_load.COMMAND)
    assert ended(store, job).state is JobState.FINISHED
    assert len(held(store, corpora(store, project)[0])[0].documents) == 4
    assert all_spools() == []


@pytest.mark.slow
def test_a_stopped_load_of_uploads_deletes_them(store, project, tmp_path):
    job, _, gate = started_held(store, project, tmp_path, uploads=True)
    ask_to_stop(store, job.id)
    gate.touch()
    assert ended(store, job).state is JobState.STOPPED
    assert all_spools() == []
    jobs.resume(store, job.id, ACTOR)
    done = ended(store, job)
    assert (done.state, done.hint) == (JobState.FAILED, "Upload them again.")
    assert corpora(store, project) == []


@pytest.mark.slow
def test_a_worker_loads_again_and_cuts_anew(store, project, folder):
    first, _ = connect_corpus(store, project.id, folder, actor=ACTOR)
    unchanged = ended(store, start_reload(store, first.id, actor=ACTOR))
    assert unchanged.state is JobState.FINISHED, unchanged.error
    assert corpora(store, project) == [first]
    (folder / "new.txt").write_text("The fee of a card is 3 pounds. " * 40)
    again = start_reload(store, first.id, actor=ACTOR)
    assert ended(store, again).state is JobState.FINISHED
    cut = start_cut(store, again.subject, tokens=40, overlap=8, actor=ACTOR)
    assert ended(store, cut).state is JobState.FINISHED
    assert [source.id for source in corpora(store, project)] == [first.id, again.subject, cut.subject]
    last = corpora(store, project)[-1]
    assert (last.chunking.tokens, last.chunking.overlap) == (40, 8)
    assert held(store, last)[0] == held(store, corpora(store, project)[1])[0]
    assert all_spools() == []


def test_what_cannot_be_done_is_refused_before_a_worker_starts(store, project, folder, tmp_path, monkeypatch):
    source, _ = connect_corpus(store, project.id, folder, actor=ACTOR)
    with pytest.raises(SourceUnavailable, match="There is no folder"):
        start_load(store, project.id, tmp_path / "none", actor=ACTOR)
    with pytest.raises(NotFound):
        start_reload(store, "src_9", actor=ACTOR)
    with pytest.raises(InvalidInput, match="A chunk of 900 tokens"):
        start_cut(store, source.id, tokens=900, overlap=0, actor=ACTOR)
    with pytest.raises(InvalidInput, match="No file was uploaded"):
        Spool.holding([])
    with store.write(ACTOR, "test.role") as connection:
        projects.set_role(connection, project.id, "vera", Role.VIEWER)
    spool = Spool.holding([("a.txt", b"Alpha.")])
    for act in (
        lambda: start_load(store, project.id, actor="vera", uploads=spool),
        lambda: start_load(store, project.id, folder, actor="vera"),
        lambda: start_reload(store, source.id, actor="vera"),
        lambda: start_cut(store, source.id, tokens=40, overlap=0, actor="vera"),
    ):
        with pytest.raises(Forbidden):
            act()
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "true")
    for act in (
        lambda: start_load(store, project.id, folder, actor=ACTOR),
        lambda: start_reload(store, source.id, actor=ACTOR),
        lambda: loading_work(folder, "prj_1"),
    ):
        with pytest.raises(Forbidden, match="outside the data folder"):
            act()
    folder.rename(tmp_path / "moved")
    monkeypatch.delenv("PLUMBLINE_REQUIRE_LOGIN")
    with pytest.raises(SourceUnavailable):
        start_reload(store, source.id, actor=ACTOR)
    assert all_spools() == []
    assert jobs.list_jobs(store) == []


def test_what_nobody_needs_any_more_is_deleted(store, project, tmp_path):
    def spool(state, *, uploads, age=0.0):
        made = Spool.holding([("a.txt", b"Alpha.")]) if uploads else Spool.create()
        if state:
            row = jobs.Job(
                id=f"job_{made.id}",
                project_id=project.id,
                kind=KIND,
                actor=ACTOR,
                state=state,
                params={"spool": made.id, "uploads": uploads},
                worker=mark(os.getpid()),
            )
            with store.write(ACTOR, "test.job") as connection:
                job_rows.add(connection, row)
                seen = job_rows.get(connection, row.id)
                if state is not JobState.QUEUED:
                    job_rows.replace_state(connection, seen, state)
        then = made.folder.stat().st_mtime - age
        for path in (*made.folder.iterdir(), made.folder):
            os.utime(path, (then, then))
        return made.id

    day, hour = KEPT_S + 60, UNCLAIMED_S + 60
    gone = {
        spool(JobState.FINISHED, uploads=True),
        spool(JobState.FAILED, uploads=True),
        spool(JobState.STOPPED, uploads=True),
        spool(JobState.STOPPED, uploads=False, age=day),
        spool(JobState.INTERRUPTED, uploads=True, age=day),
        spool(None, uploads=True, age=hour),
    }
    kept = {
        spool(JobState.QUEUED, uploads=True, age=day),
        spool(JobState.STOPPED, uploads=False),
        spool(JobState.INTERRUPTED, uploads=True),
        spool(None, uploads=True),
    }
    assert set(clean_spools(store)) == gone
    assert {one.id for one in all_spools()} == kept


@pytest.mark.slow
def test_what_a_load_will_take_is_told_before_it_starts(store, project, folder):
    work = loading_work(folder, "prj_1")
    assert (work.files, work.quick) == (6, True)
    many = folder / "many"
    many.mkdir()
    for number in range(500):
        (many / f"{number}.txt").write_text("The fee is 3.")
    assert not loading_work(folder, "prj_1").quick
    source, corpus = connect_corpus(store, project.id, many, actor=ACTOR)
    assert cutting_work(store, source.id).files == len(corpus.documents)
    assert cutting_work(store, source.id).bytes == sum(len(document.text) for document in corpus.documents)


def test_the_job_is_registered_for_workers():
    assert KIND in jobs.kinds()
    assert load_job.__name__ == "load_job"
