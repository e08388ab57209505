"""A sample made ready: its sentences, each encoded once, and the similarities that several metrics share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.encoders.classifiers.nli import NliModel
from core.judging.match.abstention import MAX_READ, Outcome, Reading, read_answer
from core.metrics.judges import Panel
from core.metrics.samples.sample import Sample
from core.text.citations import cited_sentences
from core.text.sentences import Sentence

Place = tuple[int, int, int]
"""Which of the texts, and the characters from start to end in it."""

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Splitter = Callable[[str], Sequence[Sentence]]


class Part(StrEnum):
    """The texts of a sample."""

    QUESTION = "question"
    CONTEXTS = "contexts"
    ANSWER = "answer"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A sentence and where it stands.

    Attributes:
        text: Its words without markup and marks of citation, as they are encoded.
        at: Which text of its part, and the characters in it.
    """

    text: str
    at: Place


class Vectors:
    """Unit vectors of texts, one row each.

    Args:
        texts: Distinct texts.
        matrix: Their vectors, (n, d), unit norm.
    """

    def __init__(self, texts: Sequence[str], matrix: Floats) -> None:
        self._rows = {text: row for row, text in enumerate(texts)}
        self._matrix = matrix

    def of(self, texts: Sequence[str]) -> Floats:
        """The vectors of these texts, (len(texts), d).

        Raises:
            KeyError: A text was not encoded.
        """
        return self._matrix[[self._rows[text] for text in texts]]


class Prepared:
    """One sample, its sentences and what models say about them. Everything is made on first use and kept.

    Args:
        sample: The inputs.
        split: Cuts a text into sentences.
        vectors: Of every sentence of the parts that the asked metrics compare, None without an encoder.
        nli: The NLI model, None where there is none.
        language: Whose articles say nothing.
        panel: The models that judge, None where none is to be asked.
        before_reading: Called before what the answer does is read: whoever has many reads them together there.
    """

    def __init__(
        self,
        sample: Sample,
        split: Splitter,
        vectors: Vectors | None = None,
        nli: NliModel | None = None,
        language: str = "en",
        panel: Panel | None = None,
        before_reading: Callable[[], None] = lambda: None,
    ) -> None:
        self.sample = sample
        self._panel = panel
        self._before_reading = before_reading
        self.nli = nli
        self.language = language
        self._split = split
        self._vectors = vectors
        self._sentences: dict[Part, tuple[Placed, ...]] = {}
        self._units: dict[Part, Doubles] = {}
        self._similarities: dict[tuple[Part, Part], Doubles] = {}
        self._kept: dict[str, object] = {}

    def sentences(self, part: Part) -> tuple[Placed, ...]:
        """The sentences of a part in order; of all passages or references, one after the other."""
        if part not in self._sentences:
            self._sentences[part] = placed_sentences(self.sample, part, self._split)
        return self._sentences[part]

    def vectors(self, part: Part) -> Floats:
        """Unit vectors of the sentences of a part, (n, d).

        Raises:
            KeyError: The part was not encoded; the metric's spec must name the encoder and the part as needs.
        """
        if self._vectors is None:
            raise KeyError(f"{part.value} was not encoded")
        return self._vectors.of([sentence.text for sentence in self.sentences(part)])

    def unit(self, part: Part) -> Doubles:
        """The vectors of a part at exactly unit length, in double precision, (n, d); a zero vector stays zero."""
        if part not in self._units:
            exact = self.vectors(part).astype(np.float64)
            lengths: Doubles = np.sqrt(np.einsum("ij,ij->i", exact, exact))[:, None]
            self._units[part] = exact / np.where(lengths > 0.0, lengths, 1.0)
        return self._units[part]

    def similarity(self, rows: Part, columns: Part) -> Doubles:
        """Cosine similarity of every sentence of one part with every sentence of another, (rows, columns).

        Values lie in [-1, 1]: rounding beyond is cut off. Single precision would leave a sentence beside itself at
        0.9999999; lengths and products are taken in double precision.
        """
        if (columns, rows) in self._similarities:
            return self._similarities[columns, rows].T
        if (rows, columns) not in self._similarities:
            product = self.unit(rows) @ self.unit(columns).T
            self._similarities[rows, columns] = np.clip(product, -1.0, 1.0)
        return self._similarities[rows, columns]

    @property
    def panel(self) -> Panel:
        """The models that judge.

        Raises:
            KeyError: There are none; the metric's spec must name the judge among its needs.
        """
        if self._panel is None:
            raise KeyError("no judging model was opened")
        return self._panel

    @cached_property
    def abstained(self) -> bool:
        """Whether the answer says that it cannot answer: what the target told, else the rules of `abstention`."""
        if self.sample.abstained is not None:
            return self.sample.abstained
        return self.reading.outcome.declines

    @cached_property
    def reading(self) -> Reading:
        """What the answer does by the rules of `abstention`: answered, partly, declined or asks back, and its words."""
        answer = self.sample.answer
        if answer is None:
            return Reading(outcome=Outcome.ANSWERED)
        self._before_reading()
        # the rules read English sentences; where the answer was cut in that way, it is not cut again
        cut = self.language == "en" and len(answer) <= MAX_READ
        sentences = [sentence.text for sentence in self.sentences(Part.ANSWER)] if cut else None
        return read_answer(self.sample.question, answer, sentences)

    def keep(self, name: str, make: Callable[[], object]) -> object:
        """What several metrics of one family share, made once."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]


def placed_sentences(sample: Sample, part: Part, split: Splitter) -> tuple[Placed, ...]:
    """The sentences of a part of a sample, each with its place; marks of citation say nothing and are left out."""
    return tuple(
        Placed(text=words, at=(place, sentence.start, sentence.end))
        for place, text in enumerate(part_texts(sample, part))
        for words, sentence in cited_sentences(split(text))
    )


def part_texts(sample: Sample, part: Part) -> Sequence[str]:
    """The texts a part is made of, in the order places count them."""
    if part is Part.QUESTION:
        return (sample.question,)
    if part is Part.ANSWER:
        return (sample.answer or "",)
    if part is Part.REFERENCE:
        return sample.references
    return tuple(context.text for context in sample.contexts or ())
