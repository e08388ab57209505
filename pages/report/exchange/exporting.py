"""The export half of the exchange page: a run, the tool that needs it, and the file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import streamlit as st

from core.io.exchange.format import list_formats
from core.judges.unit_tests.gate import run_trusts, trust_marks
from core.runs.exchange.exporting import ExportedRun, export_exchange
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.report.exchange import frames

TITLES: Final = {
    file_format.spec.name: file_format.spec.title for file_format in list_formats() if file_format.pack is not None
}
SPECS: Final = {file_format.spec.name: file_format.spec for file_format in list_formats()}
FOR_TOOLS: Final = (
    "Lists stand as JSON in their cell. Texts stand as they are, for the tool: in a spreadsheet one that begins "
    "with an equals sign would run there as a formula."
)
MADE: Final = "exchange_made"


def draw(page: Page) -> None:
    """The choices, the button that prepares the file, and what stands in it."""
    run_cell, format_cell, ending_cell = st.columns([4, 3, 2])
    with run_cell:
        run = page.choose_run()
    if run is None:
        page.no_run("A run is exported with its questions, answers, passages, references, verdicts and scores.")
        return
    name = format_cell.selectbox("Format", list(TITLES), key="export_format", format_func=TITLES.__getitem__)
    ending = ending_cell.selectbox("File", SPECS[name].writes, key=f"export_ending_{name}")
    st.caption(
        f"What {errors.plain(SPECS[name].title)} has no name for goes into columns of ours; our own scores have "
        "plumbline in front of their name."
    )
    if ending in (".csv", ".tsv"):
        st.caption(FOR_TOOLS)
    choice = (run.id, name, ending)
    if st.button("Prepare the file", key="export_prepare", type="primary"):
        with errors.shown(), tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{name}-{run.id}{ending}"
            marks = trust_marks(run_trusts(page.store, run))
            exported_run = export_exchange(page.store, run.id, path, name, actor=page.actor, marks=marks)
            state.keep(MADE, (choice, exported_run, path.read_bytes()))
    prepared_file = state.note(MADE)
    if prepared_file is not None and prepared_file[0] == choice:
        _exported(prepared_file[1], prepared_file[2])


def _exported(exported_run: ExportedRun, data: bytes) -> None:
    st.download_button(
        f"Download {numbers.count(exported_run.rows, 'answer')}",
        data=data,
        file_name=exported_run.path.name,
        key="export_download",
        on_click="ignore",
        icon=":material/download:",
    )
    for what, why in exported_run.ignored.items():
        st.caption(f"Left out: {errors.plain(what)}. {errors.plain(why)}")
    tables.plain(frames.written_frame(exported_run.mapped), key="export_mapped")
