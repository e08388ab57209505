"""The parts of the Judges page besides the judges of a run: their unit tests, and their prompts."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.judges.unit_tests.judges import PROMPTS_OF
from core.llm.prompts.catalogue import list_prompts
from pages.analyse.judges.unit_tests import view
from pages.kit import state
from pages.kit.frame import Page
from pages.kit.models import prompts

PARTS: Final = {"": "Judges of a run", "tests": "Judge tests", "prompts": "Prompts"}
MORE: Final = ("claims", "claim_support")
"""Prompts of judges that unit tests cannot be put to yet."""


def draw(page: Page) -> bool:
    """Draws the part that the URL names; False where it is that of a run, which the page draws itself."""
    part = state.switch("Part", list(PARTS), "part", name=PARTS.__getitem__, label_visibility="collapsed")
    if part == "tests":
        st.markdown(
            "A judge earns trust by samples whose right judgement is known. Each test is one answer with a failure, or "
            "without one, and conditions on what a judge must say of it."
        )
        view.draw(page)
    elif part == "prompts":
        _prompts(page)
    return bool(part)


def _prompts(page: Page) -> None:
    """The prompts of judges, to be edited; then the tests again."""
    ids = {name for names in PROMPTS_OF.values() for name in names} | set(MORE)
    ids |= {prompt.id for prompt in list_prompts() if prompt.id.startswith("grouse_") and "/" not in prompt.id}
    st.markdown(
        "Edit a judge's prompt, work on it with the training part of the judge tests, and compare the versions there. "
        "A judge is trusted with the prompts it was tested with, and no others."
    )
    prompts.draw(page, ids)
    if st.button("Test a judge", key="prompts_to_tests", icon=":material/rule:"):
        state.update(part="tests")
        st.rerun()
