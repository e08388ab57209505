"""The parts of the Test set page: build, counts, browse, exclude, freeze, export."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from core.domain.cases import TestCase, TestSet
from core.interchange import grammar
from core.interchange.cases import write_cases
from core.store import testsets
from core.testset.service import build_test_set, delete_test_set, exclude_case, freeze_test_set
from pages.ui import case_counts, errors, numbers, review, state, tables
from pages.ui.frame import Page

SIZE = 50


def draw_form(page: Page, may_write: bool, *, first: bool) -> None:
    """Name, balance, limit and seed of a new test set, and the button that builds it."""
    if not may_write:
        st.info("Your role may read this project and not build test sets.")
        return
    with st.container(border=True, key="build_form"):
        st.markdown("**Build a test set** from the approved templates and the connected database.")
        name_at, limit_at, seed_at = st.columns([4, 2, 2])
        name = name_at.text_input(
            "Name", value="Test set", key="build_name", max_chars=80, help="A name again is its next version."
        )
        limit = limit_at.number_input(
            "At most (questions)", min_value=1, value=None, step=100, key="build_limit", placeholder="all",
            help="Whole groups are sampled, in proportion to the SQL templates.",
        )  # fmt: skip
        seed = seed_at.number_input(
            "Seed", min_value=0, value=0, key="build_seed", help="Fixes which groups are sampled."
        )
        balanced = st.toggle(
            "Balanced: as many questions in every group and form",
            value=True,
            key="build_balanced",
            help="Needed to compare forms: refined accuracy favours larger groups (GRAMMAR, section 4.3).",
        )
        if st.button(
            "Build test set", key="build", type="primary" if first else "secondary", disabled=not name.strip()
        ):
            with errors.shown():
                with st.spinner("Filling templates with the database's values"):
                    made = build_test_set(
                        page.store,
                        page.project.id,
                        actor=page.actor,
                        name=name.strip(),
                        balanced=balanced,
                        limit=None if limit is None else int(limit),
                        seed=int(seed),
                    )
                state.update(test_set=made.id, view="questions")
                state.say(f"{made.name} v{made.version} is built as a draft. Look at the questions, then freeze it.")
                st.rerun()


def headline(test_set: TestSet, cases: int) -> None:
    """Table 2 in four figures."""
    counts = test_set.counts
    first, second, third, fourth = st.columns(4)
    first.metric("Questions", f"{cases:,}", help=_forms(counts.get("questions")))
    second.metric(
        "Filled SQL queries",
        _number(counts.get("sql_queries")),
        help="Each is one fact: one semantic group in each form.",
    )
    third.metric("SQL templates", _number(counts.get("sql_templates")))
    fourth.metric("Wordings", _total(counts.get("text_templates")), help=_forms(counts.get("text_templates")))


def actions(page: Page, test_set: TestSet, cases: int, may_write: bool) -> None:
    """Freeze or discard a draft; export; the hash of a frozen one."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if test_set.frozen:
            st.caption(f"Content hash {test_set.content_hash[:16]}... · made from source {_source(test_set)}")
        elif may_write:
            if st.button(
                "Freeze test set", key="freeze", type="primary", disabled=not cases,
                help="Gives it a version and a content hash. A frozen test set never changes.",
            ):  # fmt: skip
                with errors.shown():
                    frozen = freeze_test_set(page.store, test_set.id, actor=page.actor)
                    state.say(f"Frozen with content hash {frozen.content_hash[:16]}... It is ready to run.")
                    st.rerun()
            if st.button("Discard this draft", key="discard"):
                with errors.shown():
                    delete_test_set(page.store, test_set.id, actor=page.actor)
                    state.update(test_set="")
                    state.remember(test_set="")
                    state.say("The draft is gone.")
                    st.rerun()
        if test_set.frozen and st.button("Run this test set", key="go_run", type="primary"):
            state.go("run", test_set=test_set.id)
        st.download_button(
            "Download JSONL", data=lambda: _jsonl(page, test_set), file_name=f"{test_set.id}.jsonl",
            key="export_jsonl", on_click="ignore",
        )  # fmt: skip
        for form in case_counts.forms(page.store, test_set.id):
            st.download_button(
                f"Download GRAMMAR {form}.json", data=lambda form=form: _grammar(page, test_set, form),
                file_name=f"{form}.json", key=f"export_grammar_{form}", on_click="ignore",
            )  # fmt: skip


