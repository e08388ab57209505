"""Labels as files: all of a run out, and those of other tools in."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import streamlit as st

from core.domain.errors import InvalidInput
from core.domain.results.labels import Criterion
from core.domain.results.runs import Run
from core.io.labels import ONE_CRITERION
from core.labelling.files import export_labels, import_labels
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers

ENDINGS: Final = ("csv", "jsonl", "json", "tsv", "parquet")


def draw(page: Page, run: Run, criteria: Sequence[Criterion], *, has_labels: bool) -> None:
    """Draws the export of the run's labels and the form that imports some."""
    with st.expander("Labels as a file", icon=":material/swap_vert:", key="label_files"):
        if has_labels:
            _export(page, run)
        _import(page, run, criteria)


def _export(page: Page, run: Run) -> None:
    st.caption("Every label with round, rater, comment, evidence, time and the chance of its case to be drawn.")
    if st.button("Prepare the file", key="labels_prepare"):
        with errors.shown(), tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "labels.csv"
            n = export_labels(page.store, run.id, path, actor=page.actor)
            st.download_button(
                f"Download {numbers.count(n, 'label')}",
                data=path.read_bytes(),
                file_name=f"labels-{run.id}.csv",
                mime="text/csv",
                key="labels_download",
                on_click="ignore",
                icon=":material/download:",
            )


def _import(page: Page, run: Run, criteria: Sequence[Criterion]) -> None:
    with st.form("labels_import", border=False):
        upload = st.file_uploader(
            "Labels from elsewhere",
            type=list(ENDINGS),
            key=state.fresh("labels_upload"),
            help="A file of ours, rows with case_id, criterion, rater and value, one row a case with a column for each "
            "rater (rater_1, annotator_a, human_label_2), or InspectorRAGet's JSON.",
        )
        names = [criterion.name for criterion in criteria]
        criterion = st.selectbox(
            "Criterion of the labels, where the file has no column for it",
            names,
            key="import_criterion",
            disabled=not names,
            placeholder="The project has no criteria yet",
        )
        name = st.text_input("Name of the round", key="import_name", max_chars=150, placeholder="Pilot study")
        at_random = st.checkbox(
            "The cases are a random sample of the run",
            key="import_random",
            help="Only then promises can be made and checked on them. A file of ours says that itself.",
        )
        submitted = st.form_submit_button("Import labels", key="import_save")
    if not submitted:
        return
    if upload is None:
        st.warning("Choose a file first.")
        return
    with errors.shown(), tempfile.TemporaryDirectory() as folder:
        ending = Path(upload.name).suffix.lower().removeprefix(".")
        path = Path(folder) / f"labels.{ending if ending in ENDINGS else ENDINGS[0]}"
        path.write_bytes(upload.getvalue())
        try:
            label_rounds = import_labels(
                page.store,
                run.id,
                path,
                name=name or upload.name,
                actor=page.actor,
                at_random=at_random,
                criterion=criterion or ONE_CRITERION,
            )
        except InvalidInput as error:
            # The person knows the file by the name it has on their own machine.
            raise InvalidInput(error.message.replace(str(path), upload.name), error.hint) from error
        state.renew("labels_upload")
        state.say(f"{numbers.count(len(label_rounds), 'round')} imported.")
        st.rerun()
