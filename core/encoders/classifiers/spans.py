"""Any token-classification model of transformers, by name or folder: which stretches of a text have which labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput
from core.encoders.classifiers.loaded import LoadedModels
from core.encoders.hub import load_head

REMEDY: Final = "Give the folder of a token-classification model, or the name of one that is on this machine."
STRIDE: Final = 32
"""Tokens that two windows of a long text share, so that nothing is cut in two without being seen whole."""
AT_ONCE: Final = 16
"""Windows in a batch."""
USUAL_LENGTH: Final = 512
LIKELY: Final = 0.5
"""Probability of the wanted labels together from which a token is taken."""
_WORD: Final = re.compile(r"\w+(?:['’.-]\w+)*")
_JOINT: Final = re.compile(r"[ \t]{0,2}|\.? ")
"""What stands between two words of one stretch."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters of a text that carry wanted labels, whole words, and how sure the model is of the surest of them."""

    start: int
    end: int
    probability: float


class TokenClassifier:
    """A token classification model; safe to use from several threads.

    Args:
        title: How a person names it.
        tokenizer: Of transformers, one that knows where in the text its tokens stand.
        model: Of transformers, in evaluation mode.

    Attributes:
        title: As given.
        labels: Names of the classes, in the order of the probabilities.

    Raises:
        InvalidInput: The tokenizer does not know where its tokens stand.
    """

    def __init__(self, title: str, tokenizer: Any, model: Any) -> None:
        if not getattr(tokenizer, "is_fast", False):
            raise InvalidInput(
                f"The tokenizer of the model {title} does not say where in a text its tokens stand.",
                "Use a model with a fast tokenizer (tokenizer.json).",
            )
        self.title = title
        self.labels = tuple(model.config.id2label[place] for place in sorted(model.config.id2label))
        self._tokenizer, self._model, self._lock = tokenizer, model, Lock()
        stated = getattr(model.config, "max_position_embeddings", None)
        limits = [tokenizer.model_max_length, stated - 2 if isinstance(stated, int) and stated > 8 else USUAL_LENGTH]
        self._longest = min(USUAL_LENGTH, *limits)

    def stretches(self, text: str, places: Sequence[int]) -> list[Stretch]:
        """Where a text has one of the labels at these places, in its order; neighbouring words are one stretch.

        Raises:
            InvalidInput: A probability is not a number: the weights are damaged.
        """
        if not text.strip():
            return []
        likely = np.zeros(len(text))
        with self._lock:
            rows = self._tokenizer(
                text.encode("utf-8", "replace").decode("utf-8"),
                truncation=True,
                max_length=self._longest,
                stride=min(STRIDE, self._longest // 4),
                return_overflowing_tokens=True,
                return_offsets_mapping=True,
                verbose=False,
            )
            offsets = rows["offset_mapping"]
            inputs = [
                {name: rows[name][at] for name in self._tokenizer.model_input_names} for at in range(len(offsets))
            ]
            for begin in range(0, len(inputs), AT_ONCE):
                chances = self._chances(inputs[begin : begin + AT_ONCE], places)
                for row, spans in zip(chances, offsets[begin : begin + AT_ONCE], strict=True):
                    for chance, (start, end) in zip(row, spans, strict=False):
                        likely[start:end] = np.maximum(likely[start:end], chance)
        return _joined(text, likely)

    def _chances(self, rows: list[dict[str, list[int]]], places: Sequence[int]) -> npt.NDArray[np.float64]:
        """Probability of the wanted labels together for each token, (windows, tokens)."""
        import torch

        longest = max(len(row["input_ids"]) for row in rows)
        padding = {"input_ids": self._tokenizer.pad_token_id or 0}
        batch = {
            name: torch.tensor([row[name] + [padding.get(name, 0)] * (longest - len(row[name])) for row in rows])
            for name in rows[0]
        }
        with torch.inference_mode():
            chances: npt.NDArray[np.float64] = self._model(**batch).logits.double().softmax(-1).numpy()
        if not np.isfinite(chances).all():
            raise InvalidInput(f"The model {self.title} gives values that are not numbers.", "Use another model.")
        return np.asarray(chances[:, :, list(places)].sum(axis=-1), dtype=np.float64)


def open_token_classifier(spec: str) -> TokenClassifier:
    """Loads a token-classification model by name or folder, once a process as long as its files stay the same.

    Raises:
        InvalidInput: It is not on this machine and cannot be fetched, or it cannot be used.
    """
    return _MODELS.open(spec)


def _load(title: str, folder: Path) -> TokenClassifier:
    from transformers import AutoModelForTokenClassification

    tokenizer, model = load_head(
        AutoModelForTokenClassification,
        title,
        folder,
        what="model",
        kind="token-classification",
        work="label the words of a text",
    )
    return TokenClassifier(title, tokenizer, model)


_MODELS: Final = LoadedModels(_load, what="a token-classification model", remedy=REMEDY)


def _joined(text: str, likely: npt.NDArray[np.float64]) -> list[Stretch]:
    """The words with a token that is likely enough, neighbours put together."""
    found: list[Stretch] = []
    for word in _WORD.finditer(text):
        chance = float(likely[word.start() : word.end()].max())
        if chance < LIKELY:
            continue
        last = found[-1] if found else None
        if last and _JOINT.fullmatch(text, last.end, word.start()):
            found[-1] = Stretch(last.start, word.end(), max(chance, last.probability))
        else:
            found.append(Stretch(word.start(), word.end(), chance))
    return found
