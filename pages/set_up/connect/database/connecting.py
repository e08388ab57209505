"""Connecting a database: by its address, as a file, or made of files with tables."""

from __future__ import annotations

import streamlit as st

from core.data_folder import project_folder
from core.domain.sources.projects import Source
from core.domain.sources.semantics import SemanticLayer
from core.sources.database import save_upload
from core.sources.database.semantics.editing import changed_fields
from core.sources.service import connect_database
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.set_up.connect.database import files


def forms(page: Page) -> None:
    """The three ways to connect a database, with what went wrong above the first two."""
    # Above the forms: a message below their buttons would begin where the window ends.
    said = st.container()
    left, right = st.columns(2, gap="large")
    with left, st.form("by_url"):
        url = st.text_input(
            "SQLAlchemy URL",
            key="database_url",
            placeholder="sqlite:////data/bank.sqlite",
            help="Write a password as ${NAME}: it is taken from that environment variable and never stored. Where "
            "people sign in, the operator names the hosts that may be called and the variables that may go there.",
        )
        wanted = st.form_submit_button("Connect database", key="connect_url", type="primary")
    with said:
        if wanted and url.strip():
            _connect(page, url.strip())
        elif wanted:
            st.error("**No URL is given.**\n\nGive an SQLAlchemy URL such as sqlite:////data/bank.sqlite.")
    with right, st.form("by_file"):
        file = st.file_uploader("Or an SQLite file, up to 50 MB", key=state.fresh("database_file"))
        uploaded = st.form_submit_button("Upload and connect", key="connect_file")
    with said:
        if uploaded and file is None:
            st.error("**No file is chosen.**\n\nChoose an SQLite file first.", icon=":material/error:")
        elif uploaded and file is not None:
            _upload_database(page, file.name, file.getvalue())
    files.form(page, lambda url, name: _connect(page, url, name=name))


def read_again(page: Page, source: Source) -> None:
    """Reads the schema of the connected database again; the words that people gave it stay."""
    _connect(page, source.location, again=source)


def _connect(page: Page, url: str, *, name: str = "", again: Source | None = None) -> None:
    with errors.shown():
        source = connect_database(
            page.store,
            page.project.id,
            url,
            actor=page.actor,
            name=again.name if again else name,
            overrides=again.overrides if again else None,
            layer=again.layer if again else None,
        )
        stored = len(source.schema.without_views) if source.schema else 0
        views = len(source.schema.tables) - stored if source.schema else 0
        tables_read = numbers.count(stored, "table") + (f" and {numbers.count(views, 'view')}" if views else "")
        gone = changed_fields(again.layer, source.layer or SemanticLayer()) if again and again.layer else 0
        lost = (
            f" {numbers.count(gone, 'word', 'words')} of tables or columns that are gone were left out." if gone else ""
        )
        state.say(f"Connected {errors.plain(source.name)}: {tables_read} read. Nothing was written to it.{lost}")
        state.update(table="")
        st.rerun()


def _upload_database(page: Page, name: str, data: bytes) -> None:
    with errors.shown():
        url = save_upload(data, project_folder(page.project.id, "databases"), name)
        state.renew("database_file")
        _connect(page, url, name=name)
