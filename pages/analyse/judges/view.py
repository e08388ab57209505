"""The parts of the Judges page: the figures, the picture, the table, one judge's disagreements, the threshold."""

from __future__ import annotations

import streamlit as st

from core.domain.results.runs import VERDICT_METRIC, Run
from core.judges.comparison import THRESHOLD
from core.judges.figures import JudgeComparison, JudgeFigures
from core.judges.reading import Tendency
from core.judging.stored import RAGAS_FACT
from pages.analyse.judges import charts as judge_charts
from pages.analyse.judges import reads, scores_view
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import charts, headline, numbers, tables
from pages.kit.models import trust

VIEWS = {
    "": "Judges",
    "scores": "Claims and GroUSE grades",
    "threshold": "Threshold of RAGAS-Fact",
    "agreement": "Agreement of judges",
}


def reference(page: Page, run: Run) -> str:
    """What is taken for true: a select box of what the run has; "" where it has nothing."""
    choices = {choice.key: choice for choice in reads.references(page.store, run.id)}
    if not choices:
        return ""
    return state.choose(
        "Reference",
        list(choices),
        "reading",
        name=lambda key: f"{choices[key].title}, {numbers.count(choices[key].n, 'case')}",
        help="Precision and recall are measured against these verdicts. People's labels are the best there is; a judge "
        "that sees the true answer comes next.",
        pinned=True,
    )


def threshold() -> float:
    """The threshold of RAGAS-Fact as the URL has it."""
    linked = state.link().threshold
    return min(1.0, max(0.0, float(linked))) if linked else THRESHOLD


def figures(comparison: JudgeComparison) -> None:
    """How many answers are correct, and how many judges err how."""
    counted = len(comparison.judges)

    def judges(key: str, label: str, *kinds: Tendency, meaning: str) -> headline.Figure:
        n = sum(item.tendency in kinds for item in comparison.judges)
        return headline.count(key, label, n, counted, "judges" if counted != 1 else "judge", meaning)

    headline.draw(
        [
            headline.share("base", "Correct answers", comparison.base, f"By {comparison.title}."),
            judges(
                "trusted",
                "Trusted",
                Tendency.TRUSTED,
                meaning="Precision and recall are both at least 0.8, with all of their intervals, and it agrees with "
                "the reference more often than chance.",
            ),
            judges(
                "optimistic",
                "Optimistic",
                Tendency.OPTIMISTIC,
                Tendency.BOTH,
                meaning="Precision is below 0.8 with all of its interval: it calls wrong answers correct (GRAMMAR, 3).",
            ),
            judges(
                "cynical",
                "Cynical",
                Tendency.CYNICAL,
                Tendency.BOTH,
                meaning="Recall is below 0.8 with all of its interval: it calls correct answers wrong (GRAMMAR, 3).",
            ),
        ]
    )


def draw(page: Page, run: Run, comparison: JudgeComparison) -> None:
    """The chosen part."""
    there = {"threshold": bool(comparison.curve), "agreement": bool(comparison.pairs)}
    views = [view for view in VIEWS if there.get(view, True)]
    view = ""
    if len(views) > 1:
        view = state.switch("Show", views, "view", name=VIEWS.__getitem__, label_visibility="collapsed")
    if view == "threshold":
        _threshold(comparison)
    elif view == "scores":
        scores_view.draw(page, run)
    elif view == "agreement":
        _agreement(comparison)
    else:
        _judges(page, run, comparison)


def alone(comparison: JudgeComparison) -> None:
    """What is shown while there is nobody to compare with the reference."""
    with st.container(border=True, key="empty_state"):
        st.markdown(
            f"**No other judge has judged this run yet.**  \nEach judge will be a row here, with its precision and "
            f"recall against {errors.plain(comparison.title)}. Add a judge below, or ask people on the Label page and "
            f"use their "
            "labels as the reference."
        )
        if st.button("Ask people for labels", key="go_label"):
            state.go("label")


def _judges(page: Page, run: Run, comparison: JudgeComparison) -> None:
    chosen = state.link().metric
    trusts = trust.all_of_run(page.store, run.id)
    clicked = charts.show(
        judge_charts.judges(comparison, chosen),
        key="judges_chart",
        name=f"judges_{run.id}",
        data=reads.figures_frame(comparison, trusts),
        select=True,
    )
    if clicked and state.note("judge_seen") != clicked[0]:
        state.keep("judge_seen", clicked[0])
        state.update(metric=clicked[0], case="")
        st.rerun()
    state.keep("judge_seen", clicked[0] if clicked else "")
    if tables.follow(
        reads.judges_frame(comparison, trusts),
        key="judges_table",
        id_column="key",
        parameter="metric",
        columns=reads.WIDTHS,
    ):
        state.update(case="")
    if comparison.weighted:
        st.caption(
            "Some answers were more likely to be labelled than others. Each label counts one over its chance to be "
            "drawn, so the shares are of all answers; the counts beside them are of labels."
        )
    if comparison.undecided:
        st.caption(f"{numbers.count(comparison.undecided, 'case')} without a reference verdict: in no figure.")
    item = next((item for item in comparison.judges if item.key == state.link().metric), None)
    if item is None:
        st.caption("Select a judge to read how it errs and to see its disagreements.")
    else:
        _chosen_judge(page, run, comparison, item)
    _meanings()


