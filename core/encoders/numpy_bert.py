"""The packaged MiniLM, computed with numpy, without torch.

Opening takes a fraction of a second and a sentence some milliseconds, where importing torch alone takes seconds; so a
verdict on one answer costs little in a fresh process. `core.encoders.embedding` encodes many texts.

Texts are short and matrices of few rows are slow for what they are: several texts are computed as one matrix of all
their tokens, each token looking at its own text alone. Nothing is filled up, so no text changes another's states but
in the last digit of their rounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.encoders.protocols import Floats

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController
    from tokenizers import Tokenizer

DIMENSION = 384
_HEADS = 12
_SMALLEST = 1e-12
_ROWS = 8
PACKED = 512
"""Tokens of texts that are computed together at most: more of them are not faster."""
_NEARNESS, _TAIL = 0.3275911, (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
"""Of the tail of the normal distribution (Abramowitz and Stegun 7.1.26), the highest power first."""
_FAR = 20.0
"""Standard deviations beyond which the tail is nothing."""
_EMBEDDINGS, _LAYER = "embeddings.", "encoder.layer."


class NumpyBert:
    """A BERT encoder in evaluation mode; threads may share it.

    Args:
        weights: Of its embeddings and layers, by name.
    """

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = weights
        self._layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith(_LAYER))

    def states(self, ids: Sequence[int], kinds: Sequence[int]) -> Floats:
        """The last layer's states of one text or pair, (tokens, 384).

        Args:
            ids: Its tokens, the special ones among them.
            kinds: 0 for a token of the first text, 1 for one of the second.
        """
        return next(self.states_of([(ids, kinds)]))

    def states_of(self, texts: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Iterator[Floats]:
        """The same of several, in order; together they take half the time that they take one after the other.

        Args:
            texts: The tokens and kinds of each.
        """
        start = 0
        for end in range(1, len(texts) + 1):
            if end < len(texts) and sum(len(ids) for ids, _ in texts[start : end + 1]) <= PACKED:
                continue
            yield from self._together(texts[start:end])
            start = end

    def _together(self, texts: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[Floats]:
        lengths = [len(ids) for ids, _ in texts]
        # The matrices of a sentence are small: threads would wait for each other longer than they work.
        with _threads().limit(limits=1):
            states = self._weights[f"{_EMBEDDINGS}word_embeddings.weight"][[token for ids, _ in texts for token in ids]]
            positions = np.concatenate([np.arange(length) for length in lengths])
            states = states + self._weights[f"{_EMBEDDINGS}position_embeddings.weight"][positions]
            kinds = [kind for _, kinds in texts for kind in kinds]
            states = states + self._weights[f"{_EMBEDDINGS}token_type_embeddings.weight"][kinds]
            states = self._levelled(states, f"{_EMBEDDINGS}LayerNorm")
            ends = np.cumsum(lengths)[:-1]
            for layer in range(self._layers):
                states = self._layer(states, f"{_LAYER}{layer}.", ends)
        return np.split(states, ends)

    def _layer(self, states: Floats, name: str, ends: npt.NDArray[np.intp]) -> Floats:
        asked, keys, values = (
            np.split(self._mapped(states, f"{name}attention.self.{part}"), ends) for part in ("query", "key", "value")
        )
        told = np.concatenate([_attended(*text) for text in zip(asked, keys, values, strict=True)])
        told = self._mapped(told, f"{name}attention.output.dense") + states
        states = self._levelled(told, f"{name}attention.output.LayerNorm")
        inner = self._mapped(states, f"{name}intermediate.dense")
        return self._levelled(self._mapped(activated(inner), f"{name}output.dense") + states, f"{name}output.LayerNorm")

    def _mapped(self, states: Floats, name: str) -> Floats:
        mapped: Floats = states @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return mapped

    def _levelled(self, states: npt.NDArray[np.float32], name: str) -> Floats:
        centred = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(_SMALLEST))
        levelled: Floats = centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return levelled


def _attended(query: Floats, key: Floats, value: Floats) -> Floats:
    """What each token of one text takes over from its others, (tokens, 384)."""
    length = len(query)
    query, key, value = (part.reshape(length, _HEADS, -1).transpose(1, 0, 2) for part in (query, key, value))
    scores = query @ key.transpose(0, 2, 1) / np.sqrt(np.float32(DIMENSION // _HEADS))
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    told: Floats = (shares @ value).transpose(1, 0, 2).reshape(length, DIMENSION)
    return told


def activated(values: Floats) -> Floats:
    """The Gaussian error linear unit, ``x P(X <= x)`` of a standard normal X, to within 1e-6.

    ``max(x, 0) - |x| P(X > |x|)``, with the tail as Abramowitz and Stegun's 7.1.26 has it: `scipy.special.erf` takes as
    long as the largest product of matrices. Rows are taken a few at a time, so that what lies between stays near.

    Args:
        values: x, two-dimensional.
    """
    units = np.empty_like(values)
    for start in range(0, len(values), _ROWS):
        part = values[start : start + _ROWS]
        size = np.minimum(np.abs(part), np.float32(_FAR))
        scaled = size * np.float32(np.sqrt(0.5))
        near = np.float32(1.0) / (np.float32(1.0) + np.float32(_NEARNESS) * scaled)
        tail = np.zeros_like(near)
        for coefficient in _TAIL:
            tail += np.float32(coefficient)
            tail *= near
        tail *= np.exp(-scaled * scaled)
        tail *= size
        units[start : start + _ROWS] = np.maximum(part, 0) - np.float32(0.5) * tail
    return units


def read_weights(folder: Path) -> dict[str, Floats]:
    """The weights of the embeddings and layers of a BERT encoder, by name.

    Args:
        folder: Of the encoder.
    """
    from safetensors import safe_open

    with safe_open(folder / "model.safetensors", framework="numpy") as file:
        names = [name for name in file.keys() if name.startswith((_EMBEDDINGS, _LAYER))]  # noqa: SIM118
        return {name: file.get_tensor(name) for name in names}


def read_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of an encoder, without padding and truncation.

    Args:
        folder: Of the encoder.
    """
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


@lru_cache(maxsize=1)
def _threads() -> ThreadpoolController:
    """The thread pools of this process, looked for once: to look takes longer than to encode a clause."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
