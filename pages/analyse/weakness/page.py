"""Where is it weak? Levels, pairs of levels, slices and clusters that are worse than the rest, shown by tests."""

import streamlit as st

from pages.analyse.weakness import controls, head, reads
from pages.analyse.weakness.attributes import cells, holding, margin
from pages.analyse.weakness.discovery import clusters, findings, slices
from pages.kit import errors, frame, run_names, state
from pages.kit.look import numbers
from pages.kit.models import trust

VIEWS = {
    "map": "Two attributes",
    "attribute": "One attribute",
    "slices": "Slices",
    "clusters": "Topic map",
    "holding": "Does the score hold?",
    "findings": "Findings",
}

page = frame.begin(__file__)
places = controls.cells()
with places[0]:
    run = page.choose_run()
if run is None:
    page.no_run("This page shows which topics, types of questions and pairs of them are answered worse than the rest.")
    st.stop()
with st.spinner("Reading the scores of the run"):
    choices = reads.choices(page.store, run.id)
    attributes = reads.attributes(page.store, run.id)
target = f"target {errors.plain(run_names.target_name(run))}"
page.context(f"run {run.id}", target)
if not any(choice.n for choice in choices):
    frame.empty("No answer is judged or scored yet.", "Weakness needs scores.", "run", "Go on with the run", run=run.id)
    st.stop()
if not any(info.levels > 1 for info in attributes):
    frame.empty(
        "The cases have no attribute to compare.",
        "Weakness is looked for between levels of an attribute, such as topics or forms, and here each has one level "
        "at most. Build a test set with two forms, several tables or topics.",
        "test_set",
        "Build a test set",
    )
    st.stop()
view = state.link().view if state.link().view in VIEWS else "map"
run_id = run.id
shown = controls.draw(
    run_id,
    places,
    choices,
    attributes,
    lambda unfiltered: lambda name: reads.levels(page.store, run_id, unfiltered, name),
    together=lambda name: reads.together(page.store, run_id, name),
    view=view,
)
with st.spinner("Looking for weak cases"):
    cases = reads.table(page.store, run.id, shown)
if not len(cases):
    st.info("No case is left by the filters. Take one away under 'Only some cases'.")
    st.stop()
scored = int(cases.scored.sum())
page.context(f"run {run.id}", target, f"{scored:,} of {numbers.count(len(cases), 'case')} with this score")
trust.badge(trust.of_metrics(page.store, run.id, reads.metrics_behind(page.store, shown.score)), key="weakness")
if view in ("map", "attribute"):
    head.draw(page, run, shown, cases, view)
view = state.switch("Part", list(VIEWS), "view", name=VIEWS.__getitem__, label_visibility="collapsed")
if view == "map":
    cells.draw(page, run, shown)
elif view == "attribute":
    margin.draw(page, run, shown)
elif view == "slices":
    slices.draw(page, run, shown)
elif view == "clusters":
    clusters.draw(page, run, shown)
elif view == "holding":
    holding.draw(page, run, shown)
else:
    findings.draw(page, run, shown)
