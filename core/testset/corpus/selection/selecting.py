"""Which questions from documents are good enough to be reviewed (HCAT, section 2: query selection).

Each check reports its measure, the limit, and why a question was turned down; every dropped question is reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput
from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import DocumentQuestion, QuestionKind
from core.encoders.protocols import SentenceEncoder
from core.judging.match.readers.layout.lists import list_parts
from core.judging.match.readers.texts.normalise import key
from core.judging.match.reference import contains
from core.testset.corpus.reading.values import tidy
from core.testset.corpus.selection.ambiguity import Readings
from core.testset.corpus.selection.probe import Probed, QuestionProbe
from core.text.asked import misworded
from core.text.languages import language_of
from core.text.sense import nonsense
from core.text.words import fold, words

SURE = 0.9
"""Probability from which a detected language counts for so short a text."""

NEEDED = 2
"""Passages of a multi-hop question, statements of an inference, documents of a multi-document question."""

WORKED_OUT = frozenset(
    {QuestionKind.INFERENCE, QuestionKind.COMPARISON, QuestionKind.TREND, QuestionKind.MULTI_DOCUMENT}
)
"""Kinds whose answer may stand in no passage, since it follows from what several state."""

Floats = npt.NDArray[np.float32]


class Check(StrEnum):
    """The checks of a question, in this order; the first failure is the reason given."""

    FORM = "form"
    WORDING = "wording"
    SUPPORT = "support"
    ANSWER = "answer"
    GIVEN_AWAY = "given_away"
    LANGUAGE = "language"
    READING = "reading"
    COPY = "copy"
    SIMILARITY = "similarity"
    DUPLICATE = "duplicate"
    ANSWERABLE = "answerable"
    KNOWN = "known"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits from which a question is turned down.

    Attributes:
        similarity: Least cosine of the question and its nearest supporting chunk, -1 to 1.
        copy: Largest share of the question's words that a supporting chunk has in the same sequence, 0 to 1.
        duplicate: Cosine from which two questions with the same answer are one, -1 to 1.
    """

    similarity: float = 0.3
    copy: float = 0.9
    duplicate: float = 0.95

    def __post_init__(self) -> None:
        for name, lowest in (("similarity", -1.0), ("copy", 0.0), ("duplicate", -1.0)):
            value = getattr(self, name)
            if not lowest <= value <= 1.0:
                raise InvalidInput(f"The limit {name} is {value}.", f"Give a number from {lowest:g} to 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """A question and the results of its checks.

    Attributes:
        question: The question.
        failed: The first check it failed, or None.
        reason: Why, in a sentence; empty where it passed.
        similarity: Cosine with its nearest supporting chunk; None where it has none or was turned down before.
        copy: Share of its words that its chunk has in the same sequence; None where it has no supporting chunk.
        duplicate_of: The question it repeats, by id, or empty.
        nearest: Largest cosine with an accepted question of the same answer and passage (1 for the same words); None
            where there is none, or where it was turned down before.
        probed: The result of the model check, or empty where no model was asked.
        answered: Whether a model gave the reference with its passages, or any answer where there should be none; None
            where no model was asked or it did not reply.
        known: Whether it gave the reference without any document; None likewise.
    """

    question: DocumentQuestion
    failed: Check | None = None
    reason: str = ""
    similarity: float | None = None
    copy: float | None = None
    duplicate_of: str = ""
    nearest: float | None = None
    probed: str = ""
    answered: bool | None = None
    known: bool | None = None

    @property
    def accepted(self) -> bool:
        """Whether it passed every check."""
        return self.failed is None


class Selection:
    """Examines questions one batch after the other; each batch is also compared with all questions accepted before.

    Args:
        chunks: By id, all chunks that support questions.
        encoder: Of questions and chunks.
        limits: The limits from which a question is turned down.
        language: Code of the documents' language; empty leaves that check out.
        probe: Asks a model each question that passed the other checks; None leaves that out.
        readings: Finds passages that may answer a question otherwise; None leaves that out.
    """

    def __init__(
        self,
        chunks: Mapping[str, Chunk],
        encoder: SentenceEncoder,
        *,
        limits: Limits | None = None,
        language: str = "",
        probe: QuestionProbe | None = None,
        readings: Readings | None = None,
    ) -> None:
        self._chunks = chunks
        self._encoder = encoder
        self._limits = limits or Limits()
        self._language = language
        self._probe = probe
        self._readings = readings
        self._by_text: dict[str, str] = {}
        self._by_family: dict[tuple[str, str], list[tuple[str, Floats]]] = defaultdict(list)

    def know(self, questions: Sequence[DocumentQuestion]) -> None:
        """Counts questions of earlier batches as accepted, so that none is written again."""
        if questions:
            for question, vector in zip(
                questions, self._encoder.encode([asked_question.text for asked_question in questions]), strict=True
            ):
                self._remember(question, vector)

    def examine(self, questions: Sequence[DocumentQuestion]) -> list[Examined]:
        """The results of the checks, in the given order; of two equal questions the first is accepted."""
        results = [self._without_vectors(question) for question in questions]
        passed = [place for place, examined in enumerate(results) if examined.accepted]
        if not passed:
            return results
        vectors = self._encoder.encode([results[place].question.text for place in passed])
        homes = self._homes([results[place].question for place in passed])
        for place, vector in zip(passed, vectors, strict=True):
            results[place] = self._compared(results[place], vector, homes)
        self._ask_model(results)
        return results

    def _without_vectors(self, question: DocumentQuestion) -> Examined:
        """The checks that need no vectors."""
        copy = self._copy(question)
        failed, reason = self._first_failure(question, copy)
        return Examined(question=question, failed=failed, reason=reason, copy=copy)

    def _first_failure(self, question: DocumentQuestion, copy: float | None) -> tuple[Check | None, str]:
        for check, reason in (
            (Check.FORM, nonsense(_stem_of(question))),
            (Check.WORDING, misworded(_stem_of(question))),
            (Check.SUPPORT, self._unsupported(question)),
            (Check.ANSWER, unanswered(question)),
            (Check.GIVEN_AWAY, _given_away(question)),
            (Check.LANGUAGE, self._foreign(question)),
            (Check.READING, self._readings.second(question) if self._readings is not None else ""),
        ):
            if reason:
                return check, reason
        if copy is not None and copy > self._limits.copy:
            return (
                Check.COPY,
                f"{copy:.0%} of its words stand in one row in its passage (limit {self._limits.copy:.0%}).",
            )
        return None, ""

    def _unsupported(self, question: DocumentQuestion) -> str:
        if question.answerable and not question.support:
            return "It names no words that support its answer."
        if question.kind is QuestionKind.MULTI_HOP and question.hops < NEEDED:
            return "It should need two passages, and its supporting words stand in one."
        if question.kind is QuestionKind.INFERENCE and len({(p.chunk_id, p.start) for p in question.support}) < NEEDED:
            return "It should need two statements, and one supports it."
        if question.kind is QuestionKind.MULTI_DOCUMENT and len({p.document_id for p in question.support}) < NEEDED:
            return "It should need two documents, and its supporting words stand in one."
        for part in question.support:
            chunk = self._chunks.get(part.chunk_id)
            if chunk is None:
                return f"Passage {part.chunk_id} is not in the collection."
            if not part.text or chunk.text[part.start : part.end] != part.text:
                return f"The words quoted as support are not in passage {part.chunk_id}."
        return ""

    def _foreign(self, question: DocumentQuestion) -> str:
        if not self._language:
            return ""
        detected = language_of(question.text)
        if detected.code in ("", self._language) or detected.probability < SURE:
            return ""
        return f"Its language is {detected.code} and that of the documents {self._language}."

    def _copy(self, question: DocumentQuestion) -> float | None:
        texts = [self._chunks[part.chunk_id].text for part in question.support if part.chunk_id in self._chunks]
        return max((copied_share(_stem_of(question), text) for text in texts), default=None)

    def _homes(self, questions: Sequence[DocumentQuestion]) -> dict[str, Floats]:
        ids = list(dict.fromkeys(part.chunk_id for question in questions for part in question.support))
        vectors = self._encoder.encode([self._chunks[chunk_id].text for chunk_id in ids])
        return dict(zip(ids, vectors, strict=True))

    def _compared(self, examined: Examined, vector: Floats, homes: Mapping[str, Floats]) -> Examined:
        question = examined.question
        similarity = max((float(vector @ homes[part.chunk_id]) for part in question.support), default=None)
        examined = replace(examined, similarity=similarity)
        if similarity is not None and similarity < self._limits.similarity:
            reason = f"Its similarity with its passage is {similarity:.2f} (limit {self._limits.similarity:.2f})."
            return replace(examined, failed=Check.SIMILARITY, reason=reason)
        twin, nearest = self._nearest(question, vector)
        examined = replace(examined, nearest=nearest)
        if nearest is not None and nearest >= self._limits.duplicate:
            return replace(examined, failed=Check.DUPLICATE, reason="It repeats another question.", duplicate_of=twin)
        self._remember(question, vector)
        return examined

    def _ask_model(self, examined_questions: list[Examined]) -> None:
        """Lets a model answer the accepted questions; turns down those it cannot answer or knows without documents."""
        if self._probe is None:
            return
        places = [place for place, examined in enumerate(examined_questions) if examined.accepted]
        with ThreadPoolExecutor(self._probe.concurrency, thread_name_prefix="probe") as pool:
            results = list(pool.map(self._probe.probe, (examined_questions[place].question for place in places)))
        for place, result in zip(places, results, strict=True):
            examined_questions[place] = judged = _with_probe(examined_questions[place], result)
            if not judged.accepted:
                self._forget(judged.question)

    def _forget(self, question: DocumentQuestion) -> None:
        """Removes a question that was turned down after all, so that another one may take its place."""
        self._by_text.pop(fold(_stem_of(question)), None)
        for family in _families(question):
            self._by_family[family] = [entry for entry in self._by_family[family] if entry[0] != question.id]

    def _remember(self, question: DocumentQuestion, vector: Floats) -> None:
        self._by_text[fold(_stem_of(question))] = question.id
        for family in _families(question):
            self._by_family[family].append((question.id, vector))

    def _nearest(self, question: DocumentQuestion, vector: Floats) -> tuple[str, float | None]:
        """The accepted question with the same words, or the nearest one with the same answer from the same chunk."""
        exact = self._by_text.get(fold(_stem_of(question)), "")
        if exact:
            return exact, 1.0
        similarities = [
            (float(vector @ accepted), other)
            for family in _families(question)
            for other, accepted in self._by_family.get(family, ())
        ]
        # Of equally near ones the first, whatever its id.
        nearest = max(similarities, key=lambda pair: pair[0], default=None)
        return ("", None) if nearest is None else (nearest[1], nearest[0])


def _with_probe(examined: Examined, result: Probed) -> Examined:
    probed = replace(examined, probed=result.told, answered=result.answerable, known=result.known)
    if result.answerable is not None and result.answerable != examined.question.answerable:
        return replace(probed, failed=Check.ANSWERABLE, reason=result.told)
    if result.known:
        return replace(probed, failed=Check.KNOWN, reason="A model gives the answer without any document.")
    return probed


def _families(question: DocumentQuestion) -> list[tuple[str, str]]:
    """The answers and chunks within which similar questions are repetitions; elsewhere similar questions differ."""
    answer = key(question.reference)
    return [(answer, part.chunk_id) for part in question.support] or [("", question.near_chunk_id)]


def unanswered(question: DocumentQuestion) -> str:
    """Why its support does not state its reference; empty where it does, or where the kind cannot be checked."""
    if question.kind is QuestionKind.YES_NO:
        return "" if question.reference in ("Yes", "No") else "Its reference is neither Yes nor No."
    if not question.answerable:
        return "It has a reference although nothing should answer it." if question.reference else ""
    if not question.reference.strip():
        return "It has no reference answer."
    if question.kind is QuestionKind.MULTIPLE_CHOICE and question.reference not in question.options:
        return f"Its reference {question.reference!r} is none of its options."
    if question.kind in WORKED_OUT:
        return ""
    support = "\n".join(part.text for part in question.support)
    support = f"{support}\n{tidy(support)}"
    parts = (question.reference,) if contains(question.reference, support) else list_parts(question.reference)
    missing = [part for part in parts or (question.reference,) if contains(part, support) is None]
    return f"Its supporting words do not state {missing[0]!r}." if missing else ""


def _given_away(question: DocumentQuestion) -> str:
    """Why no document is needed to answer it; choices, comparisons and yes-or-no questions always name answers."""
    if question.kind not in (QuestionKind.SIMPLE, QuestionKind.MULTI_HOP):
        return ""
    return f"It holds its answer, {question.reference!r}." if contains(question.reference, question.text) else ""


def _stem_of(question: DocumentQuestion) -> str:
    """The question without its options."""
    return question.text.split("\n", 1)[0] if question.options else question.text


def copied_share(question: str, text: str) -> float:
    """The longest sequence of the question's words that the text has too, as a share of the question's words.

    >>> copied_share("What is the fee of the card?", "The fee of the card is 5 euros.")
    0.7142857142857143
    """
    question_words, text_words = words(question), words(text)
    if not question_words:
        return 0.0
    match = SequenceMatcher(a=question_words, b=text_words, autojunk=False).find_longest_match()
    return match.size / len(question_words)
