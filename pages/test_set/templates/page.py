"""Which questions can the database answer? Review SQL templates, then their wordings."""

import streamlit as st

from core.domain.sources.projects import Role, SourceKind
from pages.kit import frame, project_reads, state
from pages.kit.look import numbers
from pages.kit.testset import templates
from pages.test_set.templates import sql_review, text_review

page = frame.begin(__file__)
source = project_reads.source(page.store, page.project.id, SourceKind.DATABASE)
if source is None or source.schema is None:
    frame.empty(
        "No database is connected.",
        "Templates are written from its tables, columns and keys; its rows stay where they are.",
        "connect",
        "Connect a database",
    )
    st.stop()
sql_templates = templates.sql_templates(page.store, page.project.id)
texts = templates.wordings(page.store, page.project.id)
page.context(
    f"database {source.name}", numbers.count(len(sql_templates), "SQL template"), numbers.count(len(texts), "wording")
)
view = state.switch(
    "Part",
    ["sql", "text"],
    "view",
    name={"sql": f"SQL templates {len(sql_templates)}", "text": f"Wordings {len(texts)}"}.__getitem__,
    label_visibility="collapsed",
)
may_write = page.may(Role.VALIDATOR)
if view == "sql":
    sql_review.draw(page, source, sql_templates, texts, may_write)
else:
    text_review.draw(page, source, sql_templates, texts, may_write)
