"""Which module is broken? Groups, accuracies, attribution, and a test of what makes questions fail."""

import streamlit as st

from pages.analyse.diagnose import reads, search
from pages.analyse.diagnose import view as diagnosis_view
from pages.kit import errors, frame, run_names, state
from pages.kit.look import numbers
from pages.kit.models import trust

page = frame.begin(__file__)
run_at, reading_at = st.columns([3, 2], vertical_alignment="bottom")
with run_at:
    run = page.choose_run()
if run is None:
    page.no_run("This page says whether errors come from missing knowledge, the retrieval or the language model.")
    st.stop()
with reading_at:
    reading = state.choose("Reading of verdicts", list(reads.READINGS), "reading", name=lambda key: reads.READINGS[key])
with st.spinner("Reading the run and what the documents say about its failing facts"):
    rows, diagnosis = reads.diagnosed(page.store, run.id, reading)
page.context(
    f"run {run.id}",
    f"target {errors.plain(run_names.target_name(run))}",
    numbers.count(diagnosis.n, "question"),
    numbers.count(len(diagnosis.groups), "semantic group"),
)
if diagnosis.n == diagnosis.not_judged:
    frame.empty("No answer is judged yet.", "The diagnosis needs verdicts.", "run", "Go on with the run", run=run.id)
    st.stop()
trust.badge(trust.of_run(page.store, run.id), key="verdicts")
search.draw(page, run, rows, diagnosis)
diagnosis_view.figures(diagnosis)
diagnosis_view.recall(diagnosis, rows)
diagnosis_view.unjudged(diagnosis, reading)
if diagnosis_view.all_gaps(diagnosis):
    st.warning(
        "**No question was answered correctly, so every group is a gap.** Refined accuracy and context comparison have "
        "nothing to compare with. Look at the groups: the documents may lack the facts, or the target may not work."
    )
view = state.switch(
    "Part",
    ["modules", "groups", "hypothesis"],
    "view",
    name={"modules": "Modules", "groups": "Groups", "hypothesis": "Hypothesis test"}.__getitem__,
    label_visibility="collapsed",
)
if view == "modules":
    diagnosis_view.modules(diagnosis)
elif view == "groups":
    diagnosis_view.groups(page, run, diagnosis, rows)
else:
    diagnosis_view.hypothesis(page, run, rows, reading)
if st.button("Try the diagnosis on planted faults", key="try_faults", type="tertiary", icon=":material/science:"):
    state.go("faults")
