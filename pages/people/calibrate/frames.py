"""A calibration as tables, for people and for files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd

from core.calibration.labels.budget import Budget
from core.calibration.service.cases import CalibratedCase
from core.calibration.service.pass_rate import PassRate
from core.calibration.service.promise import Promise
from core.calibration.service.report import CalibrationOptions, CalibrationReport
from core.calibration.service.thresholds import ErrorCurve
from core.calibration.service.trust import RunTrust
from core.calibration.sets.conformal import POOLED
from core.domain.estimates import Estimate
from pages.kit.calibrations import charts, words
from pages.kit.look import numbers
from pages.kit.scores import names

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
                "Model": words.METHODS.get(candidate.model.value, candidate.model.value)
                + (" (in use)" if candidate.model is chosen else ""),
                "Log loss": numbers.figure(candidate.log_loss),
                "Worse by": numbers.figure(candidate.worse_by),
            }
            for candidate in report.result.choice.candidates
            if candidate.log_loss is not None
        ]
    )


def not_tried(report: CalibrationReport) -> str:
    """The probability models that were not compared, and why."""
    reasons = [
        f"{words.METHODS.get(candidate.model.value, candidate.model.value)} ({candidate.reason})"
        for candidate in report.result.choice.candidates
        if candidate.reason
    ]
    return f"Not tried: {'; '.join(reasons)}." if reasons else ""


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
                "Source": "its own" if used.own and item.group in quantiles else "all groups: too few of its own",
            }
        )
    return pd.DataFrame(rows)


def bins_frame(report: CalibrationReport) -> pd.DataFrame:
    """The reliability diagram as numbers."""
    return pd.DataFrame(
        [
            {
                "when": when,
                "probability": item.mean,
                "from": item.low,
                "to": item.high,
                "accepted": item.share.num,
                "of": item.share.den,
                "share": item.share.value,
                "low": item.share.low,
                "high": item.share.high,
            }
            for when, bins in (("before", report.result.bins_before), ("after", report.result.bins_after))
            for item in bins
        ]
    )


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
                "Score": names.title(population.name),
                "Labelled": population.labelled,
                "Others": population.rest,
                "Largest gap of the distributions": numbers.figure(population.distance),
                "p": numbers.p_value(population.p_value),
            }
            for population in report.result.populations
        ]
    )


def cases_frame(cases: Sequence[CalibratedCase], report: CalibrationReport) -> pd.DataFrame:
    """Cases with what is said of them, for people."""
    return pd.DataFrame(
        [
            {
                "case_id": case.case_id,
                "Decision": f"{charts.MARKS[case.decision.value]} {charts.DECISIONS[case.decision.value]}",
                "Chance": case.chance,
                "Set": words.braces(case.levels, report),
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
                "threshold": step.threshold,
                "type_1": step.type_1.value,
                "type_1_low": step.type_1.low,
                "type_1_high": step.type_1.high,
                "rejected_by_people": step.type_1.den,
                "type_2": step.type_2.value,
                "type_2_low": step.type_2.low,
                "type_2_high": step.type_2.high,
                "accepted_by_people": step.type_2.den,
                "accepted": step.accepted.value,
                "of": step.accepted.den,
            }
            for step in curve.steps
        ]
    )


def budget_frame(budget: Budget) -> pd.DataFrame:
    """How the labels are dealt to ranges of the probability."""
    return pd.DataFrame(
        [
            {
                "Stratum": stratum.stratum,
                "Answers": stratum.cases,
                "Labelled": stratum.labelled,
                "More": stratum.more,
                "In all": stratum.total,
                "Spread": numbers.figure(stratum.spread),
            }
            for stratum in budget.strata
        ]
    )


def pass_frame(pass_rate: PassRate) -> pd.DataFrame:
    """Both estimates of the pass rate as numbers."""
    return pd.DataFrame(
        [
            {
                "estimate": name,
                "value": value.value,
                "low": value.low,
                "high": value.high,
                "labels": pass_rate.labels,
                "answers": pass_rate.cases,
                "scored": pass_rate.scored,
                "simulated": pass_rate.simulated,
                "method": value.method,
            }
            for name, value in (
                ("scores and labels", pass_rate.found.estimate),
                ("labels only", pass_rate.found.labels_only),
            )
        ]
    )


def trust_frame(trust: RunTrust) -> pd.DataFrame:
    """Every metric against the labels."""
    return pd.DataFrame(
        [
            {
                "metric": metric.name,
                "Metric": names.title(metric.name),
                "AUC": two(metric.auc),
                "Behind the best": "best" if metric.behind is None and not metric.why else _signed(metric.behind),
                "Spearman": two(metric.spearman),
                "Kappa": numbers.share(metric.kappa.value),
                "Brier": numbers.figure(metric.brier.value),
                "Constant": numbers.figure(metric.brier_base),
                "n": metric.n,
                "Why not": metric.why,
            }
            for metric in trust.trust.metrics
        ]
    )


def misses_frame(trust: RunTrust, metric: str) -> pd.DataFrame:
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
            for miss in trust.misses.get(metric, ())
        ],
        columns=["case_id", "Question", "Score", "People", "Difference of ranks", "The metric is"],
    )


def periods_frame(promise: Promise) -> pd.DataFrame:
    """Coverage by period."""
    if promise.audit is None:
        return pd.DataFrame()
    return pd.DataFrame(
        [
            {
                "Period": period.period,
                "Coverage": numbers.proportion(period.coverage),
                "Labels": numbers.of(period.coverage),
                "So far": numbers.proportion(period.so_far),
                "All labels": numbers.of(period.so_far),
                "Promise": period.standing.value,
            }
            for period in promise.audit.periods
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
