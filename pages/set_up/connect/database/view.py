"""The database part of the Connect page: connect, schema, keys, which columns a person would understand."""

from __future__ import annotations

import streamlit as st

from core.domain.sources.projects import Role, SourceKind
from core.domain.sources.schema import Schema
from core.sources.database.semantics.proposing import unnamed_tables
from pages.kit import errors, project_reads
from pages.kit.frame import Page
from pages.kit.look import charts, numbers
from pages.set_up.connect.database import connecting, picture, words

MOST_NAMED = 8
"""Tables that one message names."""


def draw(page: Page) -> None:
    """The connected database, or the ways to connect one."""
    source = project_reads.source(page.store, page.project.id, SourceKind.DATABASE)
    if source is None or source.schema is None:
        st.markdown(
            "**No database is connected yet.** Its tables prove the answers: every question will come from one "
            "read-only query, and every reference answer from its result."
        )
        if page.may(Role.VALIDATOR):
            connecting.forms(page)
        return
    schema = source.schema
    page.context(f"database **{errors.plain(source.name)}**", schema.dialect, f"read {numbers.when(source.loaded_at)}")
    _schema_figures(schema)
    _unreadable(schema)
    names, chosen = picture.choose_tables(schema)
    picture.draw(schema, names, chosen)
    words.draw(page, source, schema, names, chosen)
    if page.may(Role.VALIDATOR):
        with st.expander("Connect another database, or read this one again", key="reconnect"):
            if st.button("Read the schema again", key="read_again"):
                connecting.read_again(page, source)
            connecting.forms(page)


def _schema_figures(schema: Schema) -> None:
    columns = [column for table in schema.tables for column in table.columns]
    stored = schema.without_views
    views = len(schema.tables) - len(stored)
    beside = f"and {numbers.count(views, 'view')}" if views else ""
    cells = st.columns(4)
    charts.metric(cells[0], "Tables", numbers.count(len(stored)), beside, key="tables")
    charts.metric(cells[1], "Rows", numbers.count(sum(table.rows for table in stored)), key="rows")
    charts.metric(cells[2], "Foreign keys", numbers.count(sum(len(t.foreign_keys) for t in schema.tables)), key="keys")
    charts.metric(
        cells[3],
        "Descriptive columns",
        numbers.count(sum(column.descriptive for column in columns)),
        f"of {numbers.count(len(columns), 'column')}",
        help="Columns a person without technical knowledge understands; only these appear in questions and answers.",
        key="descriptive",
    )


def _unreadable(schema: Schema) -> None:
    if schema.left_out:
        reasons = "".join(
            f"\n- {errors.plain(item.name)}: {errors.plain(item.reason)}" for item in schema.left_out[:10]
        )
        more = f"\n- and {len(schema.left_out) - 10:,} more" if len(schema.left_out) > 10 else ""
        st.warning(
            f"{numbers.count(len(schema.left_out), 'table or view', 'tables and views')} could not be read and will "
            f"not be asked about:{reasons}{more}",
            icon=":material/warning:",
        )
    unnamed = unnamed_tables(schema)
    if unnamed:
        more = f" and {len(unnamed) - MOST_NAMED:,} more" if len(unnamed) > MOST_NAMED else ""
        st.info(
            f"No question is asked about {errors.plain(', '.join(unnamed[:MOST_NAMED]))}{more}: rules cannot tell what "
            "the names stand for. Give the tables names below.",
            icon=":material/info:",
        )
    mute = [
        table.name
        for table in schema.tables
        if table.asked and not table.association and not any(column.descriptive for column in table.columns)
    ]
    if mute:
        more = f" and {len(mute) - MOST_NAMED:,} more" if len(mute) > MOST_NAMED else ""
        st.info(
            f"No question will be asked about {errors.plain(', '.join(mute[:MOST_NAMED]))}{more}: no column there is "
            "descriptive. Choose the table below and tick a column to ask about if people know its rows by it.",
            icon=":material/info:",
        )
