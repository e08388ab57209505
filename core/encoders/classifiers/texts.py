"""Any text-classification model of transformers, by name or folder: how probable each of its labels is for a text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput
from core.encoders.classifiers.pairs import PairClassifier, load_pair_classifier

Floats = npt.NDArray[np.float64]


class TextClassifier:
    """A sequence classification model that is asked about single texts.

    Args:
        classifier: The loaded model.

    Attributes:
        name: Title and a digest of weights, labels and tokenizer.
        labels: Names of the classes, in the order of the probabilities.
        several: Whether labels exclude each other not: each has a probability of its own.
    """

    def __init__(self, classifier: PairClassifier) -> None:
        self._classifier = classifier
        self.name = classifier.name
        self.labels = classifier.labels
        self.several = classifier.several_labels

    def probabilities(self, texts: Sequence[str]) -> Floats:
        """Probabilities of the labels, (len(texts), labels); a text that is too long is cut at its end.

        Softmax over the labels, or, where the model says that several may hold, the logistic of each.
        """
        logits = self._classifier.text_logits(texts).astype(np.float64)
        if self.several:
            return np.asarray(1.0 / (1.0 + np.exp(-logits)), dtype=np.float64)
        raised = np.exp(logits - logits.max(axis=1, keepdims=True)) if len(texts) else logits
        return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float64) if len(texts) else raised


def open_text_classifier(spec: str) -> TextClassifier:
    """Loads a text-classification model by name or folder.

    Raises:
        InvalidInput: It is not on this machine and cannot be fetched, or it cannot be used.
    """
    try:
        return TextClassifier(load_pair_classifier(spec))
    except InvalidInput as error:
        message = error.message.replace("an NLI model", "a classification model")
        raise InvalidInput(
            message.replace("NLI model", "classification model"),
            "Give the folder of a text-classification model, or the name of one that is on this machine.",
        ) from error
