"""Does it hold under altered input? Make variants, run them, read which kinds flip answers and what was right."""

import streamlit as st

from core.domain.results.runs import RunState
from core.domain.sources.projects import Role
from core.judging.match.abstention import without_model
from pages.analyse.robustness import examples, form, reads, stability, view
from pages.kit import errors, frame
from pages.kit.models import budget
from pages.kit.work import jobs

page = frame.begin(__file__)
finished = reads.finished(page)
variant_runs = reads.variant_runs(page)
job = form.job_in_view(page)
if not finished and not variant_runs:
    frame.empty(
        "No run is finished yet.",
        "This page makes variants of the questions of a run, asks the same system, and shows which kinds of altered "
        "input flip its answers. It needs a finished run to compare with.",
        "run",
        "Run the test set",
    )
    st.stop()
if job is not None and (job.state.active or job.state.resumable):
    jobs.panel(page, job.id, key="variants_job")
    budget.draw(page, job)
chosen = view.choose(page, variant_runs)
if chosen is not None:
    view.context(page, chosen)
    if chosen.run.job_id and chosen.run.state is not RunState.FINISHED:
        jobs.panel(page, chosen.run.job_id, key="variant_run_job")
    if remark := without_model():
        st.caption(errors.plain(remark))
    result = reads.result(page.store, page.project.id, chosen.run.id)
    shown = view.draw(page, chosen, result)
    examples.draw(page, chosen, result, shown)
    stability.draw(result)
elif page.may(Role.VALIDATOR):
    st.markdown(form.ABOUT)
else:
    st.info("Nobody has made variants in this project yet. A validator of the project can.")
if page.may(Role.VALIDATOR) and finished and not (job is not None and job.state.active):
    form.draw(page, finished, opened=chosen is None)
