"""The packaged MiniLM computed with torch alone, operation by operation as sentence-transformers computes it.

The library imports scikit-learn, pandas and most of transformers before it opens a model, which takes a process several
times as long as torch and the weights do. The vectors are the same to the last bit; other devices than the processor
and other precisions than float32 are left to the library.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

LAYERS, HEADS, DIMENSION = 6, 12, 384
LONGEST = 256
"""Tokens that it was trained to take, special ones counted."""
PAD = 0
_SMALLEST = 1e-12
_LEAST_TOKENS = 1e-9
_SIZE = DIMENSION // HEADS


class MiniLm:
    """What :class:`core.encoders.transformer.TransformerEncoder` asks of a sentence-transformers model.

    Args:
        weights: By name.
        tokenizer: Its tokenizer.
    """

    def __init__(self, weights: Mapping[str, Tensor], tokenizer: Tokenizer) -> None:
        self._weights = weights
        self.tokenizer = _Reading(tokenizer)
        self.max_seq_length = LONGEST
        self.prompts: Mapping[str, str] = {}
        self.default_prompt_name = None
        self.device = "cpu"

    def get_embedding_dimension(self) -> int:
        """Length of a vector."""
        return DIMENSION

    def preprocess(self, texts: list[str], prompt: str | None = None) -> dict[str, Tensor]:
        """The tokens of one text, as the encoder checks its own against them."""
        import torch

        [text] = texts
        return {"input_ids": torch.tensor([self.tokenizer.backend_tokenizer.encode((prompt or "") + text).ids])}

    def __call__(self, features: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Unit vectors of texts of one batch, from tokens and the mask of those that are no padding."""
        import torch
        from torch.nn import functional

        mask = features["attention_mask"]
        states = self._states(features["input_ids"], mask)
        kept = mask.unsqueeze(-1).to(states.dtype)
        mean = (states * kept).sum(dim=1) / torch.clamp(kept.sum(dim=1), min=_LEAST_TOKENS)
        return {"sentence_embedding": functional.normalize(mean, p=2, dim=1)}

    def _states(self, ids: Tensor, mask: Tensor) -> Tensor:
        """What the last layer says of each token, (texts, tokens, 384)."""
        words = self._weights["embeddings.word_embeddings.weight"][ids]
        states = words + self._weights["embeddings.token_type_embeddings.weight"][0]
        states = states + self._weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        states = self._levelled(states, "embeddings.LayerNorm")
        texts, tokens = ids.shape
        seen = None if mask.all() else mask.bool()[:, None, None, :].expand(texts, 1, tokens, tokens)
        for layer in range(LAYERS):
            states = self._layer(states, seen, f"encoder.layer.{layer}.")
        return states

    def _layer(self, states: Tensor, seen: Tensor | None, name: str) -> Tensor:
        from torch.nn import functional

        texts, tokens, _ = states.shape
        query, key, value = (
            self._mapped(states, f"{name}attention.self.{part}").view(texts, tokens, HEADS, _SIZE).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        told = functional.scaled_dot_product_attention(query, key, value, attn_mask=seen, scale=1 / math.sqrt(_SIZE))
        told = told.transpose(1, 2).reshape(texts, tokens, DIMENSION)
        told = self._mapped(told, f"{name}attention.output.dense") + states
        states = self._levelled(told, f"{name}attention.output.LayerNorm")
        inner = functional.gelu(self._mapped(states, f"{name}intermediate.dense"))
        return self._levelled(self._mapped(inner, f"{name}output.dense") + states, f"{name}output.LayerNorm")

    def _mapped(self, states: Tensor, name: str) -> Tensor:
        from torch.nn import functional

        return functional.linear(states, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _levelled(self, states: Tensor, name: str) -> Tensor:
        from torch.nn import functional

        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return functional.layer_norm(states, (DIMENSION,), weight, bias, _SMALLEST)


class _Reading:
    """What the encoder asks of the tokenizer of a model."""

    pad_token_id = PAD
    padding_side = "right"

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.backend_tokenizer = tokenizer


def is_for_torch_alone(precision: str) -> bool:
    """Whether the library would compute on the processor in float32, as is done here."""
    import torch

    return precision == "float32" and not torch.accelerator.is_available()


def open_minilm(folder: Path) -> MiniLm:
    """The model in the folder of the official MiniLM."""
    from safetensors.torch import load_file
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return MiniLm(load_file(folder / "model.safetensors"), tokenizer)
