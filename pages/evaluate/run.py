"""What does the system answer? Choose test set, target and judge, see what it will take, start, watch, stop, resume."""

import streamlit as st

from core.domain.projects import Role
from core.domain.runs import Run, RunState
from core.evaluation.service import create_run, retry_failed, start_run
from pages.ui import case_counts, errors, frame, jobs, launch, numbers, readers, replay, state, tables

page = frame.begin(__file__)


def set_up() -> None:
    """The choices, what they will take, and the button that starts; or what a run waits for."""
    page.test_set()  # An id in the link that names nothing is told over the whole width, not in a column.
    sets, targets, judges, depth = st.columns([3, 3, 3, 2])
    with sets:
        test_set = page.choose_test_set(frozen_only=True)
    if test_set is None:
        frame.empty(
            "No test set is frozen yet.",
            "A run puts every question of a frozen test set to a system and judges the answers.",
            "test_set",
            "Build a test set",
        )
        return
    questions = numbers.count(case_counts.number(page.store, test_set.id), "question")
    page.context(f"{errors.plain(test_set.name)} v{test_set.version}", questions)
    with targets:
        target = launch.choose_target(page)
    with judges:
        judge = launch.choose_judge()
    with depth:
        k = launch.choose_k(target)
    if not target:
        return
    options = {} if k is None else {"k": k}
    with errors.shown():
        plan = launch.plan(page, test_set, target, options)
        st.markdown(launch.estimate(plan))
        if page.may(Role.VALIDATOR) and st.button("Start the run", key="start_run", type="primary"):
            run = create_run(page.store, test_set.id, actor=page.actor, target=target, judge=judge, options=options)
            start_run(page.store, run.id, actor=page.actor)
            state.update(run=run.id)
            st.rerun()


def watch(run: Run) -> None:
    """The run in view: progress, figures so far, what to do next."""
    sets = {test_set.id: test_set for test_set in readers.test_sets(page.store, page.project.id)}
    st.subheader(errors.plain(frame.run_label(run, sets)), anchor=False)
    if run.job_id and run.state is not RunState.FINISHED:
        job = jobs.panel(page, run.job_id, key="run_job")
        if job is not None and job.state.active:
            return
    elif run.state is RunState.PLANNED and page.may(Role.VALIDATOR):
        st.info("This run is planned and not started.")
        if st.button("Start it", key="start_planned", type="primary"):
            with errors.shown():
                start_run(page.store, run.id, actor=page.actor)
                st.rerun()
    summary = readers.summary(page.store, run.id)
    launch.figures(summary)
    if run.state is not RunState.FINISHED:
        return
    results, diagnose, retry = st.columns([2, 2, 4])
    if results.button("Read the results", key="go_results", width="stretch"):
        state.go("results", run=run.id)
    if diagnose.button("See which module is broken", key="go_diagnose", width="stretch"):
        state.go("diagnose", run=run.id)
    if summary.failed and page.may(Role.VALIDATOR):
        label = f"Ask the {numbers.count(summary.failed, 'failed case')} again"
        if retry.button(label, key="retry_failed"):
            with errors.shown():
                retry_failed(page.store, run.id, actor=page.actor)
                st.rerun()


def history() -> None:
    """Every run of the project; a click opens it."""
    st.subheader("Runs of this project", anchor=False)
    frame_of_runs = launch.runs_frame(page)
    if frame_of_runs.empty:
        st.caption("None yet. Each run stays here with its target, its figures and its link.")
        return
    if tables.follow(frame_of_runs, key="runs_table", id_column="run", parameter="run"):
        st.rerun()


run = page.run() if state.link().run else None
going_on = run is not None and run.state is not RunState.FINISHED
if run is not None and going_on:
    watch(run)
view = state.switch(
    "Part",
    ["run", "replay"],
    "view",
    name={"run": "Run a system", "replay": "Import a recording"}.get,
    label_visibility="collapsed",
)
if view == "replay":
    replay.draw(page, page.may(Role.VALIDATOR))
else:
    set_up()
if run is not None and not going_on:
    watch(run)
history()
