"""Questions from documents by a language model: key facts first, then questions that quote what supports them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from core.domain.errors import BudgetSpent, CallFailed, Stopped
from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import DocumentQuestion, QuestionKind, Support
from core.llm import ChatModel, Prompt
from core.testset.corpus.asking.phrases import with_options
from core.testset.corpus.questions.kinds import KIND_RULES
from core.testset.corpus.questions.passages import PER_CHUNK, Passages, first_passages
from core.testset.corpus.quotes import find_quote
from core.testset.corpus.writing import Request
from core.text.words import fold, words

FACTS_PROMPT = "key_facts"
PROMPT = "document_questions"
PURPOSE = "document_questions"
MOST_FACTS = 8


class KeyFact(BaseModel):
    """A fact and the words that state it."""

    fact: str
    quote: str


class KeyFacts(BaseModel):
    """The model's reply about one passage."""

    facts: list[KeyFact]


class WrittenQuestion(BaseModel):
    """One question of the model."""

    question: str
    answer: str = Field(description="Empty for a question that no passage answers.")
    options: list[str] = Field(default_factory=list, description="Of a multiple-choice question, else empty.")
    quotes: list[str] = Field(description="The words that prove the answer; empty where no passage answers.")


class WrittenQuestions(BaseModel):
    """The model's reply."""

    questions: list[WrittenQuestion]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkOutcome:
    """The outcome of one chunk in one kind.

    Attributes:
        chunk_id: The chunk.
        kind: The kind requested.
        questions: Questions written; they still have to pass the checks.
        reason: Why none was written, or empty.
        status: ``ok``, ``nothing`` where there was nothing to ask, or the status of the call that failed.
    """

    chunk_id: str
    kind: QuestionKind
    questions: int
    reason: str = ""
    status: Literal["ok", "nothing", "failed"] = "ok"


