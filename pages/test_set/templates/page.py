"""Which questions can the database answer? Review SQL templates, then their wordings."""

import streamlit as st

from core.domain.projects import Role, SourceKind
from pages.ui import frame, numbers, readers, review, sql_review, state, text_review

page = frame.begin(__file__)
source = readers.source(page.store, page.project.id, SourceKind.DATABASE)
if source is None or source.schema is None:
    frame.empty(
        "No database is connected.",
        "Templates are written from its tables, columns and keys; its rows stay where they are.",
        "connect",
        "Connect a database",
    )
    st.stop()
found = review.sql_templates(page.store, page.project.id)
texts = review.wordings(page.store, page.project.id)
page.context(f"database {source.name}", numbers.count(len(found), "SQL template"), numbers.count(len(texts), "wording"))
view = state.switch(
    "Part",
    ["sql", "text"],
    "view",
    name={"sql": f"SQL templates {len(found)}", "text": f"Wordings {len(texts)}"}.get,
    label_visibility="collapsed",
)
may_write = page.may(Role.VALIDATOR)
if view == "sql":
    sql_review.draw(page, source, found, texts, may_write)
else:
    text_review.draw(page, source, found, texts, may_write)
