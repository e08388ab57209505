"""The sidebar of every page: which project, and the steps of the work with a mark each."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.domain.errors import PlumblineError
from core.domain.sources.projects import Project
from core.settings import settings
from pages.kit import cache, entry, errors, navigation, project_reads, state, workflow
from pages.kit.navigation import PageSpec


def draw(pages: Mapping[str, st.Page]) -> None:
    """The project picker and the workflow with a mark per step; drawn by `app.py` on every page.

    Args:
        pages: What each step leads to, by the key of its page. A link to a path would look the path up on the disk.
    """
    config = settings()
    if config.require_login and not st.user.get("is_logged_in"):
        return
    actor = entry.sign_in(config)
    store = cache.store()
    projects = project_reads.projects(store, actor)
    with st.sidebar:
        try:
            project = entry.current_project(store, actor)
        except PlumblineError:
            # Whatever else a link holds, it does not take the sidebar away.
            projects_by_id = {project.id: project for project in projects}
            project = projects_by_id.get(st.query_params.get("project", "")) or projects_by_id.get(
                state.remembered("project")
            )
        if projects:
            _pick_project({project.id: project.name for project in projects}, project.id if project else "")
        steps = workflow.steps(store, project.id) if project else workflow.nothing()
        for section in dict.fromkeys(spec.section for spec in navigation.PAGES):
            st.caption(section)
            for spec in navigation.PAGES:
                if spec.section == section:
                    _step(spec, pages[spec.key], steps[spec.key], project)
        if config.require_login:
            st.caption(f"Signed in as {errors.plain(actor)}")
            if st.button("Sign out", key="sign_out", type="tertiary"):
                st.logout()


def _step(spec: PageSpec, page: st.Page, step: workflow.Step, project: Project | None) -> None:
    waits = f"  :small[:gray[{step.waits_for}]]" if step.waits_for else ""
    st.page_link(
        page,
        label=f"{spec.title}{waits}",
        icon=workflow.ICONS[step.mark],
        width="stretch",
        query_params={"project": project.id} if project else None,
    )


def _pick_project(names: dict[str, str], current: str) -> None:
    st.session_state["picked_project"] = current or None
    st.selectbox(
        "Project",
        list(names),
        key="picked_project",
        format_func=lambda project_id: names.get(project_id, project_id),
        on_change=_open_picked,
        placeholder="Choose a project",
    )


def _open_picked() -> None:
    """Leaves everything of the other project behind: its ids mean nothing here."""
    picked = st.session_state.get("picked_project")
    if picked:
        st.query_params.clear()
        st.query_params["project"] = picked
        state.remember(project=picked, run="", test_set="")
