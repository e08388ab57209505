"""Explainable scores of retrieval and answers, each with its evidence."""

from core.metrics.registry import find_metric, find_metrics, list_metrics
from core.metrics.samples.sample import Sample, sample_of
from core.metrics.scoring import Models, score_samples
from core.metrics.spec import Family, Measured, Metric, MetricSpec, Need, Outcome, Unscored

__all__ = [
    "Family",
    "Measured",
    "Metric",
    "MetricSpec",
    "Models",
    "Need",
    "Outcome",
    "Sample",
    "Unscored",
    "find_metric",
    "find_metrics",
    "list_metrics",
    "sample_of",
    "score_samples",
]
