"""A database made of uploaded CSV files and workbooks: what was guessed is shown, changed and confirmed first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.data_folder import project_folder
from core.domain.identity import content_hash
from core.sources.database.files.building import FilesDatabase, LeftOutFile
from core.sources.database.files.kinds import Kind
from core.sources.database.files.plan import PlannedTable, changed, plan_rows
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers

NOTHING = "nothing"
"""What a column points to that points to no table."""
Connect = Callable[[str, str], None]


def form(page: Page, connect: Connect) -> None:
    """Files are chosen, their tables looked at, and the database made of them is connected.

    Args:
        page: The page.
        connect: Connects the address of a database under a name.
    """
    uploaded = st.file_uploader(
        "Or CSV files and workbooks: each file, and each sheet, becomes a table",
        type=["csv", "tsv", "txt", "xlsx", "xlsm"],
        accept_multiple_files=True,
        key=state.fresh("table_files"),
    )
    if not uploaded:
        return
    version = content_hash([file.file_id for file in uploaded])[:12]
    found = _read(version, uploaded)
    if found is None:
        return
    tables, left_out = found
    _told(tables, left_out)
    edited = _editor(tables, f"plan_{version}").to_dict("records")
    if st.button("Make the database and connect it", key="make_database", type="primary"):
        with errors.shown(), FilesDatabase(project_folder(page.project.id, "databases")) as database:
            rows = [{**row, "points to": str(row["points to"] or "").replace(NOTHING, "")} for row in edited]
            planned = changed(tables, rows)
            database.read((file.name, file.getvalue) for file in uploaded)
            name = uploaded[0].name if len(uploaded) == 1 else numbers.count(len(tables), "table") + " of files"
            digest = content_hash([version, [repr(table) for table in planned]])[:16]
            target = (project_folder(page.project.id, "databases") / f"files-{digest}.sqlite").resolve()
            database.write(target, planned)
            state.renew("table_files")
            connect(f"sqlite:///{target}", name)


def _read(version: str, uploaded: Sequence[Any]) -> tuple[list[PlannedTable], list[LeftOutFile]] | None:
    """The tables that were guessed, once for the same files; None where a file cannot be read, which is then said."""
    kept = state.note("planned_files")
    if kept and kept[0] == version:
        return kept[1], kept[2]
    with errors.shown(), FilesDatabase() as database:
        tables = database.read((file.name, file.getvalue) for file in uploaded)
        state.keep("planned_files", (version, tables, database.left_out))
        return tables, database.left_out
    return None


def _told(tables: Sequence[PlannedTable], left_out: Sequence[LeftOutFile]) -> None:
    rows = sum(table.rows for table in tables)
    st.markdown(
        f"**{numbers.count(len(tables), 'table')} with {numbers.count(rows, 'row')}.** Types and keys were guessed "
        "from every value. Change what is wrong, then make the database: nothing is connected before."
    )
    notes = [f"{table.file}: {note}" for table in tables for note in table.notes]
    notes += [f"{file.name} is left out: {file.reason}" for file in left_out]
    if notes:
        st.info("".join(f"\n- {errors.plain(note)}" for note in notes), icon=":material/info:")


def _editor(tables: Sequence[PlannedTable], key: str) -> pd.DataFrame:
    frame = pd.DataFrame(plan_rows(tables))
    frame["key"] = frame["key"] == "yes"
    frame["points to"] = frame["points to"].replace("", NOTHING)
    pointed = [f"{table.name}.{column.name}" for table in tables for column in table.columns if column.key]
    return st.data_editor(
        frame,
        key=key,
        hide_index=True,
        width="stretch",
        disabled=["table", "column", "name", "note"],
        column_order=["table", "column", "type", "key", "points to", "note"],
        column_config={
            "table": "Table",
            "column": "Column",
            "type": st.column_config.SelectboxColumn("Type", options=[kind.value for kind in Kind], required=True),
            "key": st.column_config.CheckboxColumn("Key", help="The columns that tell every row from all others."),
            "points to": st.column_config.SelectboxColumn(
                "Points to", options=[NOTHING, *pointed], help="The row of another table that this value names."
            ),
            "note": st.column_config.TextColumn("Look at it"),
        },
    )
