"""What do we know for certain? The database that holds the truth, and the documents the system reads."""

from pathlib import Path

import pandas as pd
import streamlit as st

from core.domain.projects import Role, Source, SourceKind
from core.domain.schema import Schema, Table
from core.sources.corpus.uploads import save_files
from core.sources.database import save_upload
from core.sources.service import connect_corpus, connect_database, open_database, overrule_columns
from pages.ui import charts, errors, frame, numbers, readers, schema_chart, state, tables
from pages.ui.frame import Page

SHOWN = 5000
VIEWS = {"database": "Database", "documents": "Documents"}


def database_part(page: Page) -> None:
    source = readers.source(page.store, page.project.id, SourceKind.DATABASE)
    if source is None or source.schema is None:
        st.markdown(
            "**No database is connected yet.** Its tables prove the answers: every question will come from one "
            "read-only query, and every reference answer from its result."
        )
        if page.may(Role.VALIDATOR):
            database_forms(page)
        return
    schema = source.schema
    page.context(f"database **{errors.plain(source.name)}**", schema.dialect, f"read {numbers.when(source.loaded_at)}")
    schema_figures(schema)
    unreadable(schema)
    st.subheader("How the tables refer to each other", anchor=False)
    st.caption(
        "An arrow points from a foreign key to the table it names; dotted tables only tie others together. "
        "Click a table to see its columns below."
    )
    clicked = charts.show(
        schema_chart.graph(schema), key="keys", data=schema_chart.keys_frame(schema), name="foreign-keys", select=True
    )
    columns_part(page, source, schema, clicked[0] if clicked else "")
    if page.may(Role.VALIDATOR):
        with st.expander("Connect another database, or read this one again", key="reconnect"):
            if st.button("Read the schema again", key="read_again"):
                connect(page, source.location, name=source.name, overrides=dict(source.overrides))
            database_forms(page)


def database_forms(page: Page) -> None:
    left, right = st.columns(2, gap="large")
    with left, st.form("by_url"):
        url = st.text_input(
            "SQLAlchemy URL",
            key="database_url",
            placeholder="sqlite:////data/bank.sqlite",
            help="Write a password as ${NAME}: it is taken from that environment variable and never stored.",
        )
        if st.form_submit_button("Connect database", key="connect_url", type="primary"):
            if url.strip():
                connect(page, url.strip())
            else:
                st.error("**No URL is given.**\n\nGive an SQLAlchemy URL such as sqlite:////data/bank.sqlite.")
    with right, st.form("by_file"):
        file = st.file_uploader("Or an SQLite file, up to 50 MB", key=state.fresh("database_file"))
        if st.form_submit_button("Upload and connect", key="connect_file"):
            if file is None:
                st.error("**No file is chosen.**\n\nChoose an SQLite file first.", icon=":material/error:")
            else:
                upload_database(page, file.name, file.getvalue())


def connect(page: Page, url: str, *, name: str = "", overrides: dict[str, bool] | None = None) -> None:
    with errors.shown():
        source = connect_database(page.store, page.project.id, url, actor=page.actor, name=name, overrides=overrides)
        tables_read = numbers.count(len(source.schema.tables) if source.schema else 0, "table")
        state.say(f"Connected {errors.plain(source.name)}: {tables_read} read. Nothing was written to it.")
        state.update(table="")
        st.rerun()


def upload_database(page: Page, name: str, data: bytes) -> None:
    with errors.shown():
        url = save_upload(data, page.settings.data / "uploads" / page.project.id, name)
        state.renew("database_file")
        connect(page, url, name=name)


def schema_figures(schema: Schema) -> None:
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


def unreadable(schema: Schema) -> None:
    mute = [table.name for table in schema.tables if not any(column.descriptive for column in table.columns)]
    if mute:
        st.info(
            f"No question will be asked about {errors.plain(', '.join(mute))}: no column there is descriptive. "
            "Mark one in the list below if people know it by that column.",
            icon=":material/info:",
        )


def columns_part(page: Page, source: Source, schema: Schema, clicked: str) -> None:
    st.subheader("Which columns a person would understand", anchor=False)
    names = [table.name for table in schema.tables]
    if clicked in names and clicked != state.kept("clicked_table"):
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
    shown = [schema.table(chosen)] if chosen else list(schema.tables)
    frame_in = columns_frame(source, shown, samples=bool(chosen and samples))
    edited = st.data_editor(
        frame_in,
        key=f"columns_{source.id}_{chosen}_{len(source.overrides)}_{abs(hash(frozenset(source.overrides.items())))}",
        hide_index=True,
        width="stretch",
        column_order=[name for name in frame_in.columns if name != "Table" or not chosen],
        disabled=[name for name in frame_in.columns if name != "Descriptive"] if page.may(Role.VALIDATOR) else True,
        column_config={
            "Key": st.column_config.TextColumn(width=140),
            "Descriptive": st.column_config.CheckboxColumn(help="Overrule the rule here, then save.", width=95),
        },
    )
    if page.may(Role.VALIDATOR) and st.button("Save decisions", key="save_columns"):
        save_columns(page, source, frame_in, edited)


def columns_frame(source: Source, shown: list[Table], *, samples: bool) -> pd.DataFrame:
    rows = []
    for table in shown:
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
    made = pd.DataFrame(rows)
    if samples:
        made["Sample values"] = sample_values(source, shown[0].name, list(made["Column"]))
    return made


