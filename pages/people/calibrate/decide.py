"""Who decides what: accepted, rejected, sent to people; the queue; one threshold and what it costs."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.calibration.decisions import ChosenThreshold, ErrorKind, Errors, Threshold, ThresholdBy
from core.calibration.report import Decision
from core.calibration.service.cases.results import round_from_queue
from core.calibration.service.report import CalibrationReport
from core.calibration.service.thresholds import chosen_threshold, error_curve, errors_of
from core.domain.results.runs import Run
from core.labelling.criteria import KEEPER
from core.store.people.calibrations import StoredCalibration
from pages.kit import errors, state
from pages.kit.calibrations import charts as calibrate_charts
from pages.kit.calibrations import reads, words
from pages.kit.frame import Page
from pages.kit.look import charts, headline, numbers, tables, verbatim, whiskers
from pages.people.calibrate import decided, lines, notes

WIDTHS: Final = {
    "Decision": st.column_config.TextColumn(width=110),
    "Chance": st.column_config.NumberColumn(
        "Chance", format="%.2f", width=70, help="The calibrated probability that a person accepts the answer."
    ),
    "Set": st.column_config.TextColumn(width=70, help="The prediction set."),
    "Question": st.column_config.TextColumn(width=270),
    "Answer": st.column_config.TextColumn(width=210),
    "People": st.column_config.TextColumn(width=90, help="What people said when it was calibrated."),
}
KINDS: Final = {
    ErrorKind.WRONG_AMONG_ACCEPTED: "Wrong among the accepted",
    ErrorKind.TYPE_1: "Type I error",
    ErrorKind.TYPE_2: "Type II error",
}
MEANINGS: Final = {
    Decision.ACCEPT: "Every level in the prediction set is accepted.",
    Decision.REJECT: "No level in the prediction set is accepted.",
    Decision.HUMAN: "The set has accepted and rejected levels, or none at all: a person decides.",
}
SIZE: Final = 50


def draw(page: Page, run: Run, calibration: StoredCalibration) -> None:
    """Draws the decisions, the cases, the queue and the threshold."""
    _, report = reads.report(page.store, calibration)
    notes.standing(page, calibration, report)
    case_page = reads.cases(page.store, calibration.id, "", 1, 0)
    total = sum(case_page.counts.values())
    headline.draw(
        [
            *(
                headline.count(
                    decision.value,
                    calibrate_charts.DECISIONS[decision.value],
                    case_page.counts[decision],
                    total,
                    "scored answers",
                    MEANINGS[decision],
                )
                for decision in Decision
            ),
            headline.count(
                "unscored",
                "Not scored",
                case_page.unscored,
                total + case_page.unscored,
                "cases",
                "They have no probability and no set, and nobody decided them.",
            ),
        ]
    )
    _wrong(report)
    _cases(page, run, calibration, report)
    _queue(page, run, calibration)
    st.markdown("**One threshold instead of sets**")
    _threshold(report)


def _wrong(report: CalibrationReport) -> None:
    """How often people saw it otherwise, on the test part."""
    wrong_shares = [
        f"{calibrate_charts.DECISIONS[decision.decision.value].lower()}: {numbers.proportion(decision.wrong)} "
        f"({numbers.of(decision.wrong)})"
        for decision in report.result.decisions
        if decision.wrong is not None and decision.wrong.den
    ]
    if wrong_shares:
        st.caption(f"People decided otherwise, on the test labels: {'; '.join(wrong_shares)}.")


def _cases(page: Page, run: Run, calibration: StoredCalibration, report: CalibrationReport) -> None:
    names = {"": "All", **calibrate_charts.DECISIONS}
    decision = state.switch("Decision", list(names), "decision", name=names.__getitem__, label_visibility="collapsed")
    total = reads.cases(page.store, calibration.id, decision, 1, 0).total
    if not total:
        st.info("No scored answer has this decision.")
        return
    offset = tables.pages(total, size=SIZE, thing="answer")
    case_page = reads.cases(page.store, calibration.id, decision, SIZE, offset)
    tables.follow(
        decided.cases_frame(case_page.cases, report),
        key="decisions_table",
        id_column="case_id",
        parameter="case",
        columns=WIDTHS,
        height=318,
    )
    case_id = state.link().case
    chosen = next((case for case in case_page.cases if case.case_id == case_id), None)
    if chosen is None and case_id:
        # A link may open a case that stands on another page of the table, or is decided otherwise.
        chosen = reads.of_case(page.store, calibration, case_id)
    if chosen is None:
        st.caption("The least sure come first. Select an answer to open it.")
    else:
        with st.container(border=True, key="decided_case"):
            st.markdown(
                f"**Case {errors.plain(chosen.case_id)}** · chance {chosen.chance:.2f}, set "
                f"{errors.plain(words.braces(chosen.levels, report))}: "
                f"{errors.plain(words.meaning(chosen.levels, report))} · "
                f"{calibrate_charts.DECISIONS[chosen.decision.value].lower()}"
            )
            if chosen.question:
                verbatim.show(chosen.question)
                verbatim.show(chosen.answer or numbers.NONE)
            notes.open_case(run.id, chosen.case_id, key="open_decided")
    tables.download(
        lambda: decided.cases_data(reads.cases(page.store, calibration.id, decision, None, 0).cases, report),
        name=f"decisions_{calibration.id}",
        key="decisions_csv",
        label=f"Download {numbers.count(total, 'answer')} as CSV",
    )


def _queue(page: Page, run: Run, calibration: StoredCalibration) -> None:
    everything, unlabelled = reads.waiting(page.store, calibration.id)
    with st.container(border=True, key="queue"):
        st.markdown(
            f"**{numbers.count(everything, 'answer')} {'goes' if everything == 1 else 'go'} to people; "
            f"{unlabelled:,} of them {'has' if unlabelled == 1 else 'have'} no label yet.**"
        )
        if not unlabelled or not page.may(KEEPER):
            st.caption(
                "Only a validator of the project may open a round." if unlabelled else "Nothing waits for a label."
            )
            return
        raters_at, most_at, overlap_at = st.columns([4, 2, 2])
        raters = raters_at.text_input(
            "Raters", key="queue_raters", value=page.actor, help="Names, separated by commas.", max_chars=400
        )
        most = most_at.number_input("Answers", min_value=1, max_value=unlabelled, value=unlabelled, key="queue_most")
        overlap = overlap_at.number_input(
            "Raters for each answer",
            min_value=1,
            max_value=20,
            value=1,
            key="queue_overlap",
            help="Agreement needs two or more.",
        )
        if st.button("Open a label round", key="open_round", type="primary"):
            with errors.shown():
                opened = round_from_queue(
                    page.store,
                    calibration.id,
                    list(dict.fromkeys(name.strip() for name in raters.split(",") if name.strip())),
                    actor=page.actor,
                    most=int(most),
                    overlap=int(overlap),
                )
                state.go("label", run=run.id, round=opened.id)
        st.caption(
            "The round keeps the chance of each answer to be drawn, so that the pass rate weights the labels; the "
            "promise never uses them, because it rests on answers drawn at random."
        )


def _threshold(report: CalibrationReport) -> None:
    how = st.segmented_control(
        "Choose it", ["By hand", "By cost", "By a bound"], key="threshold_by", default="By hand", required=True
    )
    if how != "By hand":
        with errors.shown():
            choice = _by_cost(report) if how == "By cost" else _by_bound(report)
            st.caption(errors.plain(choice.how[:1].upper() + choice.how[1:] + "."))
            if choice.value is not None:
                use = min(choice.value, 1.0)
                if st.button(f"Use {choice.value:.3f}", key="use_threshold"):
                    state.update(threshold=state.written(use))
                    st.rerun()
    threshold = state.slide(
        "Accept from this probability on",
        "threshold",
        low=0.0,
        high=1.0,
        step=0.005,
        default=0.5,
        help="The errors are of the test labels, which neither the curve nor the threshold has seen.",
    )
    error_rates = errors_of(report, threshold)
    charts.show(
        whiskers.dots(_dots(error_rates), axis="Share, 95% interval"), key="threshold_errors", name="threshold_errors"
    )
    curve = error_curve(report)
    type_1, type_2 = (numbers.share(share.value) for share in (error_rates.type_1, error_rates.type_2))
    charts.show(
        lines.errors_over(
            curve.steps, threshold=threshold, title=f"At {threshold:.2f}: type I error {type_1}, type II error {type_2}"
        ),
        key="errors_over",
        name="errors",
        data=decided.errors_frame(curve),
    )


def _dots(error_rates: Errors) -> list[whiskers.Dot]:
    return [
        whiskers.Dot(label="Type I: accepted, of those people reject", value=error_rates.type_1, colour="incorrect"),
        whiskers.Dot(label="Type II: rejected, of those people accept", value=error_rates.type_2, colour="accent"),
        whiskers.Dot(label="Wrong, of the accepted", value=error_rates.wrong_among_accepted, colour="incorrect"),
        whiskers.Dot(label="Accepted, of all", value=error_rates.accepted, colour="correct"),
    ]


def _by_cost(report: CalibrationReport) -> ChosenThreshold:
    left, right = st.columns(2)
    accept = left.number_input(
        "Cost of accepting what people reject", min_value=0.0, value=5.0, step=1.0, key="cost_accept"
    )
    reject = right.number_input(
        "Cost of rejecting what people accept", min_value=0.0, value=1.0, step=1.0, key="cost_reject"
    )
    return chosen_threshold(report, Threshold(by=ThresholdBy.COST, false_accept=accept, false_reject=reject))


def _by_bound(report: CalibrationReport) -> ChosenThreshold:
    left, middle, right = st.columns(3)
    kind = left.selectbox("Bound on", list(KINDS), format_func=KINDS.__getitem__, key="bound_kind")
    most = middle.number_input("At most", min_value=0.001, max_value=0.999, value=0.1, step=0.01, key="bound_most")
    sure = right.number_input(
        "With confidence", min_value=0.5, max_value=0.999, value=0.95, step=0.01, key="bound_confidence"
    )
    rule = Threshold(by=ThresholdBy.BOUND, kind=ErrorKind(kind), most_wrong=most, confidence=sure)
    return chosen_threshold(report, rule)
