"""The form that builds a test set, and the build in view."""

from __future__ import annotations

from typing import TypedDict

import streamlit as st

from core.domain.jobs import JobState
from core.domain.testset.cases import TestSet
from core.store.testset import testsets
from core.testset.building import start_build
from core.testset.service import build_test_set, expected_questions
from core.testset.versions import build_plan, next_version
from pages.kit import errors, project_reads, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.testset import case_counts, templates
from pages.kit.work import jobs

LARGE = 20_000
"""Questions from which on a person is asked to think about a limit."""

TEMPLATES, DOCUMENTS = "templates", "documents"
MADE_OF = {TEMPLATES: "Templates", DOCUMENTS: "Questions from documents"}


class BuildPlan(TypedDict):
    """What a test set is made of, as `build_test_set` takes it."""

    name: str
    grounded: bool
    documents: bool
    balanced: bool
    limit: int | None
    seed: int


def sources(approved: project_reads.Progress) -> list[str]:
    """What a test set could be made of."""
    of_templates = [TEMPLATES] if approved.sql_approved and approved.texts_approved else []
    return [*of_templates, *([DOCUMENTS] if approved.questions_approved else [])]


def draw_form(page: Page, may_write: bool, *, first: bool) -> None:
    """What a new test set is made of, its name, balance, limit and seed, and the button that builds it."""
    if not may_write:
        st.info("Your role may read this project but not build test sets.")
        return
    with st.container(border=True, key="build_form"):
        approved = project_reads.progress(page.store, page.project.id)
        parts = _made_of(sources(approved))
        expected = expected_questions(page.store, page.project.id) if TEMPLATES in parts else 0
        st.caption(_size(expected, approved.questions_approved if DOCUMENTS in parts else 0))
        name_at, limit_at, seed_at = st.columns([4, 2, 2])
        name = name_at.text_input(
            "Name",
            value="Test set",
            key="build_name",
            max_chars=80,
            help="A name already in use gets its next version.",
        )
        limit = limit_at.number_input(
            "At most (questions)",
            min_value=1,
            value=None,
            step=100,
            key="build_limit",
            placeholder="all",
            help="Questions from documents come first; those of templates fill what is left, in whole groups, in "
            "proportion to the SQL templates.",
        )
        seed = seed_at.number_input(
            "Seed", min_value=0, value=0, key="build_seed", help="Fixes which groups are sampled."
        )
        balanced = TEMPLATES in parts and st.toggle(
            "Balanced: as many questions in every group and form",
            value=True,
            key="build_balanced",
            help="Needed to compare forms: refined accuracy favours larger groups (GRAMMAR, section 4.3).",
        )
        if balanced and (lost := _unbalanced(page)):
            st.caption(lost)
        if st.button("Build test set", key="build", type="primary" if first else "secondary"):
            if not name.strip():
                st.info("Give the test set a name first.")
                return
            if not parts:
                st.info("Choose what it is made of first.")
                return
            plan = BuildPlan(
                name=name.strip(),
                grounded=TEMPLATES in parts,
                documents=DOCUMENTS in parts,
                balanced=balanced,
                limit=None if limit is None else int(limit),
                seed=int(seed),
            )
            with errors.shown():
                if min(expected, limit or expected) > LARGE:
                    state.update(job=start_build(page.store, page.project.id, actor=page.actor, **plan).id)
                else:
                    with st.spinner("Filling templates with the database's values"):
                        _show(build_test_set(page.store, page.project.id, actor=page.actor, **plan))
                st.rerun()


def _unbalanced(page: Page) -> str:
    """What a balanced test set would leave out; empty where nothing is."""
    sql = templates.sql_templates(page.store, page.project.id)
    lost = len(templates.lacking_forms(sql, templates.wordings(page.store, page.project.id)))
    if not lost:
        return ""
    return (
        f"Balanced leaves out {numbers.count(lost, 'approved template')} without an approved wording in every form; "
        "the Templates page shows which."
    )


def draw_next(page: Page, test_set: TestSet) -> None:
    """The button that builds the next version of the test set in view, and what it does."""
    with st.container(border=True, key="next_version"):
        st.markdown(f"**The next version of {errors.plain(test_set.name)}** with the same settings")
        st.caption(
            "The database, the approved templates and the approved questions are read as they are now. What was "
            "excluded stays excluded. Afterwards you see which answers moved."
        )
        if not st.button("Build the next version", key="build_next"):
            return
        with errors.shown():
            plan = build_plan(test_set)
            cases = case_counts.number(page.store, test_set.id, excluded=True)
            if cases > LARGE:
                job = start_build(page.store, page.project.id, actor=page.actor, follows=test_set.id, **plan)
                state.update(job=job.id)
            else:
                with st.spinner("Filling templates with the database's values"):
                    _show(next_version(page.store, test_set, actor=page.actor), view="changes")
            st.rerun()


def _made_of(possible: list[str]) -> list[str]:
    """The parts of the test set; a choice only where there are several."""
    if len(possible) < 2:
        st.markdown(f"**Build a test set** from {_FROM[possible[0]]}." if possible else "**Build a test set**")
        return possible
    st.markdown("**Build a test set** from the approved templates, the approved questions from documents, or both.")
    return st.pills(
        "Made of",
        possible,
        default=possible,
        selection_mode="multi",
        format_func=MADE_OF.__getitem__,
        key="build_made_of",
    )


_FROM = {
    TEMPLATES: "the approved templates and the connected database",
    DOCUMENTS: "the approved questions from documents",
}


def watch(page: Page) -> None:
    """The build in view, if there is one; opens its test set when it is done."""
    if not state.link().job:
        return
    job = jobs.panel(page, state.link().job, key="build_job")
    if job is not None and job.state is JobState.FINISHED:
        with page.store.read() as connection:
            test_set = testsets.get(connection, str(job.params["test_set_id"]))
        state.update(job="")
        _show(test_set, view="changes" if job.params.get("follows") else "questions")
        st.rerun()


def _show(test_set: TestSet, *, view: str = "questions") -> None:
    state.update(test_set=test_set.id, view=view, a="")
    called = f"{errors.plain(test_set.name)} v{test_set.version}"
    state.say(f"{called} is built as a draft. Look at the questions, then freeze it.")


def _size(questions: int, documents: int) -> str:
    sentences = []
    if questions:
        sentences.append(f"The approved templates make about {numbers.count(questions, 'question')}.")
    if documents:
        sentences.append(
            f"{numbers.count(documents, 'question')} from documents {'is' if documents == 1 else 'are'} approved."
        )
    if questions > LARGE:
        sentences.append("That is a long run: set the most you want below, and whole groups are sampled.")
    return " ".join(sentences)
