"""Which answers are wrong? Every answer of a run with its reference, its passages and the rule that judged it."""

import streamlit as st

from core.domain.runs import VERDICT_METRIC, Run
from core.evaluation.summary import RunSummary
from pages.ui import case_counts, case_view, frame, headline, numbers, readers, results, state, tables, theme

page = frame.begin(__file__)
ACCURACY = "Correct answers of judged ones. Questions made from the same filled SQL query are one cluster."


def figures(summary: RunSummary) -> None:
    """At most four figures, each with its n."""
    unscored = sum(summary.unscored[VERDICT_METRIC].values())
    wrong = summary.accuracy.den - summary.accuracy.num
    failed = "Errors of the target, not answers."
    headline.draw(
        [
            headline.share("accuracy", "Accuracy", summary.accuracy, ACCURACY),
            headline.count("wrong", "Wrong", wrong, summary.accuracy.den, "judged", theme.MEANINGS["incorrect"]),
            headline.count("not_judged", "Not judged", unscored, summary.cases, "cases", theme.MEANINGS["not_judged"]),
            headline.count("failed", "Target failed", summary.failed, summary.answered, "asked", failed),
        ]
    )


def filters(run: Run, summary: RunSummary) -> dict[str, str]:
    """One row of filters, kept in the URL."""
    verdicts, forms, search = st.columns([5, 2, 3], vertical_alignment="bottom")
    with verdicts:
        verdict = state.switch("Verdict", list(results.FILTERS), "verdict", name=results.filter_names(summary).get)
    with forms:
        form = state.choose("Form", case_counts.forms(page.store, run.test_set_id), "form", every="Every form")
    with search:
        words = state.search("Search", placeholder="Words of the question or answer")
    return {"verdict": verdict, "form": form, "search": words}


def table(run: Run, chosen: dict[str, str], total: int) -> None:
    """The cases that the filters leave; a click opens one."""
    offset = tables.pages(total, size=50, thing="case")
    shown = results.rows(page.store, run.id, **chosen, limit=50, offset=offset)
    tables.follow(
        shown.frame,
        key="results_table",
        id_column="case_id",
        parameter="case",
        columns=results.WIDTHS,
        height=results.HEIGHT,
    )


def clear() -> None:
    """What there is to do when no case is left."""
    st.info("No case matches these filters.")
    if st.button("Clear the filters", key="clear_filters"):
        state.update(verdict="", form="", search="", case="", page=1)
        st.rerun()


run = page.choose_run()
if run is None:
    frame.empty(
        "No run yet.", "This page shows every answer of a run beside its ground truth.", "run", "Run the test set"
    )
    st.stop()
summary = readers.summary(page.store, run.id)
page.context(f"run {run.id}", f"target {run.target}", f"judge {run.judge}", numbers.count(summary.cases, "case"))
figures(summary)
chosen = filters(run, summary)
total = results.rows(page.store, run.id, **chosen, limit=1).total
if total:
    table(run, chosen, total)
else:
    clear()
if state.link().case:
    case_view.draw(page, run, state.link().case)
elif total:
    st.caption("Select a row to see its passages, its SQL and the rule that judged it.")
if total:
    tables.download(
        lambda: results.rows(page.store, run.id, **chosen, limit=None).frame,
        name=f"results_{run.id}",
        key="results_csv",
        label=f"Download {numbers.count(total, 'case')} as CSV",
    )
