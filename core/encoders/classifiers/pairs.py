"""A transformer that classifies pairs of texts: loading, token-budget batches, its last linear layer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput
from core.encoders.batches import TOKEN_BUDGET, batches, cut_words
from core.encoders.classifiers.loaded import LoadedModels
from core.encoders.hub import load_head

Floats = npt.NDArray[np.float32]

USUAL_LENGTH: Final = 512
"""Tokens of a pair where neither the model nor its tokenizer states a limit."""
LEAST_CAPACITY: Final = 8
PROBE: Final = ("The bank opened in 1901.", "It opened.")
LINEAR_TOLERANCE: Final = 1e-4

REMEDY: Final = (
    "Give the folder of a cross-encoder for natural language inference, or the name of one that is on this machine or "
    "can be fetched from the model hub."
)


class PairClassifier:
    """A sequence classification model; safe to use from several threads.

    Args:
        title: How a person names it.
        tokenizer: Of transformers.
        model: Of transformers, in evaluation mode and single precision.

    Attributes:
        name: Title and a digest of weights, labels and tokenizer: equal names give equal logits.
        labels: Class names in the order of the logits.
        weights: Rows of the last linear layer, (labels, hidden); None where the logits are not what it gives.
        capacity: Tokens that the two texts may have together.
    """

    def __init__(self, title: str, tokenizer: Any, model: Any) -> None:
        self.title = title
        self._tokenizer = tokenizer
        self._model = model
        self._lock = Lock()
        backend = getattr(tokenizer, "backend_tokenizer", None)
        self._word = getattr(getattr(backend, "model", None), "max_input_chars_per_word", None)
        if set(tokenizer(PROBE[0], add_special_tokens=False)["input_ids"]) <= {tokenizer.unk_token_id}:
            # Without its files a tokenizer may be made from its class alone: one that knows no word.
            raise InvalidInput(
                f"The tokenizer of the model {title} has no vocabulary.",
                "Save the tokenizer's files beside the model's.",
            )
        self._longest = _longest(tokenizer, model)
        self.capacity: int = self._longest - tokenizer.num_special_tokens_to_add(pair=True)
        if self.capacity < LEAST_CAPACITY:
            raise InvalidInput(f"The model {title} takes only {self.capacity} tokens.", "Use one for longer texts.")
        self.labels = tuple(model.config.id2label[place] for place in sorted(model.config.id2label))
        self.name = f"{title}@{_digest(tokenizer, model, self._longest)}"
        self.weights = self._last_layer()

    def tokens(self, text: str) -> int:
        """How many tokens a text has, without special ones."""
        with self._lock:
            encoding = self._tokenizer(self._readable(text), add_special_tokens=False, verbose=False)
        return len(encoding["input_ids"])

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Logits of pairs, (len(pairs), labels); a pair that is too long is cut at the end of its longer text.

        Raises:
            InvalidInput: A logit is not a finite number: the weights are damaged.
        """
        logits = np.zeros((len(pairs), len(self.labels)), dtype=np.float32)
        if not pairs:
            return logits
        with self._lock:
            rows = self._encode(pairs)
            lengths = [len(row["input_ids"]) for row in rows]
            # Without a padding token only texts of one length could share a batch; then each is one.
            for batch in batches(lengths, TOKEN_BUDGET if self._tokenizer.pad_token_id is not None else 1):
                logits[batch] = self._forward([rows[place] for place in batch])
        if not np.isfinite(logits).all():
            raise InvalidInput(f"The NLI model {self.title} gives logits that are not numbers.", "Use another model.")
        return logits

    def text_logits(self, texts: Sequence[str]) -> Floats:
        """Logits of single texts, (len(texts), labels); a text that is too long is cut at its end.

        Raises:
            InvalidInput: A logit is not a finite number: the weights are damaged.
        """
        logits = np.zeros((len(texts), len(self.labels)), dtype=np.float32)
        with self._lock:
            readable = [self._readable(text) for text in texts]
            rows = [
                dict(self._tokenizer(text, truncation=True, max_length=self._longest, verbose=False))
                for text in readable
            ]
            lengths = [len(row["input_ids"]) for row in rows]
            for batch in batches(lengths, TOKEN_BUDGET if self._tokenizer.pad_token_id is not None else 1):
                logits[batch] = self._forward([rows[place] for place in batch])
        if not np.isfinite(logits).all():
            raise InvalidInput(f"The model {self.title} gives logits that are not numbers.", "Use another model.")
        return logits

    @property
    def several_labels(self) -> bool:
        """Whether the model says that several labels may hold of one text."""
        return getattr(self._model.config, "problem_type", None) == "multi_label_classification"

    def _readable(self, text: str) -> str:
        # Half of a surrogate pair is no character, and tokenizers refuse it.
        text = text.encode("utf-8", "replace").decode("utf-8")
        return cut_words(text, self._word) if self._word else text

    def _encode(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, list[int]]]:
        premises, hypotheses = ([self._readable(text) for text in side] for side in zip(*pairs, strict=True))
        encoding = self._tokenizer(
            premises, hypotheses, truncation="longest_first", max_length=self._longest, verbose=False
        )
        return [{name: encoding[name][place] for name in encoding} for place in range(len(pairs))]

    def _forward(self, rows: list[dict[str, list[int]]]) -> Floats:
        import torch

        if len(rows) > 1:
            inputs = self._tokenizer.pad(rows, return_tensors="pt")
        else:
            inputs = {name: torch.tensor([values]) for name, values in rows[0].items()}
        with torch.inference_mode():
            logits: Floats = self._model(**inputs).logits.float().numpy()
        return logits

    def _last_layer(self) -> Floats | None:
        """The weights of the last linear layer that has an output a label, where the logits are W x + b of it.

        Heads differ in name and place (classifier, classifier.out_proj, score), so the layer is found by its shape and
        believed only after a probe: some models scale, cap or normalise what it gives.
        """
        import torch

        fitting = [
            layer
            for layer in self._model.modules()
            if isinstance(layer, torch.nn.Linear) and layer.out_features == len(self.labels)
        ]
        if not fitting:
            return None
        seen: list[Any] = []
        hook = fitting[-1].register_forward_hook(lambda layer, inputs, _: seen.append(inputs[0]))
        try:
            logits = self.logits([PROBE])[0]
        finally:
            hook.remove()
        if not seen:
            return None
        weights: Floats = fitting[-1].weight.detach().float().numpy().copy()
        bias = fitting[-1].bias.detach().float().numpy() if fitting[-1].bias is not None else np.float32(0)
        # Decoders classify every token and take one of them: it is enough that some row gives the logits.
        rows = seen[-1].detach().float().numpy().reshape(-1, weights.shape[1]) @ weights.T + bias
        return weights if np.isclose(rows, logits, atol=LINEAR_TOLERANCE).all(axis=1).any() else None


