"""Whether the passages entail each sentence of the answer, by an NLI model (HCAT 3.2.2).

The premise is the context, the hypothesis an answer sentence. A context that is too long for the model is read in
windows of whole sentences, and a maximum is taken over them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import cast

import numpy as np
import numpy.typing as npt

from core.domain.status import Status
from core.encoders.classifiers.nli import NliHead, NliModel
from core.metrics.comparison.premises import Window, context_windows, fitting
from core.metrics.comparison.similarity import DIGITS, abstention, marks, no_sentences
from core.metrics.comparison.weights import mean
from core.metrics.evidence import SentenceScore, sentences_json
from core.metrics.prepared import Part, Prepared, part_texts
from core.metrics.spec import Measured, Outcome, Unscored
from core.text.words import words

Floats = npt.NDArray[np.float64]

PairValue = Callable[[npt.ArrayLike, NliHead], Floats]
"""One number a pair from its logits, (pairs, labels) to (pairs,)."""


def distance(logits: npt.ArrayLike, head: NliHead) -> Floats:
    """The paper's D = z / |w|, z = w.x + b of the entailment class, x the input of the last linear layer (HCAT 3.2.2).

    Args:
        logits: One row a pair, (pairs, labels).
        head: With its weights.

    >>> import numpy as np
    >>> weights = np.array([[0, 1], [3, 4]])
    >>> head = NliHead(labels=("no", "entailment"), entailment=1, contradiction=None, weights=weights)
    >>> distance(np.array([[9.0, 10.0]]), head).tolist()
    [2.0]
    """
    weights = _weights(head)
    distances: Floats = _wide(logits)[:, head.entailment] / np.linalg.norm(weights[head.entailment])
    return distances


def boundary_distance(logits: npt.ArrayLike, head: NliHead) -> Floats:
    """Signed distance to the border between entailment and the strongest other class.

    D' = (z_ent - z_o) / |w_ent - w_o| with o the other class of the greatest logit. Unlike the paper's D it is 0 just
    where the model is undecided, and adding the same number to all logits does not change it.

    >>> import numpy as np
    >>> weights = np.array([[0, 1], [3, 5]])
    >>> head = NliHead(labels=("no", "entailment"), entailment=1, contradiction=None, weights=weights)
    >>> boundary_distance(np.array([[0.0, 10.0]]), head).tolist()
    [2.0]
    """
    weights, wide = _weights(head), _wide(logits)
    others = wide.copy()
    others[:, head.entailment] = -np.inf
    strongest = others.argmax(axis=1)
    norms = np.linalg.norm(weights[head.entailment] - weights[strongest], axis=1)
    distances: Floats = (wide[:, head.entailment] - others.max(axis=1)) / norms
    return distances


def probabilities(logits: npt.ArrayLike) -> Floats:
    """Softmax of each row, (pairs, labels).

    >>> probabilities([[0.0, 0.0]]).tolist()
    [[0.5, 0.5]]
    """
    wide = _wide(logits)
    powers = np.exp(wide - wide.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


def sigmoid(values: npt.ArrayLike) -> Floats:
    """1 / (1 + exp(-D)) without overflow.

    >>> sigmoid([0.0, -1000.0]).tolist()
    [0.5, 0.0]
    """
    squashed: Floats = np.exp(-np.logaddexp(0.0, -np.asarray(values, dtype=np.float64)))
    return squashed


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What the model says about one hypothesis: an answer sentence, or a piece of one that is too long.

    Attributes:
        sentence: Which answer sentence it belongs to.
        text: The hypothesis.
        windows: The premises.
        logits: One row a window, (windows, labels).
    """

    sentence: int
    text: str
    windows: tuple[Window, ...]
    logits: npt.NDArray[np.float32]


def no_distance(head: NliHead) -> str:
    """Why no distance to a boundary can be told, or empty: the last layer must be linear and tell the classes apart."""
    if head.weights is None:
        return "The logits of the NLI model are not those of one last linear layer, so they have no distance."
    others = [head.weights[head.entailment] - row for place, row in enumerate(head.weights) if place != head.entailment]
    if not all(np.linalg.norm(row) > 0 for row in (head.weights[head.entailment], *others)):
        return "The last layer of the NLI model does not tell entailment from another class, so there is no boundary."
    return ""


def no_contradiction(head: NliHead) -> str:
    """Why contradiction cannot be told, or empty: the model must have that class."""
    return "" if head.contradiction is not None else "The NLI model has no contradiction class."


