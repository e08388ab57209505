"""Is it toxic, does it leak, does it treat people alike? Figures, evidence, settings, and a new check."""

import streamlit as st

from core.domain.sources.projects import Role
from pages.analyse.safety import form, reads, view
from pages.kit import errors, frame, run_names
from pages.kit.look import numbers
from pages.kit.work import jobs

page = frame.begin(__file__)
run = page.choose_run()
if run is None:
    page.no_run(form.ABOUT)
    st.stop()
result = reads.result(page.store, run.id)
target = f"target {errors.plain(run_names.target_name(run))}"
if result is None:
    page.context(f"run {run.id}", target)
else:
    answers = numbers.count(int(result.made_from["run_answers"]), "answer")
    asked = f"{int(result.made_from['asked']):,} additional questions"
    page.context(f"run {run.id}", target, answers, asked, f"checked {numbers.when(result.created_at)}")
work = reads.check(page, run.id)
if work is not None:
    jobs.panel(page, work.id, key="safety_job")
if result is not None:
    if remark := str(result.made_from.get("refusals") or ""):
        st.caption(errors.plain(remark))
    view.head(result)
    view.draw(result)
if page.may(Role.VALIDATOR):
    if work is None or not work.state.active:
        form.check(page, run, opened=result is None)
    form.settings(page)
elif result is None:
    st.info("Nobody has checked the safety of this run yet. A validator of the project can.")