def sample_values(source: Source, table: str, columns: list[str]) -> list[str]:
    with open_database(source) as database:
        return [" | ".join(str(value) for value in database.sample_values(table, column)) for column in columns]


def save_columns(page: Page, source: Source, before: pd.DataFrame, after: pd.DataFrame) -> None:
    changed = after[after["Descriptive"] != before["Descriptive"]]
    if changed.empty:
        st.info("Nothing was changed.", icon=":material/info:")
        return
    decided = {f"{row['Table']}.{row['Column']}": bool(row["Descriptive"]) for _, row in changed.iterrows()}
    with errors.shown():
        overrule_columns(page.store, source.id, {**source.overrides, **decided}, actor=page.actor)
        state.say(f"Saved {numbers.count(len(decided), 'decision')}. Templates proposed from now on follow them.")
        st.rerun()


def documents_part(page: Page) -> None:
    source = readers.source(page.store, page.project.id, SourceKind.CORPUS)
    if source is None:
        st.markdown(
            "**No documents are loaded yet.** Load the ones the system under test reads: they show whether a fact was "
            "there to be found, and the built-in targets search them."
        )
        if page.may(Role.VALIDATOR):
            document_forms(page)
        return
    loaded, skipped = readers.documents(page.store, source)
    page.context(f"corpus **{errors.plain(source.name)}**", f"loaded {numbers.when(source.loaded_at)}")
    cells = st.columns(4)
    charts.metric(cells[0], "Documents", numbers.count(len(loaded)), key="documents")
    charts.metric(cells[1], "Words", numbers.count(int(loaded["Words"].sum())), key="words")
    charts.metric(
        cells[2],
        "Formats",
        numbers.count(loaded["Format"].nunique()),
        ", ".join(f"{name} {n}" for name, n in loaded["Format"].value_counts().items()),
        key="formats",
    )
    charts.metric(
        cells[3],
        "Files left out",
        numbers.count(len(skipped)),
        "with a reason each" if len(skipped) else "",
        key="skipped",
    )
    if len(skipped):
        st.subheader("Left out", anchor=False)
        tables.plain(skipped, key="skipped_files")
    st.subheader("Loaded", anchor=False)
    offset = tables.pages(len(loaded), thing="document")
    picked = tables.select(
        loaded.iloc[offset : offset + tables.PAGE].assign(Document=loaded["Id"]),
        key="loaded_files",
        id_column="Id",
        order=["Title", "Document", "Format", "Words", "File"],
    )
    tables.download(loaded, name="documents", key="documents_csv")
    if picked:
        document(page, source, picked)
    if page.may(Role.VALIDATOR):
        with st.expander("Load other documents, or load these again", key="reload"):
            if st.button("Load the folder again", key="load_again"):
                load(page, source.location, name=source.name)
            document_forms(page)


def document_forms(page: Page) -> None:
    left, right = st.columns(2, gap="large")
    with left, st.form("by_folder"):
        folder = st.text_input("Folder on this machine", key="corpus_folder", placeholder="/data/handbook")
        if st.form_submit_button("Load folder", key="load_folder", type="primary"):
            if folder.strip():
                load(page, folder.strip())
            else:
                st.error("**No folder is given.**\n\nGive the path of the folder that holds the documents.")
    with right, st.form("by_files"):
        files = st.file_uploader(
            "Or files, up to 50 MB each", accept_multiple_files=True, key=state.fresh("corpus_files")
        )
        if st.form_submit_button("Upload and load", key="load_files"):
            if not files:
                st.error("**No file is chosen.**\n\nChoose one or more documents first.", icon=":material/error:")
            else:
                upload_documents(page, [(file.name, file.getvalue()) for file in files])


def load(page: Page, folder: str, *, name: str = "") -> None:
    with errors.shown(), st.spinner("Loading the documents"):
        _, corpus = connect_corpus(page.store, page.project.id, Path(folder), actor=page.actor, name=name)
        left_out = f", {numbers.count(len(corpus.skipped), 'file')} left out" if corpus.skipped else ""
        state.say(f"Loaded {numbers.count(len(corpus.documents), 'document')}{left_out}.")
        st.rerun()


def upload_documents(page: Page, files: list[tuple[str, bytes]]) -> None:
    with errors.shown():
        folder = save_files(files, page.settings.data / "uploads" / page.project.id)
        state.renew("corpus_files")
        load(page, str(folder), name=numbers.count(len(files), "uploaded file"))


def document(page: Page, source: Source, document_id: str) -> None:
    found = readers.document(page.store, source, document_id)
    if found is None:
        return
    with st.container(border=True, key="document"):
        st.markdown(f"**{errors.plain(found.title)}**  \n:small[:gray[{errors.plain(found.path)}, {found.format}]]")
        st.text(found.text[:SHOWN])
        if len(found.text) > SHOWN:
            st.caption(f"The first {SHOWN:,} of {len(found.text):,} characters.")


page = frame.begin(__file__)
view = state.switch("Part", list(VIEWS), "view", name=VIEWS.__getitem__, label_visibility="collapsed")
if view == "documents":
    documents_part(page)
else:
    database_part(page)
