"""A calibration as tables, for people and for files."""

from __future__ import annotations

from typing import Final

import pandas as pd

from core.calibration.service.report import CalibrationOptions, CalibrationReport
from core.calibration.sets.conformal import POOLED
from core.domain.estimates import Estimate
from pages.kit.calibrations import words
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
