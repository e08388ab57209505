"""The validity of each metric: its agreement with people's labels, compared on the same cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.calibration.probability.models import LEAST_OF_A_LEVEL, ModelName, fit_model
from core.domain.errors import InvalidInput
from core.domain.estimates import Estimate
from core.stats import clustered_mean, cohen_kappa
from core.stats.folds import balanced_folds
from core.stats.ranks.auc import AucResamples, auc
from core.stats.ranks.rank_correlation import midranks, rank_correlation
from core.stats.resampling import bootstrap_interval

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

FOLDS = 5
DRAWS = 1_000
LEAST = 10
"""The smallest number of labels for an assessment of a metric."""
WORST = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A case that the metric and people rank very differently.

    Attributes:
        case: Its position among the given cases.
        score: The metric's value.
        label: People's level.
        gap: Rank of the score less that of the label, as shares of the cases, -1 to 1; above 0 the metric is lenient.
    """

    case: int
    score: float
    label: float
    gap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricTrust:
    """One metric against the labels.

    Attributes:
        name: Of the metric.
        n: Labelled cases with a value.
        unscored: Labelled cases without one.
        spearman: Rank correlation with the level, interval over clusters.
        auc: Chance that an accepted case scores above one that is not, ties counted half; interval over clusters.
        kappa: Cohen's kappa of people's decision and that of the best threshold, which is chosen on other cases.
        brier: Brier score of logistic probabilities, fitted on other cases.
        brier_base: The same for a constant, the share of accepted cases among the others: a metric with a higher Brier
            score adds no information.
        behind: AUC less that of the best metric, on the cases both have, adjusted for the number of metrics; None for
            the best itself and where there is no interval.
        worst: Cases with the largest gaps.
        why: Why figures are missing, or empty.
    """

    name: str
    n: int
    unscored: int
    spearman: Estimate
    auc: Estimate
    kappa: Estimate
    brier: Estimate
    brier_base: float | None
    behind: Estimate | None
    worst: tuple[Miss, ...]
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """All metrics against the labels, best AUC first.

    Attributes:
        metrics: Metrics that cannot be assessed come last.
        winner: The best one, where the adjusted intervals show that it is better than every other; else None.
        sentence: The same in plain words.
    """

    metrics: tuple[MetricTrust, ...]
    winner: str | None
    sentence: str


