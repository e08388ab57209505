"""How an answer sounds, whatever its topic: a small network over the first layers of the packaged sentence encoder.

The question's own words are made alike before, so that what is left is how something is said: what one domain taught
serves in another, and words that nobody labelled are read by their neighbours in meaning. The weights are fitted by
``python -m bench.abstention_model --write``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.encoders.first_layers import first_layers_there, open_first_layers

Floats = npt.NDArray[np.float32]
WEIGHTS = Path(__file__).with_name("meaning.npz")
KEPT = 20_000
"""Texts whose logit is remembered."""
DIGITS = 3
"""Decimals of a logit: machines differ in the sixth."""
ALIKE = "it"
"""What stands for the question's own words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """One hidden layer.

    Attributes:
        inner: (384, h).
        inner_bias: (h,).
        outer: (h,).
        outer_bias: A number.
    """

    inner: Floats
    inner_bias: Floats
    outer: Floats
    outer_bias: float

    def logits(self, vectors: Floats) -> npt.NDArray[np.float64]:
        """Log odds that texts decline, (n,), from their vectors, (n, 384)."""
        hidden = np.maximum(vectors.astype(np.float64) @ self.inner + self.inner_bias, 0.0)
        return np.round(hidden @ self.outer + self.outer_bias, DIGITS)


RULES_ALONE = (
    "Whether an answer declines is read by rules alone, since the packaged sentence encoder MiniLM is not installed: "
    "refusals in unusual words are missed."
)


def without_model() -> str:
    """What to say of readings where the encoder is not installed; empty where it is."""
    return "" if first_layers_there() else RULES_ALONE


def logit(words: str) -> float:
    """Log odds that a text declines.

    Args:
        words: The text with the question's own words made alike, as `learned.alike` gives it.
    """
    return _logit(words)


@lru_cache(maxsize=KEPT)
def _logit(words: str) -> float:
    return float(_network().logits(open_first_layers().encode([words]))[0])


@lru_cache(maxsize=1)
def _network() -> Network:
    with np.load(WEIGHTS, allow_pickle=False) as file:
        return Network(
            inner=file["inner"],
            inner_bias=file["inner_bias"],
            outer=file["outer"],
            outer_bias=float(file["outer_bias"]),
        )


def joined(networks: Sequence[Network]) -> Network:
    """The mean of several networks, as one."""
    return Network(
        inner=np.concatenate([one.inner for one in networks], axis=1),
        inner_bias=np.concatenate([one.inner_bias for one in networks]),
        outer=(np.concatenate([one.outer for one in networks]) / len(networks)).astype(np.float32),
        outer_bias=float(np.mean([one.outer_bias for one in networks])),
    )
