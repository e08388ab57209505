"""The database part of the Connect page: connect, schema, keys, which columns a person would understand."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.data_folder import project_folder
from core.domain.sources.projects import Role, Source, SourceKind
from core.domain.sources.schema import Schema, Table
from core.sources.database import save_upload
from core.sources.service import connect_database, open_database, overrule_columns
from pages.kit import errors, project_reads, state
from pages.kit.frame import Page
from pages.kit.look import charts, numbers
from pages.set_up.connect import schema_chart


def draw(page: Page) -> None:
    """The connected database, or the ways to connect one."""
    source = project_reads.source(page.store, page.project.id, SourceKind.DATABASE)
    if source is None or source.schema is None:
        st.markdown(
            "**No database is connected yet.** Its tables prove the answers: every question will come from one "
            "read-only query, and every reference answer from its result."
        )
        if page.may(Role.VALIDATOR):
            _database_forms(page)
        return
    schema = source.schema
    page.context(f"database **{errors.plain(source.name)}**", schema.dialect, f"read {numbers.when(source.loaded_at)}")
    _schema_figures(schema)
    _unreadable(schema)
    st.subheader("How the tables refer to each other", anchor=False)
    st.caption(
        "An arrow points from a foreign key to the table it names; dotted tables only link others. "
        "Click a table to see its columns below."
    )
    clicked = charts.show(
        schema_chart.graph(schema), key="keys", data=schema_chart.keys_frame(schema), name="foreign-keys", select=True
    )
    _columns_part(page, source, schema, clicked[0] if clicked else "")
    if page.may(Role.VALIDATOR):
        with st.expander("Connect another database, or read this one again", key="reconnect"):
            if st.button("Read the schema again", key="read_again"):
                _connect(page, source.location, name=source.name, overrides=dict(source.overrides))
            _database_forms(page)


def _database_forms(page: Page) -> None:
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


def _connect(page: Page, url: str, *, name: str = "", overrides: dict[str, bool] | None = None) -> None:
    with errors.shown():
        source = connect_database(page.store, page.project.id, url, actor=page.actor, name=name, overrides=overrides)
        tables_read = numbers.count(len(source.schema.tables) if source.schema else 0, "table")
        state.say(f"Connected {errors.plain(source.name)}: {tables_read} read. Nothing was written to it.")
        state.update(table="")
        st.rerun()


def _upload_database(page: Page, name: str, data: bytes) -> None:
    with errors.shown():
        url = save_upload(data, project_folder(page.project.id, "databases"), name)
        state.renew("database_file")
        _connect(page, url, name=name)


def _schema_figures(schema: Schema) -> None:
    columns = [column for table in schema.tables for column in table.columns]
    cells = st.columns(4)
    charts.metric(cells[0], "Tables", numbers.count(len(schema.tables)), key="tables")
    charts.metric(cells[1], "Rows", numbers.count(sum(table.rows for table in schema.tables)), key="rows")
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
    mute = [table.name for table in schema.tables if not any(column.descriptive for column in table.columns)]
    if mute:
        st.info(
            f"No question will be asked about {errors.plain(', '.join(mute))}: no column there is descriptive. "
            "Mark one in the list below if people know it by that column.",
            icon=":material/info:",
        )


def _columns_part(page: Page, source: Source, schema: Schema, clicked: str) -> None:
    st.subheader("Which columns a person would understand", anchor=False)
    names = [table.name for table in schema.tables]
    if clicked in names and clicked != state.note("clicked_table"):
        state.update(table=clicked)
    state.keep("clicked_table", clicked)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = state.choose("Table", names, "table", every="All tables")
        samples = st.toggle(
            "Show sample values",
            key="show_samples",
            disabled=not chosen,
            help="Reads a few values of the chosen table; they stay on this machine. Choose one table first.",
        )
    visible_tables = [schema.table(chosen)] if chosen else list(schema.tables)
    frame_in = _columns_frame(source, visible_tables, samples=bool(chosen and samples))
    edited = st.data_editor(
        frame_in,
        key=f"columns_{source.id}_{chosen}_{len(source.overrides)}_{abs(hash(frozenset(source.overrides.items())))}",
        hide_index=True,
        width="stretch",
        column_order=[name for name in frame_in.columns if name != "Table" or not chosen],
        disabled=[name for name in frame_in.columns if name != "Descriptive"] if page.may(Role.VALIDATOR) else True,
        column_config={
            "Key": st.column_config.TextColumn(width=140),
            "Descriptive": st.column_config.CheckboxColumn(
                help="Change the rule's decision here, then save.", width=95
            ),
        },
    )
    if page.may(Role.VALIDATOR) and st.button("Save decisions", key="save_columns"):
        _save_columns(page, source, frame_in, edited)


def _columns_frame(source: Source, visible_tables: list[Table], *, samples: bool) -> pd.DataFrame:
    rows = []
    for table in visible_tables:
        refers = {name: key.referred_table for key in table.foreign_keys for name in key.columns}
        for column in table.columns:
            key = "primary" if column.name in table.primary_key else ""
            key = " ".join(filter(None, (key, f"to {refers[column.name]}" if column.name in refers else "")))
            rows.append(
                {
                    "Table": table.name,
                    "Column": column.name,
                    "Type": column.type,
                    "Key": key,
                    "Descriptive": column.descriptive,
                    "Why": column.reason,
                    "By": "person" if column.overruled else "rule",
                }
            )
    frame = pd.DataFrame(rows)
    if samples:
        frame["Sample values"] = _sample_values(source, visible_tables[0].name, list(frame["Column"]))
    return frame


def _sample_values(source: Source, table: str, columns: list[str]) -> list[str]:
    with open_database(source) as database:
        return [" | ".join(str(value) for value in database.sample_values(table, column)) for column in columns]


def _save_columns(page: Page, source: Source, before: pd.DataFrame, after: pd.DataFrame) -> None:
    changed = after[after["Descriptive"] != before["Descriptive"]]
    if changed.empty:
        st.info("Nothing was changed.", icon=":material/info:")
        return
    decided = {f"{row['Table']}.{row['Column']}": bool(row["Descriptive"]) for _, row in changed.iterrows()}
    with errors.shown():
        overrule_columns(page.store, source.id, {**source.overrides, **decided}, actor=page.actor)
        state.say(f"Saved {numbers.count(len(decided), 'decision')}. Templates proposed from now on follow them.")
        st.rerun()
