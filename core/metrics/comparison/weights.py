"""Means and weighted means over sentences, and the rules that give a sentence its weight.

Weights are never negative and add up to 1 (HCAT 3.1, 3.3.1, 3.4). Sums are exact (`math.fsum`), so a mean does not
depend on the order of its sentences.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from core.domain.errors import InvalidInput
from core.text.words import PADDING, STOP_WORDS, words

SUM_OF_WEIGHTS = 1e-9
"""How far from 1 given weights may add up to."""

UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese characters: scripts that put no blanks between words."""


def mean(values: Sequence[float]) -> float:
    """The mean, summed without rounding.

    Raises:
        ValueError: There is no value; a mean over nothing is no value.

    >>> mean([0.1] * 10)
    0.1
    """
    if not values:
        raise ValueError("A mean over nothing is no value.")
    return math.fsum(values) / len(values)


def weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """The weighted mean sum_i w_i v_i with w_i >= 0 and sum_i w_i = 1 (HCAT 3.1, 3.3.1, 3.4).

    Rounding of the weights cannot push the result outside of the values.

    Args:
        values: One a sentence.
        weights: One a value.

    Raises:
        InvalidInput: Another number of weights than of values, a weight that is negative or no number, or weights
            that do not add up to 1.

    >>> weighted_mean([1.0, 0.5], [0.25, 0.75])
    0.625
    """
    if not values or len(weights) != len(values):
        raise InvalidInput(
            f"There are {len(weights)} weights for {len(values)} sentences.", "Give one weight for each sentence."
        )
    for weight in weights:
        if not (math.isfinite(weight) and weight >= 0.0):
            raise InvalidInput(f"The weight {weight!r} is not a number from 0 on.", "Use weights from 0 to 1.")
    total = math.fsum(weights)
    if abs(total - 1.0) > SUM_OF_WEIGHTS:
        raise InvalidInput(f"The weights add up to {total:.6g}, not to 1.", "Divide each weight by their sum.")
    product = math.fsum(weight * value for weight, value in zip(weights, values, strict=True))
    return min(max(product, min(values)), max(values))


def shares(sizes: Sequence[float]) -> tuple[float, ...]:
    """Weights in proportion to sizes, w_i = s_i / sum_j s_j; equal weights where every size is 0.

    >>> shares([1, 3]), shares([0, 0])
    ((0.25, 0.75), (0.5, 0.5))
    """
    total = math.fsum(sizes)
    if total == 0.0:
        return (1.0 / len(sizes),) * len(sizes) if sizes else ()
    return tuple(size / total for size in sizes)


def length_in_words(text: str) -> int:
    """How many words a sentence has, at least 1; a character of a script without blanks counts as a word.

    >>> length_in_words("Rates rose by 2.5 percent."), length_in_words("利率上升"), length_in_words("🎉")
    (5, 4, 1)
    """
    return max(1, len(_counted(text)))


def asked_words(text: str) -> int:
    """One more than the number of distinct words a sentence asks about, without function words and words of requests.

    The one keeps every sentence in: a question made of function words still asks something.

    >>> asked_words("Who is the manager of the Basel branch?"), asked_words("Thank you very much for your kind help.")
    (4, 1)
    """
    return 1 + len({word for word in _counted(text) if word not in STOP_WORDS and word not in PADDING})


def _counted(text: str) -> list[str]:
    tokens = words(text)
    if not UNSPACED.search(text):
        return tokens
    return [word for run in tokens for word in (*UNSPACED.findall(run), *UNSPACED.sub(" ", run).split())]
