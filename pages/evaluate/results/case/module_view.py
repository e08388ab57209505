"""The module that the diagnosis of the run attributes a wrong answer to, with the way to its group."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.diagnosis import Attribution
from core.diagnosis.service.blame import Blame, blame_of
from core.domain.results.runs import Run
from core.domain.testset.cases import TestCase
from core.store.database import Store
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import theme
from pages.kit.state import links

NO_MODULE: Final = frozenset({Attribution.CORRECT, Attribution.NOT_JUDGED})
HELP: Final = "What the diagnosis attributes this wrong answer to; Diagnose shows its group with the evidence."


def draw(page: Page, run: Run, case: TestCase) -> None:
    """Draws the root cause as it is known, without a search of the documents; nothing for an answer without an error.

    Args:
        page: The page.
        run: The run.
        case: The case; every other wording of its fact is read with it.
    """
    blame = _blame(page.store, run.id, case.case_id)
    if blame is None or blame.module in NO_MODULE:
        return
    name = theme.NAMES[blame.module]
    why = "the documents are still to be searched for its fact" if blame.pending else errors.plain(blame.reason)
    with st.container(horizontal=True, vertical_alignment="center", key="case_module", gap="small"):
        st.markdown(f"Module: **{name}** · {why}", help=HELP)
        if st.button("Open its diagnosis", key="open_diagnosis", type="tertiary"):
            group = links.group_key(case.group_id, case.form)
            state.go("diagnose", run=run.id, view="groups", group=group, case=case.case_id)


@cache.read("runs", "answers", "scores", "test_sets", "sources", "evidence")
def _blame(store: Store, run_id: str, case_id: str) -> Blame | None:
    return blame_of(store, run_id, [case_id], seconds=0.0).get(case_id)
