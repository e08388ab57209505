"""What people call the tables and columns: proposed by rules, changed by a person, shown in questions at once."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.domain.errors import PlumblineError
from core.domain.identity import content_hash
from core.domain.sources.projects import Role, Source
from core.domain.sources.schema import Schema
from core.domain.sources.semantics import SemanticLayer, TableMeaning
from core.sources.database.semantics.editing import changed_fields, revised
from core.sources.service import open_database, say_semantics
from core.testset.grounded.wording.preview import respoken, sample_wordings, shown_layer
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.set_up.connect.database import frames, words_file

SAMPLES = 6
"""Questions of the preview."""


def draw(page: Page, source: Source, schema: Schema, names: list[str], chosen: str) -> None:
    """The editors of tables and columns, what they change in questions, and the file.

    Args:
        page: The page.
        source: The connected database.
        schema: Its schema, with the words said so far in it.
        names: The tables to list.
        chosen: The table whose columns are shown, "" for none.
    """
    st.subheader("What people call the tables and columns", anchor=False)
    st.caption(
        "Questions are made of these words. Rules propose them from names, keys and the database's comments; what a "
        "person changes stays when the schema is read again. Empty a field to go back to the rules."
    )
    said = source.layer or SemanticLayer()
    shown = shown_layer(schema)
    listed = [chosen] if chosen else names
    if not listed:
        return
    may = page.may(Role.VALIDATOR)
    try:
        edited = _edited(source, schema, shown, said, listed, chosen, may=may)
    except PlumblineError as error:
        errors.show(error)
        return
    layer = said
    for before, after in edited:
        layer = revised(layer, before, after)
    _preview(schema, layer, chosen)
    changes = changed_fields(said, layer)
    if may:
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button("Save words", key="save_columns", type="primary" if changes else "secondary"):
                _save(page, source, layer, changes)
            if changes:
                st.markdown(f"{numbers.count(changes, 'change')} not saved yet.")
        words_file.draw(page, source, schema, said)


def _edited(
    source: Source,
    schema: Schema,
    shown: SemanticLayer,
    said: SemanticLayer,
    listed: list[str],
    chosen: str,
    *,
    may: bool,
) -> list[tuple[TableMeaning, TableMeaning]]:
    """Each listed table as it was shown and as it stands in the editors."""
    version = content_hash([source.id, repr(source.layer), source.loaded_at, chosen, listed])[:12]
    words = {table.name: table for table in shown.tables}
    frame = frames.tables_frame(schema, shown, said, listed)
    rows = _table_editor(frame, f"tables_{version}", may=may).to_dict("records")
    tables = [
        (words[name], frames.edited_table(row, words[name], schema.table(name)))
        for name, row in zip(frame["Table"], rows, strict=True)
    ]
    if not chosen:
        return tables
    columns = frames.columns_frame(schema.table(chosen), words[chosen], said)
    if st.toggle(
        "Show sample values", key="show_samples", help="Reads a few values of the table; they stay on this machine."
    ):
        columns.insert(1, "Sample values", _sample_values(source, chosen, list(columns["Column"])))
    edited = _column_editor(columns, f"columns_{version}", may=may).to_dict("records")
    before, after = tables[0]
    return [(before, replace(after, columns=frames.edited_columns(edited, before)))]


def _table_editor(frame: pd.DataFrame, key: str, *, may: bool) -> pd.DataFrame:
    return st.data_editor(
        frame,
        key=key,
        hide_index=True,
        width="stretch",
        disabled=[name for name in frame.columns if name not in frames.TABLE_WORDS] if may else True,
        column_config={
            frames.LABEL: st.column_config.TextColumn(
                help="The columns by which people tell one row from another, separated by semicolons: FirstName; "
                "LastName. Without any, no question can be asked about a single row."
            ),
            frames.ASK: st.column_config.CheckboxColumn(
                help="Whether questions are made about these rows. Views are left out unless you choose them.", width=85
            ),
            "Rows": st.column_config.NumberColumn(format="localized", width=80),
            "Referred to by": st.column_config.NumberColumn(
                help="Foreign keys of other tables that point here.", width=110
            ),
            frames.BY: st.column_config.TextColumn(width=75),
        },
    )


def _column_editor(frame: pd.DataFrame, key: str, *, may: bool) -> pd.DataFrame:
    return st.data_editor(
        frame,
        key=key,
        hide_index=True,
        width="stretch",
        disabled=[name for name in frame.columns if name not in frames.COLUMN_WORDS] if may else True,
        column_config={
            frames.ASK: st.column_config.CheckboxColumn(
                help="Whether a person without technical knowledge would understand it in a question or an answer.",
                width=85,
            ),
            frames.UNIT: st.column_config.TextColumn(help="Of its amounts: minutes, EUR, per cent.", width=85),
            frames.CODES: st.column_config.TextColumn(
                help="What short values stand for: 0 = open; 1 = closed. Answers are given as the meaning."
            ),
            frames.BY: st.column_config.TextColumn(width=75),
        },
    )


def _preview(schema: Schema, layer: SemanticLayer, chosen: str) -> None:
    """Questions in the words that stand in the editors, saved or not."""
    if not chosen:
        st.caption("Choose a table to review its columns and to see how questions about it read.")
        return
    spoken = respoken(schema, layer)
    samples = sample_wordings(spoken, chosen, n=SAMPLES)
    if samples:
        st.markdown("**How questions will read**\n" + "".join(f"\n- {errors.plain(sample.text)}" for sample in samples))
        return
    table = spoken.table(chosen)
    if not table.asked:
        reason = "Tick Ask about in its row above, and say there what people call one of its rows."
    elif not table.rows:
        reason = "It has no rows."
    else:
        reason = (
            "Nothing names a single row of it, or no other column is readable. Say by which columns people name a row, "
            "or tick a column to ask about."
        )
    st.info(f"**No question is asked about single rows of {errors.plain(chosen)}.** {reason}", icon=":material/info:")


def _sample_values(source: Source, table: str, columns: list[str]) -> list[str]:
    with open_database(source) as database:
        return [" | ".join(str(value) for value in database.sample_values(table, column)) for column in columns]


def _save(page: Page, source: Source, layer: SemanticLayer, changes: int) -> None:
    if not changes:
        st.info("Nothing was changed.", icon=":material/info:")
        return
    with errors.shown():
        say_semantics(page.store, source.id, layer, actor=page.actor)
        state.say(f"Saved {numbers.count(changes, 'change')}. Templates proposed from now on use these words.")
        st.rerun()
