"""How far raters agree: all of them, in pairs, each with the others, with their own repeats and with a gold subset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput
from core.domain.estimates import Estimate
from core.domain.results.labels import Criterion, ScaleKind
from core.labelling.agreement.figures import (
    Draws,
    alpha_of,
    fleiss_of,
    means_of_others,
    no_value,
    rank_correlation_of,
    rank_with_rest,
    same_labels,
)
from core.labelling.agreement.report import AgreementReport, PairAgreement, RaterAgreement
from core.labelling.agreement.words import reading, shared_cases, usable
from core.stats import (
    Level,
    Weights,
    clustered_mean,
)

Floats = npt.NDArray[np.float64]

LEVELS: Final[tuple[Level, ...]] = ("nominal", "ordinal", "interval")
WEIGHTS: Final[Mapping[Level, Weights]] = {"nominal": "none", "ordinal": "quadratic", "interval": "quadratic"}
"""How kappa counts differences: with squares it is nearly the intraclass correlation (Fleiss and Cohen 1973)."""


def level_of(criterion: Criterion) -> Level:
    """The level of measurement of a criterion: names for yes and no, an order for a Likert scale.

    Raises:
        InvalidInput: It is a comment.
    """
    if criterion.kind is ScaleKind.COMMENT:
        raise InvalidInput(f"{criterion.name} is a comment and has no levels.", "Choose a criterion with levels.")
    return "nominal" if criterion.kind is ScaleKind.BINARY else "ordinal"


def agreement(
    ratings: npt.ArrayLike,
    raters: Sequence[str],
    *,
    level: Level,
    criterion: str = "",
    numbers: bool = True,
    repeats: npt.ArrayLike | None = None,
    seconds: npt.ArrayLike | None = None,
    cannot_judge: Mapping[str, int] | None = None,
    gold: npt.ArrayLike | None = None,
    gold_ratings: npt.ArrayLike | None = None,
    anchors: Mapping[float, str] | None = None,
    seed: int = 0,
    resamples: int = 2_000,
) -> AgreementReport:
    """Every figure of agreement under one criterion; a figure that cannot be computed has a reason, not a value.

    Intervals are 95% and resample cases. Where cases have different numbers of labels, alpha and the mean kappa use
    all of them, Fleiss' kappa only those with the most frequent number.

    Args:
        ratings: One row a rater, one column a case, NaN for no label; shape (raters, cases).
        raters: Their names, in the order of the rows.
        level: What the values are.
        criterion: Its name, for the report.
        numbers: Whether the values mean what they are; False where they stand for words, which have no mean.
        repeats: The second label of the same case, same shape.
        seconds: Time spent on the case, same shape.
        cannot_judge: By rater, cases that could not be judged.
        gold: The right level of each case, NaN where it is not known; shape (cases,).
        gold_ratings: Labels of the gold cases, where those are other cases (practice); shape (raters, gold cases).
        anchors: The levels in words, by value.
        seed: For the bootstraps.
        resamples: Of each bootstrap.

    Raises:
        InvalidInput: The shapes do not fit, a name occurs twice, or words are to be ordered.
    """
    table = _checked(ratings, raters, level=level, numbers=numbers)
    draw = Draws(weights=WEIGHTS[level], seed=seed, resamples=resamples)
    gold_table = table if gold_ratings is None else _checked(gold_ratings, raters, level=level, numbers=numbers)
    golden = (
        np.full((1, gold_table.shape[1]), np.nan) if gold is None else _like(gold, (gold_table.shape[1],), "gold")[None]
    )
    labelled = ~np.isnan(table)
    alphas = {name: alpha_of(table, name, draw) for name in (LEVELS if numbers else LEVELS[:1])}
    alpha = alphas[level]
    by_rater = tuple(
        _rater(
            table,
            place,
            name,
            numbers=numbers,
            repeated=None if repeats is None else _like(repeats, table.shape, "repeats")[place],
            seconds=None if seconds is None else _like(seconds, table.shape, "seconds")[place],
            cannot_judge=None if cannot_judge is None else cannot_judge.get(name, 0),
            gold=(gold_table[place], golden[0]),
            draw=draw,
        )
        for place, name in enumerate(raters)
    )
    to_gold = [(place, len(raters)) for place in range(len(raters))]
    return AgreementReport(
        criterion=criterion,
        level=level,
        raters=int(labelled.any(axis=1).sum()),
        items=int(labelled.any(axis=0).sum()),
        shared=int((labelled.sum(axis=0) >= 2).sum()),
        labels=int(labelled.sum()),
        alpha=alpha,
        alphas=alphas,
        fleiss=fleiss_of(table, draw),
        kappa=draw.mean_kappa(table, None, alpha.method),
        rank=rank_with_rest(table) if numbers else no_value(0, "labels are words"),
        gold=draw.mean_kappa(np.concatenate([gold_table, golden]), to_gold, "no two labelled cases have a gold label"),
        same_gold=same_labels(gold_table, np.broadcast_to(golden, gold_table.shape)),
        pairs=tuple(_pair(table, (raters[a], raters[b]), (a, b), draw) for a, b in combinations(range(len(raters)), 2)),
        by_rater=by_rater,
        usable=usable(alpha),
        reading=reading(alpha, shared_cases(table, anchors)),
        notes=_notes(table, alpha, by_rater),
    )


def _checked(ratings: npt.ArrayLike, raters: Sequence[str], *, level: Level, numbers: bool) -> Floats:
    table = np.asarray(ratings, dtype=np.float64).reshape(len(raters), -1) if len(raters) else np.empty((0, 0))
    if len(set(raters)) != len(raters):
        raise InvalidInput("Two rows of labels have the same rater.", "Give each rater one row.")
    if np.isinf(table).any():
        raise InvalidInput("A label is infinite.", "Give levels as finite numbers.")
    if not numbers and level != "nominal":
        raise InvalidInput(f"Labels that are words have no {level} scale.", "Use the level nominal, or give numbers.")
    return table


def _like(values: npt.ArrayLike, shape: tuple[int, ...], name: str) -> Floats:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != shape:
        raise InvalidInput(f"The {name} have the shape {array.shape}, not {shape}.", "Give one for each label.")
    return array


def _pair(table: Floats, names: tuple[str, str], rows: tuple[int, int], draw: Draws) -> PairAgreement:
    first, second = table[rows[0]], table[rows[1]]
    kappa = draw.kappa(first, second, "the two share no case")
    return PairAgreement(a=names[0], b=names[1], kappa=kappa, same=same_labels(first, second))


def _rater(
    table: Floats,
    place: int,
    name: str,
    *,
    numbers: bool,
    repeated: Floats | None,
    seconds: Floats | None,
    cannot_judge: int | None,
    gold: tuple[Floats, Floats],
    draw: Draws,
) -> RaterAgreement:
    own_labels, others = table[place], means_of_others(table)[place]
    labelled, beside = ~np.isnan(own_labels), ~(np.isnan(own_labels) | np.isnan(others))
    pairs = [(min(place, rater), max(place, rater)) for rater in range(len(table)) if rater != place]
    second = np.full(own_labels.shape, np.nan) if repeated is None else repeated
    words = "labels are words"
    cases = np.flatnonzero(beside)
    bias = no_value(0, "no other rater labelled the same cases")
    if not numbers:
        bias = no_value(int(beside.sum()), words)
    elif beside.any():
        bias = clustered_mean(own_labels[beside] - others[beside], cases)
    return RaterAgreement(
        rater=name,
        n=int(labelled.sum()),
        cannot_judge=cannot_judge,
        mean=float(own_labels[labelled].mean()) if numbers and labelled.any() else None,
        kappa_with_rest=draw.mean_kappa(table, pairs, "no two cases are shared with another rater"),
        rank_with_rest=rank_correlation_of(own_labels[beside], others[beside], cases)
        if numbers
        else no_value(0, words),
        bias=bias,
        repeats=draw.kappa(own_labels, second, "no case was labelled twice"),
        same_repeats=same_labels(own_labels, second),
        gold=draw.kappa(*gold, "no labelled case has a gold label"),
        same_gold=same_labels(*gold),
        seconds=float(np.nanmedian(seconds)) if seconds is not None and not np.isnan(seconds).all() else None,
    )


def _notes(table: Floats, alpha: Estimate, by_rater: Sequence[RaterAgreement]) -> tuple[str, ...]:
    labelled = ~np.isnan(table)
    notes = []
    alone = int((labelled.sum(axis=0) == 1).sum())
    if alone and alpha.value is not None:
        notes.append(f"{alone:,} {'case has' if alone == 1 else 'cases have'} only one label and do not count here.")
    if alpha.value == 1.0 and alpha.low == 1.0:
        highest_share = 1.0 - 0.05 ** (1.0 / alpha.n)
        notes.append(
            "No two labels of a case differ, so the interval has no width; with "
            f"{alpha.n:,} cases up to {highest_share:.0%} of all cases may still be disputed."
        )
    for rater in by_rater:
        kappa = rater.kappa_with_rest
        if kappa.value is not None and kappa.low is not None and kappa.low <= 0.0:
            notes.append(
                f"The agreement of {rater.rater} with the others is not distinguishable from chance: kappa "
                f"{kappa.value:.3f} [{kappa.low:.3f}, {kappa.high:.3f}], {kappa.n:,} cases."
            )
    return tuple(notes)
