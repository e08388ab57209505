"""How the tables refer to each other: all of a small schema, the neighbourhood of one table of a large one."""

from __future__ import annotations

import streamlit as st

from core.domain.sources.schema import Schema
from core.sources.database.neighbours import neighbourhood, part, referred_to, table_groups
from pages.kit import errors, state
from pages.kit.look import charts, numbers
from pages.set_up.connect.database import schema_chart

MOST_AT_ONCE = 25
"""Tables that can be told apart in one picture."""
MOST_NEAR = 40
"""The same of a neighbourhood, whose middle is known."""


def choose_tables(schema: Schema) -> tuple[list[str], str]:
    """The filters in one row: text, group and table.

    Returns:
        The names of the tables that text and group leave, those that are asked about first, and the chosen table, ""
        for none.
    """
    names = [table.name for table in sorted(schema.tables, key=lambda table: (not table.asked, table.name))]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(names) > MOST_AT_ONCE:
            groups = {group.name: group.tables for group in table_groups(schema)}
            sought = state.search("Find a table or column").casefold()
            group = state.choose(
                "Group",
                list(groups),
                "group",
                every="All groups",
                name=lambda name: f"{name} ({len(groups[name])})",
                help="Tables of one schema of the database, or tables that refer to each other more than to others, "
                "named after the one that most of them touch.",
            )
            kept = groups.get(group, tuple(names))
            names = [name for name in names if name in kept and _holds(schema, name, sought)]
        things = "tables and views" if any(schema.table(name).view for name in names) else "tables"
        chosen = state.choose("Table", names, "table", every=f"All {len(names)} {things}")
    return names, chosen


def draw(schema: Schema, names: list[str], chosen: str) -> None:
    """The picture of the foreign keys; a click on a table opens it."""
    st.subheader("How the tables refer to each other", anchor=False)
    if not names:
        st.info("No table has that text in its name or in one of its columns.", icon=":material/info:")
        return
    visible, about = _visible(schema, names, chosen)
    st.caption(
        f"{about}An arrow points from a foreign key to the table it names{_itself(visible)}; dotted tables only link "
        "others. Click a table to see its columns below."
    )
    clicked = charts.show(
        schema_chart.graph(visible), key="keys", data=schema_chart.keys_frame(schema), name="foreign-keys", select=True
    )
    opened = clicked[0] if clicked else ""
    if opened and opened != state.note("clicked_table"):
        state.keep("clicked_table", opened)
        state.update(table=opened)
        st.rerun()
    state.keep("clicked_table", opened)


def _itself(schema: Schema) -> str:
    """What an arrow to its own table looks like, where there is one."""
    own = any(key.referred_table == table.name for table in schema.tables for key in table.foreign_keys)
    return ", a bow on the right of a table to the table itself" if own else ""


def _visible(schema: Schema, names: list[str], chosen: str) -> tuple[Schema, str]:
    """What is drawn, and the sentence that says so where it is not everything."""
    tables = [table.name for table in schema.without_views]
    views = len(schema.tables) - len(tables)
    every = numbers.count(len(tables), "table") + (f" and {numbers.count(views, 'view')}" if views else "")
    if len(tables) <= MOST_AT_ONCE:
        show = "shows" if views == 1 else "show"
        without = f"Without {numbers.count(views, 'view')}, which only {show} what tables hold. " if views else ""
        return part(schema, tables), without
    if not chosen and len(names) <= MOST_AT_ONCE:
        return part(schema, names), f"{len(names)} of {every}. "
    pointing = referred_to(schema)
    middle = chosen or max(names, key=lambda name: (pointing[name], name))
    near = neighbourhood(schema, middle)
    shown = f"**{errors.plain(middle)}** with the {len(near.tables) - 1} tables that a foreign key ties to it"
    if len(near.tables) > MOST_NEAR:
        first = sorted(near.tables, key=lambda table: (table.name != middle, -pointing[table.name], table.name))
        near = part(near, [table.name for table in first[:MOST_NEAR]])
        shown += f", {MOST_NEAR - 1} of them drawn"
    why = "" if chosen else ", the table that most others refer to"
    return near, f"{shown}{why}; {every} in all. "


def _holds(schema: Schema, name: str, sought: str) -> bool:
    table = schema.table(name)
    texts = (name, table.noun, *(column.name for column in table.columns), *(column.noun for column in table.columns))
    return any(sought in text.casefold() for text in texts)
