"""Loading documents as a job: in a process of its own, with progress, stop and resume.

A corpus is stored at once or not at all, so whatever happens to a worker, the former corpus stays whole.
A journal keeps what was read: a worker that takes over reads only the other files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from core.domain.errors import InvalidInput, SourceUnavailable, Stopped
from core.domain.identity import new_id
from core.domain.jobs import JobState
from core.domain.sources.projects import Role
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
"""How long uploads without a known job are kept: their server may have ended before it started one."""


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
        name: The name of the corpus on the screens.
        uploads: Uploaded files; they are deleted when the load ends, however it ends.

    Raises:
        SourceUnavailable: There is no such place.
        Forbidden: The actor may not change the project, or may not read the place.
    """
    spool = uploads or Spool.create()
    try:
        require(store, project_id, actor, Role.VALIDATOR)
        if place is not None:
            check_place(place, project_id)
            if not place.exists():
                raise SourceUnavailable(f"There is no folder {place}.", "Check the path.")
        request = {"place": str(place.absolute()) if place else "", "name": name, "uploads": uploads is not None}
        return _started(store, project_id, "load", request, spool, actor=actor)
    except BaseException:
        spool.remove()
        raise


def start_reload(store: Store, source_id: str, *, actor: str) -> Job:
    """Starts a worker that loads a corpus again; where something changed, the new one has the job's subject as its id.

    Raises:
        NotFound: There is no such source.
        SourceUnavailable: Its folder no longer exists.
        InvalidInput: It was not loaded from files.
        Forbidden: The actor may not change the project.
    """
    source, place = reloadable(store, source_id, actor=actor)
    if not place.exists():
        raise SourceUnavailable(f"There is no folder {place}.", "Check the path.")
    spool = Spool.create()
    return _started(store, source.project_id, "reload", {"source": source_id}, spool, actor=actor)


def start_cut(store: Store, source_id: str, *, tokens: int, overlap: int, actor: str) -> Job:
    """Starts a worker that cuts documents again; the corpus cut in this way will have the job's subject as its id.

    Raises:
        NotFound: There is no such source.
        InvalidInput: The encoder is not available, or a number is out of its range.
        Forbidden: The actor may not change the project.
    """
    source, _, _ = cut_as(store, source_id, actor=actor, tokens=tokens, overlap=overlap)
    request = {"source": source_id, "tokens": tokens, "overlap": overlap}
    return _started(store, source.project_id, "cut", request, None, actor=actor)


def cutting_work(store: Store, source_id: str) -> Work:
    """The work of cutting the documents of a corpus."""
    with store.read() as connection:
        number, characters = sources.size(connection, source_id)
    return Work(files=number, bytes=characters, seconds=characters / RATE)


def loading_work(place: Path, project_id: str) -> Work:
    """The work of loading a place; where people sign in, places that they may not read are refused.

    Raises:
        Forbidden: The person may not read the place.
    """
    check_place(place, project_id)
    return measured(place)


@job(KIND)
def load_job(context: JobContext) -> bool:
    """Loads, loads again or cuts what the job's parameters describe; uploads are deleted however it ends."""
    params = context.params
    spool = Spool(str(params["spool"])) if params.get("spool") else None
    try:
        _ACTS[str(params["act"])](context, spool)
    except Stopped:
        if spool and params.get("uploads") and not context.lost:
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
    """Deletes the leftovers of loads that ended, or that nobody resumed within a day.

    A load that was stopped before it had a worker, or whose worker was killed, could not clean up by itself.

    Returns:
        The names of the deleted folders.
    """
    spools_present = all_spools()
    owners = (
        {str(load.params.get("spool", "")): load for load in list_jobs(store) if load.kind == KIND}
        if spools_present
        else {}
    )
    stale = [spool for spool in spools_present if _stale(spool, owners.get(spool.id))]
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
    store: Store, project_id: str, act: str, request: Mapping[str, object], spool: Spool | None, *, actor: str
) -> Job:
    source_id = new_id("src")
    params = {"act": act, **request, "source_id": source_id, "spool": spool.id if spool else ""}
    return start(store, project_id=project_id, kind=KIND, params=params, actor=actor, subject=source_id)


def _load(context: JobContext, spool: Spool | None) -> None:
    params = context.params
    place: Path | None = Path(str(params["place"])) if params.get("place") else None
    location = ""
    if params.get("uploads"):
        place, location = (spool.place, spool.location) if spool else (None, "")
    if place is None:
        with context.store.read() as connection:
            if sources.exists(connection, context.job.subject):
                return  # it was stored before the worker was killed, and the uploads deleted with it
        raise InvalidInput("The uploaded files are gone: they are deleted when loading ends.", "Upload them again.")
    connect_corpus(
        context.store,
        context.job.project_id,
        place,
        actor=context.actor,
        name=str(params.get("name", "")),
        location=location,
        source_id=context.job.subject,
        journal=_journal(spool),
        progress=context.progress,
        should_stop=context.should_stop,
    )


def _reload(context: JobContext, spool: Spool | None) -> None:
    reload_corpus(
        context.store,
        str(context.params["source"]),
        actor=context.actor,
        made_id=context.job.subject,
        journal=_journal(spool),
        progress=context.progress,
        should_stop=context.should_stop,
    )


def _cut(context: JobContext, spool: Spool | None) -> None:
    params = context.params
    chunk_documents(
        context.store,
        str(params["source"]),
        actor=context.actor,
        tokens=int(str(params["tokens"])),
        overlap=int(str(params["overlap"])),
        made_id=context.job.subject,
        progress=context.progress,
        should_stop=context.should_stop,
    )


def _journal(spool: Spool | None) -> Journal | None:
    """The journal of the load; None where its folder was cleaned up meanwhile: then everything is read again."""
    return spool.journal if spool and spool.folder.is_dir() else None


_ACTS: Mapping[str, Callable[[JobContext, Spool | None], None]] = {"load": _load, "reload": _reload, "cut": _cut}
