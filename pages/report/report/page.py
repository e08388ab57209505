"""What goes into the review, and which file stays? The report of a run, its snapshots, its files."""

import streamlit as st

from core.domain.errors import PlumblineError
from core.domain.results.runs import RunState
from core.report.collecting import ReportOptions
from core.report.job import AT_ONCE
from core.runs.summary import summarise
from pages.kit import errors, frame, project_reads, run_names, state
from pages.kit.look import numbers
from pages.report.report import reads, view

page = frame.begin(__file__)
if page.link.snapshot:
    try:
        snapshot, content = reads.frozen(page.store, page.link.snapshot)
    except PlumblineError as error:
        frame.stop_with(error)
    if snapshot.project_id != page.project.id:
        st.error(f"Snapshot {snapshot.id} is of another project. Open its own link, or choose its project.")
        st.stop()
    page.context(f"snapshot {snapshot.id}", f"run {snapshot.run_id}", content.date)
    view.snapshot_line(page, snapshot)
    view.files(page, content, snapshot=snapshot.id)
    view.page_one(content)
    view.outline(content)
    view.listing(page)
    st.stop()

sets = {test_set.id: test_set for test_set in project_reads.test_sets(page.store, page.project.id)}
finished = {
    run.id: run for run in project_reads.runs_on_cases(page.store, page.project.id) if run.state is RunState.FINISHED
}
if not finished:
    frame.empty(
        "There is no finished run.",
        "The report gathers what is known of a run: its sample, its estimates with intervals, labels, diagnosis, "
        "robustness, safety, findings and limitations.",
        "run",
        "Run the test set",
    )
    st.stop()
current = page.run()
newest = current.id if current is not None and current.id in finished else next(iter(finished))
run_at, against_at, off_at = st.columns(3)
with run_at:
    run = finished[
        state.choose(
            "Run",
            list(finished),
            "run",
            default=newest,
            name=lambda run_id: run_names.run_label(finished[run_id], sets),
            pinned=True,
        )
    ]
with against_at:
    against = view.compared_with(run, project_reads.runs(page.store, page.project.id), sets)
with off_at:
    off = view.left_out()
cases = summarise(page.store, run.id).cases
page.context(f"run {run.id}", numbers.count(cases, "case"))
options = ReportOptions(calibration_id=page.link.calibration, against=against, off=frozenset(off))
view.freezing(page, run, cases, options)
if cases > AT_ONCE:
    st.info(
        f"A run of {numbers.count(cases, 'case')} takes a worker: freeze a snapshot and open it below.",
        icon=":material/hourglass_top:",
    )
else:
    try:
        with st.spinner("Gathering the report"):
            now = reads.content(page.store, page.project.id, run.id, options)
    except PlumblineError as error:
        errors.show(error)
        st.stop()
    # A copied link shows the same figures after a later calibration.
    state.update(calibration=now.calibration_id)
    view.files(page, now)
    view.page_one(now)
    view.outline(now)
view.commentary(page, run)
view.listing(page)