class QuestionModel:
    """Asks a language model for questions, a chunk at a time.

    Every reply is in the ledger before it is used. `prepare` sends the requests from many threads; `candidates` then
    reads the same replies in an order that depends on the seed alone.

    Args:
        chat: The model.
        facts_prompt: With the inputs `title`, `passage` and `count`.
        prompt: With the inputs `kind`, `rules`, `passages`, `facts` and `count`.
        chunks: Every chunk of the collection.
        titles: Titles of documents by id.
        seed: Of the order in which the chunks of a stratum are asked.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        facts_prompt: Prompt,
        prompt: Prompt,
        chunks: Sequence[Chunk],
        titles: Mapping[str, str],
        seed: int = 0,
    ) -> None:
        self._chat = chat
        self._facts_prompt, self._prompt = facts_prompt, prompt
        self._titles = titles
        self._passages = Passages(chunks, seed=seed)
        self._outcomes: dict[tuple[str, QuestionKind], ChunkOutcome] = {}

    @property
    def outcomes(self) -> tuple[ChunkOutcome, ...]:
        """The outcome of each chunk that was asked about, in a fixed order."""
        return tuple(self._outcomes[key] for key in sorted(self._outcomes))

    def prepare(
        self,
        requests: Sequence[Request],
        *,
        probe: Callable[[DocumentQuestion], object] = lambda question: None,
        progress: Callable[[int, int], None] = lambda done, total: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Asks for as many questions as are requested, many calls at once; the replies are in the ledger.

        Args:
            requests: The requests.
            probe: Asks a model each question written, so that its replies are in the ledger too.
            progress: Called with the passages asked about and those to ask about.
            should_stop: Called after each passage.

        Raises:
            Stopped: A stop was requested; the replies so far are kept.
            BudgetSpent: Nothing more may be asked; the replies so far are kept.
        """
        work = [
            (chunk_id, request.kind)
            for request in requests
            for chunk_id, _ in self._passages.in_turn(request.kind, request.chunk_ids, first_passages(request.n))
        ]
        work = list(dict.fromkeys(work))
        with ThreadPoolExecutor(self._chat.concurrency, thread_name_prefix="questions") as pool:
            waiting = [pool.submit(self._prepared, chunk_id, kind, probe) for chunk_id, kind in work]
            try:
                for done, future in enumerate(as_completed(waiting), start=1):
                    future.result()
                    progress(done, len(work))
                    if should_stop():
                        raise Stopped(f"Stopped after {done:,} of {len(work):,} passages.", "Resume it.")
            finally:
                for future in waiting:
                    future.cancel()

    def _prepared(self, chunk_id: str, kind: QuestionKind, probe: Callable[[DocumentQuestion], object]) -> None:
        for question in self._of_chunk(chunk_id, kind):
            if all(part.end > part.start for part in question.support):
                probe(question)

    def candidates(
        self, kind: QuestionKind, chunk_ids: Iterable[str], most: int | None = None
    ) -> Iterator[DocumentQuestion]:
        """Questions of a kind about the given chunks, in drawing order; each wording once.

        Args:
            kind: What they ask of the system.
            chunk_ids: What they are about.
            most: Passages that are asked about at most.

        Raises:
            BudgetSpent: Nothing more may be asked.
        """
        wordings: set[str] = set()
        for chunk_id, _ in self._passages.in_turn(kind, chunk_ids, most):
            for question in self._of_chunk(chunk_id, kind):
                if (wording := fold(question.text)) not in wordings:
                    wordings.add(wording)
                    yield question

    def _of_chunk(self, chunk_id: str, kind: QuestionKind) -> list[DocumentQuestion]:
        """The questions of one chunk; none with the reason among the outcomes where there are none."""
        passages = self._passages.about(chunk_id, kind)
        if not passages:
            self._end(chunk_id, kind, 0, "No other passage shares a name with it.", "nothing")
            return []
        try:
            facts = [fact for passage in passages for fact in self._facts(passage)]
            if not facts:
                self._end(chunk_id, kind, 0, "The model finds no fact in it.", "nothing")
                return []
            replies = self._written_questions(kind, passages, facts)
        except BudgetSpent:
            raise
        except CallFailed as error:
            self._end(chunk_id, kind, 0, error.message, "failed")
            return []
        questions = [question for item in replies if (question := self._question(kind, passages, item)) is not None]
        self._end(
            chunk_id,
            kind,
            len(questions),
            "" if questions else "The model writes no question of this kind about it.",
            "ok" if questions else "nothing",
        )
        return questions

    def _end(
        self, chunk_id: str, kind: QuestionKind, questions: int, reason: str, status: Literal["ok", "nothing", "failed"]
    ) -> None:
        self._outcomes[chunk_id, kind] = ChunkOutcome(
            chunk_id=chunk_id, kind=kind, questions=questions, reason=reason, status=status
        )

    def _facts(self, chunk: Chunk) -> list[KeyFact]:
        """The facts whose quotes are in the chunk; calls for one chunk are shared by all kinds."""
        messages = self._facts_prompt.render(title=self._title(chunk), passage=chunk.text, count=MOST_FACTS)
        key_facts, _ = self._chat.ask_for(
            KeyFacts, messages, purpose=PURPOSE, case_id=chunk.id, prompt=self._facts_prompt.ref
        )
        return [fact for fact in key_facts.facts if find_quote(chunk.text, fact.quote)][:MOST_FACTS]

    def _written_questions(
        self, kind: QuestionKind, passages: Sequence[Chunk], facts: Sequence[KeyFact]
    ) -> list[WrittenQuestion]:
        rules = KIND_RULES[kind]
        messages = self._prompt.render(
            kind=rules.name,
            rules="\n".join(f"- {rule}" for rule in rules.rules),
            passages=[{"title": self._title(chunk), "text": chunk.text} for chunk in passages],
            facts=[fact.model_dump() for fact in facts],
            count=PER_CHUNK,
        )
        reply, _ = self._chat.ask_for(
            WrittenQuestions, messages, purpose=PURPOSE, case_id=passages[0].id, prompt=self._prompt.ref
        )
        return reply.questions[:PER_CHUNK]

    def _question(
        self, kind: QuestionKind, passages: Sequence[Chunk], item: WrittenQuestion
    ) -> DocumentQuestion | None:
        text, answer = " ".join(item.question.split()), " ".join(item.answer.split())
        if not text:
            return None
        made_by = f"{self._prompt.ref.id} v{self._prompt.ref.version}"
        if kind is QuestionKind.OUT_OF_SCOPE:
            return DocumentQuestion(kind=kind, text=text, reference="", made_by=made_by, near_chunk_id=passages[0].id)
        options = tuple(dict.fromkeys(" ".join(option.split()) for option in item.options))
        if kind is QuestionKind.MULTIPLE_CHOICE:
            text = with_options(text, options)
        return DocumentQuestion(
            kind=kind,
            text=text,
            reference=yes_or_no(answer) if kind is QuestionKind.YES_NO else answer,
            support=tuple(_support(passages, quote) for quote in item.quotes),
            options=options if kind is QuestionKind.MULTIPLE_CHOICE else (),
            made_by=made_by,
        )

    def _title(self, chunk: Chunk) -> str:
        return self._titles.get(chunk.document_id) or (chunk.section[0] if chunk.section else "")


def yes_or_no(answer: str) -> str:
    """``Yes`` or ``No`` where an answer begins with it; else the answer as it is, which the checks turn down."""
    first = next(iter(words(answer)), "")
    return {"yes": "Yes", "no": "No"}.get(first, answer)


def _support(passages: Sequence[Chunk], quote: str) -> Support:
    """A quote by its place; one that is in no passage keeps its words and has no place."""
    for chunk in passages:
        place = find_quote(chunk.text, quote)
        if place is not None:
            return Support(
                chunk_id=chunk.id,
                document_id=chunk.document_id,
                start=place[0],
                end=place[1],
                text=chunk.text[place[0] : place[1]],
            )
    home = passages[0]
    return Support(chunk_id=home.id, document_id=home.document_id, start=0, end=0, text=quote)
