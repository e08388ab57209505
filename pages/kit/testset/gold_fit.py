"""The warning that gold ids of a test set name no document, before it is frozen and before it is run."""

from __future__ import annotations

import streamlit as st

from core.domain.sources.projects import Role
from core.domain.testset.cases import TestSet
from core.store.database import Store
from core.testset.gold_fit import GoldFit, gold_fit
from pages.kit import cache, errors, state
from pages.kit.frame import Page


@cache.read("sources", "test_sets")
def fit(store: Store, test_set_id: str) -> GoldFit | None:
    """How many gold ids of a test set name a document; None where there are no documents or no gold ids."""
    return gold_fit(store, test_set_id)


def confirmed(page: Page, test_set: TestSet, *, action: str) -> bool:
    """Says how many gold ids name no document; whether the action may go on.

    A few without one are knowledge gaps, which are tested on purpose. Where hardly any has one, a person must confirm.

    Args:
        page: The page.
        test_set: The test set that is frozen or run.
        action: What is about to be done, as on the box that confirms it ("Freeze it").
    """
    found = fit(page.store, test_set.id)
    if found is None or not found.missing:
        return True
    sentence = errors.plain(found.sentence)
    if not found.poor:
        st.caption(
            f":material/warning: {sentence} Each has no page at all, shares a page with other records, or is spelled "
            "in another way. Diagnose looks for the facts in every document before it calls one missing."
        )
    else:
        st.error(
            f"**Records and documents hardly fit.** {sentence} Choose on the Connect page how they belong together.",
            icon=":material/error:",
        )
    if st.button("Open records and documents", key="gold_fit_connect"):
        state.go("connect", view="documents")
    if not found.poor or not page.may(Role.VALIDATOR):
        return True
    return st.checkbox(f"{action} although {_few(found)}", key=f"gold_fit_confirmed_{test_set.id}")


def _few(found: GoldFit) -> str:
    if found.none:
        return "no gold id names a document"
    return f"only {found.matched:,} of {found.ids:,} gold ids name a document"
