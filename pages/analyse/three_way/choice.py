"""What the three-way page looks at: a stored experiment, three runs chosen by hand, or a new one that is started."""

from __future__ import annotations

import streamlit as st

from core.diagnosis.service.three_way import Experiment, go_on, of_runs, start_experiment, targets_with_modes, waiting
from core.diagnosis.three_way import Mode
from core.domain.results.runs import RunState
from core.domain.sources.projects import Role, SourceKind
from pages.kit import errors, frame, project_reads, run_names, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.models import cost, form
from pages.kit.models import judge as run_judge
from pages.kit.testset.three_way import MODES, found_experiments, label
from pages.kit.work import jobs

VIEWS = {"experiment": "Experiments", "runs": "Runs you choose", "start": "Start an experiment"}


def view() -> str:
    """Which part is open."""
    return state.switch("Part", list(VIEWS), "view", name=VIEWS.__getitem__, label_visibility="collapsed")


def experiment(page: Page) -> Experiment | None:
    """The experiment in view, or an empty state that leads to the form."""
    items = {_anchor(item): item for item in found_experiments(page.store, page.project.id)}
    if not items:
        with st.container(border=True, key="empty_state"):
            st.markdown(
                "**No experiment yet.**  \nAn experiment puts one test set to a model three times: without documents, "
                "with the gold documents, and with what it retrieves. The three verdicts of a case tell knowledge, "
                "reading and retrieval apart."
            )
            if st.button("Start an experiment", key="go_start", type="primary"):
                state.update(view="start")
                st.rerun()
        return None
    sets = {test_set.id: test_set for test_set in project_reads.test_sets(page.store, page.project.id)}
    linked = next((key for key, item in items.items() if state.link().run in _run_ids(item)), next(iter(items)))
    selected = state.choose(
        "Experiment", list(items), "run", default=linked, name=lambda key: label(items[key], sets), pinned=True
    )
    return items[selected]


def by_hand(page: Page) -> tuple[Experiment | None, str, str]:
    """Three stored runs as an experiment; else the oracle run and the live run for the reading check alone.

    Returns:
        The experiment, or None, with the ids of the oracle and of the live run, "" where none is chosen.
    """
    sets = {test_set.id: test_set for test_set in project_reads.test_sets(page.store, page.project.id)}
    runs = {run.id: run for run in project_reads.runs(page.store, page.project.id) if run.state is RunState.FINISHED}
    if not runs:
        frame.empty(
            "No finished run yet.",
            "Recordings of your own system can be compared here: one without documents, one with the gold documents "
            "as its context, and one as it works.",
            "run",
            "Run or import a recording",
        )
        return None, "", ""
    st.caption("Recordings of any system: choose the run without documents, the one with gold documents, the live one.")
    # Recordings of one system made within a minute would else have one name.
    names = {run_id: f"{run_names.run_label(run, sets)} ({run_id[-4:]})" for run_id, run in runs.items()}
    cells = st.columns(3)
    with cells[0]:
        closed = state.choose(MODES[Mode.CLOSED_BOOK], list(runs), "a", every="None", name=names.__getitem__)
    with cells[1]:
        oracle = state.choose(MODES[Mode.ORACLE], list(runs), "b", every="None", name=names.__getitem__)
    with cells[2]:
        live = state.choose(MODES[Mode.RETRIEVAL], list(runs), "run", every="None", name=names.__getitem__)
    own_experiment = None
    if closed and oracle and live:
        with errors.shown():
            own_experiment = of_runs(page.store, closed, oracle, live)
    elif not oracle:
        st.info("Choose at least the run with the gold documents: the reading check of the data needs no other.")
    return own_experiment, oracle, live


def start_form(page: Page) -> None:
    """The model, the test set, and the button that starts three runs."""
    if not page.may(Role.VALIDATOR):
        st.info("Your role may read this project but not start runs.")
        return
    test_set = page.choose_test_set(frozen_only=True)
    if test_set is None:
        frame.empty(
            "No test set is frozen yet.",
            "An experiment asks every question of a frozen test set three times.",
            "test_set",
            "Build a test set",
        )
        return
    able = targets_with_modes()
    if not able:
        st.info("No kind of target here can be asked in all three ways.")
        return
    if project_reads.source(page.store, page.project.id, SourceKind.CORPUS) is None:
        st.warning(
            "The project has no documents, so nothing can be retrieved and no gold document given. Load them on the "
            "Connect page, or build them there from the database."
        )
    with st.container(border=True, key="three_way_form"):
        st.markdown("**The model that is asked**")
        model = form.choose_model(page, "three_way")
        k = st.number_input("Retrieved (k)", min_value=1, max_value=20, value=3, key="three_k", width=220)
    judge = run_judge.details(page, run_judge.choose_kind())
    if not model or judge is None:
        return
    target = f"{able[0]}:{model}"
    run_judge.warn_of_same_family(page, judge.spec, target)
    options = {"k": int(k), **judge.options}
    with errors.shown():
        _plans(page, test_set.id, target, judge.spec, options)
        with st.expander("Budget of each run", key="three_budget"):
            limits = run_judge.budget("three")
        if st.button("Start the experiment", key="start_experiment", type="primary"):
            started = start_experiment(
                page.store,
                test_set.id,
                actor=page.actor,
                target=target,
                judge=judge.spec,
                options={**options, **{name: limit for name, limit in limits.items() if limit is not None}},
            )
            state.update(view="experiment", run=_anchor(started))
            st.rerun()


def _plans(page: Page, test_set_id: str, target: str, judge: str, options: dict[str, object]) -> None:
    """What each of the three runs will take."""
    plans = {mode: cost.plan(page, test_set_id, target, judge, {**options, "mode": str(mode)}) for mode in Mode}
    st.markdown("\n".join(f"- **{MODES[mode]}**: {cost.summary(plan)}" for mode, plan in plans.items()))
    st.caption(
        "What was asked before is not asked again and costs nothing. The gold documents and the retrieved ones are "
        "sent to the model."
    )


def progress(page: Page, chosen: Experiment) -> None:
    """The three jobs side by side, and how to go on with what waits."""
    for mode, cell in zip(Mode, st.columns(3, gap="medium"), strict=True):
        run = chosen.runs.get(mode)
        with cell:
            st.markdown(f"**{MODES[mode]}**")
            if run is None:
                st.caption("No run. Start a new experiment.")
            elif run.state is RunState.FINISHED:
                st.caption(f"Finished {numbers.when(run.finished_at)}")
            elif run.job_id:
                jobs.panel(page, run.job_id, key=f"job_{mode}")
            else:
                st.caption("Planned and not started.")
    may_go_on = page.may(Role.VALIDATOR) and waiting(page.store, chosen)
    if may_go_on and st.button("Resume the waiting runs", key="go_on", type="primary"):
        with errors.shown():
            go_on(page.store, chosen, actor=page.actor)
            st.rerun()


def _anchor(item: Experiment) -> str:
    """The run that stands for an experiment in the URL."""
    return (item.runs.get(Mode.RETRIEVAL) or next(iter(item.runs.values()))).id


def _run_ids(item: Experiment) -> set[str]:
    return {run.id for run in item.runs.values()}
