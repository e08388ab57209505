"""Where does this validation stand? What the project has, the next step, the figures of the latest run."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.domain.estimates import Proportion
from core.domain.results.runs import Run, RunState
from core.domain.sources.projects import SourceKind
from core.project.service import create_project
from pages.kit import errors, frame, navigation, project_reads, run_names, state, workflow
from pages.kit.frame import Page
from pages.kit.look import charts, numbers

WHAT = (
    "Plumbline asks a RAG system questions whose answers a database proves, and shows which module caused each wrong "
    "answer: the knowledge, the retrieval or the language model."
)


def first_project(page: Page) -> None:
    st.markdown("A project holds one validation: its database, its documents, its test sets and its runs.")
    project_form(page, primary=True)


def project_form(page: Page, *, primary: bool) -> None:
    with st.form("new_project"):
        name = st.text_input("Name of the project", key="project_name", max_chars=100, placeholder="Loans assistant")
        about = st.text_input("What is validated (optional)", key="project_about", max_chars=300)
        submitted = st.form_submit_button(
            "Create project", key="create_project", type="primary" if primary else "secondary"
        )
    if submitted:
        with errors.shown():
            project = create_project(page.store, name, page.actor, description=about)
            state.say(f"Project {errors.plain(project.name)} is created. Connect its database next.")
            state.go("connect", project=project.id)


def next_step(page: Page) -> None:
    steps = workflow.steps(page.store, page.project.id)
    key = workflow.upcoming(steps)
    with st.container(border=True, key="next_step"):
        what, button = st.columns([5, 2], vertical_alignment="center")
        what.markdown(f"**Next: {steps[key].action.lower()}.** {navigation.spec(key).about}")
        if button.button(steps[key].action, key="do_next", type="primary", width="stretch"):
            state.go(key)


def latest_run(page: Page, run: Run) -> None:
    sets = {test_set.id: test_set for test_set in project_reads.test_sets(page.store, page.project.id)}
    st.subheader("Latest run", anchor=False)
    st.caption(errors.plain(run_names.run_label(run, sets)))
    summary = project_reads.summary(page.store, run.id)
    groups, by_form, pending = project_reads.attribution(page.store, run.id)
    headline(summary.accuracy, summary.cases, groups, key="run")
    rows = {f"{form.capitalize()} questions" if form else "Questions": counts for form, counts in by_form.items()}
    charts.show(
        charts.stacked(rows, title=charts.uncertain(pending) if pending else charts.finding(by_form)),
        key="attribution",
        data=pd.DataFrame([{"form": form, **counts} for form, counts in by_form.items()]),
        name=f"attribution-{run.id}",
    )
    if pending:
        st.caption(
            f"The documents are still to be searched for the facts of {numbers.count(pending, 'wrong answer')}: the "
            "modules may change. The Diagnose page shows how far the search is."
        )
    if st.button("Read the answers", key="open_results"):
        state.go("results", run=run.id)


def headline(accuracy: Proportion, cases: int, groups: Mapping[str, int], *, key: str) -> None:
    tagged = sum(groups.get(tag, 0) for tag in ("robust", "non_robust", "gap"))
    cells = st.columns(4)
    charts.metric(
        cells[0],
        "Accuracy",
        numbers.share(accuracy.value),
        f"{numbers.interval(accuracy.low, accuracy.high)} · {numbers.of(accuracy)}",
        help=f"Correct of judged answers. {numbers.full(accuracy)}",
        key=f"{key}_accuracy",
    )
    for cell, tag, label, meaning in (
        (cells[1], "robust", "Robust groups", "Every wording of the question is answered right."),
        (cells[2], "non_robust", "Non-robust groups", "Some wordings are answered right, others wrong."),
        (cells[3], "gap", "Gap groups", "No wording of the question is answered right."),
    ):
        charts.metric(
            cell, label, numbers.count(groups.get(tag, 0)), f"of {tagged:,} groups", help=meaning, key=f"{key}_{tag}"
        )
    if cases > accuracy.den:
        st.caption(
            f"{numbers.count(cases - accuracy.den, 'answer')} of {cases:,} could not be judged; none counts as wrong."
        )


def contents(page: Page) -> None:
    has = project_reads.progress(page.store, page.project.id)
    database = project_reads.source(page.store, page.project.id, SourceKind.DATABASE)
    corpus = project_reads.source(page.store, page.project.id, SourceKind.CORPUS)
    st.subheader("What this project has", anchor=False)
    cells = st.columns(4)
    rows = sum(table.rows for table in database.schema.tables) if database and database.schema else 0
    card(
        cells[0],
        "connect",
        "Database",
        numbers.count(has.tables, "table") if database else "",
        f"{errors.plain(database.name)}, {numbers.count(rows, 'row')}"
        if database
        else "The truth answers are checked against.",
    )
    card(
        cells[1],
        "connect",
        "Documents",
        numbers.count(has.documents, "document") if corpus else "",
        errors.plain(corpus.name) if corpus else "What the system under test reads.",
        view="documents",
    )
    card(
        cells[2],
        "templates",
        "Templates",
        f"{has.sql_approved} approved" if has.sql else "",
        f"of {has.sql} SQL templates; {numbers.count(has.texts_approved, 'wording')}"
        if has.sql
        else "Questions before their values.",
    )
    card(
        cells[3],
        "test_set",
        "Test sets",
        f"{has.frozen} frozen" if has.frozen or has.drafts else "",
        f"{has.drafts} in draft; {numbers.count(has.finished, 'finished run')}"
        if has.frozen or has.drafts
        else "The questions that will be asked.",
    )


def card(cell: DeltaGenerator, key: str, label: str, value: str, note: str, **parameters: str) -> None:
    with cell.container(border=True, height="stretch", gap="xsmall"):
        st.caption(label)
        st.markdown(f"**{value or 'None yet'}**  \n:small[:gray[{note}]]")
        spec = navigation.spec(key)
        st.page_link(str(spec.path), label=f"Open {spec.title}", query_params=state.query(**parameters))


page = frame.begin(__file__, needs_project=False)
st.markdown(WHAT)
if page.chosen is None:
    first_project(page)
else:
    finished = [
        run for run in project_reads.runs_on_cases(page.store, page.project.id) if run.state is RunState.FINISHED
    ]
    page.context(errors.plain(page.project.description), f"created {numbers.when(page.project.created_at)}")
    next_step(page)
    if finished:
        latest_run(page, finished[0])
    contents(page)
    with st.popover("New project", icon=":material/add:"):
        project_form(page, primary=False)
