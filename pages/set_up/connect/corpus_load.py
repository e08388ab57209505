"""Loading documents on the Connect page: the forms, and the job where a person would wait too long."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core import jobs as work
from core.domain.jobs import Job, JobState
from core.domain.sources.documents import Changes
from core.domain.sources.projects import Role, Source
from core.knowledge.building import is_built
from core.sources.corpora import is_uploaded
from core.sources.corpus.measuring import measured
from core.sources.loading import KIND, clean_spools, loading_work, start_load, start_reload
from core.sources.service import connect_corpus, reload_corpus
from core.sources.spool import Spool
from core.store import sources as source_table
from core.store.database import Store
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.work import jobs
from pages.set_up.connect import formats_view


def watch(page: Page) -> bool:
    """The load in view, or one of the project that is going on; whether a worker has it."""
    current = jobs.in_view(page, KIND) or _unwatched(page)
    if current is None:
        return False
    job = jobs.panel(page, current.id, key="load_job", resumable=_resumable) or current
    if job.state is JobState.FINISHED:
        state.update(job="", document="", chunk="")
        state.say(_outcome(page, job))
        st.rerun()
    if job.state.resumable and page.may(Role.VALIDATOR):
        _leave(page, job)
    return job.state.active


def forms(page: Page) -> None:
    """A place on this machine, or files from the person's."""
    # Above the forms: a message below their buttons would begin where the window ends.
    said = st.container()
    left, right = st.columns(2, gap="large")
    with left, st.form("by_folder"):
        folder = st.text_input(
            "Folder or zip archive on this machine", key="corpus_folder", placeholder="/data/handbook"
        )
        wanted = st.form_submit_button("Load folder", key="load_folder", type="primary")
    with said:
        if wanted and folder.strip():
            _load(page, Path(folder.strip()))
        elif wanted:
            st.error("**No folder is given.**\n\nGive the path of the folder that holds the documents.")
    with right, st.form("by_files"):
        files = st.file_uploader(
            "Or files, or one zip archive of them, up to 50 MB each",
            accept_multiple_files=True,
            key=state.fresh("corpus_files"),
            help="The files are read and then deleted; only their texts are kept.",
        )
        uploaded = st.form_submit_button("Upload and load", key="load_files")
    formats_view.draw()
    with said:
        if uploaded and not files:
            st.error("**No file is chosen.**\n\nChoose one or more documents first.", icon=":material/error:")
        elif uploaded:
            _upload(page, [(file.name, file.getvalue()) for file in files])


def reload(page: Page, source: Source) -> None:
    """Loads again what was loaded from files that are still there."""
    if is_built(source):
        return
    if is_uploaded(source):
        st.caption("Uploaded files are not kept. Upload them again to load what changed: only that is read.")
        return
    if not st.button(
        "Load again",
        key="load_again",
        help="Reads the files that changed since the last load, and cuts only their documents.",
    ):
        return
    with errors.shown():
        if loading_work(Path(source.location), page.project.id).quick:
            with st.spinner("Loading the changed files"):
                again = reload_corpus(page.store, source.id, actor=page.actor)
            state.say(_again(again.changes, anew=again.source.id != source.id))
        else:
            state.update(job=start_reload(page.store, source.id, actor=page.actor).id)
        st.rerun()


def _load(page: Page, place: Path) -> None:
    with errors.shown():
        if loading_work(place, page.project.id).quick:
            with st.spinner("Loading the documents"):
                _, corpus = connect_corpus(page.store, page.project.id, place, actor=page.actor)
            state.say(_loaded(len(corpus.documents), len(corpus.skipped)))
        else:
            state.update(job=start_load(page.store, page.project.id, place, actor=page.actor).id)
        st.rerun()


def _upload(page: Page, files: list[tuple[str, bytes]]) -> None:
    """Files from a browser reach the loader through a folder that is gone afterwards."""
    with errors.shown():
        clean_spools(page.store)
        spool = Spool.holding(files)
        state.renew("corpus_files")
        name = files[0][0] if len(files) == 1 else numbers.count(len(files), "uploaded file")
        place = spool.place
        if place is not None and not measured(place).quick:
            started = start_load(page.store, page.project.id, actor=page.actor, name=name, uploads=spool)
            state.update(job=started.id)
            st.rerun()
        try:
            with st.spinner("Loading the documents"):
                _, corpus = connect_corpus(
                    page.store,
                    page.project.id,
                    place or spool.folder,
                    actor=page.actor,
                    name=name,
                    location=spool.location,
                )
        finally:
            spool.remove()
        state.say(_loaded(len(corpus.documents), len(corpus.skipped)))
        st.rerun()


def _unwatched(page: Page) -> Job | None:
    """The project's last load where it waits for a person or goes on, whoever started it."""
    job_id = _last(page.store, page.project.id)
    if not job_id:
        return None
    job = jobs.read(page, job_id)
    return job if job and (job.state.active or job.state is JobState.INTERRUPTED) else None


@cache.read("jobs")
def _last(store: Store, project_id: str) -> str:
    loads = (job.id for job in work.list_jobs(store, project_id) if job.kind == KIND)
    return next(loads, "")


def _resumable(job: Job) -> bool:
    """Whether what a worker needs is still there: uploads are deleted unless their worker was killed."""
    return not job.params.get("uploads") or job.state is JobState.INTERRUPTED


def _leave(page: Page, job: Job) -> None:
    if job.params.get("uploads") and job.state is not JobState.INTERRUPTED:
        st.caption("The uploaded files were deleted with this load. Upload them again to load them.")
    if st.button("Leave it", key="leave_load", help="Deletes what it has read. The documents stay as they are."):
        with errors.shown():
            if job.state is JobState.INTERRUPTED:
                work.stop(page.store, job.id, page.actor)
            if spool := str(job.params.get("spool", "")):
                Spool(spool).remove()
            state.update(job="")
            st.rerun()


def _outcome(page: Page, job: Job) -> str:
    """What a finished job did, as the store tells."""
    act = job.params.get("act")
    with page.store.read() as connection:
        if not source_table.exists(connection, job.subject):
            source_id = str(job.params.get("source", ""))
            return _again(Changes(unchanged=source_table.count_documents(connection, source_id)), anew=False)
        if act == "reload":
            return _again(source_table.changes(connection, str(job.params["source"]), job.subject), anew=True)
        number = source_table.count_documents(connection, job.subject)
        left_out = len(source_table.skipped(connection, job.subject))
    return cut_anew(number) if act == "cut" else _loaded(number, left_out)


def cut_anew(documents: int) -> str:
    """What is told when documents were cut in another way."""
    return (
        f"Cut {numbers.count(documents, 'document')} again. Existing topics and questions come from the old chunks: "
        f"find the topics again."
    )


def _loaded(documents: int, skipped: int) -> str:
    left_out = f", {numbers.count(skipped, 'file')} left out" if skipped else ""
    return f"Loaded {numbers.count(documents, 'document')}{left_out}."


def _again(changes: Changes, *, anew: bool) -> str:
    if not anew:
        return f"Nothing changed: {numbers.count(changes.unchanged, 'document')} as before."
    counted = (("added", changes.added), ("changed", changes.changed), ("removed", changes.removed))
    parts = [f"{len(ids):,} {what}" for what, ids in counted if ids]
    return f"Loaded again: {', '.join(parts) or 'no text changed'}."
