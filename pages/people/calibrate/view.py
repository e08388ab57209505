"""What a calibration promises: the figures, the curve with the regions of its sets, the doubts, the tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from core.calibration.report import Decision
from core.calibration.service.report import CalibrationOptions, CalibrationReport, Curve, LabelRow
from core.calibration.sets.conformal import POOLED
from core.domain.estimates import Estimate, Proportion
from core.domain.results.labels import Criterion
from core.domain.results.runs import Run
from core.store.people.calibrations import StoredCalibration
from pages.kit import errors, state
from pages.kit.calibrations import charts as calibrate_charts
from pages.kit.calibrations import reads, words
from pages.kit.calibrations.charts import Mark, Region
from pages.kit.calibrations.reads import Failed, Labels
from pages.kit.frame import Page
from pages.kit.look import charts, headline, numbers, tables
from pages.people.calibrate import form, frames, notes

MODELS: Final = {
    "Model": st.column_config.TextColumn(width=140),
    "Log loss": st.column_config.TextColumn(width=70, help="Of labels left out in turn; lower is better."),
    "Worse by": st.column_config.TextColumn(width=70, help="Log loss minus that of the best."),
}


def draw(page: Page, run: Run, criterion: Criterion, labels: Labels, calibration: StoredCalibration | None) -> None:
    """Draws the choices, and what the calibration in view promises."""
    if calibration is None:
        notes.simulated(labels.simulated, labels.given, "under this criterion")
        with st.container(border=True, key="calibrate_choices"):
            st.markdown(
                "**Not calibrated yet.**  \nA score becomes the chance that a person would accept the answer, and each "
                "answer gets a set of labels that holds what people say as often as is promised."
            )
            form.draw(page, run, criterion, labels, None)
        return
    with st.expander("Calibrate again, or other scores", key="calibrate_choices", icon=":material/tune:"):
        form.draw(page, run, criterion, labels, calibration)
    options, report = reads.report(page.store, calibration)
    notes.standing(page, calibration, report)
    headline.draw(figures(page, calibration, report))
    _curve(run, options, report)
    _doubts(report)
    left, right = st.columns([5, 4], gap="large")
    with left:
        _reliability(report)
    with right:
        st.markdown("**Probability model**")
        st.caption(errors.plain(report.result.choice.sentence))
        if report.result.choice.folds:
            tables.plain(frames.models_frame(report), key="models_table", columns=MODELS)
            st.caption(errors.plain(frames.not_tried(report)))
    st.markdown("**Before and after calibration**, on the test labels; lower is better")
    tables.plain(frames.figures_frame(report), key="figures_table")
    if report.result.coverage_by_group:
        st.markdown(
            f"**The promise by {errors.plain(options.group_attribute)}**: sets of the test part that hold the label"
        )
        tables.plain(frames.groups_frame(report), key="groups_table")
    _basis(calibration, options, report)


def figures(page: Page, calibration: StoredCalibration, report: CalibrationReport) -> list[headline.Figure]:
    """Four figures: what is promised and kept, how far off, how much is decided, how much would pass."""
    result = report.result
    covered, error = result.coverage, result.figure("ece")
    return [
        headline.Figure(
            key="coverage",
            label=f"Coverage, promised {100 * (1 - result.alpha):g}%",
            value=numbers.share(covered.value),
            note=f"{numbers.interval(covered.low, covered.high)} · {numbers.of(covered)} test labels",
            help=f"{words.COVERAGE} {numbers.full(covered)}",
        ),
        headline.Figure(
            key="ece",
            label="Calibration error",
            value=numbers.figure(error.after.value),
            note=f"{_ends(error.after)} · was {numbers.figure(error.before.value)} · n\u00a0=\u00a0{error.after.n:,}",
            help=words.ECE,
        ),
        headline.share("decided", "Decided without a person", decided(report), words.DECIDED),
        passing(page, calibration),
    ]


def decided(report: CalibrationReport) -> Proportion:
    """Scored cases that the machine decides, of all scored ones; a count of all there are, so without an interval."""
    sizes = {count.decision: count.n for count in report.result.decisions_all}
    return Proportion(num=sum(sizes.values()) - sizes.get(Decision.HUMAN, 0), den=sum(sizes.values()))


def passing(page: Page, calibration: StoredCalibration) -> headline.Figure:
    """The pass rate of the run as a card; the reason where it cannot be told."""
    figure = reads.passing(page.store, calibration.id)
    if isinstance(figure, Failed):
        return headline.Figure(
            key="pass_rate",
            label="Pass rate of the run",
            value=numbers.NONE,
            note=errors.plain(figure.error),
            help=words.RATE,
        )
    pass_rate = figure.found.estimate
    return headline.Figure(
        key="pass_rate",
        label="Pass rate of the run",
        value=numbers.share(pass_rate.value),
        note=f"{numbers.interval(pass_rate.low, pass_rate.high)} · {figure.labels:,} labels, {figure.cases:,} answers",
        help=words.RATE,
    )


def regions(curve: Curve, report: CalibrationReport) -> list[Region]:
    """The stretches of a curve with their names."""
    return [
        Region(low=part.low, high=part.high, name=words.braces(part.levels, report), decision=part.decision)
        for part in curve.stretches
    ]


def marks(rows: Sequence[LabelRow], options: CalibrationOptions, report: CalibrationReport, group: str) -> list[Mark]:
    """The labelled cases on the axis; of one group where its curve is shown."""
    label_marks = []
    for row in rows:
        x = row.scores[0] if len(options.metrics) == 1 else row.chance
        if x is None or row.chance is None or (group not in ("", POOLED) and row.group != group):
            continue
        level = report.level_names[row.level]
        note = f"people: {level}; chance {row.chance:.2f}; {words.PARTS[row.part]}"
        label_marks.append(Mark(case_id=row.case_id, x=x, accepted=row.accepted, note=note))
    return label_marks


def finding(report: CalibrationReport) -> str:
    """What the machine may decide, in one sentence."""
    sizes = {count.decision: count.n for count in report.result.decisions_all}
    total = sum(sizes.values())
    accept, reject, human = (sizes.get(decision, 0) for decision in (Decision.ACCEPT, Decision.REJECT, Decision.HUMAN))
    if not accept and not reject:
        return f"This promise decides nothing: all {total:,} scored answers go to people"
    return f"{accept:,} answers are accepted, {reject:,} rejected, {human:,} of {total:,} go to people"


def _curve(run: Run, options: CalibrationOptions, report: CalibrationReport) -> None:
    curves = {curve.group: curve for curve in report.curves}
    group = POOLED
    if len(curves) > 1:
        group = state.choose(
            f"Sets of {errors.plain(options.group_attribute)}",
            list(curves),
            "group",
            default=POOLED,
            name=lambda name: "All groups, the common quantile" if name == POOLED else name,
        )
    curve = curves[group]
    label_marks = marks(report.labels, options, report, group)
    clicked = charts.show(
        calibrate_charts.curve(
            curve.x,
            curve.chance,
            regions=regions(curve, report),
            marks=label_marks,
            threshold=curve.threshold,
            axis=words.axis(options),
            title=finding(report),
            simulated=report.simulated > 0,
        ),
        key=f"curve_{group}",
        name="calibration",
        select=True,
        data=frames.labels_frame(report, options),
    )
    if clicked and state.note("curve_seen") != clicked[0]:
        state.update(case=clicked[0])
    state.keep("curve_seen", clicked[0] if clicked else "")
    q = next((item for item in report.result.quantiles if item.group == group), report.result.quantiles[0])
    limit = "infinite: too few labels, every level is in every set" if q.value is None else f"{q.value:.3f}"
    rule = (
        "each level whose probability is at least 1 - q"
        if report.result.conformal == "lac"
        else "the most probable levels, as long as their probabilities sum to at most q"
    )
    line = "" if curve.threshold is None else " The dashed line is where the chance of acceptance reaches a half."
    place = f", the {words.ordinal(q.k)} smallest of {q.n:,} conformity scores" if q.value is not None else ""
    st.caption(f"A prediction set holds {rule}; q = {limit}{place}.{line} Click a label to see its case.")
    _label(run, options, report)


def _label(run: Run, options: CalibrationOptions, report: CalibrationReport) -> None:
    row = next((row for row in report.labels if row.case_id == state.link().case), None)
    if row is None:
        return
    with st.container(border=True, key="label_view"):
        people = errors.plain(report.level_names[row.level])
        who = "Simulated raters" if row.simulated else "People"
        chance = "no score" if row.chance is None else f"chance of acceptance {row.chance:.2f}"
        st.markdown(f"**Case {errors.plain(row.case_id)}** · {who}: **{people}** · {chance}")
        scores = ", ".join(
            f"{words.scores([name])} {numbers.NONE if value is None else f'{value:.2f}'}"
            for name, value in zip(options.metrics, row.scores, strict=True)
        )
        sampling = "drawn at random" if row.random else "chosen because of its score"
        st.caption(errors.plain(f"{scores}; {words.PARTS[row.part]}; {sampling}."))
        notes.open_case(run.id, row.case_id, key="open_label")


def _doubts(report: CalibrationReport) -> None:
    cautions = report.result.cautions
    if not cautions:
        return
    with st.container(border=True, key="cautions"):
        st.markdown("**Before you rely on it**")
        for caution in cautions:
            text = words.titled(caution.text, report.result.names)
            st.markdown(f":material/warning: {errors.plain(text)}  \n:small[{errors.plain(caution.remedy)}]")


def _reliability(report: CalibrationReport) -> None:
    error = report.result.figure("ece")
    before, after = (numbers.figure(estimate.value) for estimate in (error.before, error.after))
    charts.show(
        calibrate_charts.reliability(
            report.result.bins_before,
            report.result.bins_after,
            title=f"Calibration error {before} before, {after} after, {error.after.n:,} test labels",
        ),
        key="reliability",
        name="reliability",
        data=frames.bins_frame(report),
    )
    st.caption(f"Before: {errors.plain(report.result.reading)}.")


def _basis(calibration: StoredCalibration, options: CalibrationOptions, report: CalibrationReport) -> None:
    result = report.result
    with st.expander("What it rests on", key="calibration_basis"):
        who = f"{numbers.count(len(report.raters), 'rater')}: {', '.join(report.raters)}"
        st.caption(errors.plain(f"{report.criterion}: {report.question}"))
        st.caption(errors.plain(f"{who}. The rule for the combined label: {report.rule}. {report.reading}"))
        tables.plain(frames.parts_frame(report), key="parts_table")
        tables.plain(frames.populations_frame(report), key="populations_table")
        expected = (
            f"Without clusters, 95 of 100 calibrations cover between {result.expected_low:.2f} and "
            f"{result.expected_high:.2f} of {result.n.test:,} test labels. "
            if result.expected_low is not None and result.expected_high is not None
            else ""
        )
        shares = ", ".join(f"{share:g}" for share in options.shares)
        st.caption(
            f"{expected}Shares of the random labels to fit, conformalise, test: {shares}; seed {options.seed}. Made on "
            f"{numbers.when(calibration.created_at)} by {errors.plain(calibration.created_by)}, "
            f"{errors.plain(calibration.id)}."
        )
        st.caption("Method: double calibration (HCAT, section 5), split conformal prediction, clusters kept together.")


def _ends(value: Estimate) -> str:
    if value.low is None or value.high is None:
        return "no interval"
    return f"[{numbers.figure(value.low)}, {numbers.figure(value.high)}]"
