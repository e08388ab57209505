"""Where does this validation stand? What it is for, what the system must reach, what comes next, the run in view."""

import streamlit as st

from pages.kit import errors, frame, state
from pages.kit.look import numbers
from pages.kit.work import live
from pages.set_up.overview import criteria, glance, profile, project, sample

WHAT = (
    "Plumbline asks a RAG system questions whose answers a database proves, and shows which module caused each wrong "
    "answer: the knowledge, the retrieval or the language model."
)
VIEWS = {
    "glance": "At a glance",
    "profile": "Purpose and risks",
    "criteria": "Acceptance criteria",
    "sample": "Sample size",
    "project": "Name and deletion",
}
QUESTIONS = {
    "profile": "What is validated, for what use, and which risks come with it?",
    "criteria": "What must the system reach?",
    "sample": "How many questions does it take?",
    "project": "What is this project called, and is it still needed?",
}

page = frame.begin(__file__, needs_project=False, questions=QUESTIONS)
if page.chosen is None:
    st.markdown(WHAT)
    project.first(page)
else:
    standing = live.standing(page)
    page.context(errors.plain(page.project.description), f"created {numbers.when(page.project.created_at)}")
    view = state.switch("Part", list(VIEWS), "view", name=VIEWS.__getitem__, label_visibility="collapsed")
    if view == "profile":
        profile.draw(page)
    elif view == "criteria":
        criteria.draw(page, glance.choose_run(page))
    elif view == "sample":
        sample.draw(page, glance.choose_run(page))
    elif view == "project":
        project.draw(page)
    else:
        run = glance.choose_run(page)
        if run is None:
            st.markdown(WHAT)
        glance.draw(page, run)
        live.follow_runs(page, standing)
    with st.popover("New project", icon=":material/add:"):
        project.new(page, primary=False)