def _chosen_judge(page: Page, run: Run, comparison: JudgeComparison, item: JudgeFigures) -> None:
    with st.container(border=True, key="judge_view"):
        st.markdown(f"**{errors.plain(reads.called(item, comparison))}**: {errors.plain(item.reading)}")
        trust.badge(trust.of_run(page.store, run.id, item.key), key="judge_view")
        if item.threshold is not None:
            st.caption(f"An answer is called correct from {numbers.share(item.threshold)} of its claims on.")
        rows, total = reads.disagreements(page.store, run.id, item.key, comparison.reference, threshold())
        if not total:
            st.caption("It disagrees with the reference on no case.")
            return
        limit_note = f", the first {len(rows):,} are shown" if len(rows) < total else ""
        st.caption(
            f"{numbers.count(total, 'disagreement')}{limit_note}: {item.too_kind:,} wrong answers called correct, "
            f"{item.too_harsh:,} correct ones called wrong."
        )
        frame = reads.cases_frame(rows)
        tables.follow(
            frame, key="disagreements", id_column="case_id", parameter="case", columns=reads.CASES, height=318
        )
        _case(run, item, {row.case_id for row in rows})
        tables.download(frame, name=f"disagreements_{item.key}", key="disagreements_csv", label="Disagreements as CSV")


def _case(run: Run, item: JudgeFigures, case_ids: set[str]) -> None:
    case = state.link().case
    if case not in case_ids:
        st.caption("Select a case to open it with its evidence.")
        return
    if st.button("Open this case in the results", key="open_case"):
        metric = "" if item.key in (VERDICT_METRIC, "match") else item.key
        state.go("results", run=run.id, case=case, metric=metric)


def _threshold(comparison: JudgeComparison) -> None:
    st.markdown(
        "RAGAS-Fact gives a share of supported claims, and the paper does not say which share makes an answer "
        "correct. Move the threshold; the Judges part uses it as well."
    )
    at = state.slide(
        "Threshold",
        "threshold",
        low=0.0,
        high=1.0,
        step=0.05,
        default=THRESHOLD,
        help="From this share of supported claims on an answer is called correct.",
    )
    item = next(item for item in comparison.judges if item.key == RAGAS_FACT)
    st.markdown(
        f"From {at:.2f} on: precision {numbers.proportion(item.precision)} ({numbers.of(item.precision)}), recall "
        f"{numbers.proportion(item.recall)} ({numbers.of(item.recall)}). {errors.plain(item.reading)}"
    )
    charts.show(
        judge_charts.curve(comparison.curve, at),
        key="curve",
        name="ragas_fact_threshold",
        data=reads.curve_frame(comparison),
    )


def _agreement(comparison: JudgeComparison) -> None:
    st.markdown("Judges that see the true answer, pair by pair, on the cases that both judged.")
    tables.plain(reads.pairs_frame(comparison), key="pairs", columns=reads.PAIRS)
    st.caption(
        "Kappa is the agreement beyond chance, with a 95% interval over semantic groups. Where rules decide first, "
        "judges that both took a verdict from the rules are compared on the other cases; these are the doubtful ones."
    )


def _meanings() -> None:
    with st.expander("What precision, recall, optimism and cynicism mean here", key="judge_meanings"):
        st.markdown(
            "The reference verdicts are the classes, a judge's verdicts its predictions. **Precision** is the "
            "share of correct answers among those a judge calls correct; when it is low the judge is **optimistic**. "
            "**Recall** is the share of the correct answers that it calls correct; when it is low the judge is "
            "**cynical**. A judge counts as optimistic or cynical where all of the 95% interval lies below 0.8, as "
            "trusted where both intervals lie above and kappa's lies above 0: where most answers are correct, calling "
            "everything correct has high precision and recall, and is no better than chance. Intervals count semantic "
            "groups, since wordings of one fact are not independent. Where the match rules gave both verdicts the case "
            "is in no figure, because the rules agree with themselves."
        )
        st.caption(
            "GRAMMAR, section 3 and table 1: on 198 answers RAGAS-Fact had precision 0.19 and recall 0.92, SelfCheck "
            "0.15 and 0.50."
        )
