"""From machine scores to the probability that a person would agree, and to sets that keep a promise."""

from core.calibration.conformal import POOLED, Conformal, Method, Quantile, conformalise, conformity, finite_quantile
from core.calibration.double import Applied, Calibration, calibrate
from core.calibration.models import ModelName, ProbabilityModel, fit_model
from core.calibration.prediction_powered import LEAST_LABELS, PredictionPowered, prediction_powered_mean
from core.calibration.report import Decision, Report

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
