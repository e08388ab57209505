"""What differs between two versions of a test set: which answers moved, which questions are new or gone."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.domain.testset.cases import TestCase, TestSet
from core.store.database import Store
from core.store.testset import testsets
from core.testset.versions import Differences, MovedAnswer, differences, other_versions
from pages.kit import cache, state
from pages.kit.frame import Page
from pages.kit.look import headline, numbers, tables


@cache.read("test_sets")
def _versions(store: Store, test_set_id: str) -> list[TestSet]:
    with store.read() as connection:
        test_set = testsets.get(connection, test_set_id)
    return other_versions(store, test_set)


@cache.read("test_sets")
def _differences(store: Store, before: str, after: str) -> Differences:
    with store.read() as connection:
        return differences(testsets.cases(connection, before), testsets.cases(connection, after))


def versions(page: Page, test_set: TestSet) -> list[TestSet]:
    """The other versions of the test set in view, the newest first."""
    return _versions(page.store, test_set.id)


def draw(page: Page, test_set: TestSet, others: Sequence[TestSet]) -> None:
    """The figures, then the questions whose answers moved, then those that are new and those that are gone.

    Args:
        page: The page.
        test_set: The version in view.
        others: The versions it may be compared with, at least one.
    """
    by_id = {other.id: other for other in others}
    earlier = next((other.id for other in others if other.version < test_set.version), others[0].id)
    chosen = by_id[
        state.choose("Compared with", list(by_id), "a", default=earlier, name=lambda name: _called(by_id[name]))
    ]
    before, after = sorted((chosen, test_set), key=lambda one: one.version)
    found = _differences(page.store, before.id, after.id)
    old, new = f"version {before.version}", f"version {after.version}"
    headline.draw(
        [
            headline.Figure(
                key="moved",
                label="Answers that moved",
                value=numbers.count(len(found.moved)),
                note=f"of {numbers.count(len(found.moved) + found.kept, 'question')} in both",
                help="The same question of the same row, with another answer in the database.",
            ),
            headline.Figure(key="kept", label="Unchanged", value=numbers.count(found.kept), note="question and answer"),
            headline.Figure(key="added", label="New", value=numbers.count(len(found.added)), note=f"only in {new}"),
            headline.Figure(key="gone", label="Gone", value=numbers.count(len(found.gone)), note=f"only in {old}"),
        ]
    )
    if not (found.moved or found.added or found.gone):
        st.info(f"{new.capitalize()} asks the same questions as {old}, with the same answers.", icon=":material/info:")
        return
    _listed(f"Answers that moved from {old} to {new}", "moved", _moved_frame(found.moved))
    _listed(f"Questions only in {new}", "added", _cases_frame(found.added))
    _listed(f"Questions only in {old}", "gone", _cases_frame(found.gone))


def _listed(title: str, key: str, frame: pd.DataFrame) -> None:
    if frame.empty:
        return
    st.subheader(title, anchor=False)
    tables.plain(frame.head(tables.MOST), key=f"{key}_table")
    with st.container(horizontal=True, vertical_alignment="center"):
        if len(frame) > tables.MOST:
            st.caption(f"The first {tables.MOST:,} of {numbers.count(len(frame), 'question')}; the file has all.")
        tables.download(frame, name=key, key=f"{key}_csv")


def _moved_frame(moved: Sequence[MovedAnswer]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"Question": one.question, "Answer before": " | ".join(one.before), "Answer now": " | ".join(one.after)}
            for one in moved
        ]
    )


def _cases_frame(cases: Sequence[TestCase]) -> pd.DataFrame:
    return pd.DataFrame(
        [{"Question": case.question, "Answer": " | ".join(case.reference_answers), "Form": case.form} for case in cases]
    )


def _called(test_set: TestSet) -> str:
    return f"version {test_set.version}, {'frozen' if test_set.frozen else 'draft'}"
