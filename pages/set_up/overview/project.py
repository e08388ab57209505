"""The project itself: a new one, another name, deleting it with all it holds."""

from __future__ import annotations

import streamlit as st

from core.domain.sources.projects import Role
from core.project.service import create_project, delete_project, rename_project
from pages.kit import errors, project_reads, state
from pages.kit.frame import Page
from pages.kit.look import numbers


def first(page: Page) -> None:
    """What a project is, and the form for the first one."""
    st.markdown("A project holds one validation: its database, its documents, its test sets and its runs.")
    new(page, primary=True)


def new(page: Page, *, primary: bool) -> None:
    """The form that creates a project."""
    with st.form("new_project"):
        name = st.text_input("Name of the project", key="project_name", placeholder="Loans assistant")
        about = st.text_input("What is validated (optional)", key="project_about")
        submitted = st.form_submit_button(
            "Create project", key="create_project", type="primary" if primary else "secondary"
        )
    if submitted:
        with errors.shown():
            project = create_project(page.store, name, page.actor, description=about)
            state.say(f"Project {errors.plain(project.name)} is created. Connect its database or its documents next.")
            state.go("connect", project=project.id)


def draw(page: Page) -> None:
    """Renaming and deleting, for owners."""
    if not page.may(Role.OWNER):
        st.caption("Only an owner of the project may rename or delete it.")
        return
    _rename(page)
    _delete(page)


def _rename(page: Page) -> None:
    project = page.project
    with st.form(f"rename_{project.id}"):
        name = st.text_input("Name", project.name, key=f"rename_name_{project.id}")
        about = st.text_input("What is validated", project.description, key=f"rename_about_{project.id}")
        saved = st.form_submit_button("Rename project", key="rename_project")
    if saved:
        with errors.shown():
            rename_project(page.store, project.id, name, description=about, actor=page.actor)
            state.say("The name is saved. Links to the project stay as they are.")
            st.rerun()


def _delete(page: Page) -> None:
    project = page.project
    has = project_reads.progress(page.store, project.id)
    with st.expander("Delete this project", key="delete_project_view", icon=":material/delete:"):
        st.markdown(
            "This deletes its sources, documents, templates, test sets, "
            f"{numbers.count(has.finished + has.running, 'run')}, {numbers.count(has.labels, 'label')}, calibrations, "
            "findings, and all files that were uploaded to it. It cannot be undone; export what must stay first. The "
            "audit trail keeps that it existed, and who deleted it."
        )
        with st.form("delete_project_form", border=False):
            typed = st.text_input(
                "Type the name of the project to delete it", key=f"delete_name_{project.id}", placeholder=project.name
            )
            gone = st.form_submit_button("Delete project", key="delete_project")
        if not gone:
            return
        if typed.strip() != project.name:
            st.error(f"The name is {errors.plain(project.name)}. Type it exactly; nothing is deleted.")
            return
        with errors.shown():
            delete_project(page.store, project.id, actor=page.actor)
            state.remember(project="", run="", test_set="")
            state.say(f"Project {errors.plain(project.name)} is deleted.")
            state.go("overview", project="")
