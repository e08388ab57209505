"""What does the system answer? Choose test set, target and judge, see what it will take, start, watch, stop, resume."""

import streamlit as st

from core.domain.results.runs import RunState
from core.domain.sources.projects import Role
from core.domain.testset.cases import TestSet
from core.runs.service import create_run, start_run
from pages.evaluate.run import launch, replay, target_form, watch
from pages.kit import errors, frame, state
from pages.kit.look import numbers, tables
from pages.kit.models import judge as run_judge
from pages.kit.testset import case_counts, gold_fit
from pages.kit.work import live

page = frame.begin(__file__)
standing = live.standing(page)


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
    questions = case_counts.number(page.store, test_set.id)
    page.context(f"{errors.plain(test_set.name)} v{test_set.version}", numbers.count(questions, "question"))
    with targets:
        kind = target_form.choose_kind(page)
    with judges:
        judging = run_judge.choose_kind()
    with depth:
        k = launch.choose_k(kind)
    target = target_form.details(page, kind, test_set, k)
    judge = run_judge.details(page, judging)
    if target is not None and judge is not None:
        start(test_set, target, judge)


def start(test_set: TestSet, target: target_form.ChosenTarget, judge: run_judge.ChosenJudge) -> None:
    """What else is scored, what the run will take, its budget, and the button."""
    scores = launch.choose_metrics(page, test_set, judge.spec, f"{target.kind.name}:{target.argument}")
    options = {**target.options, **judge.options, **scores}
    with errors.shown():
        options |= launch.choose_budget(page, test_set, target, judge, options, scored=bool(scores))
        fits = gold_fit.confirmed(page, test_set, action="Run it")
        if page.may(Role.VALIDATOR) and st.button("Start the run", key="start_run", type="primary", disabled=not fits):
            if not target.answers(page, test_set):
                return
            spec = target.spec(page)
            run = create_run(page.store, test_set.id, actor=page.actor, target=spec, judge=judge.spec, options=options)
            start_run(page.store, run.id, actor=page.actor)
            state.update(run=run.id)
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
    watch.draw(page, run)
view = state.switch(
    "Part",
    ["run", "replay"],
    "view",
    name={"run": "Run a system", "replay": "Import a recording"}.__getitem__,
    label_visibility="collapsed",
)
if view == "replay":
    replay.draw(page, page.may(Role.VALIDATOR))
else:
    set_up()
if run is not None and not going_on:
    watch.draw(page, run)
history()
live.follow_runs(page, standing)
