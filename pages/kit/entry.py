"""Who is there, and which of their projects is in view."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st
from streamlit.errors import StreamlitAuthError

from core.domain.errors import NotFound
from core.domain.sources.projects import Project, Role
from core.project.service import require
from core.settings import Settings
from core.store.database import Store
from pages.kit import project_reads, state


def sign_in(config: Settings) -> str:
    """Who is there: the actor of this machine, or the signed-in person where the settings ask for it.

    Draws the sign-in and ends the page while nobody is signed in.
    """
    if not config.require_login:
        return config.actor
    who = st.user.get("email") or st.user.get("sub") if st.user.get("is_logged_in") else None
    if not who:
        _ask_who()
    return str(who)


def current_project(store: Store, actor: str) -> Project | None:
    """The project in view: the URL's, else the one looked at last, else the sample, else the first.

    Raises:
        NotFound: The URL names a project that does not exist.
        Forbidden: The actor has no part in it.
        InvalidInput: The URL cannot be read.
    """
    linked = state.link().project
    projects = {project.id: project for project in project_reads.projects(store, actor)}
    chosen: Project | None
    if linked:
        if linked not in projects:
            raise NotFound(
                f"There is no project {linked} here, or you have no part in it.",
                "Check the link, or choose another project in the sidebar.",
            )
        chosen = projects[linked]
    else:
        samples = [project for project in projects.values() if project.sample]
        chosen = projects.get(state.remembered("project")) or next(iter([*samples, *projects.values()]), None)
    if chosen is not None:
        if state.remembered("project") != chosen.id:
            state.remember(project=chosen.id, run="", test_set="")
        require(store, chosen.id, actor, Role.VIEWER)
    return chosen


def _ask_who() -> NoReturn:
    st.title("Who are you?", anchor=False)
    st.write("This server keeps validations of a team. Sign in to see them.")
    if st.button("Sign in", key="sign_in", type="primary"):
        try:
            st.login()
        except StreamlitAuthError:
            st.error(
                "**Sign-in is required here and no identity provider is set up.**\n\nAdd an [auth] section to "
                ".streamlit/secrets.toml and install streamlit[auth], or unset PLUMBLINE_REQUIRE_LOGIN."
            )
    st.stop()
