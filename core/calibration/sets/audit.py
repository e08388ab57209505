"""Whether sets keep their promise on later labels, valid at any number of readings."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.calibration.sets.conformal import finite_quantile
from core.domain.errors import InsufficientData, InvalidInput
from core.domain.estimates import Proportion
from core.stats import clustered_proportion

METHOD = "confidence sequence (beta mixture), valid at every reading"
LUCK = 0.01
"""Chance that the coverage of a sound calibration lies below the range that its few labels explain."""


class Standing(StrEnum):
    """The state of the promise, given the labels so far.

    ``kept``: the coverage is significantly at or above the promise. ``open``: the labels are too few to decide.
    ``below``: the coverage is significantly below the promise, but the calibration's few labels may explain it.
    ``broken``: they cannot explain it; the cases, the answers or the raters have changed.
    """

    KEPT = "kept"
    OPEN = "open"
    BELOW = "below"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPeriod:
    """The labels of one period and all up to it.

    Attributes:
        period: As it was given, such as a month.
        coverage: Sets that hold the label, of this period alone, with its ordinary interval.
        so_far: Of all periods up to this one; its interval is that of the sequence, valid at any number of readings.
        standing: After this period.
    """

    period: str
    coverage: Proportion
    so_far: Proportion
    standing: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """New labels compared with the promise.

    Attributes:
        alpha: The share of sets that may miss.
        promise: 1 - alpha.
        explained: The lowest coverage that the size of the calibration explains; None where its size is not known.
        periods: In order of time.
        standing: The worst so far: once below or broken it stays so, since every reading is valid.
        sentence: The same in plain words.
    """

    alpha: float
    promise: float
    explained: float | None
    periods: tuple[AuditPeriod, ...]
    standing: Standing
    sentence: str


def audit_coverage(
    hits: ArrayLike,
    periods: Sequence[str],
    *,
    alpha: float,
    clusters: ArrayLike | None = None,
    calibrated_on: int | None = None,
    level: float = 0.05,
) -> Audit:
    r"""Coverage of stored sets on labels made later, by period and so far.

    The interval of all labels so far is a confidence sequence: the chance that it ever misses the true coverage is at
    most `level`, at however many readings and whenever one stops. It holds every p for which

    .. math:: \frac{B(s + \frac12, f + \frac12) / B(\frac12, \frac12)}{p^s (1 - p)^f} < \frac1{\text{level}}

    with s the sum of hits and f that of misses; the left side is a martingale if p is the coverage. Cases of one source
    in one period count as one with their mean hit, for which it is a supermartingale. An ordinary interval, such as
    that of a single period, is right for one reading that was planned, not for the worst of many.

    Labels must come from cases drawn at random; cases labelled because their set was doubtful are not representative of
    all cases.

    Args:
        hits: Whether each case's set holds its label, shape (n,), in any order.
        periods: The period of each, such as ``2026-11``; periods are taken in the order of their names.
        alpha: The share of sets that may miss.
        clusters: What each case belongs to, shape (n,).
        calibrated_on: Labels of the conformal part behind the sets, to separate sampling error from change.
        level: Chance of ever being wrong about the promise.

    Raises:
        InsufficientData: There is no label.
        InvalidInput: Shapes differ or a share is none.

    Reference:
        H. Robbins (1970), Statistical methods related to the law of the iterated logarithm; S. Howard, A. Ramdas, J.
        McAuliffe and J. Sekhon (2021), Time-uniform, nonparametric, nonasymptotic confidence sequences.
    """
    covered = np.asarray(hits, dtype=bool)
    names = np.arange(covered.size) if clusters is None else np.unique(np.asarray(clusters), return_inverse=True)[1]
    if not covered.size:
        raise InsufficientData(1, 0, "labels made after the calibration")
    if covered.ndim != 1 or len(periods) != covered.size or names.shape != covered.shape:
        raise InvalidInput("Hits, periods and clusters differ in number.", "Give one of each a case.")
    if not 0.0 < alpha < 1.0 or not 0.0 < level < 1.0:
        raise InvalidInput(f"alpha is {alpha} and level {level}.", "Give shares between 0 and 1.")
    explained = _explained(calibrated_on, alpha)
    period_names = np.array([str(period) for period in periods])
    records: list[AuditPeriod] = []
    counted_sources: set[int] = set()
    hit, missed = 0.0, 0.0
    worst = Standing.OPEN
    for period in sorted(set(period_names.tolist())):
        in_period = period_names == period
        hit, missed = _with_period(covered, names, in_period, hit, missed, counted_sources)
        low, high = confidence_sequence(hit, missed, level=level)
        standing = _standing(low, high, 1.0 - alpha, explained)
        worst = _worse(worst, standing)
        upto = period_names <= period
        records.append(
            AuditPeriod(
                period=period,
                coverage=clustered_proportion(covered[in_period], names[in_period]),
                so_far=Proportion(
                    num=int(covered[upto].sum()),
                    den=int(upto.sum()),
                    low=min(low, float(covered[upto].mean())),
                    high=max(high, float(covered[upto].mean())),
                    method=METHOD,
                    clusters=int(np.unique(names[upto]).size),
                ),
                standing=worst,
            )
        )
    return Audit(
        alpha=alpha,
        promise=1.0 - alpha,
        explained=explained,
        periods=tuple(records),
        standing=worst,
        sentence=_sentence(worst, records[-1].so_far, 1.0 - alpha),
    )


def confidence_sequence(hits: float, misses: float, *, level: float = 0.05) -> tuple[float, float]:
    """All p that the hits and misses so far do not rule out, at any time; see :func:`audit_coverage`.

    Args:
        hits: Their sum; means of clusters count in parts.
        misses: The same of misses.
        level: Chance to be ever wrong.

    >>> low, high = confidence_sequence(90, 10)
    >>> round(low, 2), round(high, 2)
    (0.77, 0.97)
    """
    total = hits + misses
    if total <= 0.0:
        return 0.0, 1.0
    mixture = _log_beta(hits + 0.5, misses + 0.5) - _log_beta(0.5, 0.5)
    limit = mixture - math.log(1.0 / level)

    def out(p: float) -> bool:
        chance = hits * math.log(p) if hits else 0.0
        return chance + (misses * math.log1p(-p) if misses else 0.0) <= limit

    share = hits / total
    return _edge(out, 0.0, share), _edge(out, 1.0, share)


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _edge(out: Callable[[float], bool], outer: float, inner: float) -> float:
    """The border between what is ruled out near `outer` and what is not at `inner`, on the outer side."""
    if outer == inner:
        return outer
    for _ in range(50):
        middle = (outer + inner) / 2.0
        if out(middle):
            outer = middle
        else:
            inner = middle
    return outer


def _with_period(
    covered: NDArray[np.bool_],
    names: NDArray[np.intp],
    in_period: NDArray[np.bool_],
    hit: float,
    missed: float,
    counted_sources: set[int],
) -> tuple[float, float]:
    """Hits and misses with those of one period; a source counts once, in the first period it occurs in."""
    index, source_index = np.unique(names[in_period], return_inverse=True)
    means = np.bincount(source_index, weights=covered[in_period].astype(float)) / np.bincount(source_index)
    for name, mean in zip(index.tolist(), means.tolist(), strict=True):
        if name not in counted_sources:
            counted_sources.add(name)
            hit, missed = hit + mean, missed + 1.0 - mean
    return hit, missed


def _explained(calibrated_on: int | None, alpha: float) -> float | None:
    if calibrated_on is None:
        return None
    rank = finite_quantile(np.zeros(calibrated_on), alpha)
    return None if rank.too_few else float(special.betaincinv(rank.k, rank.n + 1 - rank.k, LUCK))


def _standing(low: float, high: float, promise: float, explained: float | None) -> Standing:
    if low >= promise:
        return Standing.KEPT
    if high >= promise:
        return Standing.OPEN
    return Standing.BELOW if explained is not None and high >= explained else Standing.BROKEN


def _worse(before: Standing, current: Standing) -> Standing:
    order = (Standing.OPEN, Standing.KEPT, Standing.BELOW, Standing.BROKEN)
    if before in order[2:] and order.index(before) > order.index(current):
        return before
    return current


def _sentence(standing: Standing, so_far: Proportion, promise: float) -> str:
    share = f"{so_far.num:,} of {so_far.den:,} sets hold the label"
    return {
        Standing.KEPT: f"The promise of {100 * promise:g}% holds: {share}.",
        Standing.OPEN: f"No evidence against the promise of {100 * promise:g}% so far: {share}.",
        Standing.BELOW: f"The coverage is below {100 * promise:g}%, which the few calibration labels may explain: "
        f"{share}. Calibrate again on more labels.",
        Standing.BROKEN: f"The promise of {100 * promise:g}% is broken: {share}. Find out what changed, and calibrate "
        "again.",
    }[standing]