def compare_metrics(
    scores: ArrayLike,
    labels: ArrayLike,
    names: Sequence[str],
    *,
    accept_from: float = 1.0,
    clusters: ArrayLike | None = None,
    worst: int = WORST,
    seed: int = 0,
    draws: int = DRAWS,
) -> Trust:
    r"""Compares metrics by how well they predict what people accept.

    Each metric is assessed on the labelled cases it scored; differences to the best are taken on the cases both scored,
    in the same resamples of clusters, with Bonferroni's level over the metrics compared. The threshold of kappa and the
    curve of the Brier score are fitted without the cluster on which they are tested.

    Args:
        scores: Of labelled cases, higher is better, shape (n, m); NaN where unscored.
        labels: Level or mean level of each case, shape (n,), finite.
        names: Of the metrics, m.
        accept_from: The lowest label that counts as accepted.
        clusters: What each case belongs to, shape (n,); each case alone by default.
        worst: How many of the worst misses to name.
        seed: Of the draws and folds.
        draws: Resamples of the clusters.

    Raises:
        InvalidInput: Shapes differ or a label is missing.

    Reference:
        J. Hanley and B. McNeil (1982), The meaning and use of the area under a ROC curve; N. Obuchowski (1997),
        Nonparametric analysis of clustered ROC curve data (the bootstrap over clusters stands for her variance).
    """
    table, truth = np.asarray(scores, dtype=np.float64), np.asarray(labels, dtype=np.float64)
    group = np.arange(truth.size) if clusters is None else np.unique(np.asarray(clusters), return_inverse=True)[1]
    if table.ndim != 2 or truth.shape != (len(table),) or group.shape != truth.shape or table.shape[1] != len(names):
        raise InvalidInput("Scores, labels, clusters and names differ in number.", "Give one label a row of scores.")
    if not np.isfinite(truth).all():
        raise InvalidInput("A label is missing.", "Leave cases without a label out.")
    if np.isinf(table).any():
        raise InvalidInput("A score is not a number.", "Leave such scores empty.")
    accepted = truth >= accept_from
    resamples = AucResamples(table, accepted, group, draws=draws, seed=seed)
    judged = [
        _judged(name, place, table, truth, accepted, group, resamples, worst, seed) for place, name in enumerate(names)
    ]
    able = [place for place, metric in enumerate(judged) if metric.auc.value is not None]
    if not able:
        sentence = "No metric can be assessed: " + (judged[0].why if judged else "there is none") + "."
        return Trust(metrics=tuple(judged), winner=None, sentence=sentence)
    best = max(able, key=lambda place: (judged[place].auc.value or 0.0, -place))
    others = [place for place in able if place != best]
    behind = {place: _difference(place, best, table, accepted, group, resamples, len(others)) for place in others}
    order = sorted(able, key=lambda place: -(judged[place].auc.value or 0.0))
    rest = [place for place in range(len(names)) if place not in able]
    placed = tuple(replace(judged[place], behind=behind.get(place)) for place in (*order, *rest))
    clear = bool(others) and all(
        difference.high is not None and difference.high < 0.0 for difference in behind.values()
    )
    return Trust(
        metrics=placed,
        winner=names[best] if clear else None,
        sentence=_sentence(names, best, others, behind, judged[best], clear=clear),
    )


def _judged(
    name: str,
    place: int,
    table: Floats,
    truth: Floats,
    accepted: Bools,
    group: NDArray[np.intp],
    resamples: AucResamples,
    worst: int,
    seed: int,
) -> MetricTrust:
    column = table[:, place]
    there = ~np.isnan(column)
    score, level, good, near = column[there], truth[there], accepted[there], group[there]
    n = int(score.size)
    why = (
        f"only {n} labelled cases have a value"
        if n < LEAST
        else "every value is the same"
        if np.ptp(score) == 0.0
        else "people accept all of them or none"
        if good.all() or not good.any()
        else ""
    )
    nothing = Estimate(value=None, low=None, high=None, n=n, method=why)
    if why:
        return MetricTrust(
            name=name,
            n=n,
            unscored=int((~there).sum()),
            spearman=nothing,
            auc=nothing,
            kappa=nothing,
            brier=nothing,
            brier_base=None,
            behind=None,
            worst=(),
            why=why,
        )
    kappa, brier, base = _on_other_cases(score, good, near, seed)
    return MetricTrust(
        name=name,
        n=n,
        unscored=int((~there).sum()),
        spearman=rank_correlation(score, level, near),
        auc=bootstrap_interval(auc(score, good), resamples.aucs(place, there), near, least=0.0, most=1.0),
        kappa=kappa,
        brier=brier,
        brier_base=base,
        behind=None,
        worst=_worst(score, level, np.flatnonzero(there), worst),
    )


def _worst(score: Floats, level: Floats, cases: NDArray[np.intp], most: int) -> tuple[Miss, ...]:
    gaps = (midranks(score) - midranks(level)) / score.size
    order = np.argsort(-np.abs(gaps), kind="stable")[:most]
    return tuple(
        Miss(case=int(cases[place]), score=float(score[place]), label=float(level[place]), gap=float(gaps[place]))
        for place in order
        if abs(gaps[place]) > 0.0
    )


def _difference(
    place: int,
    best: int,
    table: Floats,
    accepted: Bools,
    group: NDArray[np.intp],
    resamples: AucResamples,
    compared: int,
) -> Estimate:
    both: Bools = np.asarray(~np.isnan(table[:, place]) & ~np.isnan(table[:, best]))
    good = accepted[both]
    n = int(both.sum())
    if n < LEAST or good.all() or not good.any():
        return Estimate(value=None, low=None, high=None, n=n, method="too few cases in common")
    value = auc(table[both, place], good) - auc(table[both, best], good)
    draws = resamples.aucs(place, both) - resamples.aucs(best, both)
    return bootstrap_interval(value, draws, group[both], compared=compared, least=-1.0, most=1.0)


