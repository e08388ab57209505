"""Does the diagnosis name the right module on your own data? Plant faults, watch, read what each was called."""

import streamlit as st

from core.domain.sources.projects import Role
from pages.analyse.faults import form, reads, view
from pages.kit import frame
from pages.kit.models import budget
from pages.kit.work import jobs

page = frame.begin(__file__)
trials = reads.trials(page)
if not trials and form.missing(page):
    st.stop()
trial = view.choose(trials) if trials else None
result = None if trial is None else reads.result(page, trial)
if trial is not None and result is None:
    jobs.panel(page, trial.id, key="faults_job")
    budget.draw(page, trial)
if result is not None:
    view.context(page, result)
    view.draw(result)
if page.may(Role.VALIDATOR):
    if not (trial is not None and trial.state.active) and not form.missing(page):
        form.draw(page, opened=trial is None)
elif trial is None:
    st.info("Nobody has planted faults in this project yet. A validator of the project can.")
