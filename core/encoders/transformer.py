"""Encoding by a loaded sentence-transformers model: tokenized once, in batches of a token budget, nothing cut off."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput
from core.encoders.batches import TOKEN_BUDGET, batches, cut_words, windows
from core.encoders.loading import MINILM_SHA256
from core.encoders.protocols import MINILM, SentenceEncoder

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Floats = npt.NDArray[np.float32]

AT_ONCE = 4_096
"""Texts tokenized together, which bounds the memory that a long list takes."""
LEAST_CAPACITY = 8
PROBE = "Rates rose by 2.5 percent."


def encoder_of(model: SentenceTransformer, spec: str, precision: str) -> SentenceEncoder:
    """The encoder around a loaded model.

    Args:
        model: From `core.encoders.loading.load_model`.
        spec: What it was asked for by, which becomes part of its name.
        precision: What it was loaded in.

    Raises:
        InvalidInput: It does not turn plain text into vectors, or it can only read less than a sentence.
    """
    folder = Path(spec).expanduser()
    title = folder.resolve().name if spec != MINILM and folder.is_dir() else spec
    digest = MINILM_SHA256 if spec == MINILM else _digest(model)
    name = f"{title} {digest[:12]} {precision}"
    longest = model.max_seq_length
    if longest == math.inf:
        return StaticEncoder(model, name)
    if longest is None or not hasattr(model.tokenizer, "backend_tokenizer"):
        raise InvalidInput(
            f"The tokenizer of the sentence encoder {spec!r} is of a kind that is not supported.",
            "Use a sentence-transformers model for text with a fast tokenizer.",
        )
    return TransformerEncoder(model, name, int(longest))


class TransformerEncoder:
    """Encodes with a transformer; threads may share it.

    A text that is longer than the model takes is encoded in windows cut at word borders; its vector is the mean of
    the windows' unit vectors weighted by their tokens, at unit length again.

    Args:
        model: A sentence-transformers model whose first module is a transformer.
        name: Of model, weights and precision.
        longest: Tokens it takes, special ones counted.
        budget: Tokens of a batch.

    Raises:
        InvalidInput: The model does not read plain text, or takes less than a sentence.
    """

    def __init__(self, model: SentenceTransformer, name: str, longest: int, budget: int = TOKEN_BUDGET) -> None:
        from tokenizers import Tokenizer

        self.name = name
        self.dimension = int(model.get_embedding_dimension() or 0)
        self._model = model
        self._budget = budget
        self._longest = longest
        # A copy of our own: the model's tokenizer changes its settings with each call, which threads must not share.
        self._tokenizer = Tokenizer.from_str(model.tokenizer.backend_tokenizer.to_str())
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._prompt = model.prompts.get(model.default_prompt_name or "", "") or ""
        self._capacity = longest - len(self._tokenizer.encode(self._prompt).ids)
        self._word = getattr(self._tokenizer.model, "max_input_chars_per_word", None)
        self._pad = int(model.tokenizer.pad_token_id or 0)
        self._left = model.tokenizer.padding_side == "left"
        features = model.preprocess([PROBE], prompt=self._prompt or None)
        self._typed = "token_type_ids" in features
        self._constant = {key: features[key] for key in ("modality", "prompt_length") if key in features}
        theirs = features["input_ids"][0].tolist()
        ours = self._tokenizer.encode(self._prompt + PROBE).ids
        # What the model itself makes of a sentence, up to where it would cut it.
        same = min(len(ours), longest) - 1
        if self._capacity < LEAST_CAPACITY or ours[:same] != theirs[:same]:
            raise InvalidInput(
                f"The sentence encoder {name!r} does not read plain sentences.",
                "Use a sentence-transformers model for text that takes at least a sentence.",
            )

    def encode(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of texts, (len(texts), d); in float32 they differ by less than 1e-6 between neighbourhoods.

        An empty text has a vector too. Memory beyond the result does not grow with the number of texts.

        Raises:
            InvalidInput: The model gives no finite numbers.
        """
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), AT_ONCE):
            vectors[start : start + AT_ONCE] = self._some(texts[start : start + AT_ONCE])
        return vectors

    def _some(self, texts: Sequence[str]) -> Floats:
        readable = [self._readable(text) for text in texts]
        parts: list[list[int]] = []
        owners: list[int] = []
        for place, tokens in enumerate(self._tokens(readable)):
            pieces = [tokens] if len(tokens) <= self._longest else self._windows(readable[place])
            parts += pieces
            owners += [place] * len(pieces)
        vectors = unit_rows(self._forward(parts), self.name)
        if len(parts) == len(texts):
            return vectors
        weights = np.array([len(part) for part in parts], dtype=np.float32) - (self._longest - self._capacity)
        sums = np.zeros((len(texts), self.dimension), dtype=np.float32)
        np.add.at(sums, owners, vectors * np.maximum(weights, 1.0)[:, None])
        return unit_rows(sums, self.name)

    def _readable(self, text: str) -> str:
        # Half of a surrogate pair is no character; tokenizers refuse it.
        text = text.encode("utf-8", "replace").decode("utf-8").strip()
        return cut_words(text, self._word) if self._word else text

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        prompted = [self._prompt + text for text in texts] if self._prompt else list(texts)
        return [encoding.ids for encoding in self._tokenizer.encode_batch_fast(prompted)]

    def _windows(self, text: str) -> list[list[int]]:
        offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        spans: list[list[int]] = []
        waiting = windows(text, offsets, self._capacity)
        while waiting:
            again: list[str] = []
            for piece, tokens in zip(waiting, self._tokens(waiting), strict=True):
                if len(tokens) <= self._longest or len(piece) == 1:
                    spans.append(tokens[: self._longest])
                else:  # a piece alone may be other tokens than it was in its text
                    again += [piece[: len(piece) // 2], piece[len(piece) // 2 :]]
            waiting = again
        return spans

    def _forward(self, parts: Sequence[Sequence[int]]) -> Floats:
        import torch

        vectors = np.empty((len(parts), self.dimension), dtype=np.float32)
        device = self._model.device
        with torch.inference_mode():
            for batch in batches([len(part) for part in parts], self._budget):
                tensors = {key: torch.from_numpy(value).to(device) for key, value in self._padded(parts, batch).items()}
                embedding = self._model({**self._constant, **tensors})["sentence_embedding"]
                vectors[batch] = embedding.float().cpu().numpy()
        return vectors

    def _padded(self, parts: Sequence[Sequence[int]], batch: Sequence[int]) -> dict[str, npt.NDArray[np.int64]]:
        width = max(len(parts[place]) for place in batch)
        ids = np.full((len(batch), width), self._pad, dtype=np.int64)
        mask = np.zeros((len(batch), width), dtype=np.int64)
        for row, place in enumerate(batch):
            columns = slice(width - len(parts[place]), width) if self._left else slice(0, len(parts[place]))
            ids[row, columns] = parts[place]
            mask[row, columns] = 1
        features = {"input_ids": ids, "attention_mask": mask}
        if self._typed:
            features["token_type_ids"] = np.zeros_like(ids)
        return features


class StaticEncoder:
    """Encodes with a model that looks up a vector for each token and so takes texts of any length.

    Args:
        model: A sentence-transformers model without a longest text.
        name: Of model, weights and precision.
    """

    def __init__(self, model: SentenceTransformer, name: str) -> None:
        self.name = name
        self.dimension = int(model.get_embedding_dimension() or 0)
        self._model = model

    def encode(self, texts: Sequence[str]) -> Floats:
        """Unit vectors of texts, (len(texts), d); all texts without any known token share one vector.

        Raises:
            InvalidInput: The model gives no finite numbers.
        """
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), AT_ONCE):
            readable = [text.encode("utf-8", "replace").decode("utf-8") for text in texts[start : start + AT_ONCE]]
            embedding = self._model.encode(readable, batch_size=256, show_progress_bar=False, convert_to_numpy=True)
            vectors[start : start + AT_ONCE] = unit_rows(np.asarray(embedding, dtype=np.float32), self.name)
        return vectors


