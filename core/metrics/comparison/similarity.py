"""Sentence similarity: what the HCAT metrics share, from best matches and weighted means to optimal transport.

Every metric of this kind compares the sentences of two texts by the cosine of their vectors (HCAT 3.1) and looks at the
best match of each sentence. Sums are exact (`math.fsum`), so a score does not depend on the order of its sentences.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from core.domain.status import Status
from core.metrics.comparison.weights import mean, weighted_mean
from core.metrics.evidence import Flow
from core.metrics.prepared import Part, Prepared
from core.metrics.spec import Measured, Outcome, Unscored
from core.settings import transport_without_torch

Floats = npt.NDArray[np.float64]
Distance = Literal["cosine", "euclidean"]

DIGITS = 6
"""Digits of the numbers kept as evidence; the score itself is never rounded."""
LEAST_MASS = 1e-9
"""A smaller share of all mass is rounding of the solver, not a flow."""
MOST_PIVOTS = 10_000_000
"""Steps of the network simplex; 3,000 x 500 sentences need far fewer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """The best match of every sentence of one part among those of another.

    Attributes:
        rows: The part whose sentences are looked at.
        columns: The part they are matched with.
        values: Cosine with the best match, one a sentence; 0 where there is nothing to match with.
        best: Which sentence that is, -1 where there is none; the first of equals.
    """

    rows: Part
    columns: Part
    values: tuple[float, ...]
    best: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transport:
    """An optimal transport between two sets of sentences.

    Attributes:
        cost: The least total cost.
        plan: Mass moved from each row to each column, (n, k).
    """

    cost: float
    plan: Floats


def best_matches(prepared: Prepared, rows: Part, columns: Part) -> Matches:
    """The best match of each sentence: S_max(r_i) = max_j Sim(r_i, c_j) (HCAT 3.1, 3.2.1, 3.3.1, 3.4).

    Edge cases: nothing to match with gives 0 for each, since a maximum over nothing is no support; no sentence to look
    at gives no value at all. Of equally good matches the first counts.

    Args:
        prepared: The sample; both parts must be encoded.
        rows: The part whose sentences are looked at.
        columns: The part they are matched with.
    """

    def make() -> Matches:
        looked_at = prepared.sentences(rows)
        if not looked_at or not prepared.sentences(columns):
            return Matches(rows=rows, columns=columns, values=(0.0,) * len(looked_at), best=(-1,) * len(looked_at))
        similarities = prepared.similarity(rows, columns)
        return Matches(
            rows=rows,
            columns=columns,
            values=tuple(similarities.max(axis=1).tolist()),
            # equal sentences may differ in the last bit of the product
            best=tuple(similarities.round(9).argmax(axis=1).tolist()),
        )

    return cast(Matches, prepared.keep(f"best matches {rows} {columns}", make))


def distances(similarity: npt.ArrayLike, kind: Distance = "cosine") -> Floats:
    """Distances of unit vectors from their cosines, (n, k): 1 - cos, or the Euclidean sqrt(2 - 2 cos).

    The paper leaves the choice open ("Euclidean or cosine distance", HCAT 3.3.2); the metrics use the cosine distance,
    which is half of the squared Euclidean one. Both lie in [0, 2].

    Args:
        similarity: Cosines, (n, k), in [-1, 1].
        kind: Which distance.

    >>> distances([[1.0, 0.0, -1.0]]).tolist()
    [[0.0, 1.0, 2.0]]
    >>> distances([[1.0, 0.5, -1.0]], "euclidean").tolist()
    [[0.0, 1.0, 2.0]]
    """
    cosines = np.clip(np.asarray(similarity, dtype=np.float64), -1.0, 1.0)
    return 1.0 - cosines if kind == "cosine" else np.sqrt(2.0 - 2.0 * cosines)


def transport(cost: npt.ArrayLike) -> Transport:
    """Optimal transport between uniform weights: W = min_g sum_ij g_ij d_ij (HCAT 3.3.2, the first equation).

    The plan g >= 0 has rows that add up to 1/n and columns that add up to 1/k. Solved exactly by the network simplex of
    POT. W is symmetric in its two sides; with the cosine distance, which is no metric, the triangle inequality is not
    promised.

    Args:
        cost: Distances d, (n, k), n and k at least 1.

    Raises:
        ValueError: There is no row or no column.

    >>> transport([[0.0, 1.0], [1.0, 0.0]]).cost
    0.0
    """
    transport_without_torch()
    import ot

    matrix = np.ascontiguousarray(cost, dtype=np.float64)
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ValueError(f"Transport needs sentences on both sides, not {matrix.shape}.")
    n, k = matrix.shape
    plan: Any = ot.emd(np.full(n, 1.0 / n), np.full(k, 1.0 / k), matrix, numItermax=MOST_PIVOTS)
    moved = np.asarray(plan, dtype=np.float64)
    return Transport(cost=math.fsum((moved * matrix).ravel().tolist()), plan=moved)