def load_pair_classifier(spec: str) -> PairClassifier:
    """Loads a sequence classification model, once a process as long as its files stay the same.

    A name is looked for among the models fetched before; only when it is not there is it fetched, if that is allowed.

    Args:
        spec: A folder or a name.

    Raises:
        InvalidInput: It is not here and cannot be fetched, or it cannot be used.
    """
    return _MODELS.open(spec)


def _load(title: str, folder: Path) -> PairClassifier:
    from transformers import AutoModelForSequenceClassification

    tokenizer, model = load_head(
        AutoModelForSequenceClassification,
        title,
        folder,
        what="NLI model",
        kind="sequence classification",
        work="classify pairs of texts",
    )
    return PairClassifier(title, tokenizer, model)


_MODELS: Final = LoadedModels(_load, what="an NLI model", remedy=REMEDY)


def _longest(tokenizer: Any, model: Any) -> int:
    """Tokens of a pair with special ones: the least limit that tokenizer and model state."""
    limits = [tokenizer.model_max_length]
    if isinstance(stated := getattr(model.config, "max_position_embeddings", None), int) and stated > 0:
        limits.append(stated)
    # RoBERTa and its kin count positions from behind the padding index, so they take fewer tokens than positions.
    limits += [
        layer.num_embeddings - layer.padding_idx - 1
        for name, layer in model.named_modules()
        if name.endswith("position_embeddings") and getattr(layer, "padding_idx", None) is not None
    ]
    least = min(limits)
    return least if least < 1_000_000 else USUAL_LENGTH


def _digest(tokenizer: Any, model: Any, longest: int) -> str:
    digest = hashlib.sha256()
    backend = getattr(tokenizer, "backend_tokenizer", None)
    words = backend.to_str() if backend is not None else json.dumps(tokenizer.get_vocab(), sort_keys=True)
    digest.update(json.dumps([words, longest, list(model.config.id2label.values())]).encode())
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(tensor.numpy()).tobytes())
    return digest.hexdigest()[:16]
