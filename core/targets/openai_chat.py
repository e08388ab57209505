"""A RAG system of a built-in retrieval and a language model, at any endpoint that speaks OpenAI's protocol.

The contexts of a response are numbered in the prompt in the order in which they stand there, so a mark such as ``[2]``
in the answer names the second one; see `core.targets.searching.citations`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from core.domain.errors import BudgetSpent, CallFailed, InvalidInput, TargetFailed
from core.domain.llm import Message
from core.domain.results.responses import Context, Response
from core.domain.sources.document_ids import KnownDocuments
from core.domain.sources.documents import Document
from core.domain.status import Status
from core.llm import ChatModel, Prompt, Reply
from core.net.pacing import Pace
from core.net.waiting import TookTooLong, within
from core.targets.bm25 import Bm25Retriever
from core.targets.dense import DenseRetriever
from core.targets.hybrid import HybridRetriever
from core.targets.keyword import KeywordRetriever
from core.targets.protocol import CLOSED_BOOK, MODES, ORACLE, Target, TargetRequest, TargetSpec
from core.targets.registry import register
from core.targets.searching.passages import ReadyRetriever, Retriever

PURPOSE = "target"
FROM_CONTEXTS, WITHOUT_CONTEXTS = "answer_from_contexts", "answer_closed_book"
UNANSWERED = frozenset({"i could not find this in the documents", "i do not know"})
"""The sentences with which the prompts let the model decline."""

Found = Sequence[tuple[Document, float | None]]


class OpenAiTarget:
    """Finds contexts and lets a model answer from them.

    Args:
        name: The spec it was opened with.
        chat: The model.
        prompt: What it is asked with, fitting to whether there are contexts.
        find: The contexts of a case, best first, with their scores; raises `TargetFailed` where there are none to have.
            None to answer without any.
        retriever: What has to be prepared before.
        concurrency: Questions in flight at most.
        rate: Questions a second that are sent at most; None for no limit. What the ledger has waits for nothing.
        timeout_s: Seconds one reply may take with all its attempts; None for what the endpoint is set to. A reply that
            comes later is in the ledger and answers the case when it is asked again.
    """

    def __init__(
        self,
        name: str,
        chat: ChatModel,
        prompt: Prompt,
        find: Callable[[str, str], Found] | None,
        *,
        retriever: Retriever,
        concurrency: int,
        rate: float | None = None,
        timeout_s: float | None = None,
        draws: Mapping[str, int] | None = None,
    ) -> None:
        self.name = name
        self._draws = draws or {}
        self.concurrency = concurrency
        self.words_to_encode = retriever.words_to_encode
        self._chat = chat
        self._prompt = prompt
        self._find = find
        self._retriever = retriever
        self._pace = None if rate is None else Pace(rate)
        self._timeout = timeout_s

    def prepare(self, progress: Callable[[str, int, int], None], should_stop: Callable[[], bool]) -> bool:
        """Encodes the documents, where the retriever compares meanings; False when it was asked to stop."""
        return self._retriever.prepare(progress, should_stop)

    def answer(self, case_id: str, question: str) -> Response:
        """Answers one question.

        Raises:
            TargetFailed: The model gave no answer, or there are no contexts to answer from.
            BudgetSpent: Nothing more may be sent.
        """
        started = time.perf_counter()
        contexts, messages = self._context_and_messages(case_id, question)
        searched = time.perf_counter() - started
        reply = self._reply(messages, case_id, sample=self._draws.get(case_id, 0), temperature=0.0)
        answer = reply.text.strip()
        return Response(
            case_id=case_id,
            answer=answer,
            contexts=tuple(Context(document_id=item.id, text=item.text, score=score) for item, score in contexts or ()),
            abstained=True if declines(answer) else None,
            latency_s=searched + reply.latency_s,
            tokens=_tokens(reply),
        )

    def draw(self, case_id: str, question: str, *, sample: int, temperature: float) -> str | None:
        """Another answer to a question, to see how steady the system is; None where it gives none.

        Args:
            case_id: The case.
            question: The question.
            sample: Tells the draws apart; 0 at temperature 0 is the answer itself.
            temperature: How freely the model chooses its words.

        Raises:
            BudgetSpent: Nothing more may be sent.
        """
        try:
            _, messages = self._context_and_messages(case_id, question)
            return self._reply(messages, case_id, sample=sample, temperature=temperature).text.strip()
        except TargetFailed:
            return None

    def _context_and_messages(self, case_id: str, question: str) -> tuple[Found | None, tuple[Message, ...]]:
        if self._find is None:
            return None, self._prompt.render(question=question)
        retrieved = self._find(case_id, question)
        contexts = [{"title": document.title, "text": document.text} for document, _ in retrieved]
        return retrieved, self._prompt.render(question=question, contexts=contexts)

    def _reply(self, messages: tuple[Message, ...], case_id: str, *, sample: int, temperature: float) -> Reply:
        ask = partial(
            self._chat.ask,
            messages,
            purpose=PURPOSE,
            case_id=case_id,
            prompt=self._prompt.ref,
            temperature=temperature,
            sample=sample,
        )
        if self._pace and not self._chat.knows(messages, temperature=temperature, sample=sample):
            self._pace.wait()
        try:
            return within(self._timeout, ask)
        except BudgetSpent:
            raise
        except TookTooLong:
            raise TargetFailed(
                f"{self._chat.model} did not answer within {self._timeout:g} seconds ({Status.TIMEOUT.value}).",
                "Raise the timeout, or ask the case again: a late reply is kept.",
            ) from None
        except CallFailed as error:
            raise TargetFailed(f"{error.message} ({error.status.value})", error.hint) from error


def declines(answer: str) -> bool:
    """Whether an answer is one of the sentences with which the prompts let the model decline.

    >>> declines("I could not find this in the documents. [1]"), declines("I do not know which of both fees is meant")
    (True, False)
    """
    return answer.partition(" [")[0].strip(" .\"'").casefold() in UNANSWERED


def _tokens(reply: Reply) -> int | None:
    counts = [count for count in (reply.prompt_tokens, reply.completion_tokens) if count is not None]
    return sum(counts) if counts else None


def _oracle(documents: Sequence[Document], gold: Mapping[str, tuple[str, ...]]) -> Callable[[str, str], Found]:
    """Finds the gold documents of a case."""
    by_id = {document.id: document for document in documents}
    corpus_ids = KnownDocuments(by_id)

    def find(case_id: str, question: str) -> Found:
        gold_ids = gold.get(case_id, ())
        own, dangling = corpus_ids.resolve(gold_ids)
        if not own:
            what = (
                f"Its gold documents ({', '.join(dangling)}) are not in the corpus." if gold_ids else "None is known."
            )
            raise TargetFailed(
                f"Case {case_id} has no gold document to answer from. {what}",
                "Leave it out of the comparison, or load the document.",
            )
        return [(by_id[document_id], None) for document_id in own]

    return find


RETRIEVERS: Mapping[str, Callable[[TargetRequest], Retriever]] = {
    "bm25": lambda request: Bm25Retriever(request.corpus.documents),
    "keyword": lambda request: KeywordRetriever(request.corpus.documents),
    "dense": lambda request: DenseRetriever(request.corpus.documents, request.encoder, request.language),
    "hybrid": lambda request: HybridRetriever(
        request.corpus.documents,
        (
            Bm25Retriever(request.corpus.documents),
            DenseRetriever(request.corpus.documents, request.encoder, request.language),
        ),
    ),
}
"""What may find the contexts."""


@register(
    TargetSpec(
        name="openai",
        title="Retrieval and a language model",
        question="How well does a language model answer from what a built-in retriever finds?",
        needs_corpus=True,
        argument="MODEL@BASE_URL",
        default_k=3,
        outside=True,
        modes=MODES,
    )
)
def open_openai(request: TargetRequest) -> Target:
    """A model behind one of the built-in retrievals, or with the gold documents, or with nothing."""
    if request.chat is None:
        raise InvalidInput(
            "No model may be called here.", "Start the run in a project, whose ledger keeps what is asked and answered."
        )
    if request.retriever not in RETRIEVERS:
        raise InvalidInput(f"There is no retriever {request.retriever!r}.", f"Use one of {', '.join(RETRIEVERS)}.")
    chat = request.chat(request.argument)
    limit = request.concurrency or chat.concurrency
    retriever: Retriever = _Nothing()
    find: Callable[[str, str], Found] | None = None
    if request.mode == ORACLE:
        find = _oracle(request.corpus.documents, request.gold)
    elif request.mode != CLOSED_BOOK:
        retriever = RETRIEVERS[request.retriever](request)
        searching = retriever
        find = lambda case_id, question: searching.search(question, request.k)  # noqa: E731 - beside its siblings
    return OpenAiTarget(
        f"openai:{request.argument}",
        chat,
        request.prompts(WITHOUT_CONTEXTS if find is None else FROM_CONTEXTS, variant=chat.prompts),
        find,
        retriever=retriever,
        # Where the model keeps to the limit itself, it is called from a few threads more; see `ChatModel`.
        concurrency=chat.concurrency if chat.at_once <= limit else limit,
        rate=request.rate,
        timeout_s=request.timeout_s,
        draws=request.draws,
    )


class _Nothing(ReadyRetriever):
    """Finds nothing, where nothing is searched."""

    def search(self, question: str, k: int) -> list[tuple[Document, float]]:
        return []
