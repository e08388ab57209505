"""What short texts say before their meaning is pooled: the first layers of the packaged MiniLM, computed with numpy.

The last layer of a sentence encoder is trained to tell topics apart; how something is said (denied, asked, declined)
stands more clearly in its middle. Three of the six layers are computed here, for one text at a time, which needs no
torch: opening takes a fraction of a second, and a clause some milliseconds.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.encoders.loading import minilm_folder, minilm_installed
from core.encoders.protocols import Floats

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController
    from tokenizers import Tokenizer

LAYERS = 3
"""Of six; on labelled refusals the third told most."""
MAX_TOKENS = 128
"""More are left out."""
DIMENSION = 384
_HEADS = 12
_SMALLEST = 1e-12
_EMBEDDINGS = "embeddings."

_opened: list[FirstLayers] = []
_opening = threading.Lock()


class FirstLayers:
    """Turns short texts into the mean of their words' states; threads may share it.

    Args:
        weights: Of MiniLM, by name.
        tokenizer: Of MiniLM, without padding.
        layers: How many layers are computed.
    """

    def __init__(self, weights: Mapping[str, Floats], tokenizer: Tokenizer, layers: int = LAYERS) -> None:
        self._weights = weights
        self._tokenizer = tokenizer
        self._layers = layers

    def encode(self, texts: Sequence[str]) -> Floats:
        """Vectors of texts, (len(texts), 384); the result for a text does not depend on its neighbours."""
        if not texts:
            return np.empty((0, DIMENSION), dtype=np.float32)
        # The matrices of a clause are small: threads would wait for each other longer than they work.
        with _threads().limit(limits=1):
            return np.stack([self._one(text) for text in texts])

    def _one(self, text: str) -> Floats:
        ids = self._tokenizer.encode(text).ids[:MAX_TOKENS]
        words = self._weights[f"{_EMBEDDINGS}word_embeddings.weight"][ids]
        places = self._weights[f"{_EMBEDDINGS}position_embeddings.weight"][: len(ids)]
        states = words + places + self._weights[f"{_EMBEDDINGS}token_type_embeddings.weight"][0]
        states = self._levelled(states, f"{_EMBEDDINGS}LayerNorm")
        for layer in range(self._layers):
            states = self._layer(states, f"encoder.layer.{layer}.")
        mean: Floats = states.mean(axis=0, dtype=np.float32)
        return mean

    def _layer(self, states: Floats, name: str) -> Floats:
        from scipy.special import erf

        length = len(states)
        query, key, value = (
            self._mapped(states, f"{name}attention.self.{part}").reshape(length, _HEADS, -1).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / np.sqrt(np.float32(DIMENSION // _HEADS))
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        told = (shares @ value).transpose(1, 0, 2).reshape(length, DIMENSION)
        told = self._mapped(told, f"{name}attention.output.dense") + states
        states = self._levelled(told, f"{name}attention.output.LayerNorm")
        inner = self._mapped(states, f"{name}intermediate.dense")
        inner = inner * np.float32(0.5) * (np.float32(1.0) + erf(inner / np.sqrt(np.float32(2.0))))
        return self._levelled(self._mapped(inner, f"{name}output.dense") + states, f"{name}output.LayerNorm")

    def _mapped(self, states: Floats, name: str) -> Floats:
        mapped: Floats = states @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return mapped

    def _levelled(self, states: npt.NDArray[np.float32], name: str) -> Floats:
        centred = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(_SMALLEST))
        levelled: Floats = centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return levelled


@lru_cache(maxsize=1)
def _threads() -> ThreadpoolController:
    """The thread pools of this process, looked for once: to look takes longer than to encode a clause."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def open_first_layers() -> FirstLayers:
    """The first layers of the packaged MiniLM, opened once in a process.

    Raises:
        InvalidInput: MiniLM is not installed, or its weights are not the official ones.
    """
    with _opening:
        if not _opened:
            _opened.append(_open())
        return _opened[0]


def first_layers_there() -> bool:
    """Whether there is a MiniLM to open them from."""
    return bool(_opened) or minilm_installed()


def _open() -> FirstLayers:
    from safetensors import safe_open
    from tokenizers import Tokenizer

    folder = minilm_folder()
    wanted = (_EMBEDDINGS, *(f"encoder.layer.{layer}." for layer in range(LAYERS)))
    with safe_open(folder / "model.safetensors", framework="numpy") as file:
        weights = {name: file.get_tensor(name) for name in file.keys() if name.startswith(wanted)}  # noqa: SIM118
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return FirstLayers(weights, tokenizer)
