"""The state of a project at a glance: the next step, four figures, what the test set covers, a run."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.domain.results.acceptance import CriterionVerdict
from core.domain.results.runs import Run, RunState
from core.domain.sources.projects import SourceKind
from core.testset.coverage import Part
from core.testset.variants.service import newest_original
from pages.kit import errors, navigation, project_reads, run_names, state, workflow
from pages.kit.frame import Page
from pages.kit.look import charts, headline, numbers
from pages.kit.look.headline import Figure
from pages.set_up.overview import reads


def choose_run(page: Page) -> Run | None:
    """The finished run whose figures are shown; None where there is none.

    Unasked it is the newest of a connected system, and a later one takes its place; a choice stands in the link.
    """
    finished = {run.id: run for run in project_reads.finished_runs(page.store, page.project.id)}
    if len(finished) < 2:
        return next(iter(finished.values()), None)
    sets = {test_set.id: test_set for test_set in project_reads.test_sets(page.store, page.project.id)}
    chosen = state.choose(
        "Run",
        list(finished),
        "run",
        name=lambda run_id: run_names.run_label(finished[run_id], sets),
        help="The newest run of a connected system is shown where nobody chose one; a choice stands in the link.",
    )
    if state.link().run == chosen:
        state.remember(run=chosen)
    return finished[chosen]


def next_step(page: Page) -> None:
    """What comes next, with its button, and how many of the steps are done."""
    steps = workflow.steps(page.store, page.project.id)
    key = workflow.upcoming(steps)
    path = workflow.path(steps)
    reached = sum(one.mark is workflow.Mark.DONE for one in path)
    with st.container(border=True, key="next_step"):
        what, button = st.columns([5, 3], vertical_alignment="center")
        what.markdown(step_words(steps[key].action, navigation.spec(key).about, reached, len(path)))
        if button.button(steps[key].action, key="do_next", type="primary", width="stretch"):
            state.go(key)


def step_words(action: str, about: str, reached: int, of: int) -> str:
    r"""The next step, what its page is about and how many steps are done; without a next one where all are.

    >>> step_words("Run the test set", "Asks the questions.", 4, 9)
    '**Next: run the test set.** Asks the questions.  \n:small[:gray[4 of 9 steps are done.]]'
    >>> step_words("See which module is broken", "Where errors come from.", 9, 9)
    '**All 9 steps are done.** See which module is broken: where errors come from.'
    """
    if reached == of:
        return f"**All {of} steps are done.** {action}: {about[:1].lower()}{about[1:]}"
    return f"**Next: {action.lower()}.** {about}  \n:small[:gray[{reached} of {of} steps are done.]]"


def draw(page: Page, run: Run | None) -> None:
    """All of it; `run` is the one in view."""
    next_step(page)
    _before_the_run(page)
    _under_way(page)
    if run is not None:
        _figures(page, run)
        _run(page, run)
    _contents(page)


def _before_the_run(page: Page) -> None:
    """What should be written down before a run judges the system, as long as it is not."""
    untold = len(reads.profile(page.store, page.project.id).missing)
    unset = not reads.criteria(page.store, page.project.id)
    if not (untold or unset):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="before_the_run"):
        st.caption("Still to be written down, best before the run that decides:")
        if untold and st.button("Purpose and risks", key="write_profile", type="tertiary", icon=":material/edit:"):
            state.update(view="profile")
            st.rerun()
        if unset and st.button("Acceptance criteria", key="set_criteria", type="tertiary", icon=":material/edit:"):
            state.update(view="criteria")
            st.rerun()


def _under_way(page: Page) -> None:
    """The newest run that was started and is not finished, whoever started it, and the way to its progress."""
    going = next(
        (run for run in project_reads.runs(page.store, page.project.id) if run.state is RunState.RUNNING), None
    )
    if going is None:
        return
    sets = {test_set.id: test_set for test_set in project_reads.test_sets(page.store, page.project.id)}
    with st.container(horizontal=True, vertical_alignment="center", key="under_way"):
        st.caption(f"Not finished yet: {errors.plain(run_names.run_label(going, sets))}.")
        if st.button("Show its progress", key="watch_run", type="tertiary", icon=":material/visibility:"):
            state.go("run", run=going.id)


def _figures(page: Page, run: Run) -> None:
    project_id = page.project.id
    accuracy = project_reads.summary(page.store, run.id).accuracy
    judged = reads.results(page.store, project_id, run.id)
    by = {verdict: sum(one.verdict is verdict for one in judged) for verdict in CriterionVerdict}
    late = sum(one.set_after_run for one in judged)
    unsettled = reads.open_findings(page.store, project_id)
    done, of = reads.labelled(page.store, project_id)
    notes = [
        f"{by[CriterionVerdict.NOT_MET]:,} not met",
        f"{by[CriterionVerdict.CANNOT_TELL]:,} cannot be told",
        f"{late:,} set after the run" if late else "",
    ]
    headline.draw(
        [
            headline.share("run_accuracy", "Accuracy", accuracy, "Correct of judged answers of the run in view."),
            Figure(
                key="criteria_met",
                label="Criteria met",
                value=f"{by[CriterionVerdict.MET]} of {len(judged)}" if judged else numbers.NONE,
                note=", ".join(filter(None, notes)) if judged else "none are set",
                help="Acceptance criteria that the run in view meets; the part Acceptance criteria has the reasons.",
            ),
            Figure(
                key="open_findings",
                label="Open findings",
                value=f"{unsettled.findings:,}",
                note=f"{unsettled.high:,} of high severity",
                help="Weaknesses that nobody has resolved, accepted or dismissed; one in several runs counts once.",
            ),
            Figure(
                key="labels_done",
                label="Labels",
                value=f"{done:,} of {of:,}" if of else numbers.NONE,
                note="tasks of raters are done" if of else "no round of labels is open",
                help="Answers that raters have read, of those they were given in open rounds.",
            ),
        ]
    )


def _run(page: Page, run: Run) -> None:
    sets = {test_set.id: test_set for test_set in project_reads.test_sets(page.store, page.project.id)}
    cases = project_reads.summary(page.store, run.id)
    missing = cases.cases - cases.accuracy.den
    lines = [f"{_place(page, run)}: {errors.plain(run_names.run_label(run, sets))}"]
    if missing:
        lines.append(f"{numbers.count(missing, 'answer')} of {cases.cases:,} could not be judged; none counts as wrong")
    st.caption(f"{'. '.join(lines)}.")
    _, by_form, pending = project_reads.attribution(page.store, run.id)
    rows = {charts.bar_label(form): counts for form, counts in by_form.items()}
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


def _place(page: Page, run: Run) -> str:
    """What distinguishes a run among the finished ones."""
    preferred = project_reads.finished_runs(page.store, page.project.id)[0]
    finished = [
        one.id for one in project_reads.runs_on_cases(page.store, page.project.id) if one.state is RunState.FINISHED
    ]
    later = finished.index(run.id)
    if not later:
        return "Latest finished run"
    lead = "Latest finished run of a connected system" if run.id == preferred.id else "Chosen run"
    return f"{lead} ({numbers.count(later, 'other run')} finished after it)"


def _contents(page: Page) -> None:
    has = project_reads.progress(page.store, page.project.id)
    database = project_reads.source(page.store, page.project.id, SourceKind.DATABASE)
    corpus = project_reads.source(page.store, page.project.id, SourceKind.CORPUS)
    frozen = newest_original([one for one in project_reads.test_sets(page.store, page.project.id) if one.frozen])
    covered = reads.coverage(page.store, page.project.id, frozen.id) if frozen else None
    st.subheader("What this project has", anchor=False)
    cells = st.columns(4)
    rows = sum(table.rows for table in database.schema.without_views) if database and database.schema else 0
    card(
        cells[0],
        "connect",
        "Database",
        numbers.count(has.tables, "table") if database else "",
        f"{errors.plain(database.name)}, {numbers.count(rows, 'row')}"
        f"{asked(covered.tables if covered else None, 'table')}"
        if database
        else "The truth answers are checked against.",
    )
    card(
        cells[1],
        "connect",
        "Documents",
        numbers.count(has.documents, "document") if corpus else "",
        f"{errors.plain(corpus.name)}{asked(covered.documents if covered else None, 'document')}"
        f"{asked(covered.topics if covered else None, 'topic')}"
        if corpus
        else "What the system under test reads.",
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


def asked(part: Part | None, thing: str) -> str:
    """How much of something the newest frozen test set asks about, as the end of a sentence.

    >>> asked(Part(3, 11), "table"), asked(None, "topic")
    ('; the test set asks about 3 of 11 tables', '')
    """
    if part is None or not part.of:
        return ""
    return f"; the test set asks about {part.asked:,} of {numbers.count(part.of, thing)}"


def card(cell: DeltaGenerator, key: str, label: str, value: str, note: str, **parameters: str) -> None:
    """One thing the project has, with a link to its page."""
    with cell.container(border=True, height="stretch", gap="xsmall"):
        st.caption(label)
        st.markdown(f"**{value or 'None yet'}**  \n:small[:gray[{note}]]")
        spec = navigation.spec(key)
        st.page_link(str(spec.path), label=f"Open {spec.title}", query_params=state.query(**parameters))
