"""What the page draws: page one, the files, the commentary, the snapshots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.results.runs import Run
from core.domain.sources.projects import Role
from core.domain.testset.cases import TestSet
from core.report.cases import case_rows
from core.report.collect.earlier import earlier_runs
from core.report.collecting import ReportOptions
from core.report.content import Block, Facts, Heading, Listing, Paragraph, ReportContent, Section, Table, Tone
from core.report.files import report_bytes
from core.report.job import AT_ONCE, KIND, start_freezing
from core.report.outline import OPTIONAL, SECTIONS, TITLES
from core.report.render.pdf import can_print
from core.report.snapshots import comment, freeze, since_text
from core.report.words import cell_text
from core.store.reports import Snapshot
from pages.kit import errors, run_names, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.work import jobs
from pages.report.report import reads

FILES: Final = {
    ".html": ("HTML", "One file that opens without a network, with charts that answer.", "text/html"),
    ".pdf": ("PDF", "Printed on the server, with page numbers.", "application/pdf"),
    ".docx": (
        "DOCX",
        "To go on writing in.",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
    ".json": ("JSON", "Every number with its interval and n, for programs.", "application/json"),
    ".xlsx": (
        "XLSX",
        "Figures and findings, and one row for each case.",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
}
NO_PRINTER: Final = (
    "The server has neither Chromium, Chrome or Edge nor WeasyPrint: open the HTML file and print it from your browser."
)
NO_CASES: Final = "This snapshot was frozen by a version that did not keep the cases with it; its run still has them."


def left_out() -> tuple[str, ...]:
    """The sections that are switched off."""
    chosen = state.several(
        "Sections to leave out", list(OPTIONAL), "off", name=lambda key: TITLES[key], most=len(OPTIONAL)
    )
    return tuple(chosen)


def compared_with(run: Run, newest_first: Sequence[Run], sets: dict[str, TestSet]) -> str:
    """The earlier run that a person chose to compare with; empty for the newest one before the run."""
    before = {one.id: one for one in earlier_runs(run, newest_first)}
    newest = next(iter(before), "")
    return state.choose(
        "Compared with",
        list(before)[1:],
        "a",
        every=run_names.run_label(before[newest], sets) if newest else "No earlier run of these questions",
        name=lambda run_id: run_names.run_label(before[run_id], sets),
        help="The section on changes compares the run with an earlier finished run of the same test set and judge.",
    )


def page_one(content: ReportContent) -> None:
    """The summary, as it is on page one."""
    with st.container(border=True, key="page_one"):
        st.subheader(errors.plain(content.title), anchor=False)
        for block in content.summary.blocks:
            _block(block)
        for said in content.summary.commentary:
            st.markdown("\n".join(f"> {errors.plain(line)}  " for line in said.text.splitlines()))
            st.caption(f"Commentary by {errors.plain(said.by)}, {numbers.when(said.at)}")


def files(page: Page, content: ReportContent, *, snapshot: str = "") -> None:
    """Buttons that download the report; each file is made when it is asked for."""
    stem = f"report-{snapshot or content.run_id}"
    why_not = _not_written(content, snapshot)
    for place, (ending, (label, about, mime)) in zip(st.columns(len(FILES)), FILES.items(), strict=True):
        with place:
            st.download_button(
                label,
                data=lambda ending=ending: _bytes(page, content, ending, snapshot),  # type: ignore[misc]
                file_name=f"{stem}{ending}",
                mime=mime,
                key=f"download_{ending[1:]}",
                on_click="ignore",
                icon=":material/download:",
                width="stretch",
                disabled=ending in why_not,
                help=why_not.get(ending, about),
            )


def _not_written(content: ReportContent, snapshot: str) -> dict[str, str]:
    """The files that cannot be made here, with the reason."""
    reasons = {} if can_print() else {".pdf": NO_PRINTER}
    if snapshot and content.cases is None:
        reasons[".xlsx"] = NO_CASES
    return reasons


def _bytes(page: Page, content: ReportContent, ending: str, snapshot: str) -> bytes:
    return report_bytes(content, ending, lambda: case_rows(page.store, content.run_id), snapshot=snapshot)


def freezing(page: Page, run: Run, cases: int, options: ReportOptions) -> None:
    """The button that freezes the report, or the worker that is at it."""
    shown = jobs.in_view(page, KIND)
    if shown is not None and (shown.state.active or shown.state.resumable):
        jobs.panel(page, shown.id, key="report_job")
    if not page.may(Role.VALIDATOR):
        return
    with st.form("freeze", border=False):
        title_at, button_at = st.columns([3, 1], vertical_alignment="bottom")
        title = title_at.text_input(
            "Name of the snapshot", key="snapshot_title", placeholder="Review of 30 November", max_chars=200
        )
        pressed = button_at.form_submit_button(
            "Freeze snapshot", key="freeze_snapshot", type="primary", width="stretch"
        )
    if pressed:
        with errors.shown():
            if cases > AT_ONCE:
                started = start_freezing(page.store, run.id, options, title=title, actor=page.actor)
                state.update(job=started.id)
            else:
                with st.spinner("Freezing the report"):
                    made = freeze(page.store, run.id, options, title=title, actor=page.actor)
                state.say(f"Frozen as {made.id}. Its link shows these numbers for good.")
                state.update(snapshot=made.id)
            st.rerun()


def commentary(page: Page, run: Run) -> None:
    """What people write about the sections; it is shown in the report with name and time."""
    written = reads.comments(page.store, run.id)
    with st.expander(f"Commentary ({len(written):,})", key="commentary"):
        keys = [section.key for section in SECTIONS]
        names = {key: f"{TITLES[key]}{' (written)' if key in written else ''}" for key in keys}
        section = st.selectbox("Section", keys, key="comment_section", format_func=names.__getitem__)
        there = written.get(section)
        if there is not None:
            st.caption(f"By {errors.plain(there.by)}, {numbers.when(there.at)}")
        text = st.text_area(
            "Commentary",
            value=there.text if there else "",
            key=f"comment_text_{section}",
            height=140,
            disabled=not page.may(Role.VALIDATOR),
            help="Stands in the report under the section, with your name and the time. Earlier versions are kept.",
        )
        if page.may(Role.VALIDATOR) and st.button("Save commentary", key="save_comment"):
            with errors.shown():
                comment(page.store, run.id, section, text, actor=page.actor)
                state.say(f"Commentary on {TITLES[section]} saved.")
                st.rerun()


def snapshot_line(page: Page, snapshot: Snapshot) -> None:
    """What is frozen, and what came since."""
    came = since_text(reads.changes(page.store, snapshot))
    called = f" ({errors.plain(snapshot.title)})" if snapshot.title else ""
    st.info(
        f"**Snapshot {snapshot.id}{called}**, frozen {numbers.when(snapshot.created_at)} by "
        f"{errors.plain(snapshot.created_by)}. Since then: {came}.  \nSHA-256 of its JSON file: `{snapshot.sha256}`",
        icon=":material/ac_unit:",
    )
    if st.button("Show the report as it is now", key="show_now"):
        state.update(snapshot="", run=snapshot.run_id)
        st.rerun()


def listing(page: Page) -> None:
    """The snapshots with what came since."""
    there = reads.listed(page.store, page.project.id)
    st.subheader("Snapshots", anchor=False)
    if not there:
        st.caption("None yet. A snapshot keeps the report as it is now; a link to it shows these numbers for good.")
        return
    frame = pd.DataFrame(
        [
            {
                "id": snapshot.id,
                "Frozen": numbers.when(snapshot.created_at),
                "Name": snapshot.title or snapshot.id,
                "Run": snapshot.run_id,
                "By": snapshot.created_by,
                "Since then": since_text(reads.changes(page.store, snapshot)),
            }
            for snapshot in there
        ]
    )
    tables.follow(frame, key="snapshots", id_column="id", parameter="snapshot")


def outline(content: ReportContent) -> None:
    """What the file holds, by section."""
    with st.expander(f"Sections of this report ({len(content.sections)})", key="sections"):
        rows = [
            {
                "": section.number,
                "Section": section.title,
                "Tables and figures": sum(hasattr(block, "number") for block in section.blocks),
                "Says that something is missing": _missing(section),
            }
            for section in content.sections
        ]
        tables.plain(pd.DataFrame(rows), key="section_table")


def _missing(section: Section) -> str:
    said = [block.text for block in section.blocks if isinstance(block, Paragraph) and block.tone is Tone.MISSING]
    return " ".join(said)


def _block(block: Block) -> None:
    if isinstance(block, Heading):
        st.markdown(f"**{errors.plain(block.text)}**")
    elif isinstance(block, Paragraph):
        show = {Tone.GOOD: st.success, Tone.WARNING: st.warning, Tone.MISSING: st.info}.get(block.tone, st.markdown)
        show(errors.plain(block.text))
    elif isinstance(block, Listing):
        st.markdown("\n".join(f"- {errors.plain(point)}" for point in block.points))
    elif isinstance(block, Facts):
        st.markdown(
            "  \n".join(f"{errors.plain(fact.name)}: {errors.plain(cell_text(fact.cell))}" for fact in block.facts)
        )
    elif isinstance(block, Table):
        st.caption(errors.plain(block.title))
        tables.wrapped(pd.DataFrame([map(cell_text, row) for row in block.rows], columns=list(block.columns)))
