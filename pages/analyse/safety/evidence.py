"""The rows that a finding rests on, each with the way to its case in Results."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.kit import state
from pages.kit.look import tables

ID = "id"
"""The hidden column with the case of a row; empty where it has none."""
ADDED = ("probe-", "bias-")
"""How the cases begin that a check adds; they are no cases of the run."""
WIDTHS = {
    name: st.column_config.TextColumn(width=width)
    for name, width in {"Words around it": 420, "Sentence": 480, "Rule": 240, "Value": 180}.items()
}


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
