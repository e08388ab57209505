"""From machine scores to the probability that people accept an answer, and to prediction sets with a promise."""

from core.calibration.double import Applied, Calibration, calibrate
from core.calibration.labels.prediction_powered import LEAST_LABELS, PredictionPowered, prediction_powered_mean
from core.calibration.probability.models import ModelName, ProbabilityModel, fit_model
from core.calibration.report import Decision, Report
from core.calibration.sets.conformal import (
    POOLED,
    Conformal,
    Method,
    Quantile,
    conformalise,
    conformity,
    finite_quantile,
)

__all__ = [
    "LEAST_LABELS",
    "POOLED",
    "Applied",
    "Calibration",
    "Conformal",
    "Decision",
    "Method",
    "ModelName",
    "PredictionPowered",
    "ProbabilityModel",
    "Quantile",
    "Report",
    "calibrate",
    "conformalise",
    "conformity",
    "finite_quantile",
    "fit_model",
    "prediction_powered_mean",
]