def counts(page: Page, test_set: TestSet) -> None:
    """How many of what, what was dropped and why, and what it was made from."""
    left, right = st.columns(2, gap="large")
    per_form = test_set.counts.get("questions")
    texts = test_set.counts.get("text_templates")
    with left:
        st.markdown("**Counts** (M templates x N wordings x Q values, GRAMMAR, equation 4)")
        rows = [
            {
                "Form": form,
                "SQL templates (M)": test_set.counts.get("sql_templates"),
                "SQL queries": test_set.counts.get("sql_queries"),
                "Wordings (N)": texts.get(form, 0) if isinstance(texts, dict) else None,
                "Questions (Q)": number,
            }
            for form, number in (per_form.items() if isinstance(per_form, dict) else ())
        ]
        tables.plain(pd.DataFrame(rows), key="counts_table")
        excluded = case_counts.number(page.store, test_set.id, excluded=True) - case_counts.number(
            page.store, test_set.id
        )
        st.caption(f"{numbers.count(excluded, 'question')} excluded by hand since.")
    with right:
        st.markdown("**Left out, by reason**")
        if test_set.drops:
            tables.plain(
                pd.DataFrame([{"Reason": reason, "Count": n} for reason, n in test_set.drops.items()]),
                key="drops_table",
            )
        else:
            st.caption("Nothing was left out.")
        st.markdown("**Made from**")
        shown = {name.replace("_", " "): str(value) for name, value in test_set.options.items()}
        tables.plain(
            pd.DataFrame([{"Setting": name, "Value": value} for name, value in shown.items()]), key="options_table"
        )


def browse(page: Page, test_set: TestSet, may_write: bool) -> None:
    """The questions, filtered and paged in SQL, and the selected one in full."""
    form_at, template_at, search_at, excluded_at = st.columns([2, 4, 3, 2], vertical_alignment="bottom")
    sql = {template.id: template.sql for template in review.sql_templates(page.store, page.project.id)}
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
    filters = {
        "form": form or None,
        "sql_template_id": template or None,
        "search": words,
        "include_excluded": excluded,
    }
    with page.store.read() as connection:
        total = testsets.count(connection, test_set.id, **filters)
    if not total:
        st.info("No question matches these filters.")
        return
    offset = tables.pages(total, size=SIZE, thing="question")
    with page.store.read() as connection:
        cases = testsets.cases(connection, test_set.id, **filters, limit=SIZE, offset=offset)
    picked = tables.select(_frame(cases), key="cases_table", id_column="case_id", height=330,
                           columns={"Question": st.column_config.TextColumn(width="large")})  # fmt: skip
    chosen = next((case for case in cases if case.case_id == picked), None)
    if chosen is not None:
        _case(page, test_set, chosen, may_write)
    else:
        st.caption("Select a question to see its SQL, its parameters and the document that should be found.")


def _case(page: Page, test_set: TestSet, case: TestCase, may_write: bool) -> None:
    with st.container(border=True, key="case_detail"):
        left, right = st.columns([3, 2], gap="large")
        with left:
            st.caption(f"Question · {case.form} · case {case.case_id}")
            st.text(case.question)
            st.caption("Ground truth")
            st.text(" | ".join(case.reference_answers))
            st.code(case.sql or "-- no SQL: this case was imported", language="sql", wrap_lines=True)
            values = ", ".join(f"{name} = {errors.plain(str(value))}" for name, value in case.sql_params.items())
            st.caption(f"with {values}" if values else "without parameters")
        with right:
            st.caption("Document that should be found")
            st.text(", ".join(case.gold_document_ids) or "not known: the template has no id column")
            st.caption("Attributes")
            st.text("\n".join(f"{name}: {value}" for name, value in case.attributes.items()) or "none")
            _exclusion(page, test_set, case, may_write)


def _exclusion(page: Page, test_set: TestSet, case: TestCase, may_write: bool) -> None:
    if case.excluded:
        st.warning(f"Excluded: {errors.plain(case.excluded)}")
    if not may_write or test_set.frozen:
        return
    if case.excluded:
        if st.button("Put it back", key="include_case"):
            with errors.shown():
                exclude_case(page.store, test_set.id, case.case_id, "", actor=page.actor)
                st.rerun()
        return
    reason = st.text_input("Why should it not be asked?", key=state.fresh(f"why_{case.case_id}"), max_chars=200)
    if st.button("Exclude this question", key="exclude_case", disabled=not reason.strip()):
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


def _jsonl(page: Page, test_set: TestSet) -> bytes:
    with page.store.read() as connection:
        cases = testsets.cases(connection, test_set.id)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.jsonl"
        write_cases(path, cases)
        return path.read_bytes()


def _grammar(page: Page, test_set: TestSet, form: str) -> bytes:
    with page.store.read() as connection:
        cases = testsets.cases(connection, test_set.id, form=form)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{form}.json"
        grammar.write_questions(path, cases)
        return path.read_bytes()


def _source(test_set: TestSet) -> str:
    return str(test_set.options.get("source_fingerprint", "unknown"))[:12]


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else "-"


def _total(value: object) -> str:
    return f"{sum(value.values()):,}" if isinstance(value, dict) else "-"


def _forms(value: object) -> str:
    return ", ".join(f"{form} {number:,}" for form, number in value.items()) if isinstance(value, dict) else ""
