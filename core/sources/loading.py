"""Loading documents as a job: in a process of its own, with progress, stop and resume.

A corpus is stored at once or not at all, so whatever happens to a worker, the corpus that was there stays whole.
What was read stands in a journal: a worker that takes over reads only the other files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from core.domain.errors import InvalidInput, SourceUnavailable, Stopped
from core.domain.identity import new_id
from core.domain.jobs import JobState
from core.domain.projects import Role
from core.jobs import Job, JobContext, job, list_jobs, start
from core.project.service import require
from core.sources.corpora import chunk_documents, connect_corpus, cut_as, reload_corpus, reloadable
from core.sources.corpus.journal import Journal
from core.sources.corpus.measuring import RATE, Work, measured
from core.sources.places import check_place
from core.sources.spool import Spool, all_spools
from core.store import sources
from core.store.database import Store

KIND = "load_documents"
KEPT_S = 86_400.0
"""How long what an interrupted load needs is kept for a resume."""
UNCLAIMED_S = 3_600.0
"""How long uploads are kept of which no job is known: their server may have ended before it started one."""


def start_load(
    store: Store,
    project_id: str,
    place: Path | None = None,
    *,
    actor: str,
    name: str = "",
    uploads: Spool | None = None,
) -> Job:
    """Starts a worker that loads documents; the corpus will have the job's subject as its id.

    Args:
        store: Where the project lives.
        project_id: The project.
        place: The folder, archive or file; None for uploads.
        actor: Who does it.
        name: How the corpus is called on the screens.
        uploads: Uploaded files; they are deleted when the load ends, however it does.

    Raises:
        SourceUnavailable: There is no such place.
        Forbidden: The actor may not change the project, or the place is not theirs to read.
    """
    spool = uploads or Spool.made()
    try:
        require(store, project_id, actor, Role.VALIDATOR)
        if place is not None:
            check_place(place)
            if not place.exists():
                raise SourceUnavailable(f"There is no folder {place}.", "Check the path.")
        asked = {"place": str(place.absolute()) if place else "", "name": name, "uploads": uploads is not None}
        return _started(store, project_id, "load", asked, spool, actor=actor)
    except BaseException:
        spool.remove()
        raise


def start_reload(store: Store, source_id: str, *, actor: str) -> Job:
    """Starts a worker that loads a corpus again; where something is different, the new one has the job's subject as id.

    Raises:
        NotFound: There is no such source.
        SourceUnavailable: Its folder does not exist any more.
        InvalidInput: It was not loaded from files.
        Forbidden: The actor may not change the project.
    """
    source, place = reloadable(store, source_id, actor=actor)
    if not place.exists():
        raise SourceUnavailable(f"There is no folder {place}.", "Check the path.")
    spool = Spool.made()
    return _started(store, source.project_id, "reload", {"source": source_id}, spool, actor=actor)


def start_cut(store: Store, source_id: str, *, tokens: int, overlap: int, actor: str) -> Job:
    """Starts a worker that cuts documents anew; the corpus that is cut so will have the job's subject as its id.

    Raises:
        NotFound: There is no such source.
        InvalidInput: The encoder is not there, or a number is out of its range.
        Forbidden: The actor may not change the project.
    """
    source, _, _ = cut_as(store, source_id, actor=actor, tokens=tokens, overlap=overlap)
    asked = {"source": source_id, "tokens": tokens, "overlap": overlap}
    return _started(store, source.project_id, "cut", asked, None, actor=actor)


def cutting_work(store: Store, source_id: str) -> Work:
    """The work that cutting the documents of a corpus is."""
    with store.read() as connection:
        number, characters = sources.size(connection, source_id)
    return Work(files=number, bytes=characters, seconds=characters / RATE)


def loading_work(place: Path) -> Work:
    """The work that loading a place is; where people sign in, nothing is told of places that are not theirs.

    Raises:
        Forbidden: The place is not theirs to read.
    """
    check_place(place)
    return measured(place)


@job(KIND)
def load_job(context: JobContext) -> bool:
    """Loads, loads again or cuts what the job's parameters describe; uploads are deleted however it ends."""
    given = context.params
    spool = Spool(str(given["spool"])) if given.get("spool") else None
    try:
        _ACTS[str(given["act"])](context, spool)
    except Stopped:
        if spool and given.get("uploads") and not context.lost:
            spool.remove()
        return False
    except Exception:
        if spool and not context.lost:
            spool.remove()
        raise
    if spool:
        spool.remove()
    return True


def clean_spools(store: Store) -> list[str]:
    """Deletes what loads left that ended, or that nobody resumed within a day.

    A load that is stopped before it had a worker, and one whose worker was killed, could not clean up themselves.

    Returns:
        The names of those that were deleted.
    """
    found = all_spools()
    known = {str(one.params.get("spool", "")): one for one in list_jobs(store) if one.kind == KIND} if found else {}
    stale = [spool for spool in found if _stale(spool, known.get(spool.id))]
    for spool in stale:
        spool.remove()
    return [spool.id for spool in stale]


def _stale(spool: Spool, owner: Job | None) -> bool:
    if owner is None:
        return spool.age_s > UNCLAIMED_S
    if owner.state.active:
        return False
    if owner.state in (JobState.FINISHED, JobState.FAILED):
        return True
    if owner.state is JobState.STOPPED and owner.params.get("uploads"):
        return True
    return spool.age_s > KEPT_S


def _started(
    store: Store, project_id: str, act: str, asked: Mapping[str, object], spool: Spool | None, *, actor: str
) -> Job:
    source_id = new_id("src")
    params = {"act": act, **asked, "source_id": source_id, "spool": spool.id if spool else ""}
    return start(store, project_id=project_id, kind=KIND, params=params, actor=actor, subject=source_id)


def _load(context: JobContext, spool: Spool | None) -> None:
    given = context.params
    place: Path | None = Path(str(given["place"])) if given.get("place") else None
    location = ""
    if given.get("uploads"):
        place, location = (spool.place, spool.location) if spool else (None, "")
    if place is None:
        with context.store.read() as connection:
            if sources.exists(connection, context.job.subject):
                return  # it was stored before the worker was killed, and the uploads deleted with it
        raise InvalidInput("The uploaded files are gone: they are deleted when loading ends.", "Upload them again.")
    connect_corpus(
        context.store, context.job.project_id, place, actor=context.actor, name=str(given.get("name", "")),
        location=location, source_id=context.job.subject, journal=_journal(spool), progress=context.progress,
        should_stop=context.should_stop,
    )  # fmt: skip


def _reload(context: JobContext, spool: Spool | None) -> None:
    reload_corpus(
        context.store, str(context.params["source"]), actor=context.actor, made_id=context.job.subject,
        journal=_journal(spool), progress=context.progress, should_stop=context.should_stop,
    )  # fmt: skip


def _cut(context: JobContext, spool: Spool | None) -> None:
    given = context.params
    chunk_documents(
        context.store, str(given["source"]), actor=context.actor, tokens=int(str(given["tokens"])),
        overlap=int(str(given["overlap"])), made_id=context.job.subject, progress=context.progress,
        should_stop=context.should_stop,
    )  # fmt: skip


def _journal(spool: Spool | None) -> Journal | None:
    """Where the load keeps what it read; none where its folder was cleaned up meanwhile: it reads everything again."""
    return spool.journal if spool and spool.folder.is_dir() else None


_ACTS: Mapping[str, Callable[[JobContext, Spool | None], None]] = {"load": _load, "reload": _reload, "cut": _cut}
