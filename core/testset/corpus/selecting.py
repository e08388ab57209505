"""Which questions from documents are good enough to be reviewed (HCAT, section 2: query selection).

Each check says what it measured, against which limit, and why a question was turned down; nothing is dropped unseen.
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

from core.domain.chunks import Chunk
from core.domain.errors import InvalidInput
from core.domain.questions import DocumentQuestion, QuestionKind
from core.encoders.embedding import SentenceEncoder
from core.encoders.languages import language_of
from core.encoders.words import fold, words
from core.judging.match.lists import list_parts
from core.judging.match.normalise import key
from core.judging.match.reference import contains
from core.testset.corpus.question_probe import Probed, QuestionProbe

SURE = 0.9
"""Probability from which another language than the documents' is believed of so short a text."""

NEEDED = 2
"""Passages that a multi-hop question or an inference stands on."""

Floats = npt.NDArray[np.float32]


class Check(StrEnum):
    """What a question is examined for, in this order; the first failure is the reason given."""

    SUPPORT = "support"
    ANSWER = "answer"
    GIVEN_AWAY = "given_away"
    LANGUAGE = "language"
    COPY = "copy"
    SIMILARITY = "similarity"
    DUPLICATE = "duplicate"
    ANSWERABLE = "answerable"
    KNOWN = "known"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """From where on a question is turned down.

    Attributes:
        similarity: Least cosine of the question and its nearest supporting chunk, -1 to 1.
        copy: Largest share of the question's words that stand in one row in a supporting chunk, 0 to 1.
        duplicate: Cosine from which two questions with the same answer are one, -1 to 1.
    """

    similarity: float = 0.3
    copy: float = 0.9
    duplicate: float = 0.95

    def __post_init__(self) -> None:
        for name, lowest in (("similarity", -1.0), ("copy", 0.0), ("duplicate", -1.0)):
            value = getattr(self, name)
            if not lowest <= value <= 1.0:
                raise InvalidInput(f"The limit {name} is {value}. Give a number from {lowest:g} to 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """A question and what the checks found.

    Attributes:
        question: The question.
        failed: The first check it failed, or None.
        reason: Why, in a sentence; empty where it passed.
        similarity: Cosine with its nearest supporting chunk; None where it stands on none or was turned down before.
        copy: Share of its words that stand in one row in its chunk; None where it stands on none.
        duplicate_of: The question it repeats, by id, or empty.
        nearest: Largest cosine with an accepted question of the same answer and passage (1 for the same words); None
            where there is none, or where it was turned down before.
        probed: What a model made of it, or empty where none was asked.
        answered: Whether a model gave the reference with its passages, or any answer where none should; None where it
            was not asked or did not reply.
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
    """Examines questions one batch after the other; each batch is also compared with all accepted before.

    Args:
        chunks: By id, all that questions stand on.
        encoder: Of questions and chunks.
        limits: From where on a question is turned down.
        language: Code of the documents' language; empty leaves that check out.
        probe: Asks a model each question that passed the other checks; None leaves that out.
    """

    def __init__(
        self,
        chunks: Mapping[str, Chunk],
        encoder: SentenceEncoder,
        *,
        limits: Limits | None = None,
        language: str = "",
        probe: QuestionProbe | None = None,
    ) -> None:
        self._chunks = chunks
        self._encoder = encoder
        self._limits = limits or Limits()
        self._language = language
        self._probe = probe
        self._by_text: dict[str, str] = {}
        self._by_family: dict[tuple[str, str], list[tuple[str, Floats]]] = defaultdict(list)

    def know(self, questions: Sequence[DocumentQuestion]) -> None:
        """Takes questions of earlier goes for accepted ones, so that none is written again."""
        if questions:
            for question, vector in zip(questions, self._encoder.encode([one.text for one in questions]), strict=True):
                self._remember(question, vector)

    def examine(self, questions: Sequence[DocumentQuestion]) -> list[Examined]:
        """What the checks find, in the given order; of two equal questions the first is accepted."""
        found = [self._said(question) for question in questions]
        passed = [place for place, examined in enumerate(found) if examined.accepted]
        if not passed:
            return found
        vectors = self._encoder.encode([found[place].question.text for place in passed])
        homes = self._homes([found[place].question for place in passed])
        for place, vector in zip(passed, vectors, strict=True):
            found[place] = self._compared(found[place], vector, homes)
        self._ask_model(found)
        return found

    def _said(self, question: DocumentQuestion) -> Examined:
        """The checks that need no vectors."""
        copy = self._copy(question)
        failed, reason = self._first_failure(question, copy)
        return Examined(question=question, failed=failed, reason=reason, copy=copy)

    def _first_failure(self, question: DocumentQuestion, copy: float | None) -> tuple[Check | None, str]:
        for check, reason in (
            (Check.SUPPORT, self._unsupported(question)),
            (Check.ANSWER, unanswered(question)),
            (Check.GIVEN_AWAY, _given_away(question)),
            (Check.LANGUAGE, self._foreign(question)),
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
        if question.kind in (QuestionKind.MULTI_HOP, QuestionKind.INFERENCE) and question.hops < NEEDED:
            return "It should need two passages, and its supporting words stand in one."
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
        found = language_of(question.text)
        if found.code in ("", self._language) or found.probability < SURE:
            return ""
        return f"Its language is {found.code} and that of the documents {self._language}."

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

    def _ask_model(self, found: list[Examined]) -> None:
        """Has a model answer what passed so far, and turns down what it cannot answer or knows without documents."""
        if self._probe is None:
            return
        places = [place for place, examined in enumerate(found) if examined.accepted]
        with ThreadPoolExecutor(self._probe.concurrency, thread_name_prefix="probe") as pool:
            results = list(pool.map(self._probe.probe, (found[place].question for place in places)))
        for place, result in zip(places, results, strict=True):
            found[place] = judged = _with_probe(found[place], result)
            if not judged.accepted:
                self._forget(judged.question)

    def _forget(self, question: DocumentQuestion) -> None:
        """Lets another question have the place of one that was turned down after all."""
        self._by_text.pop(fold(question.text), None)
        for family in _families(question):
            self._by_family[family] = [kept for kept in self._by_family[family] if kept[0] != question.id]

    def _remember(self, question: DocumentQuestion, vector: Floats) -> None:
        self._by_text[fold(question.text)] = question.id
        for family in _families(question):
            self._by_family[family].append((question.id, vector))

    def _nearest(self, question: DocumentQuestion, vector: Floats) -> tuple[str, float | None]:
        """The accepted question with the same words, or the nearest one with the same answer from the same chunk."""
        exact = self._by_text.get(fold(question.text), "")
        if exact:
            return exact, 1.0
        found = [
            (float(vector @ known), other)
            for family in _families(question)
            for other, known in self._by_family.get(family, ())
        ]
        # Of equally near ones the first, whatever its id.
        nearest = max(found, key=lambda pair: pair[0], default=None)
        return ("", None) if nearest is None else (nearest[1], nearest[0])


def _with_probe(examined: Examined, result: Probed) -> Examined:
    found = replace(examined, probed=result.told, answered=result.answerable, known=result.known)
    if result.answerable is not None and result.answerable != examined.question.answerable:
        return replace(found, failed=Check.ANSWERABLE, reason=result.told)
    if result.known:
        return replace(found, failed=Check.KNOWN, reason="A model gives the answer without any document.")
    return found


def _families(question: DocumentQuestion) -> list[tuple[str, str]]:
    """Within what two questions that sound alike are one: questions about other things sound alike as well."""
    answer = key(question.reference)
    return [(answer, part.chunk_id) for part in question.support] or [("", question.near_chunk_id)]


def unanswered(question: DocumentQuestion) -> str:
    """Why its reference is not what its support says; empty where it is, or where the kind cannot be checked so."""
    if question.kind is QuestionKind.YES_NO:
        return "" if question.reference in ("Yes", "No") else "Its reference is neither Yes nor No."
    if not question.answerable:
        return "It has a reference although nothing should answer it." if question.reference else ""
    if not question.reference.strip():
        return "It has no reference answer."
    if question.kind is QuestionKind.MULTIPLE_CHOICE and question.reference not in question.options:
        return f"Its reference {question.reference!r} is none of its options."
    if question.kind is QuestionKind.INFERENCE:
        return ""
    said = "\n".join(part.text for part in question.support)
    parts = (question.reference,) if contains(question.reference, said) else list_parts(question.reference)
    missing = [part for part in parts or (question.reference,) if contains(part, said) is None]
    return f"Its supporting words do not state {missing[0]!r}." if missing else ""


def _given_away(question: DocumentQuestion) -> str:
    """Why no document is needed to answer it; a choice, a comparison and yes or no name answers by nature."""
    if question.kind not in (QuestionKind.SIMPLE, QuestionKind.MULTI_HOP):
        return ""
    return f"It holds its answer, {question.reference!r}." if contains(question.reference, question.text) else ""


def _stem_of(question: DocumentQuestion) -> str:
    """The question without its options."""
    return question.text.split("\n", 1)[0] if question.options else question.text


def copied_share(question: str, text: str) -> float:
    """The longest row of the question's words that the text has in the same row, as a share of the question's words.

    >>> copied_share("What is the fee of the card?", "The fee of the card is 5 euros.")
    0.7142857142857143
    """
    asked, said = words(question), words(text)
    if not asked:
        return 0.0
    match = SequenceMatcher(a=asked, b=said, autojunk=False).find_longest_match()
    return match.size / len(asked)
