"""Did the change help? Two runs case by case: what became right or wrong, where, and in which module."""

import streamlit as st

from core.comparison.settings import differing, refuse
from core.domain.errors import InvalidInput
from core.domain.results.runs import Run, RunState
from core.testset.variants.service import parent_of
from pages.analyse.compare import pair, reads, view
from pages.kit import errors, frame, project_reads, run_names, state
from pages.kit.look import numbers

page = frame.begin(__file__)
sets = {test_set.id: test_set for test_set in project_reads.test_sets(page.store, page.project.id)}
finished = {
    run.id: run
    for run in project_reads.runs(page.store, page.project.id)
    # Variants are compared with their parents on the Robustness page.
    if run.state is RunState.FINISHED and not (run.test_set_id in sets and parent_of(sets[run.test_set_id]))
}
if len(finished) < 2:
    frame.empty(
        "Two finished runs are needed.",
        "Run the same test set before and after a change of your system. This page then says whether the change "
        "helped, in which module, and how small a change could have been shown.",
        "run",
        "Run the test set",
    )
    st.stop()


def called(run_id: str) -> str:
    """How a run is called in the boxes."""
    return run_names.run_label(finished[run_id], sets)


def _set_name(run: Run) -> str:
    return run_names.test_set_label(sets[run.test_set_id]) if run.test_set_id in sets else run.test_set_id


runs = list(finished.values())
unasked = pair.after_unasked(runs, page.run()).id
before_at, after_at = st.columns(2)
with after_at:
    after = finished[
        state.choose("After the change (B)", list(finished), "run", default=unasked, name=called, pinned=True)
    ]
others = [run.id for run in pair.before(runs, after)]
with before_at:
    before = finished[state.choose("Before the change (A)", others, "a", name=called, pinned=True)]
settings = differing(before, after, sets, before.corpus_id, after.corpus_id)
accept = any(setting.decisive for setting in settings) and st.checkbox(
    "Compare although the test set or the judge differs", key="accept_differences"
)
try:
    refuse(before, after, settings, accept=accept)
except InvalidInput as error:
    page.context(f"run {before.id}", f"run {after.id}")
    errors.show(error)
    st.stop()
with st.spinner("Comparing the two runs case by case"):
    comparison = reads.comparison(page.store, page.project.id, before.id, after.id, accept)
test_sets = " and ".join(dict.fromkeys(errors.plain(_set_name(run)) for run in (before, after)))
page.context(f"A: run {before.id}", f"B: run {after.id}", numbers.count(comparison.cases, "case"))
# The boxes cut long names, and both runs share this one.
order = "" if runs.index(before) > runs.index(after) else " · A is the later of the two runs"
st.caption(f"Test set: {test_sets}{order}")
view.figures(comparison)
view.sentences(comparison)
view.picture(comparison)
view.detail(comparison)
same = [
    run.id
    for run in finished.values()
    if run.id != before.id and not any(one.decisive for one in differing(before, run, sets))
]
if len(same) > 1:
    view.several(reads.others(page.store, page.project.id, before.id, tuple(same[: view.MOST_RUNS])), called)
view.cases(comparison, before, after)
