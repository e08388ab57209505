"""What will be asked? Fill the approved templates, look at the questions, take out what is wrong, freeze."""

import streamlit as st

from core.domain.sources.projects import Role
from pages.kit import errors, frame, project_reads, state
from pages.kit.look import numbers
from pages.kit.testset import case_counts, gold_fit
from pages.test_set.test_set import building, case_browser, changes, data_quality, open_set

page = frame.begin(__file__)
may_write = page.may(Role.VALIDATOR)
approved = project_reads.progress(page.store, page.project.id)
building.watch(page)
notice = st.container()
picker, buttons = st.columns([4, 5], vertical_alignment="bottom")
with picker:
    test_set = page.choose_test_set()
if test_set is None and not building.sources(approved):
    frame.empty(
        "Nothing is approved yet.",
        "A test set fills each approved SQL template with every value of the database and asks it in each approved "
        "wording; the answer is the query's result. Approved questions from documents can be asked too.",
        "templates",
        "Review templates",
    )
    st.stop()
if test_set is None:
    page.context(
        numbers.count(approved.sql_approved, "approved SQL template"),
        numbers.count(
            approved.questions_approved, "approved question from documents", "approved questions from documents"
        ),
    )
    building.draw_form(page, may_write, first=True)
    st.stop()
cases = case_counts.number(page.store, test_set.id)
page.context(
    f"{errors.plain(test_set.name)} v{test_set.version}",
    numbers.count(cases, "question"),
    f"frozen {numbers.when(test_set.frozen_at)}" if test_set.frozen else "draft",
    f"content hash {test_set.content_hash[:12]}" if test_set.frozen else "",
)
with notice:
    fits = test_set.frozen or not may_write or gold_fit.confirmed(page, test_set, action="Freeze it")
with buttons:
    open_set.actions(page, test_set, cases, may_write=may_write, may_freeze=fits)
open_set.figures(test_set, cases)
open_set.unworded(page, test_set)
others = changes.versions(page, test_set)
parts = ["questions", "counts", *(["changes"] if others else []), *(["build"] if may_write else [])]
view = state.switch(
    "Part",
    parts,
    "view",
    name={
        "questions": "Questions",
        "counts": "How it was made",
        "changes": "Changes between versions",
        "build": "Build another",
    }.__getitem__,
    label_visibility="collapsed",
)
if view == "counts":
    open_set.counts(page, test_set)
    data_quality.draw(page, test_set)
elif view == "changes":
    changes.draw(page, test_set, others)
elif view == "build":
    building.draw_next(page, test_set)
    building.draw_form(page, may_write, first=False)
else:
    case_browser.browse(page, test_set, may_write)
