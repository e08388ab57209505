"""A calibration as tables, for people and for files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd

from core.calibration.budget import Budget
from core.calibration.conformal import POOLED
from core.domain.estimates import Estimate
from core.evaluation.calibrated_cases import CalibratedCase
from core.evaluation.calibration_report import CalibrationOptions, CalibrationReport
from core.evaluation.pass_rate import PassRate
from core.evaluation.promise import Promise
from core.evaluation.thresholds import ErrorCurve
from core.evaluation.trust import RunTrust
from pages.ui import calibrate_charts, calibrate_words, metric_names, numbers

FIGURES: Final = {"ece": "Calibration error", "brier": "Brier score", "log_loss": "Log loss"}


def estimate(value: Estimate) -> str:
    """An estimate with its interval; the reason where there is none."""
    return numbers.estimate(value) if value.value is not None else f"{numbers.NONE} ({value.method})"


def figures_frame(report: CalibrationReport) -> pd.DataFrame:
    """Calibration error, Brier score and log loss."""
    return pd.DataFrame(
        [
            {
                "Figure": FIGURES.get(item.name, item.name),
                "Before": estimate(item.before),
                "After": estimate(item.after),
                "Change": estimate(item.change),
                "n": item.after.n,
            }
            for item in report.result.figures
        ]
    )


def models_frame(report: CalibrationReport) -> pd.DataFrame:
    """The probability models that were compared, with their log loss on labels left out."""
    chosen = report.result.choice.model
    return pd.DataFrame(
        [
            {
                "Model": calibrate_words.METHODS.get(one.model.value, one.model.value)
                + (" (in use)" if one.model is chosen else ""),
                "Log loss": numbers.figure(one.log_loss),
                "Worse by": numbers.figure(one.worse_by),
            }
            for one in report.result.choice.candidates
            if one.log_loss is not None
        ]
    )


def not_tried(report: CalibrationReport) -> str:
    """The probability models that were not compared, and why."""
    left = [
        f"{calibrate_words.METHODS.get(one.model.value, one.model.value)} ({one.reason})"
        for one in report.result.choice.candidates
        if one.reason
    ]
    return f"Not tried: {'; '.join(left)}." if left else ""


def groups_frame(report: CalibrationReport) -> pd.DataFrame:
    """Coverage by group, and whose quantile cuts its sets."""
    quantiles = {item.group: item for item in report.result.quantiles}
    rows = []
    for item in report.result.coverage_by_group:
        used = quantiles.get(item.group, quantiles[POOLED])
        rows.append(
            {
                "Group": item.group,
                "Coverage": numbers.proportion(item.coverage),
                "Test labels": numbers.of(item.coverage),
                "Conformal labels": used.n if item.group in quantiles else 0,
                "Quantile": "infinite" if used.value is None else f"{used.value:.3f}",
                "Whose": "its own" if used.own and item.group in quantiles else "that of all: too few of its own",
            }
        )
    return pd.DataFrame(rows)


def bins_frame(report: CalibrationReport) -> pd.DataFrame:
    """The reliability diagram as numbers."""
    return pd.DataFrame(
        [
            {
                "when": when, "probability": item.mean, "from": item.low, "to": item.high, "accepted": item.share.num,
                "of": item.share.den, "share": item.share.value, "low": item.share.low, "high": item.share.high,
            }
            for when, bins in (("before", report.result.bins_before), ("after", report.result.bins_after))
            for item in bins
        ]
    )  # fmt: skip


def labels_frame(report: CalibrationReport, options: CalibrationOptions) -> pd.DataFrame:
    """Every label the calibration rests on, as numbers."""
    return pd.DataFrame(
        [
            {
                "case": row.case_id,
                **dict(zip(options.metrics, row.scores, strict=True)),
                "label": report.level_values[row.level],
                "accepted": row.accepted,
                "probability": row.chance,
                "decision": row.decision,
                "part": row.part,
                "group": row.group,
                "drawn_at_random": row.random,
                "chance_to_be_labelled": row.probability,
                "simulated": row.simulated,
            }
            for row in report.labels
        ]
    )


def parts_frame(report: CalibrationReport) -> pd.DataFrame:
    """How the labels were used."""
    n = report.result.n
    rows = [
        ("Cases of the run", n.cases, "none is left out that is scored"),
        ("Answered", report.answered, "only these can be labelled"),
        ("Scored", n.scored, "these have a probability and a set"),
        ("Labelled", n.labelled, f"{n.random:,} scored and drawn at random, {report.simulated:,} simulated"),
        ("Labelled without a score", n.labelled_unscored, "they serve for nothing here"),
        ("To fit the curve", n.fit, f"{n.targeted:,} of them targeted"),
        ("For the quantile", n.conformal, f"from {n.clusters_conformal:,} sources"),
        ("To test the promise", n.test, f"from {n.clusters_test:,} sources"),
        ("Not used", n.unused, "targeted cases whose source is in another part"),
    ]
    return pd.DataFrame(rows, columns=["What", "Cases", "Which"])


def populations_frame(report: CalibrationReport) -> pd.DataFrame:
    """Whether the labelled random cases have the scores of the others."""
    return pd.DataFrame(
        [
            {
                "Score": metric_names.title(one.name),
                "Labelled": one.labelled,
                "Others": one.rest,
                "Largest gap of the distributions": numbers.figure(one.distance),
                "p": numbers.p_value(one.p_value),
            }
            for one in report.result.populations
        ]
    )


def cases_frame(cases: Sequence[CalibratedCase], report: CalibrationReport) -> pd.DataFrame:
    """Cases with what is said of them, for people."""
    return pd.DataFrame(
        [
            {
                "case_id": case.case_id,
                "Decision": f"{calibrate_charts.MARKS[case.decision.value]} "
                f"{calibrate_charts.DECISIONS[case.decision.value]}",
                "Chance": case.chance,
                "Set": calibrate_words.braces(case.levels, report),
                "Question": case.question,
                "Answer": case.answer or numbers.NONE,
                "People": "" if case.accepted is None else "accepted" if case.accepted else "rejected",
            }
            for case in cases
        ],
        columns=["case_id", "Decision", "Chance", "Set", "Question", "Answer", "People"],
    )


def cases_data(cases: Sequence[CalibratedCase], report: CalibrationReport) -> pd.DataFrame:
    """Cases with what is said of them, for a file."""
    return pd.DataFrame(
        [
            {
                "case": case.case_id,
                "probability": case.chance,
                "set": " ".join(str(report.level_values[level]) for level in case.levels),
                "decision": case.decision.value,
                "people": "" if case.accepted is None else "accepted" if case.accepted else "rejected",
                "question": case.question,
                "answer": case.answer or "",
            }
            for case in cases
        ]
    )


def errors_frame(curve: ErrorCurve) -> pd.DataFrame:
    """Errors over thresholds as numbers."""
    return pd.DataFrame(
        [
            {
                "threshold": step.threshold, "type_1": step.type_1.value, "type_1_low": step.type_1.low,
                "type_1_high": step.type_1.high, "rejected_by_people": step.type_1.den, "type_2": step.type_2.value,
                "type_2_low": step.type_2.low, "type_2_high": step.type_2.high, "accepted_by_people": step.type_2.den,
                "accepted": step.accepted.value, "of": step.accepted.den,
            }
            for step in curve.steps
        ]
    )  # fmt: skip


def budget_frame(found: Budget) -> pd.DataFrame:
    """How the labels are dealt to ranges of the probability."""
    return pd.DataFrame(
        [
            {
                "Stratum": one.stratum,
                "Answers": one.cases,
                "Labelled": one.labelled,
                "More": one.more,
                "In all": one.total,
                "Spread": numbers.figure(one.spread),
            }
            for one in found.strata
        ]
    )


def pass_frame(found: PassRate) -> pd.DataFrame:
    """Both estimates of the pass rate as numbers."""
    return pd.DataFrame(
        [
            {
                "estimate": name, "value": value.value, "low": value.low, "high": value.high, "labels": found.labels,
                "answers": found.cases, "scored": found.scored, "simulated": found.simulated, "method": value.method,
            }
            for name, value in (("scores and labels", found.found.estimate), ("labels only", found.found.labels_only))
        ]
    )  # fmt: skip


def trust_frame(found: RunTrust) -> pd.DataFrame:
    """Every metric against the labels."""
    return pd.DataFrame(
        [
            {
                "metric": one.name,
                "Metric": metric_names.title(one.name),
                "AUC": two(one.auc),
                "Behind the best": "best" if one.behind is None and not one.why else _signed(one.behind),
                "Spearman": two(one.spearman),
                "Kappa": numbers.share(one.kappa.value),
                "Brier": numbers.figure(one.brier.value),
                "Constant": numbers.figure(one.brier_base),
                "n": one.n,
                "Why not": one.why,
            }
            for one in found.trust.metrics
        ]
    )


def misses_frame(found: RunTrust, metric: str) -> pd.DataFrame:
    """The cases that a metric and people see most differently."""
    return pd.DataFrame(
        [
            {
                "case_id": miss.case_id,
                "Question": miss.question,
                "Score": miss.score,
                "People": miss.label,
                "Difference of ranks": miss.gap,
                "The metric is": "kinder than people" if miss.gap > 0 else "harsher than people",
            }
            for miss in found.misses.get(metric, ())
        ],
        columns=["case_id", "Question", "Score", "People", "Difference of ranks", "The metric is"],
    )


def periods_frame(found: Promise) -> pd.DataFrame:
    """Coverage by period."""
    if found.audit is None:
        return pd.DataFrame()
    return pd.DataFrame(
        [
            {
                "Period": one.period,
                "Coverage": numbers.proportion(one.coverage),
                "Labels": numbers.of(one.coverage),
                "So far": numbers.proportion(one.so_far),
                "All labels": numbers.of(one.so_far),
                "Promise": one.standing.value,
            }
            for one in found.audit.periods
        ]
    )


def two(value: Estimate) -> str:
    """An estimate between 0 and 1, or between -1 and 1, with two decimals and its interval."""
    return f"{numbers.share(value.value)} {numbers.interval(value.low, value.high)}".strip()


def _signed(value: Estimate | None) -> str:
    if value is None or value.value is None:
        return numbers.NONE
    ends = "" if value.low is None or value.high is None else f" [{value.low:+.2f}, {value.high:+.2f}]"
    return f"{value.value:+.2f}{ends}"
