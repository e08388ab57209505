"""What proposed templates may ask the database to do: look-ups, where nobody chooses."""

from __future__ import annotations

import streamlit as st

from core.testset.grounded.beyond.plan import Kind

KINDS = {
    Kind.LOOK_UP.value: "Look-ups",
    Kind.COUNT.value: "Counts",
    Kind.EXTREME.value: "The highest and lowest",
    Kind.TOTAL.value: "Sums and averages",
    Kind.LIST.value: "Lists",
    Kind.TOP.value: "The three highest",
    Kind.LATEST.value: "The latest and first",
    Kind.COMPARISON.value: "How many are ahead",
    Kind.NEGATION.value: "What has none",
    Kind.EXISTENCE.value: "Whether there is one",
}
"""What proposed templates may ask, as people read it."""


def choose() -> tuple[Kind, ...]:
    """The chosen kinds; none where everything was taken away."""
    chosen = st.multiselect(
        "What they ask",
        list(KINDS),
        default=[Kind.LOOK_UP.value],
        format_func=lambda value: KINDS[value],
        key="sql_kinds",
        persist_state="session",
        help="A look-up is answered by one record, and so by one document. All others are computed from several: a "
        "wrong answer is put down to the documents where they lack one of these rows, and to the retrieval where it "
        "did not bring them all.",
    )
    return tuple(Kind(value) for value in chosen)