def flows(prepared: Prepared, rows: Part, columns: Part, optimum: Transport, cost: Floats) -> list[Flow]:
    """The flows of a plan with the places of both sentences, in reading order, without mass up to `LEAST_MASS`."""
    sources, goals = prepared.sentences(rows), prepared.sentences(columns)
    moved = np.nonzero(optimum.plan > LEAST_MASS)
    # more digits than elsewhere: what leaves a sentence must still add up to 1/n
    masses, costs = optimum.plan[moved].round(9).tolist(), cost[moved].round(DIGITS).tolist()
    return [
        Flow(source=sources[i].at, to=goals[j].at, mass=mass, cost=each)
        for i, j, mass, each in zip(*(places.tolist() for places in moved), masses, costs, strict=True)
    ]


def sentence_rows(
    prepared: Prepared, matches: Matches, weights: Sequence[float] | None = None
) -> list[dict[str, object]]:
    """The matches as the evidence that is stored, numbers with `DIGITS` digits.

    Args:
        prepared: The sample.
        matches: One value a sentence.
        weights: The share of each sentence in the score, None where all count the same.
    """
    columns, rows = prepared.sentences(matches.columns), prepared.sentences(matches.rows)
    values = np.round(matches.values, DIGITS).tolist()
    rounded_weights = [None] * len(values) if weights is None else np.round(weights, DIGITS).tolist()
    rows_out = []
    of, best_of = matches.rows.value, matches.columns.value
    # as `sentences_json` writes them; every metric of a run comes by here, so they are written at once
    for sentence, value, weight, best in zip(rows, values, rounded_weights, matches.best, strict=True):
        row: dict[str, object] = {"of": of, "at": [*sentence.at], "value": value}
        if weight is not None:
            row["weight"] = weight
        if best >= 0:
            row["best"], row["best_of"] = [*columns[best].at], best_of
        rows_out.append(row)
    return rows_out


def match_score(
    prepared: Prepared, rows: Part, columns: Part, *, weights: Sequence[float] | None = None, least: bool = False
) -> Outcome:
    """The mean, weighted mean or minimum of the best matches, with the evidence for it.

    Args:
        prepared: The sample.
        rows: The part whose sentences are scored.
        columns: The part they are matched with.
        weights: One a sentence, from 0 on, with sum 1; None counts all the same.
        least: The minimum instead of a mean.

    Returns:
        The value with every sentence, its best match and ``worst``, the place of the lowest; no value where there is
        no sentence to score.

    Raises:
        InvalidInput: The weights do not fit.
    """
    if not prepared.sentences(rows):
        return no_sentences(prepared, rows)
    matches = best_matches(prepared, rows, columns)
    lowest = lowest_place(matches.values)
    if least:
        value = min(matches.values)
    else:
        value = mean(matches.values) if weights is None else weighted_mean(matches.values, weights)
    detail: dict[str, object] = {"sentences": sentence_rows(prepared, matches, weights), "worst": lowest}
    return Measured(value=value, detail={**detail, **marks(prepared, columns), **abstention(prepared, rows, columns)})


def lowest_place(values: Sequence[float] | Floats) -> int:
    """Which value is the lowest; the first of those that differ by rounding only.

    >>> lowest_place([0.5, 0.1, 0.1])
    1
    """
    return int(np.round(values, 9).argmin())


def no_sentences(prepared: Prepared, part: Part) -> Unscored:
    """Why there is no value where a part has no sentence: a mean over nothing is no value."""
    if part is Part.CONTEXTS and not prepared.sample.contexts:
        reason, rule = "Nothing was retrieved, so there is no sentence to score.", "nothing retrieved"
    elif part is Part.ANSWER and not (prepared.sample.answer or "").strip():
        reason, rule = "The answer is empty.", "empty answer"
    else:
        reason, rule = f"There is no sentence in the {_NAMES[part]}.", "no sentence"
    return Unscored(status=Status.NOT_APPLICABLE, reason=reason, detail={"rule": rule})


def marks(prepared: Prepared, columns: Part) -> dict[str, object]:
    """The name of the edge rule that decided, where there was nothing to match with."""
    if prepared.sentences(columns):
        return {}
    nothing = columns is Part.CONTEXTS and not prepared.sample.contexts
    return {"rule": "nothing retrieved" if nothing else "no sentence"}


def abstention(prepared: Prepared, *parts: Part) -> dict[str, object]:
    """The mark of an answer that says it has none, for metrics that look at the answer."""
    return {"abstained": True} if Part.ANSWER in parts and prepared.abstained else {}


_NAMES = {
    Part.QUESTION: "question",
    Part.ANSWER: "answer",
    Part.CONTEXTS: "retrieved passages",
    Part.REFERENCE: "reference answers",
}
