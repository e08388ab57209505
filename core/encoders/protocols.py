"""What every sentence encoder can do, and what remembers its vectors; whatever opens or keeps one rests on this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

MINILM = "minilm"
"""Name of the encoder that comes with Plumbline."""


class SentenceEncoder(Protocol):
    """Turns texts into unit vectors.

    Attributes:
        name: Names model, weights and precision, so that equal names give equal vectors.
        dimension: Length of a vector.
    """

    name: str
    dimension: int

    def encode(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of texts, (len(texts), d); the result for a text does not depend on its neighbours."""
        ...


class VectorCache(Protocol):
    """Remembers what a model made of a text; it may forget anything at any time."""

    def get(self, model: str, texts: Sequence[str]) -> Mapping[str, Floats]:
        """The vectors there are, by text; shape (d,) each. Whether they are whole is for the caller to check."""
        ...

    def put(self, model: str, texts: Sequence[str], vectors: Floats) -> None:
        """Remembers vectors, (len(texts), d), instead of those there were."""
        ...
