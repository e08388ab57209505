"""Files of templates in GRAMMAR's format: import as drafts, export as they are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.domain.sources.projects import Source
from core.domain.testset.templates import SqlTemplate, TextTemplate
from core.testset.templates.review import import_sql_templates, import_text_templates
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.testset import templates


def sql(page: Page, source: Source, sql_templates: Sequence[SqlTemplate], may_write: bool) -> None:
    """The files of SQL templates."""
    with st.expander("Import and export in GRAMMAR's format", key="sql_files"):
        left, right = st.columns(2, gap="large")
        if may_write:
            with left:
                upload = st.file_uploader("sql_templates.json", type=["json"], key=state.fresh("sql_file"))
                ids = st.file_uploader(
                    "sql_templates_with_ids.json, if there is one", type=["json"], key=state.fresh("ids_file")
                )
                if upload is not None and st.button("Import templates", key="import_sql"):
                    with errors.shown():
                        dialect = source.schema.dialect if source.schema else "sqlite"
                        read = templates.imported_sql(upload.getvalue(), ids.getvalue() if ids else None, dialect)
                        stored = import_sql_templates(page.store, page.project.id, read, actor=page.actor)
                        state.renew("sql_file")
                        state.renew("ids_file")
                        state.say(
                            f"{numbers.count(len(stored), 'template')} imported as drafts, of {len(read)} in the file."
                        )
                        st.rerun()
        with right:
            if sql_templates:
                st.download_button(
                    "Download sql_templates.json",
                    data=lambda: templates.exported(sql_templates),
                    file_name="sql_templates.json",
                    key="export_sql",
                    on_click="ignore",
                )
                st.download_button(
                    "Download sql_templates_with_ids.json",
                    data=lambda: templates.exported(sql_templates, with_ids=True),
                    file_name="sql_templates_with_ids.json",
                    key="export_ids",
                    on_click="ignore",
                )
            else:
                st.caption("Nothing to export yet.")


def text(page: Page, sql_templates: Sequence[SqlTemplate], texts: Sequence[TextTemplate], may_write: bool) -> None:
    """The files of wordings, one a form."""
    with st.expander("Import and export in GRAMMAR's format", key="text_files"):
        left, right = st.columns(2, gap="large")
        if may_write:
            with left:
                form = st.text_input("Form of the file", value="short", key="import_form", max_chars=40)
                upload = st.file_uploader("short.json, long.json", type=["json"], key=state.fresh("text_file"))
                if upload is not None and st.button("Import wordings", key="import_text"):
                    with errors.shown():
                        read = templates.imported_texts(upload.getvalue(), form.strip(), sql_templates)
                        stored = import_text_templates(page.store, page.project.id, read, actor=page.actor)
                        state.renew("text_file")
                        state.say(
                            f"{numbers.count(len(stored), 'wording')} imported as drafts, of {len(read)} in the file."
                        )
                        st.rerun()
        with right:
            for form in dict.fromkeys(text.form for text in texts):
                st.download_button(
                    f"Download {form}.json",
                    data=partial(
                        templates.exported_texts, [item for item in texts if item.form == form], sql_templates
                    ),
                    file_name=f"{form}.json",
                    key=f"export_{form}",
                    on_click="ignore",
                )
