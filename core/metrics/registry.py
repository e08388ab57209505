"""Metrics by name: each is one decorated file of a folder below this package, found by walking it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import cast

from core.domain.errors import InvalidInput
from core.domain.registry import Registry
from core.metrics.spec import Family, Measure, MeasureAtK, Metric, MetricSpec

MAX_K = 1000

_METRICS: Registry[tuple[MetricSpec, Measure | MeasureAtK]] = Registry(
    f"{__package__}.retrieval",
    "metric",
    more=tuple(f"{__package__}.{folder}" for folder in ("answer", "claims", "grouse", "inference", "vectors")),
)


def metric(spec: MetricSpec) -> Callable[[Measure], Measure]:
    """Makes a function known as the metric of a spec.

    Raises:
        ValueError: The name is taken, or the spec says that it knows a cut-off.
    """
    if "." in spec.name:
        raise ValueError(f"{spec.name} has a dot, which separates the names of other tools from their metrics'.")
    if spec.at_k:
        raise ValueError(f"{spec.name} takes a cut-off: register it with metric_at_k.")

    def add(measure: Measure) -> Measure:
        _METRICS.add(spec.name, (spec, measure))
        return measure

    return add


def metric_at_k(spec: MetricSpec) -> Callable[[MeasureAtK], MeasureAtK]:
    """Makes a function of a sample and a cut-off known as the metric of a spec.

    Raises:
        ValueError: The name is taken, or the spec does not say that it knows a cut-off.
    """
    if "." in spec.name:
        raise ValueError(f"{spec.name} has a dot, which separates the names of other tools from their metrics'.")
    if not spec.at_k:
        raise ValueError(f"{spec.name} takes no cut-off: register it with metric.")

    def add(measure: MeasureAtK) -> MeasureAtK:
        _METRICS.add(spec.name, (spec, measure))
        return measure

    return add


@cache
def list_metrics() -> tuple[MetricSpec, ...]:
    """Every metric there is, by family in the order of `Family`, then in name order, those by chunk last."""
    families = list(Family)
    specs = [spec for spec, _ in _METRICS.all().values()]
    return tuple(
        sorted(specs, key=lambda spec: (families.index(spec.family), spec.name.startswith("chunk_"), spec.name))
    )


def find_metric(name: str) -> Metric:
    """A metric by name; ``precision@5`` is precision over the first five retrieved.

    Raises:
        InvalidInput: There is no such metric, or it takes no cut-off, or the cut-off is out of range.
    """
    requested = name.strip()
    base, at, cut = requested.partition("@")
    metrics = _METRICS.all()
    if base not in metrics:
        raise InvalidInput(f"There is no metric {requested!r}.", f"Use one of: {', '.join(metrics)}.")
    spec, measure = metrics[base]
    if not spec.at_k:
        if at:
            raise InvalidInput(f"The metric {base} takes no cut-off, and {requested!r} has one.", f"Write {base}.")
        return Metric(name=base, spec=spec, measure=cast(Measure, measure))
    if not at:
        return Metric(name=base, spec=spec, measure=partial(cast(MeasureAtK, measure), k=None))  # type: ignore[call-arg]
    if not cut.isdecimal() or not 1 <= int(cut) <= MAX_K:
        raise InvalidInput(f"The cut-off of {requested!r} is not a whole number from 1 to {MAX_K}.", f"Write {base}@5.")
    k = int(cut)
    return Metric(name=f"{base}@{k}", spec=spec, measure=partial(cast(MeasureAtK, measure), k=k))  # type: ignore[call-arg]


def find_metrics(names: Iterable[str]) -> tuple[Metric, ...]:
    """Metrics by name, each once, in the order asked for.

    Raises:
        InvalidInput: No name, or one that cannot be used.
    """
    metrics = {metric.name: metric for metric in (find_metric(name) for name in names if name.strip())}
    if not metrics:
        raise InvalidInput("No metric is named.", "Name at least one, such as groundedness.")
    return tuple(metrics.values())
