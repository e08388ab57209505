"""Faithfulness fitted to human labels: weights that are never negative, and predictions out of fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize

from core.domain.errors import InsufficientData, InvalidInput
from core.metrics.comparison.faithfulness_parts import PARTS, RULES

Floats = NDArray[np.float64]

FOLDS = 10
REPEATS = 5
RIDGE = 10.0
"""Penalty on standardised weights, worth ten cases: parts that say the same share what they say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedFaithfulness:
    """A rising linear score, fitted to labels.

    Attributes:
        names: The parts.
        weights: One a part, in units of the label for a part from 0 to 1; never negative.
        intercept: The label of a case whose parts are all 0.
        out_of_fold: For each case the mean prediction of models that saw no case of its group, shape (n,).
        cases: How many cases it was fitted on.
        groups: How many groups they come from.
    """

    names: tuple[str, ...]
    weights: tuple[float, ...]
    intercept: float
    out_of_fold: Floats
    cases: int
    groups: int

    @property
    def shares(self) -> Mapping[str, float]:
        """The weights, adding up to 1; all 0 where no part goes with the labels."""
        total = sum(self.weights)
        return {name: weight / total if total else 0.0 for name, weight in zip(self.names, self.weights, strict=True)}

    def predict(self, parts: ArrayLike) -> Floats:
        """The expected label of cases: intercept + sum_p w_p v_p; it never falls when a part rises.

        Args:
            parts: Shape (n, parts), columns in the order of `names`.
        """
        predicted: Floats = self.intercept + np.asarray(parts, dtype=np.float64) @ np.asarray(self.weights)
        return predicted


def fit_faithfulness(
    parts: ArrayLike,
    labels: ArrayLike,
    groups: ArrayLike,
    *,
    names: Sequence[str] = ("semantic", "lexical", "specifics"),
    folds: int = FOLDS,
    repeats: int = REPEATS,
    seed: int = 0,
) -> FittedFaithfulness:
    r"""Weights of the parts of faithfulness, learned from human labels, with out-of-fold predictions.

    Least squares with non-negative weights and a ridge,

    .. math:: \min_{b,\, w \ge 0} \sum_i (y_i - b - w^\top z_i)^2 + 10 \, \lVert w \rVert^2,

    with the parts z standardised. A figure for how well it does is to be taken from `out_of_fold`: groups are dealt
    into folds, each fold is predicted by a model of the others, and the predictions of several deals are averaged.
    Cases that share a source (two systems answering one task) belong to one group.

    Args:
        parts: Shape (n, parts), each in [0, 1], higher is better.
        labels: What people said, shape (n,), higher is better.
        groups: What each case belongs to, shape (n,); any labels.
        names: Of the columns.
        folds: Into how many the groups are dealt.
        repeats: How often they are dealt.
        seed: For the deals.

    Raises:
        InvalidInput: The shapes differ, a value is not finite, or a part has no such name.
        InsufficientData: Fewer groups than folds.

    >>> rows = [[place / 20, (place % 5) / 5] for place in range(20)]
    >>> fit = fit_faithfulness(rows, [row[0] for row in rows], range(20), names=("semantic", "lexical"))
    >>> fit.weights[0] > 0.6, fit.weights[1] < 0.1
    (True, True)
    """
    table, target, belongs = (
        np.asarray(parts, dtype=np.float64),
        np.asarray(labels, dtype=np.float64),
        np.asarray(groups),
    )
    if table.ndim != 2 or target.shape != table.shape[:1] or belongs.shape != target.shape:
        raise InvalidInput(
            f"There are parts of shape {table.shape}, {target.size} labels and {belongs.size} groups.",
            "Give one row of parts, one label and one group for each case.",
        )
    if len(names) != table.shape[1] or not set(names) <= set(PARTS):
        raise InvalidInput(f"The parts {', '.join(names)} do not fit.", f"Use one column each of: {', '.join(PARTS)}.")
    if not (np.isfinite(table).all() and np.isfinite(target).all()):
        raise InvalidInput("A part or a label is not a number.", "Leave out the cases without a value.")
    _, index = np.unique(belongs, return_inverse=True)
    count = int(index.max()) + 1 if index.size else 0
    if count < folds:
        raise InsufficientData(folds, count, "groups")
    generator = np.random.default_rng(seed)
    predicted = np.zeros(target.size)
    for _ in range(repeats):
        dealt = (generator.permutation(count) % folds)[index]
        for fold in range(folds):
            there = dealt == fold
            weights, intercept = _fit(table[~there], target[~there])
            predicted[there] += (intercept + table[there] @ weights) / repeats
    weights, intercept = _fit(table, target)
    return FittedFaithfulness(
        names=tuple(names),
        weights=tuple(weights.tolist()),
        intercept=intercept,
        out_of_fold=predicted,
        cases=target.size,
        groups=count,
    )


def _fit(table: Floats, target: Floats) -> tuple[Floats, float]:
    middle, spread = table.mean(axis=0), table.std(axis=0)
    # a part that never differs says nothing
    spread = np.where(spread > 0.0, spread, np.inf)
    columns = table.shape[1]
    rows = np.vstack([(table - middle) / spread, np.sqrt(RIDGE) * np.eye(columns)])
    solved, _ = optimize.nnls(rows, np.concatenate([target - target.mean(), np.zeros(columns)]))
    weights = solved / spread
    return weights, float(target.mean() - middle @ weights)


def parts_of(detail: Mapping[str, object], names: Sequence[str]) -> tuple[float, ...]:
    """The parts in the stored detail of a faithfulness score, as `fit_faithfulness` takes them.

    Where a rule decided there are no parts, and each is the value of the rule: 0.5 for no claim, 0 for nothing
    retrieved; any weighted mean of them is then what the rule says.

    Raises:
        InvalidInput: The score has no such part, such as entailment without an NLI model.

    >>> parts_of({"rule": "no claim"}, ("semantic", "lexical"))
    (0.5, 0.5)
    """
    rule = detail.get("rule")
    if isinstance(rule, str) and rule in RULES:
        return (RULES[rule],) * len(names)
    stored: Any = detail.get("parts", {})
    if absent := [name for name in names if name not in stored]:
        raise InvalidInput(
            f"The score has no part {absent[0]}.", f"It has: {', '.join(stored) or 'none'}. Score the run again."
        )
    return tuple(float(stored[name]) for name in names)
