"""How calibrations are called on the screens: methods, sets, decisions, parts, and the figures' meanings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from core.calibration.service.report import CalibrationOptions, CalibrationReport
from core.store.people.calibrations import StoredCalibration
from pages.kit.look import numbers
from pages.kit.scores import names as metric_names

METHODS: Final = {
    "auto": "Automatic",
    "logistic": "Logistic (Platt)",
    "ordinal": "Ordinal regression",
    "isotonic": "Isotonic",
    "boosting": "Monotone boosting",
}
CONFORMAL: Final = {"lac": "LAC, the paper's", "aps": "APS, larger where unsure"}
ALPHAS: Final = {"0.1": "90%", "0.05": "95%", "0.2": "80%", "0.01": "99%"}
LEVELS: Final = {"accepted": "Accepted or not", "each": "Each level"}
RATERS: Final = {"median": "Median", "majority": "Vote after the cut-off", "mean": "Mean"}
PARTS: Final = {
    "fit": "fitted the curve",
    "conformal": "set the quantile",
    "test": "tested the promise",
    "unused": "not used",
    "": "no score",
}

COVERAGE: Final = (
    "How many of the labelled cases of the test part, which neither stage has seen, have what people said in their "
    "prediction set. The promise is 1 - alpha."
)
ECE: Final = (
    "Expected calibration error: how far the probability and the share that people accept lie apart, on average over "
    "bins of equal numbers of cases. 0 is perfect, and few cases never reach it."
)
DECIDED: Final = (
    "Scored cases whose prediction set has only accepted or only rejected levels: the machine decides them with the "
    "promise. The others go to people."
)
RATE: Final = (
    "The share of the run's answers that people would accept, from all scores and the labels together (PPI++); right "
    "however bad the scores are."
)


def braces(levels: Sequence[int], report: CalibrationReport) -> str:
    """A prediction set as the paper writes it.

    Args:
        levels: Numbers of the levels in it.
        report: Of the calibration, which knows their values.
    """
    return "{" + ", ".join(str(report.level_values[level]) for level in levels) + "}" if levels else "{ }"


def meaning(levels: Sequence[int], report: CalibrationReport) -> str:
    """A prediction set in words: "Correct", "Incorrect or Correct", "nothing fits"."""
    return " or ".join(report.level_names[level] for level in levels) or "no level fits"


def axis(options: CalibrationOptions) -> str:
    """What the horizontal axis of the curve is."""
    if len(options.metrics) > 1:
        return f"Calibrated probability from {', '.join(metric_names.title(name) for name in options.metrics)}"
    (name,) = options.metrics
    spec = metric_names.spec_of(name)
    title = metric_names.title(name)
    return f"{title} ({spec.unit}, {spec.better} is better)" if spec else title


def called(calibration: StoredCalibration) -> str:
    """A calibration in a list: its scores, its promise, when it was made."""
    names = calibration.options.get("metrics")
    titles = ", ".join(metric_names.title(str(name)) for name in names) if isinstance(names, list | tuple) else ""
    promise = calibration.options.get("alpha")
    share = f"{100 * (1 - promise):g}%" if isinstance(promise, float) else ""
    return f"{titles}, {share}, {numbers.when(calibration.created_at)}"


def ordinal(n: int) -> str:
    """A place in a row.

    >>> ordinal(1), ordinal(22), ordinal(113), ordinal(44)
    ('1st', '22nd', '113th', '44th')
    """
    ending = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{ending}"


def titled(text: str, names: Iterable[str]) -> str:
    """A text of the engine with metrics by their titles.

    >>> titled("Trust mrr most; mrr@5 is a mrr_like thing.", ["mrr", "mrr@5"])
    'Trust Reciprocal rank most; Reciprocal rank at 5 is a mrr_like thing.'
    """
    longest_first = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    if not longest_first:
        return text
    return re.sub(rf"(?<!\w)({longest_first})(?![\w@])", lambda item: metric_names.title(item[0]), text)


def scores(names: Sequence[str]) -> str:
    """The scores of a calibration as one phrase."""
    return ", ".join(metric_names.title(name) for name in names)
