"""Embedding similarity: how near the answer as a whole is to a reference answer."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.metrics.comparison.similarity import DIGITS, abstention, lowest_place, no_sentences
from core.metrics.evidence import SentenceScore, sentences_json
from core.metrics.prepared import Part, Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, Measured, MetricSpec, Need, Outcome

Floats = npt.NDArray[np.float64]

CANCELLED = 1e-6
"""A pooled vector shorter than this is the rounding of single precision."""

SPEC = MetricSpec(
    name="embedding_similarity",
    title="Embedding similarity",
    family=Family.REFERENCE,
    unit="cosine similarity",
    low=-1.0,
    needs=(Need.ANSWER, Need.REFERENCE, Need.ENCODER),
    question="How near in meaning is the answer as a whole to a reference answer?",
    equation="max over references R of cos(a, r), with a = (1/k) sum_i a_i the mean of the answer's sentence vectors "
    "and r = (1/p) sum_j r_j that of the reference's. Sentence i is shown with cos(a_i, r), and cos(a, r) is the mean "
    "of these divided by the length of a.",
    source="Ours, with the sentence vectors of HCAT 3.1. The pooled cosine was chosen over the F1 of best sentence "
    "matches because it agrees better with people: on 318 answers of the MTRAG human evaluation its Spearman "
    "correlation with the mean human faithfulness, completeness and appropriateness is .49, .36 and .27, that of the "
    "F1 .43, .31 and .23.",
    version=2,
    edges={
        "empty answer": "0: it is an answer, and it says nothing of the reference.",
        "empty contexts": "Plays no part: only answer and reference are compared.",
        "abstention": "Computed like any answer and marked as an abstention.",
        "one sentence": "With one sentence on both sides the cosine of the two.",
        "identical texts": "1; also for the same sentences in another order.",
        "longer than the model": "A sentence longer than the encoder takes is read in windows; nothing is cut off.",
        "other scripts": "Scored like any text; how near two texts are depends on the languages the encoder knows.",
        "emoji": "A sentence of emoji only is a sentence and is compared like any other.",
    },
)


@metric(SPEC)
def embedding_similarity(prepared: Prepared) -> Outcome:
    """The cosine of the pooled answer and the nearest pooled reference; the reference is named by its place.

    Edge cases: an empty answer is 0; references without a sentence are passed over, and without any other there is no
    value; vectors that cancel each other out have no direction and give 0.
    """
    answer, references = prepared.sentences(Part.ANSWER), prepared.sentences(Part.REFERENCE)
    if not references:
        return no_sentences(prepared, Part.REFERENCE)
    if not answer:
        return Measured(value=0.0, detail={"rule": "empty answer", **abstention(prepared, Part.ANSWER)})
    vectors, reference_vectors = prepared.unit(Part.ANSWER), prepared.unit(Part.REFERENCE)
    of = np.array([sentence.at[0] for sentence in references])
    pooled = {int(place): _direction(reference_vectors[of == place]) for place in dict.fromkeys(of.tolist())}
    whole = _direction(vectors)
    values = {place: float(np.clip(whole @ reference, -1.0, 1.0)) for place, reference in pooled.items()}
    # the first of equals; rounding may part references that say the same
    best = max(values, key=lambda place: round(values[place], 9))
    own = np.clip(vectors @ pooled[best], -1.0, 1.0)
    inside = np.flatnonzero(of == best)
    nearest = inside[prepared.similarity(Part.ANSWER, Part.REFERENCE)[:, inside].round(9).argmax(axis=1)]
    rows = [
        SentenceScore(of=Part.ANSWER, at=sentence.at, value=value, best=references[near].at, best_of=Part.REFERENCE)
        for sentence, value, near in zip(answer, own.round(DIGITS).tolist(), nearest.tolist(), strict=True)
    ]
    detail: dict[str, object] = {
        "reference": best,
        "sentences": sentences_json(rows),
        "worst": lowest_place(own),
    }
    return Measured(value=max(values.values()), detail={**detail, **abstention(prepared, Part.ANSWER)})


def _direction(vectors: Floats) -> Floats:
    """The mean of vectors at unit length; zero where they cancel each other out and only rounding is left."""
    pooled: Floats = vectors.mean(axis=0)
    length = float(np.linalg.norm(pooled))
    return pooled / length if length > CANCELLED else np.zeros_like(pooled)