def unit_rows(rows: Floats, name: str) -> Floats:
    """Rows at unit length, (n, d); a row of zeros, which has no direction, becomes the one with equal parts.

    Raises:
        InvalidInput: A number is not finite.

    >>> unit_rows(np.array([[3, 4], [0, 0]], dtype=np.float32), "a model").tolist() == [
    ...     [np.float32(0.6), np.float32(0.8)], [np.float32(0.5**0.5), np.float32(0.5**0.5)]]
    True
    """
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(norms).all():
        raise InvalidInput(
            f"The sentence encoder {name!r} gives vectors that are not numbers.", "Use another model, or float32."
        )
    lengths = np.where(norms > 0, norms, np.float32(math.sqrt(rows.shape[1])))
    return np.asarray(np.where(norms > 0, rows, np.float32(1.0)) / lengths, dtype=np.float32)


def _digest(model: SentenceTransformer) -> str:
    """SHA-256 of everything that decides a vector: weights, tokenizer, modules and their settings, prompt."""
    import torch

    digest = hashlib.sha256()
    for key, tensor in sorted(model.state_dict().items()):
        digest.update(f"{key} {tuple(tensor.shape)} {tensor.dtype}".encode())
        # As bytes, since numpy has no bfloat16.
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
    options: list[Any] = [model.prompts, model.default_prompt_name, model.max_seq_length]
    for module in model:
        options += [type(module).__name__, module.get_config_dict() if hasattr(module, "get_config_dict") else {}]
    digest.update(json.dumps(options, sort_keys=True, default=str).encode())
    backend = getattr(model.tokenizer, "backend_tokenizer", model.tokenizer)
    digest.update(backend.to_str().encode() if hasattr(backend, "to_str") else b"")
    return digest.hexdigest()
