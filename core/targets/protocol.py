"""What every system under test can do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from core.domain.results.responses import Response
from core.domain.sources.documents import Corpus
from core.encoders.protocols import SentenceEncoder
from core.llm import ChatModel, Prompts, load_prompt

RETRIEVAL, CLOSED_BOOK, ORACLE = "retrieval", "closed_book", "oracle"

MODES = (RETRIEVAL, CLOSED_BOOK, ORACLE)
"""Where the contexts of an answer come from: the system's own search, nowhere, or the case's gold documents."""


class Target(Protocol):
    """The system under test.

    Attributes:
        name: The spec it was opened with.
        concurrency: How many questions it may be asked at once.
        words_to_encode: Words that are encoded before the first answer; 0 where the first is as quick as the others.
    """

    name: str
    concurrency: int
    words_to_encode: int

    def prepare(self, progress: Callable[[str, int, int], None], should_stop: Callable[[], bool]) -> bool:
        """Does what comes before the first answer, which does it otherwise.

        Args:
            progress: Told the stage, what is done and what is to do.
            should_stop: Asked between steps.

        Returns:
            Whether it is ready; False when it was asked to stop.
        """
        ...

    def answer(self, case_id: str, question: str) -> Response:
        """Answers one question.

        Raises:
            TargetFailed: It could not answer this case; the message says why.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRequest:
    """What a target is opened with.

    Attributes:
        argument: What follows the colon in its spec, or empty.
        corpus: The documents it searches; empty where it needs none.
        k: How many documents it retrieves.
        encoder: Opens the sentence encoder, when it is first needed.
        language: Whose rules cut the documents into sentences.
        chat: Opens a model by its spec ``MODEL@BASE_URL``; None where no model may be called.
        prompts: Loads a prompt by its id, in the variant its model takes.
        mode: One of `MODES`; anything but retrieval only for a target that has it.
        gold: The documents that hold the answer, by case id; for the mode oracle.
        draws: Which repeat of its question a case is, by case id; a model is then asked anew, not its ledger.
        asked: The questions there will be, by case id; empty where nobody knows them yet.
        retriever: What finds the contexts of a target that has a choice ("bm25").
        concurrency: How many questions it may be asked at once; None for its own number.
        rate: How many questions a second it is asked at most; None for no limit.
        timeout_s: How many seconds one answer may take; None for its own limit.
    """

    argument: str
    corpus: Corpus
    k: int
    encoder: Callable[[], SentenceEncoder]
    language: str = "en"
    chat: Callable[[str], ChatModel] | None = None
    prompts: Prompts = load_prompt
    mode: str = RETRIEVAL
    gold: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    draws: Mapping[str, int] = field(default_factory=dict)
    asked: Mapping[str, str] = field(default_factory=dict)
    retriever: str = "bm25"
    concurrency: int | None = None
    rate: float | None = None
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetSpec:
    """What a kind of target is, for screens and the command line.

    Attributes:
        name: The spec up to the first colon ("keyword", "recorded").
        title: For people.
        question: What a run against it answers, in plain words.
        needs_corpus: Whether it searches the project's documents.
        argument: What follows the colon in the spec ("FILE"), or empty.
        default_k: Documents it retrieves when nothing else is asked, or None where k has no meaning.
        needs_encoder: Whether it compares texts by their sentence embeddings.
        outside: Whether an answer is waited for: it comes from another service or from a person's own code, so
            concurrency, rate and timeout mean something and no case is asked before the run starts.
        modes: Where its contexts may come from, of `MODES`; more than one where it takes part in the comparison of
            closed-book, oracle and retrieval.
        local_only: Whether it runs a person's own code, which a server with sign-in does not do.
    """

    name: str
    title: str
    question: str
    needs_corpus: bool
    argument: str = ""
    default_k: int | None = None
    needs_encoder: bool = False
    outside: bool = False
    modes: tuple[str, ...] = (RETRIEVAL,)
    local_only: bool = False

    @property
    def usage(self) -> str:
        """The spec as a person writes it."""
        return f"{self.name}:{self.argument}" if self.argument else self.name
