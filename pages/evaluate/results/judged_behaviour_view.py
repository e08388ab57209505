"""Answerable x answered as the judge sees both, beside what the rules say."""

from __future__ import annotations

from typing import Final

import pandas as pd
import streamlit as st

from core.judges.behaviour import JudgedBehaviour, judged_behaviour
from core.metrics.samples.answerability import Behaviour, Cell
from core.store.database import Store
from pages.kit import cache
from pages.kit.look import numbers, tables
from pages.kit.scores import names

ROWS: Final = {
    "Answerable": (Cell.ANSWERED_ANSWERABLE, Cell.DECLINED_ANSWERABLE),
    "Not answerable": (Cell.ANSWERED_UNANSWERABLE, Cell.DECLINED_UNANSWERABLE),
}
WIDTHS: Final = {
    "Question": st.column_config.TextColumn(width=120),
    **{
        name: st.column_config.TextColumn(width=170)
        for name in ("Answered, by rules", "Declined, by rules", "Answered, by the judge", "Declined, by the judge")
    },
}


def draw(store: Store, run_id: str, rules: Behaviour) -> None:
    """Draws both tables side by side, and how often they agree; nothing where no judge has graded the run.

    Args:
        store: The store.
        run_id: The run.
        rules: The table by rules.
    """
    table = _of_run(store, run_id)
    if table is None:
        return
    with st.expander("The same as the judge sees it", key="judged_behaviour", icon=":material/gavel:"):
        tables.plain(frame(rules, table), key="judged_behaviour_table", columns=WIDTHS)
        st.caption(said(table))


def frame(rules: Behaviour, table: JudgedBehaviour) -> pd.DataFrame:
    """The four cells of each, with counts and shares."""
    return pd.DataFrame(
        [
            {
                "Question": row,
                "Answered, by rules": numbers.full(rules.share(cells[0])),
                "Declined, by rules": numbers.full(rules.share(cells[1])),
                "Answered, by the judge": numbers.full(table.shares[cells[0]]),
                "Declined, by the judge": numbers.full(table.shares[cells[1]]),
            }
            for row, cells in ROWS.items()
        ],
        columns=list(WIDTHS),
    )


def said(table: JudgedBehaviour) -> str:
    """How often judge and rules agree, what the judge's words mean here, and what it did not judge."""
    alike, known = table.answered_alike, table.answerable_alike
    sentences = [
        "The judge calls a question answerable where the retrieved passages answer it (GroUSE completeness is not "
        "null); by rules it is so where the documents hold an answer.",
        f"Judge and rules agree on whether the target answered in {alike.num:,} of {alike.den:,} cases, and on whether "
        f"the question was answerable in {known.num:,} of {known.den:,}.",
    ]
    if table.not_judged:
        missing = ", ".join(f"{names.STATUS.get(why, why)} {count:,}" for why, count in table.not_judged.items())
        sentences.append(f"Not judged: {missing}.")
    return " ".join(sentences)


@cache.read("runs", "answers", "scores", "test_sets", "sources")
def _of_run(store: Store, run_id: str) -> JudgedBehaviour | None:
    return judged_behaviour(store, run_id)
