"""The questions of a test set: filtered and paged in SQL, the opened one in full, excluded with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import pandas as pd
import streamlit as st

from core.domain.errors import NotFound
from core.domain.testset.cases import TestCase, TestSet
from core.store.testset import testsets
from core.testset.service import exclude_case
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import tables, verbatim
from pages.kit.testset import case_counts, ground_truth, templates

SIZE = 50


class Filters(TypedDict):
    """Which cases are listed, as `testsets.cases` takes it."""

    form: str | None
    sql_template_id: str | None
    search: str
    include_excluded: bool


def browse(page: Page, test_set: TestSet, may_write: bool) -> None:
    """The questions, filtered and paged in SQL, and the selected one in full."""
    form_at, template_at, search_at, excluded_at = st.columns([2, 4, 3, 2], vertical_alignment="bottom")
    sql = {template.id: template.sql for template in templates.sql_templates(page.store, page.project.id)}
    with form_at:
        form = state.choose("Form", case_counts.forms(page.store, test_set.id), "form", every="Every form")
    with template_at:
        used = case_counts.sql_templates(page.store, test_set.id)
        template = state.choose(
            "SQL template", used, "template", every="Every template", name=lambda key: sql.get(key, key)
        )
    with search_at:
        words = state.search("Search", placeholder="Words of the question")
    with excluded_at:
        excluded = st.toggle("Show excluded", key="show_excluded")
    filters = Filters(form=form or None, sql_template_id=template or None, search=words, include_excluded=excluded)
    with page.store.read() as connection:
        total = testsets.count(connection, test_set.id, **filters)
    if not total:
        st.info("No question matches these filters.")
        return
    offset = tables.pages(total, size=SIZE, thing="question")
    with page.store.read() as connection:
        cases = testsets.cases(connection, test_set.id, **filters, limit=SIZE, offset=offset)
    tables.follow(
        _frame(cases),
        key="cases_table",
        id_column="case_id",
        parameter="case",
        height=318,
        columns={"Question": st.column_config.TextColumn(width=420)},
    )
    if state.link().case:
        _case(page, test_set, state.link().case, may_write)
    else:
        st.caption("Select a question to see its SQL, its parameters and the document that should be found.")


def _case(page: Page, test_set: TestSet, case_id: str, may_write: bool) -> None:
    try:
        with page.store.read() as connection:
            case = testsets.case(connection, test_set.id, case_id)
    except NotFound as error:
        errors.show(error)
        return
    with st.container(border=True, key="case_detail"):
        left, right = st.columns([3, 2], gap="large")
        with left:
            st.caption(f"Question · {errors.plain(case.form)} · case {case.case_id}")
            verbatim.show(case.question)
            ground_truth.draw(case)
        with right:
            st.caption("Document that should be found")
            verbatim.show(", ".join(case.gold_document_ids) or "not known: the template has no id column")
            st.caption("Attributes")
            verbatim.show("\n".join(f"{name}: {value}" for name, value in case.attributes.items()) or "none")
            _exclusion(page, test_set, case, may_write)


def _exclusion(page: Page, test_set: TestSet, case: TestCase, may_write: bool) -> None:
    if case.excluded:
        st.warning(f"Excluded: {errors.plain(case.excluded)}")
    if not may_write or test_set.frozen:
        return
    if case.excluded:
        if st.button("Include again", key="include_case"):
            with errors.shown():
                exclude_case(page.store, test_set.id, case.case_id, "", actor=page.actor)
                st.rerun()
        return
    reason = st.text_input("Why exclude this question?", key=state.fresh(f"why_{case.case_id}"), max_chars=200)
    if st.button("Exclude this question", key="exclude_case"):
        if not reason.strip():
            st.info("Give the reason first; it is kept with the test set.")
            return
        with errors.shown():
            exclude_case(page.store, test_set.id, case.case_id, reason, actor=page.actor)
            state.say("Excluded. The reason is kept with the test set.")
            st.rerun()


def _frame(cases: Sequence[TestCase]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "case_id": case.case_id,
                "Question": case.question,
                "Answer": " | ".join(case.reference_answers),
                "Form": case.form,
                "Gold document": ", ".join(case.gold_document_ids),
                **({"Excluded": case.excluded} if case.excluded else {}),
            }
            for case in cases
        ]
    )
