"""A sentence encoder whose vectors a test writes down, and samples made of such sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.domain.results.responses import Context, Score
from core.metrics import Models, Sample, find_metric, score_samples

Vector = Sequence[float]


class ScriptedEncoder:
    """Known vectors of known sentences, at unit length; any other sentence is an error of the test.

    Args:
        vectors: Vector by sentence, all of one dimension and none of them zero.
    """

    name = "scripted"

    def __init__(self, vectors: Mapping[str, Vector]) -> None:
        self._vectors = {text: np.asarray(vector, dtype=np.float64) for text, vector in vectors.items()}
        self.dimension = len(next(iter(self._vectors.values()), (0.0,)))

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        rows = [self._vectors[text] / np.linalg.norm(self._vectors[text]) for text in texts]
        return np.asarray(rows, dtype=np.float32).reshape(len(rows), self.dimension)


class Script:
    """A sample whose sentences are written as vectors.

    Args:
        question: One vector a sentence; an empty list leaves the text empty.
        answer: One vector a sentence, None for no answer.
        contexts: One list of vectors a passage, None where nobody knows what was retrieved.
        references: One list of vectors a reference.
        fields: Other fields of the sample.
    """

    def __init__(
        self,
        *,
        question: Sequence[Vector] = (),
        answer: Sequence[Vector] | None = (),
        contexts: Sequence[Sequence[Vector]] | None = (),
        references: Sequence[Sequence[Vector]] = (),
        **fields: object,
    ) -> None:
        self.vectors: dict[str, Vector] = {}
        self.sample = Sample(
            case_id="c",
            question=self._text("Question", question),
            answer=None if answer is None else self._text("Answer", answer),
            contexts=None
            if contexts is None
            else tuple(
                Context(document_id=f"d{place}", text=self._text(f"Passage {place}", passage))
                for place, passage in enumerate(contexts)
            ),
            references=tuple(self._text(f"Reference {place}", reference) for place, reference in enumerate(references)),
            **fields,
        )

    def score(self, name: str) -> Score:
        """The sample's score by a metric."""
        return score_of(name, self.sample, self.vectors)

    def _text(self, part: str, vectors: Sequence[Vector]) -> str:
        sentences = [f"{part} sentence {place} is here." for place in range(len(vectors))]
        self.vectors.update(zip(sentences, vectors, strict=True))
        return " ".join(sentences)


def score_of(name: str, sample: Sample, vectors: Mapping[str, Vector]) -> Score:
    """A sample's score by a metric, with scripted vectors of its sentences."""
    ((found,),) = score_samples([sample], [find_metric(name)], Models(encoder=ScriptedEncoder(vectors)))
    return found
