"""The import half of the Run page: GRAMMAR's recorded runs, with their verdicts as they were recorded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.domain.errors import InvalidInput
from core.domain.results.runs import Run
from core.runs.exchange.recordings import import_recording
from pages.kit import errors, state, uploads
from pages.kit.frame import Page


def draw(page: Page, may_write: bool) -> None:
    """The files, the name, and the button that imports."""
    st.markdown(
        "Recorded runs in GRAMMAR's format become a frozen test set and a finished run; verdicts stay as recorded, and "
        "Results and Diagnose read them like any other run."
    )
    if not may_write:
        st.info("Your role may read this project but not import runs.")
        return
    left, right = st.columns(2, gap="large")
    with left:
        results = st.file_uploader(
            "eval_results, one file per form",
            type=["json"],
            accept_multiple_files=True,
            key=state.fresh("replay_results"),
            help="results_short.json, results_long.json: the form is read from the name.",
        )
        name = st.text_input("Name", value="Recording", key="replay_name", max_chars=80)
    with right:
        matches = st.file_uploader(
            "SemanticsMatch, one file per form, where rows have no judgement",
            type=["json"],
            accept_multiple_files=True,
            key=state.fresh("replay_verdicts"),
            help="short.json, long.json: matched to the results by form.",
        )
        documents = st.file_uploader(
            "documents.json, to tell ids without a document", type=["json"], key=state.fresh("replay_documents")
        )
    if st.button("Import recording", key="replay", type="primary", disabled=not results or not name.strip()):
        with errors.shown():
            run = _import(page, results, matches, documents, name.strip())
            for uploader in ("replay_results", "replay_verdicts", "replay_documents"):
                state.renew(uploader)
            state.say("The recording is imported as a finished run.")
            state.go("diagnose", run=run.id)


def _import(
    page: Page,
    results: Sequence[UploadedFile],
    matches: Sequence[UploadedFile],
    documents: UploadedFile | None,
    name: str,
) -> Run:
    """Lays the uploads out as GRAMMAR does, so that the reader finds what belongs together by itself."""
    with uploads.folder() as root:
        files = [_put(root / "eval_results", upload) for upload in results]
        if len(set(files)) < len(files):
            raise InvalidInput("Two of the files have the same name.", "Give one file for each form.")
        for upload in matches:
            _put(root / "SemanticsMatch", upload)
        if documents is not None:
            (root / "documents.json").write_bytes(documents.getvalue())
        return import_recording(page.store, page.project.id, files, actor=page.actor, name=name)


def _put(folder: Path, upload: UploadedFile) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / PurePath(upload.name).name
    path.write_bytes(upload.getvalue())
    return path
