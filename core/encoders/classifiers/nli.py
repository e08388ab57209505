"""Natural language inference by a cross-encoder: what every model can do, and how one is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput

if TYPE_CHECKING:
    from core.encoders.classifiers.pairs import PairClassifier
    from core.encoders.protocols import VectorCache

ENTAILMENT: Final = frozenset({"entailment", "entail", "entails", "entailed"})
CONTRADICTION: Final = frozenset({"contradiction", "contradict", "contradicts", "contradicted", "contradictory"})
AT_ONCE: Final = 256
"""Pairs computed before their logits are put away: what is lost when the process is stopped."""
NLI_HINT: Final = "Use a model that was trained on natural language inference, such as on MNLI or ANLI."


@dataclass(frozen=True, slots=True, kw_only=True)
class NliHead:
    """The model's last linear layer.

    Attributes:
        labels: Class names in the order of the logits.
        entailment: Place of the entailment class.
        contradiction: Place of the contradiction class, None where the model has none.
        weights: One row a class, (labels, hidden); None where the logits are not W x + b of one linear layer, so that
            no distance to a boundary can be told.
    """

    labels: tuple[str, ...]
    entailment: int
    contradiction: int | None
    weights: npt.NDArray[np.float32] | None


class NliModel(Protocol):
    """Says whether a premise entails a hypothesis.

    Attributes:
        name: Names model and weights, so that equal names give equal logits.
        head: Its last linear layer.
    """

    name: str
    head: NliHead

    def logits(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float32]:
        """Logits of (premise, hypothesis) pairs, (len(pairs), labels); longer pairs than the model takes are cut."""
        ...

    def tokens(self, text: str) -> int:
        """How many tokens a text has for this model, without special ones."""
        ...

    @property
    def capacity(self) -> int:
        """Tokens that premise and hypothesis may have together."""
        ...


class CrossEncoderNli:
    """An NLI model on this machine; safe to use from several threads.

    Args:
        classifier: The loaded model.
        cache: Where logits are kept between uses, None to compute them each time.
    """

    def __init__(self, classifier: PairClassifier, cache: VectorCache | None = None) -> None:
        self.name = classifier.name
        self.head = read_head(classifier.title, classifier.labels, classifier.weights)
        self._classifier = classifier
        self._cache = cache
        self._count = lru_cache(maxsize=50_000)(classifier.tokens)

    @property
    def capacity(self) -> int:
        """Tokens that premise and hypothesis may have together."""
        return self._classifier.capacity

    def tokens(self, text: str) -> int:
        """How many tokens a text has for this model, without special ones."""
        count: int = self._count(text)
        return count

    def logits(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float32]:
        """Logits of (premise, hypothesis) pairs, (len(pairs), labels); each distinct pair is computed once.

        The result for a pair does not depend on its neighbours, to 1e-5. A longer pair than the model takes is cut at
        the end of its longer text.
        """
        keys = [pair_key(*pair) for pair in pairs]
        distinct = dict(zip(keys, pairs, strict=True))
        cached = {key: row for key, row in self._cached_rows(list(distinct)).items() if self._whole(row)}
        missing = [key for key in distinct if key not in cached]
        for start in range(0, len(missing), AT_ONCE):
            some = missing[start : start + AT_ONCE]
            computed = self._classifier.logits([distinct[key] for key in some])
            if self._cache is not None:
                self._cache.put(self.name, some, computed)
            cached.update(zip(some, computed, strict=True))
        rows = [cached[key] for key in keys]
        return np.asarray(rows, dtype=np.float32).reshape(len(rows), len(self.head.labels))

    def _cached_rows(self, keys: Sequence[str]) -> Mapping[str, npt.NDArray[np.float32]]:
        return {} if self._cache is None else self._cache.get(self.name, keys)

    def _whole(self, row: npt.NDArray[np.float32]) -> bool:
        return row.shape == (len(self.head.labels),) and bool(np.isfinite(row).all())


def open_nli(spec: str, *, cache: VectorCache | None = None) -> CrossEncoderNli:
    """Opens a cross-encoder for natural language inference. Each model is loaded once a process.

    Args:
        spec: The folder of a sequence classification model of transformers or sentence-transformers, or the name of
            one that is on this machine or can be fetched. No code of a model is run.
        cache: Where logits are looked up by model and pair, and put afterwards.

    Raises:
        InvalidInput: There is no such model here and it cannot be fetched, it brings code of its own, it has no trained
            classification head, or its labels do not name entailment.
    """
    from core.encoders.classifiers.pairs import load_pair_classifier

    return CrossEncoderNli(load_pair_classifier(spec), cache)


def read_head(title: str, labels: Sequence[str], weights: npt.NDArray[np.float32] | None = None) -> NliHead:
    """Finds entailment and contradiction among a model's labels, by name and without regard to letter case.

    Args:
        title: Names the model in messages.
        labels: Class names in the order of the logits.
        weights: Of the last linear layer, (labels, hidden), where known.

    Raises:
        InvalidInput: One output only, or no label, or several, that mean entailment.

    >>> head = read_head("m", ["CONTRADICTION", "Entailment", "neutral"])
    >>> head.entailment, head.contradiction, read_head("m", ["not_entailment", "entailment"]).contradiction
    (1, 0, None)
    """
    if len(labels) < 2:
        raise InvalidInput(
            f"The model {title} has one output: it says how relevant or similar two texts are, not whether one entails "
            "the other.",
            NLI_HINT,
        )
    names = [label.strip().casefold() for label in labels]
    entails = [place for place, name in enumerate(names) if name in ENTAILMENT]
    denies = [place for place, name in enumerate(names) if name in CONTRADICTION]
    if len(entails) != 1 or len(denies) > 1:
        raise InvalidInput(
            f"The labels of the model {title} are {', '.join(labels)}; exactly one must be named entailment and at "
            "most one contradiction.",
            f"Where its documentation tells which output is which, write the names as id2label into its config.json. "
            f"Otherwise: {NLI_HINT[0].lower()}{NLI_HINT[1:]}",
        )
    return NliHead(
        labels=tuple(labels),
        entailment=entails[0],
        contradiction=denies[0] if denies else None,
        weights=weights,
    )


def pair_key(premise: str, hypothesis: str) -> str:
    """One text for a pair; no two pairs share one, since it begins with the length of the premise.

    >>> pair_key("a b", "c")
    '3:a bc'
    """
    return f"{len(premise)}:{premise}{hypothesis}"
