"""The test set that is open: its figures, freeze, discard, run, export, and how it was made."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.domain.sources.projects import SourceKind
from core.domain.testset.cases import TestSet
from core.io.cases import write_cases
from core.store.testset import testsets
from core.testset.grounded import files
from core.testset.grounded.instantiate import NO_WORDING
from core.testset.service import STOPPED_TEMPLATES, UNWORDED_TEMPLATES, delete_test_set, freeze_test_set
from pages.kit import errors, project_reads, state, uploads
from pages.kit.frame import Page
from pages.kit.look import headline, numbers, tables
from pages.kit.testset import case_counts, templates

OPTIONS = {
    "balanced": "Balanced over forms",
    "limit": "At most (questions)",
    "seed": "Seed",
    "source_id": "Database",
    "source_fingerprint": "Fingerprint of the database",
    "documents": "Questions from documents",
}
"""How the settings of a test set are called on the screen."""
MOST_NAMED = 5
"""Templates that one message names."""


def figures(test_set: TestSet, cases: int) -> None:
    """What the test set is made of, in at most four figures."""
    counts = test_set.counts
    of_documents = counts.get("document_questions")
    shown = [
        headline.Figure(
            key="questions",
            label="Questions",
            value=f"{cases:,}",
            note=_forms(counts.get("questions")),
            help="Cases that will be asked; those a person excluded do not count.",
        )
    ]
    if of_documents:
        shown.append(
            headline.Figure(
                key="documents",
                label="From documents",
                value=_total(of_documents),
                note=_kinds(of_documents),
                help="Questions that a person approved, as they were built.",
            )
        )
    if "sql_queries" in counts:
        shown.append(
            headline.Figure(
                key="queries",
                label="Filled SQL queries",
                value=_number(counts.get("sql_queries")),
                note="one fact each",
                help="An SQL template with one set of values: one fact, asked in every wording.",
            )
        )
        shown.append(
            headline.Figure(
                key="sql",
                label="SQL templates",
                value=_number(counts.get("sql_templates")),
                note="with a question",
            )
        )
    if not of_documents:
        shown.append(
            headline.Figure(
                key="wordings",
                label="Wordings",
                value=_total(counts.get("text_templates")),
                note=_forms(counts.get("text_templates")),
                help="Text templates, over all SQL templates.",
            )
        )
    headline.draw(shown)


def unworded(page: Page, test_set: TestSet) -> None:
    """The templates that have no question here since they lack a wording in a form, and the way to their wordings."""
    listed = _listed(test_set, UNWORDED_TEMPLATES)
    number = len(listed) or test_set.drops.get(NO_WORDING, 0)
    if not number:
        return
    source = project_reads.source(page.store, page.project.id, SourceKind.DATABASE)
    called = templates.questions(page.store, page.project.id, source) if source else {}
    names = "".join(
        f"\n- {errors.plain(called.get(str(item['id']), str(item['sql'])))}{_lacks(item['forms'])}"
        for item in listed[:MOST_NAMED]
    )
    more = f"\n- and {number - MOST_NAMED:,} more" if len(listed) > MOST_NAMED else ""
    has = "has no question" if number == 1 else "have no question"
    st.warning(
        f"**{numbers.count(number, 'approved template')} {has} here**: without an approved wording in every form a "
        "template is left out of a balanced test set. Approve or write one, then build the test set again."
        f"{names}{more}",
        icon=":material/warning:",
    )
    if st.button("Review the wordings", key="go_wordings"):
        state.go("templates", view="text", status=templates.TO_REVIEW)


def _lacks(forms: object) -> str:
    named = ", ".join(map(str, forms)) if isinstance(forms, list) else ""
    return f" (no {errors.plain(named)} wording)" if named else ""


def _kinds(value: object) -> str:
    return ", ".join(f"{name.casefold()} {n:,}" for name, n in value.items()) if isinstance(value, dict) else ""


def actions(page: Page, test_set: TestSet, cases: int, *, may_write: bool, may_freeze: bool) -> None:
    """Freeze or discard a draft, run a frozen one, export either.

    Args:
        page: The page.
        test_set: The test set in view.
        cases: How many questions it has; one without any is not frozen.
        may_write: Whether this person may change test sets.
        may_freeze: Whether its gold ids fit the documents, or a person said to freeze it all the same.
    """
    with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="bottom"):
        with st.popover("Export", icon=":material/download:", key="export"):
            _exports(page, test_set)
        if not may_write:
            return
        if test_set.frozen:
            if st.button("Run this test set", key="go_run", type="primary"):
                state.go("run", test_set=test_set.id)
            return
        if st.button("Discard this draft", key="discard"):
            with errors.shown():
                delete_test_set(page.store, test_set.id, actor=page.actor)
                state.update(test_set="", case="")
                state.remember(test_set="")
                state.say("The draft is deleted.")
                st.rerun()
        if st.button(
            "Freeze test set",
            key="freeze",
            type="primary",
            disabled=not cases or not may_freeze,
            help="Gives it a version and a content hash. A frozen test set never changes.",
        ):
            with errors.shown():
                frozen = freeze_test_set(page.store, test_set.id, actor=page.actor)
                state.say(f"Frozen with content hash {frozen.content_hash[:12]}. It is ready to run.")
                st.rerun()


def _exports(page: Page, test_set: TestSet) -> None:
    st.download_button(
        "Every case as JSONL",
        data=lambda: _jsonl(page, test_set),
        file_name=f"{test_set.id}.jsonl",
        key="export_jsonl",
        on_click="ignore",
        width="stretch",
    )
    for form in case_counts.forms(page.store, test_set.id):
        st.download_button(
            f"{errors.plain(form)}.json in GRAMMAR's format",
            data=partial(_grammar, page, test_set, form),
            file_name=f"{form}.json",
            key=f"export_grammar_{form}",
            on_click="ignore",
            width="stretch",
        )


def counts(page: Page, test_set: TestSet) -> None:
    """How many of what, what was dropped and why, and what it was made from."""
    if "sql_queries" in test_set.counts:
        st.markdown("**Counts**: M SQL templates, N wordings of each and Q sets of values give M x N x Q questions")
        tables.plain(_table_2(test_set), key="counts_table")
    of_documents = test_set.counts.get("document_questions")
    if isinstance(of_documents, dict):
        st.markdown("**Questions from documents**, by kind")
        rows = [{"Kind": name, "Questions": n} for name, n in of_documents.items()]
        tables.plain(pd.DataFrame(rows), key="document_counts_table")
    kept = case_counts.number(page.store, test_set.id)
    excluded = case_counts.number(page.store, test_set.id, excluded=True) - kept
    if excluded:
        st.caption(f"A person excluded {numbers.count(excluded, 'question')} since; {kept:,} are left.")
    for template in _listed(test_set, STOPPED_TEMPLATES):
        st.warning(
            f"A limit ended the template **{errors.plain(str(template['sql']))}**, so that it has no question here. "
            f"{errors.plain(str(template['reason']))} {errors.plain(str(template['remedy']))}"
        )
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Left out, by reason**")
        if test_set.drops:
            tables.plain(
                pd.DataFrame([{"Reason": reason, "Count": n} for reason, n in test_set.drops.items()]),
                key="drops_table",
            )
        else:
            st.caption("Nothing: every value of every approved template gave its questions.")
    with right:
        st.markdown("**Made from**")
        shown = {
            OPTIONS.get(name, name): _option(value)
            for name, value in test_set.options.items()
            if name not in (STOPPED_TEMPLATES, UNWORDED_TEMPLATES)
        }
        tables.plain(
            pd.DataFrame([{"Setting": name, "Value": value} for name, value in shown.items()]), key="options_table"
        )


def _listed(test_set: TestSet, option: str) -> list[dict[str, object]]:
    """The templates that were left out when the set was built, as an option of it lists them."""
    listed = test_set.options.get(option)
    return listed if isinstance(listed, list) else []


def _table_2(test_set: TestSet) -> pd.DataFrame:
    """GRAMMAR's counts of a data set, a column a form."""
    counts = test_set.counts
    questions = counts.get("questions")
    texts = counts.get("text_templates")
    forms = list(questions) if isinstance(questions, dict) else []
    lines = {
        "SQL templates (M)": dict.fromkeys(forms, counts.get("sql_templates")),
        "SQL queries (M x Q)": dict.fromkeys(forms, counts.get("sql_queries")),
        "Wordings (M x N)": texts if isinstance(texts, dict) else {},
        "Questions (M x N x Q)": questions if isinstance(questions, dict) else {},
    }
    alone = ("SQL templates (M)", "SQL queries (M x Q)")
    return pd.DataFrame(
        [
            {
                "Counted": name,
                **{form.capitalize(): _number(values.get(form)) for form in forms},
                "Together": next(map(_number, values.values()), "-") if name in alone else _total(values),
            }
            for name, values in lines.items()
        ]
    )


def _option(value: object) -> str:
    words = {True: "yes", False: "no", None: "-"}
    return words[value] if value is None or isinstance(value, bool) else str(value)[:24]


def _jsonl(page: Page, test_set: TestSet) -> bytes:
    with page.store.read() as connection:
        cases = testsets.cases(connection, test_set.id)
    with uploads.folder() as folder:
        path = folder / "cases.jsonl"
        write_cases(path, cases)
        return path.read_bytes()


def _grammar(page: Page, test_set: TestSet, form: str) -> bytes:
    with page.store.read() as connection:
        cases = testsets.cases(connection, test_set.id, form=form)
    with uploads.folder() as folder:
        path = folder / f"{form}.json"
        files.write_questions(path, cases)
        return path.read_bytes()


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else "-"


def _total(value: object) -> str:
    return f"{sum(value.values()):,}" if isinstance(value, dict) else "-"


def _forms(value: object) -> str:
    return ", ".join(f"{form} {number:,}" for form, number in value.items()) if isinstance(value, dict) else ""
