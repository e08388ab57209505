"""The model check: does a model answer a question with its passages, and does it need them? It precedes review."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.domain.errors import BudgetSpent, CallFailed
from core.domain.results.responses import Verdict
from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import DocumentQuestion, QuestionKind
from core.judging.match import judge_match
from core.judging.match.abstention import abstains
from core.llm import ChatModel, Prompt

WITH_PROMPT = "answer_from_contexts"
WITHOUT_PROMPT = "answer_closed_book"
PURPOSE = "question_probe"
GUESSED = frozenset(
    {QuestionKind.YES_NO, QuestionKind.MULTIPLE_CHOICE, QuestionKind.INFERENCE, QuestionKind.COMPARISON}
)
"""Kinds whose answer is one of few: a right answer without any document is often luck."""
NEAREST = 3
"""Passages a model is shown with a question that no document should answer."""
SHOWN = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """The result of the model check of a question.

    Attributes:
        answerable: Whether the model gave the reference with the question's passages; for one out of scope, whether it
            gave an answer with the nearest ones. None where the call failed.
        known: Whether it gave the reference without any document; None where that was not asked or the call failed.
        told: Both in a sentence.
    """

    answerable: bool | None
    known: bool | None
    told: str


class QuestionProbe:
    """Asks a model each question twice: with its passages, and without any document.

    The replies are in the ledger, so that asking again costs nothing.

    Args:
        chat: The model.
        with_prompt: With the inputs `question` and `contexts`.
        without_prompt: With the input `question`.
        chunks: By id.
        titles: Titles of documents by id.
        nearest: Ids of the chunks nearest to a question, for those that no document should answer.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        with_prompt: Prompt,
        without_prompt: Prompt,
        chunks: Mapping[str, Chunk],
        titles: Mapping[str, str],
        nearest: Callable[[str], Sequence[str]],
    ) -> None:
        self.concurrency = chat.concurrency
        self._chat = chat
        self._with, self._without = with_prompt, without_prompt
        self._chunks = chunks
        self._titles = titles
        self._nearest = nearest
        self._failures: dict[tuple[str, str], str] = {}
        self._replies: set[tuple[str, str]] = set()

    @property
    def replies(self) -> int:
        """Calls that had a reply."""
        return len(self._replies)

    @property
    def failures(self) -> tuple[str, ...]:
        """The reasons of the calls without a reply, one for each."""
        return tuple(self._failures[key] for key in sorted(self._failures))

    def probe(self, question: DocumentQuestion) -> Probed:
        """Checks a question with the model.

        Raises:
            BudgetSpent: Nothing more may be asked.
        """
        if not question.answerable:
            return self._out_of_scope(question)
        ids = dict.fromkeys(part.chunk_id for part in question.support)
        reply = self._answer(question, self._with, contexts=self._contexts(list(ids)))
        if isinstance(reply, CallFailed):
            return Probed(answerable=None, known=None, told=f"A model was asked and gave no reply: {reply.message}")
        answerable = _right(question, reply)
        if question.kind in GUESSED:
            return Probed(answerable=answerable, known=None, told=_summary(answerable, reply))
        alone = self._answer(question, self._without)
        known = None if isinstance(alone, CallFailed) else _right(question, alone)
        without = (
            "" if known is None else " It knows it without any document." if known else " Without them it does not."
        )
        return Probed(answerable=answerable, known=known, told=f"{_summary(answerable, reply)}{without}")

    def _out_of_scope(self, question: DocumentQuestion) -> Probed:
        reply = self._answer(question, self._with, contexts=self._contexts(self._nearest(question.text)))
        if isinstance(reply, CallFailed):
            return Probed(answerable=None, known=None, told=f"A model was asked and gave no reply: {reply.message}")
        silent = abstains(question.text, reply)
        summary = (
            "A model finds no answer in the nearest passages." if silent else f"A model answers it: {_short(reply)}"
        )
        return Probed(answerable=not silent, known=None, told=summary)

    def _answer(self, question: DocumentQuestion, prompt: Prompt, **inputs: object) -> str | CallFailed:
        try:
            reply = self._chat.ask(
                prompt.render(question=question.text, **inputs), purpose=PURPOSE, case_id=question.id, prompt=prompt.ref
            )
        except BudgetSpent:
            raise
        except CallFailed as error:
            self._failures[question.id, prompt.id] = error.message
            return error
        self._replies.add((question.id, prompt.id))
        return reply.text

    def _contexts(self, chunk_ids: Sequence[str]) -> list[dict[str, str]]:
        chunks = (self._chunks[chunk_id] for chunk_id in chunk_ids if chunk_id in self._chunks)
        return [{"title": self._titles.get(chunk.document_id, ""), "text": chunk.text} for chunk in chunks]


def _right(question: DocumentQuestion, answer: str) -> bool:
    return judge_match(question.text, [question.reference], answer).verdict is Verdict.CORRECT


def _summary(answerable: bool, reply: str) -> str:
    return (
        "With its passages a model answers it."
        if answerable
        else f"With its passages a model gives another answer: {_short(reply)}"
    )


def _short(reply: str) -> str:
    plain = " ".join(reply.split())
    return f'"{plain}"' if len(plain) <= SHOWN else f'"{plain[:SHOWN].rstrip()} …"'
