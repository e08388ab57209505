"""The rows that a finding rests on, each with the way to its case in Results."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.kit import errors, state
from pages.kit.look import tables, verbatim

ID = "id"
"""The hidden column with the case of a row; empty where it has none."""
ADDED = ("probe-", "bias-")
"""How the cases begin that a check adds; they are no cases of the run."""
_PIXELS = {
    "Case": 130,
    "Words around it": 420,
    "Sentence": 480,
    "Rule": 240,
    "Value": 180,
    "Outcome": 90,
    "Probe": 170,
    "Question": 250,
    "Answer": 300,
    "Why": 260,
}
WIDTHS = {name: st.column_config.TextColumn(width=width) for name, width in _PIXELS.items()}
FIGURES = {name: st.column_config.NumberColumn(format="%.3f") for name in ("Difference", "Low", "High", "p (adjusted)")}
TWO_LINES = 64
"""Height of a row with room for two lines, in pixels."""


def listed(found: pd.DataFrame, run_id: str, *, key: str, name: str) -> None:
    """A table whose selected row opens its case in Results, and the download of all of it.

    Args:
        found: The rows, with the column `ID`.
        run_id: The run whose cases they are.
        key: Unique on the page.
        name: Of the file.
    """
    tables.follow(found, key=key, id_column=ID, parameter="case", columns=WIDTHS, height=420)
    opened = state.link().case
    with st.container(horizontal=True, vertical_alignment="center"):
        tables.download(found.drop(columns=ID), name=name, key=f"{key}_csv")
        if opened not in set(found[ID]):
            st.caption("Select a row to open its case.")
        elif opened.startswith(ADDED):
            st.caption("This answer was given to a question of the check, not of the run: see Probes and Bias.")
        elif st.button("Open the case in Results", key=f"{key}_to_results"):
            state.go("results", run=run_id, case=opened)


def answers(found: pd.DataFrame) -> None:
    """Every probe with its answer, and the one that is selected whole below, the first where none is.

    Args:
        found: The rows, with the column `ID`.
    """
    tables.follow(
        found,
        key="probe_answers",
        id_column=ID,
        parameter="case",
        columns=WIDTHS,
        height=420,
        row_height=TWO_LINES,
    )
    tables.download(found.drop(columns=ID), name="probes", key="probe_answers_csv")
    opened = found[found[ID] == state.link().case]
    row = (opened if len(opened) else found).iloc[0]
    with st.container(border=True, key="probe_in_view"):
        st.markdown(f"**{errors.plain(row['Outcome'])}**: {errors.plain(row['Why'])}")
        st.caption(errors.plain(row["Probe"]))
        verbatim.show(row["Question"])
        st.caption("Answer, masked")
        verbatim.show(row["Answer"])