def readings(prepared: Prepared) -> tuple[Read, ...]:
    """The logits of every answer sentence with every window of the context; made once a sample.

    A hypothesis may take half of the model's capacity, or all that the whole context leaves of it; a longer one is cut
    at word borders.
    """

    def make() -> tuple[Read, ...]:
        model = _model(prepared)
        whole = sum(model.tokens(sentence.text) for sentence in prepared.sentences(Part.CONTEXTS))
        longest = max(model.capacity // 2, model.capacity - whole)
        by_room: dict[int, tuple[Window, ...]] = {}
        pieces: list[tuple[int, str, tuple[Window, ...]]] = []
        for place, sentence in enumerate(prepared.sentences(Part.ANSWER)):
            for piece in fitting(prepared, Part.ANSWER, [sentence], model.tokens, longest):
                room = max(1, model.capacity - model.tokens(piece.text))
                if room not in by_room:
                    by_room[room] = context_windows(prepared, model.tokens, room)
                pieces.append((place, piece.text, by_room[room]))
        logits = model.logits([(window.text, text) for _, text, windows in pieces for window in windows])
        ends = np.cumsum([len(windows) for _, _, windows in pieces])
        return tuple(
            Read(sentence=place, text=text, windows=windows, logits=rows)
            for (place, text, windows), rows in zip(pieces, np.split(logits, ends[:-1]), strict=True)
        )

    return cast(tuple[Read, ...], prepared.keep("entailment", make))


def entailment_score(
    prepared: Prepared, value: PairValue, *, lacks: Callable[[NliHead], str] = lambda head: "", lower: bool = False
) -> Outcome:
    """The mean over answer sentences of the greatest value over the windows, with the evidence for it.

    Edge cases: no answer sentence gives no value; where it is known that nothing was retrieved each sentence has 0. Of
    equal windows the first counts. Of the pieces of a sentence that is too long the one with the lowest value counts,
    where low is good the one with the highest.

    Args:
        prepared: The sample.
        value: From logits to the value of a pair, in [0, 1].
        lacks: Why a model cannot tell the value, or empty.
        lower: Whether a low value is good.

    Returns:
        The value with every sentence and its window, what the model said about that pair under ``pairs``, and
        ``worst``, the place of the first sentence with the worst value.
    """
    if why := lacks(_model(prepared).head):
        return Unscored(status=Status.NOT_APPLICABLE, reason=why)
    sentences = prepared.sentences(Part.ANSWER)
    if not sentences:
        return no_sentences(prepared, Part.ANSWER)
    common = {**marks(prepared, Part.CONTEXTS), **abstention(prepared, Part.ANSWER)}
    if not prepared.sentences(Part.CONTEXTS):
        rows = [SentenceScore(of=Part.ANSWER, at=sentence.at, value=0.0) for sentence in sentences]
        return Measured(value=0.0, detail={"sentences": sentences_json(rows), "worst": 0, **common})
    chosen = _chosen(prepared, value, lower=lower)
    values = [reading.value for reading in chosen]
    rounded = [round(reading, 9) for reading in values]
    return Measured(
        value=mean(values),
        detail={
            "sentences": sentences_json(_row(prepared, reading, place) for place, reading in enumerate(chosen)),
            "worst": rounded.index(max(rounded) if lower else min(rounded)),
            "pairs": [_pair_json(reading, _model(prepared).head) for reading in chosen],
            **common,
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """The pair that decided about a sentence."""

    value: float
    read: Read
    window: int
    pieces: int


def _chosen(prepared: Prepared, value: PairValue, *, lower: bool) -> list[_Chosen]:
    """The deciding pair of each answer sentence, in order."""
    head = _model(prepared).head
    worst = []
    for _, pieces in groupby(readings(prepared), key=lambda read: read.sentence):
        reads = list(pieces)
        best = []
        for read in reads:
            values = value(read.logits, head)
            # Equal windows may differ in the last bit.
            window = int(values.round(9).argmax())
            best.append(_Chosen(value=float(values[window]), read=read, window=window, pieces=len(reads)))
        worst.append((max if lower else min)(best, key=lambda pair: pair.value))
    return worst


def _row(prepared: Prepared, pair: _Chosen, place: int) -> SentenceScore:
    answer_words = set(words(pair.read.text))
    contexts = part_texts(prepared.sample, Part.CONTEXTS)
    # A window may hold sentences of several passages; the reader is shown the passage that shares most words.
    best = max(
        pair.read.windows[pair.window].places,
        key=lambda at: len(answer_words.intersection(words(contexts[at[0]][at[1] : at[2]]))),
    )
    return SentenceScore(
        of=Part.ANSWER,
        at=prepared.sentences(Part.ANSWER)[place].at,
        value=round(pair.value, DIGITS),
        best=best,
        best_of=Part.CONTEXTS,
        note="" if pair.pieces == 1 else f"longer than the model: read in {pair.pieces} pieces, this is the worst",
    )


def _pair_json(pair: _Chosen, head: NliHead) -> dict[str, object]:
    """What the model said about the pair that decided: its premise, logit, distances and probabilities."""
    logits = pair.read.logits[pair.window : pair.window + 1]
    shares = probabilities(logits)[0]
    document: dict[str, object] = {
        "window": [[*place] for place in pair.read.windows[pair.window].places],
        "windows": len(pair.read.windows),
        "z": round(float(logits[0, head.entailment]), DIGITS),
        "entailment": round(float(shares[head.entailment]), DIGITS),
    }
    if head.contradiction is not None:
        document["contradiction"] = round(float(shares[head.contradiction]), DIGITS)
    if not no_distance(head):
        document["distance"] = round(float(distance(logits, head)[0]), DIGITS)
        document["boundary"] = round(float(boundary_distance(logits, head)[0]), DIGITS)
    return document


def _model(prepared: Prepared) -> NliModel:
    if prepared.nli is None:
        raise ValueError("There is no NLI model; the metric's spec must name it as a need.")
    return prepared.nli


def _wide(logits: npt.ArrayLike) -> Floats:
    return np.asarray(logits, dtype=np.float64)


def _weights(head: NliHead) -> Floats:
    if head.weights is None:
        raise ValueError(no_distance(head))
    return np.asarray(head.weights, dtype=np.float64)
