"""Which answers are wrong? Every answer of a run with its reference, its passages and the rule that judged it."""

import streamlit as st

from core.domain.runs import VERDICT_METRIC, Run
from core.evaluation.summary import RunSummary
from pages.ui import case_counts, case_view, frame, numbers, readers, results, state, tables, theme

page = frame.begin(__file__)


def headline(summary: RunSummary) -> None:
    """At most four figures, each with its n."""
    unscored = sum(summary.unscored[VERDICT_METRIC].values())
    first, second, third, fourth = st.columns(4)
    first.metric(
        "Accuracy",
        numbers.proportion(summary.accuracy),
        help=f"Correct answers of judged ones: {numbers.full(summary.accuracy)}. Questions made from the same "
        "filled SQL query are one cluster.",
    )
    second.metric("Wrong", f"{summary.accuracy.den - summary.accuracy.num:,} of {summary.accuracy.den:,} judged")
    third.metric("Not judged", f"{unscored:,} of {summary.cases:,} cases", help=theme.MEANINGS["not_judged"])
    fourth.metric(
        "Target failed", f"{summary.failed:,} of {summary.answered:,} asked", help="Errors of the target, not answers."
    )


def filters(run: Run, summary: RunSummary) -> dict[str, str]:
    """One row of filters, kept in the URL."""
    wrong = summary.accuracy.den - summary.accuracy.num
    sizes = {
        "": summary.cases,
        "correct": summary.accuracy.num,
        "incorrect": wrong,
        "not_judged": summary.cases - summary.accuracy.den,
    }
    verdicts, forms, search = st.columns([5, 2, 3], vertical_alignment="bottom")
    with verdicts:
        verdict = state.switch(
            "Verdict",
            list(results.FILTERS),
            "verdict",
            name=lambda key: f"{theme.NAMES.get(key, 'All')} {sizes[key]:,}",
        )
    with forms:
        form = state.choose("Form", case_counts.forms(page.store, run.test_set_id), "form", every="Every form")
    with search:
        words = state.search("Search", placeholder="Words of the question or the answer")
    return {"verdict": verdict, "form": form, "search": words}


def table(run: Run, chosen: dict[str, str], total: int) -> str:
    """The cases that the filters leave; returns the selected case."""
    offset = tables.pages(total, size=50, thing="case")
    shown = results.rows(page.store, run.id, **chosen, limit=50, offset=offset)
    wide = {name: st.column_config.TextColumn(width="large") for name in ("Question", "Answer")}
    picked = tables.select(shown.frame, key="results_table", id_column="case_id", columns=wide, height=320)
    everything = results.rows(page.store, run.id, **chosen, limit=10_000)
    tables.download(everything.frame, name=f"results_{run.id}", key="results_csv", label="Download these cases as CSV")
    return picked


run = page.choose_run()
if run is None:
    frame.empty(
        "No run yet.", "This page shows every answer of a run beside its ground truth.", "run", "Run the test set"
    )
    st.stop()
summary = readers.summary(page.store, run.id)
page.context(f"Run {run.id}", f"target {run.target}", f"judge {run.judge}", numbers.count(summary.cases, "case"))
headline(summary)
chosen = filters(run, summary)
total = results.rows(page.store, run.id, **chosen, limit=1).total
if total:
    if picked := table(run, chosen, total):
        state.update(case=picked)
    if state.link().case:
        case_view.draw(page, run, state.link().case)
    else:
        st.caption("Select a row to see its passages, its SQL and the rule that judged it.")
else:
    st.info("No case matches these filters.")
    if st.button("Clear the filters", key="clear_filters"):
        state.update(verdict="", form="", search="", case="", page=1)
        st.rerun()