def _on_other_cases(
    score: Floats, good: Bools, near: NDArray[np.intp], seed: int
) -> tuple[Estimate, Estimate, float | None]:
    """Kappa at a threshold and Brier score of a curve, each fitted without the fold on which it is tested."""
    _, index = np.unique(near, return_inverse=True)
    count = int(index.max()) + 1
    folds = min(FOLDS, count)
    plan = balanced_folds(good, index, folds, np.random.default_rng(seed))
    predicted, chance, base = np.zeros(score.size, dtype=bool), np.zeros(score.size), np.zeros(score.size)
    for place in range(folds):
        out = plan == place
        if not out.any():
            continue
        training = good[~out]
        if min(int(training.sum()), int((~training).sum())) < LEAST_OF_A_LEVEL:
            nothing = Estimate(
                value=None, low=None, high=None, n=int(score.size), method="too few of one kind to leave some out"
            )
            return nothing, nothing, None
        predicted[out] = score[out] >= _best_threshold(score[~out], training)
        model = fit_model(ModelName.LOGISTIC, score[~out], training.astype(int))
        chance[out] = model.probabilities(score[out])[:, 1]
        base[out] = training.mean()
    errors = np.square(chance - good)
    return _kappa(predicted, good, count), _mean(errors, index), float(np.square(base - good).mean())


def _kappa(predicted: Bools, good: Bools, clusters: int) -> Estimate:
    kappa = cohen_kappa(predicted.tolist(), good.tolist())
    if kappa.value is None or clusters == predicted.size:
        return kappa
    # Its large-sample error is that of independent cases.
    return Estimate(value=kappa.value, low=None, high=None, n=kappa.n, method="Cohen's kappa, cases share sources")


def _mean(values: Floats, index: NDArray[np.intp]) -> Estimate:
    return clustered_mean(values, index, low=0.0, high=1.0)


def _best_threshold(score: Floats, good: Bools) -> float:
    """The threshold with the highest kappa; halfway to the next lower score, so that it does not depend on one case."""
    values = np.unique(score)
    order = np.argsort(score, kind="stable")
    below = np.searchsorted(score[order], values)
    takes = score.size - below
    yes = int(good.sum()) - np.concatenate([[0], np.cumsum(good[order])])[below]
    n, accepted = good.size, int(good.sum())
    observed = (yes + (n - takes - accepted + yes)) / n
    expected = (takes * accepted + (n - takes) * (n - accepted)) / n**2
    kappas = np.where(expected < 1.0, (observed - expected) / np.maximum(1.0 - expected, 1e-12), 0.0)
    place = int(np.argmax(kappas))
    return float((values[place] + values[place - 1]) / 2.0) if place else float(values[0])


def _sentence(
    names: Sequence[str],
    best: int,
    others: Sequence[int],
    behind: dict[int, Estimate],
    first: MetricTrust,
    *,
    clear: bool,
) -> str:
    area = f"AUC {first.auc.value:.2f}" if first.auc.value is not None else ""
    if first.auc.low is not None and first.auc.low <= 0.5:
        return (
            f"No metric demonstrably separates accepted from rejected answers: the best is {names[best]} ({area}), "
            "which chance may explain."
        )
    if not others:
        return f"{names[best]} is the only metric that can be assessed ({area})."
    if clear:
        return f"Trust {names[best]} most ({area}): its lead over each of the {len(others)} others is beyond chance."
    equal = [names[place] for place in others if (end := behind[place].high) is None or end >= 0.0]
    return f"{names[best]} has the highest AUC ({area}), but chance may explain its lead over {', '.join(equal)}."
