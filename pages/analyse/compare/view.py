"""What the page draws: figures, the picture, what differs, the tables, the cases that changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.comparison.pairs import CasePair
from core.comparison.result import Comparison
from core.comparison.several import Against
from core.domain.results.runs import Run
from pages.analyse.compare import frames
from pages.kit import errors, state
from pages.kit.look import charts, headline, numbers, tables, theme, verbatim, whiskers

BROKEN, FIXED = "broken", "fixed"
MOST_RUNS = 20
"""Further runs that are compared with A at most, the newest first."""
SHOWN = {BROKEN: "Became wrong", FIXED: "Became right"}


def figures(comparison: Comparison) -> None:
    """The change, what became right and wrong, and what could have been shown."""
    accuracy = comparison.accuracy
    headline.draw(
        [
            headline.Figure(
                key="change",
                label="Change of accuracy",
                value="-" if accuracy.difference.value is None else f"{accuracy.difference.value:+.3f}",
                note=f"{frames.ends(accuracy.difference)}{numbers.share(accuracy.before)} to "
                f"{numbers.share(accuracy.after)}, n\N{NO-BREAK SPACE}= {accuracy.difference.n:,}",
                help="Correct answers of B minus those of A, over the cases judged in both, with a 95% interval "
                "clustered on the fact that is asked for.",
            ),
            headline.Figure(
                key="fixed",
                label="Became right",
                value=numbers.count(len(comparison.fixed)),
                note=f"of {numbers.count(comparison.fixed_share.den, 'wrong answer')} of A",
            ),
            headline.Figure(
                key="broken",
                label="Became wrong",
                value=numbers.count(len(comparison.broken)),
                note=f"of {numbers.count(comparison.broken_share.den, 'right answer')} of A",
            ),
            headline.Figure(
                key="detectable",
                label="Detectable change",
                value="-" if accuracy.detectable is None else f"{accuracy.detectable:.3f}",
                note="four of five such comparisons show it" if accuracy.detectable else accuracy.difference.method,
                help="The smallest true change that four of five such comparisons would show. A smaller one usually "
                "goes unnoticed with so many cases: no difference shown is not "
                "the same as no difference.",
            ),
        ]
    )


def sentences(comparison: Comparison) -> None:
    """The conclusion, what changes without a cause, and what differs between the runs."""
    parts = [f"**{errors.plain(comparison.conclusion)}**"]
    if comparison.noise is not None:
        repeated = numbers.count(comparison.noise_runs, "repeated run")
        parts.append(
            f"Without any change, {numbers.full(comparison.noise)} of the verdicts of A come out otherwise ({repeated} "
            f"with the same settings); between A and B {numbers.full(comparison.flipped)} do."
        )
    else:
        parts.append(f"How many verdicts change without any change of the system is not known: {comparison.no_noise}.")
    if comparison.left_out:
        parts.append(
            f"{numbers.count(comparison.left_out, 'case')} left out: in one run only, or with other reference answers."
        )
    st.markdown(" ".join(parts))
    if comparison.settings:
        listed = "; ".join(
            f"{one.name} from {errors.plain(one.before)} to {errors.plain(one.after)}" for one in comparison.settings
        )
        st.caption(f"Settings that differ between A and B: {listed}.")
    else:
        st.caption("Nothing in the settings of the two runs differs.")


def picture(comparison: Comparison) -> None:
    """The change of the accuracy and of each module."""
    st.subheader("Where the change is", anchor=False)
    shown = frames.rows(comparison)
    if not shown:
        st.info("No case is judged in both runs.", icon=":material/info:")
        return
    modules = [("module", change.name, change) for change in comparison.modules]
    charts.show(
        whiskers.differences(shown, axis="B minus A, share of cases"),
        key="change",
        data=frames.changes_frame([("verdict", "verdict", comparison.accuracy), *modules]),
        name="comparison",
    )
    if not comparison.modules:
        st.caption("No wrong answer of both runs is attributed to a module yet: see the Diagnose page of each run.")
    elif comparison.without_module:
        st.caption(
            f"{numbers.count(comparison.without_module, 'case')} without a module in one of the runs do not count for "
            "the modules. The Diagnose page searches the documents for them."
        )


def detail(comparison: Comparison) -> None:
    """Metrics and slices, as tables."""
    for title, key, changes in (
        ("Every score of both runs", "metrics", frames.metric_changes(comparison)),
        ("By slice: the change of accuracy", "slices", frames.slice_changes(comparison)),
    ):
        with st.expander(f"{title} ({len(changes):,})", key=key):
            if not changes:
                st.caption("No attribute has levels of enough cases." if key == "slices" else "No score.")
                continue
            frame = frames.changes_frame(changes)
            tables.plain(frame.round(3), key=f"{key}_table")
            tables.download(frame, name=key, key=f"{key}_csv")


def several(rows: Sequence[Against], called: Callable[[str], str]) -> None:
    """All other runs of the same test set under the same judge, each against A."""
    with st.expander(f"Every other run of this test set against A ({len(rows):,})", key="several"):
        st.caption(
            "Same test set, same judge. The p-values are adjusted over these runs (Holm), since the best of many may "
            "be so by chance."
        )
        frame = frames.runs_frame(rows, called)
        tables.wrapped(frame)
        tables.download(frames.runs_data(rows, called), name="runs_against_a", key="several_csv")


def cases(comparison: Comparison, run_a: Run, run_b: Run) -> None:
    """The cases that changed: a list beside both answers."""
    st.subheader("Cases whose verdict changed", anchor=False)
    lists = {BROKEN: comparison.broken, FIXED: comparison.fixed}
    if not any(lists.values()):
        st.caption("None.")
        return
    default = BROKEN if comparison.broken else FIXED
    which = state.switch(
        "Cases",
        [BROKEN, FIXED],
        "view",
        default=default,
        name=lambda name: f"{SHOWN[name]} ({len(lists[name]):,})",
        label_visibility="collapsed",
    )
    pairs = {pair.case.case_id: pair for pair in lists[which]}
    if not pairs:
        st.caption("None.")
        return
    frame = frames.cases_frame(list(pairs.values()))
    list_at, case_at = st.columns([5, 6], gap="large")
    with list_at:
        tables.follow(
            frame,
            key=f"cases_{which}",
            id_column="id",
            parameter="case",
            order=["Question", "Reference"],
            columns={
                "Question": st.column_config.TextColumn(width=190),
                "Reference": st.column_config.TextColumn(width=100),
            },
            height=420,
            whole=True,
        )
        tables.download(frame, name=f"{which}-cases", key="cases_csv")
    chosen = pairs.get(state.link().case) or next(iter(pairs.values()))
    with case_at:
        _case(chosen, run_a, run_b)


def _case(pair: CasePair, run_a: Run, run_b: Run) -> None:
    st.markdown(f"**{errors.plain(pair.case.question)}**")
    st.caption(f"Reference: {errors.plain(' | '.join(pair.case.reference_answers)) or '-'}")
    sides = (("A", run_a, pair.before, pair.module_before), ("B", run_b, pair.after, pair.module_after))
    for name, run, answered, module in sides:
        verdict = "correct" if answered.verdict == 1.0 else "incorrect"
        cause = (
            ""
            if module is None or str(module) in ("correct", "not_judged")
            else f", {theme.NAMES[str(module)].casefold()}"
        )
        with st.container(border=True, key=f"answer_{name.casefold()}"):
            st.markdown(f"**Run {name}**: {theme.NAMES[verdict]}{cause}")
            verbatim.show(answered.answer or "No answer.")
            if st.button("Open in Results", key=f"open_{name.casefold()}", type="tertiary"):
                state.go("results", run=run.id, case=pair.case.case_id)
