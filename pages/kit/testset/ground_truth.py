"""What a question should be answered with: the reference, the SQL it comes from, the values that fill it."""

from __future__ import annotations

import streamlit as st

from core.domain.results.forms import MADE_BY
from core.domain.testset.cases import TestCase
from pages.kit import errors
from pages.kit.look import verbatim


def draw(case: TestCase) -> None:
    """Draws a case's reference answers and how the database gave them."""
    written = "from the documents" if MADE_BY in case.attributes else "as it was imported"
    st.caption(f"Ground truth, {'from the database' if case.sql else written}")
    verbatim.show(" | ".join(case.reference_answers) or "- (no reference answer)")
    if case.sql:
        st.code(case.sql, language="sql", wrap_lines=True)
    if case.sql_params:
        values = ", ".join(f"{name} = {value!s}" for name, value in case.sql_params.items())
        st.caption(f"with {errors.plain(values)}")


def asked_about(case: TestCase) -> str:
    """The values a question is about, such as ``Aerodrome Departure Lounge``; "" where they are not known."""
    return ", ".join(str(value) for value in case.sql_params.values())
