"""Questions for strata: as many of each kind as were requested, or the reason why there are fewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from core.domain.errors import InvalidInput, Stopped
from core.domain.testset.questions import DocumentQuestion, QuestionKind
from core.testset.corpus.selection.selecting import Check, Examined, Selection

BATCH = 64
"""Most candidates examined at once; their vectors are computed together."""


class QuestionSource(Protocol):
    """Whatever makes candidate questions: rules or a language model."""

    def candidates(
        self, kind: QuestionKind, chunk_ids: Iterable[str], most: int | None = None
    ) -> Iterator[DocumentQuestion]:
        """Candidates of a kind that count for the given chunks, made as they are taken.

        Where making them costs, no more than `most` passages are asked about.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Questions wanted of one stratum in one kind.

    Attributes:
        stratum: Its name, such as a topic's id.
        kind: What the questions ask of the system.
        n: How many.
        chunk_ids: The chunks of the stratum.
        most_passages: The most passages that a model is asked about; None where no model writes.
        most_answered: The most questions that a model is given to answer; None where no model answers.
    """

    stratum: str
    kind: QuestionKind
    n: int
    chunk_ids: tuple[str, ...]
    most_passages: int | None = None
    most_answered: int | None = None

    def __post_init__(self) -> None:
        if self.n < 0:
            raise InvalidInput(f"{self.n} questions of {self.stratum} cannot be made.", "Give 0 or more.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestOutcome:
    """The outcome of a request.

    Attributes:
        request: The request.
        accepted: Questions that passed, at most as many as requested.
        candidates: Candidates that were examined.
        turned_down: How many of them failed each check.
        reason: Why fewer than requested were delivered; empty where all were.
        made_up: Whether it was requested later, for what other kinds did not give.
    """

    request: Request
    accepted: int
    candidates: int
    turned_down: Mapping[Check, int] = field(default_factory=dict)
    reason: str = ""
    made_up: bool = False

    @property
    def missing(self) -> int:
        """How many were not delivered."""
        return self.request.n - self.accepted


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """All examined questions, and the outcome of each request.

    Attributes:
        examined: Accepted and turned-down questions with the results of their checks, each with its stratum as topic.
        outcomes: One for each request, in their order.
    """

    examined: tuple[Examined, ...]
    outcomes: tuple[RequestOutcome, ...]

    @property
    def accepted(self) -> tuple[DocumentQuestion, ...]:
        """The questions that passed."""
        return tuple(item.question for item in self.examined if item.accepted)


def write_questions(
    requests: Sequence[Request],
    source: QuestionSource,
    selection: Selection,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
    settle: Callable[[Sequence[DocumentQuestion]], None] | None = None,
) -> Written:
    """Makes and examines candidates until each request is met or has no more of them.

    Requests are served in their order, and a question is accepted once, by the first request that reaches it. The
    numbers of questions with the answers yes and no are equal, or differ by one.

    Args:
        requests: What is wanted.
        source: Makes the candidates.
        selection: Examines them.
        progress: Called with the questions delivered and those wanted, after each batch.
        should_stop: Called before each batch.
        settle: Called after each batch with its accepted questions.

    Raises:
        Stopped: A stop was requested; nothing is returned.
    """
    examined: list[Examined] = []
    outcomes: list[RequestOutcome] = []
    total, done = sum(request.n for request in requests), 0
    answers: Counter[str] = Counter()
    for request in requests:
        mine: list[Examined] = []
        room = _Room(request, more_yes=answers["Yes"] <= answers["No"])
        candidates = source.candidates(request.kind, request.chunk_ids, request.most_passages)
        while batch := room.next_batch(candidates, most=_unanswered(request, mine)):
            if should_stop():
                raise Stopped(f"Stopped after {done:,} of {total:,} questions.", "Start it again.")
            results = selection.examine([replace(question, topic_id=request.stratum) for question in batch])
            for result in results:
                if result.accepted:
                    room.take(result.question)
                    answers[result.question.reference] += 1
            if settle is not None:
                settle([result.question for result in results if result.accepted])
            mine += results
            progress(done + room.taken, total)
        done += room.taken
        examined += mine
        outcomes.append(_outcome(request, mine))
    return Written(examined=tuple(examined), outcomes=tuple(outcomes))


class _Room:
    """How many questions a request still takes, of each answer for yes and no."""

    def __init__(self, request: Request, *, more_yes: bool) -> None:
        larger, smaller = (request.n + 1) // 2, request.n // 2
        yes, no = (larger, smaller) if more_yes else (smaller, larger)
        self._split = request.kind is QuestionKind.YES_NO
        self._left = Counter({"Yes": yes, "No": no} if self._split else {"": request.n})
        self.taken = 0

    def next_batch(self, candidates: Iterator[DocumentQuestion], *, most: int = BATCH) -> list[DocumentQuestion]:
        """The next candidates that are needed if all of them pass; those with an answer that is not are skipped."""
        remaining = Counter(self._left)
        batch: list[DocumentQuestion] = []
        while len(batch) < min(BATCH, most) and remaining.total():
            question = next(candidates, None)
            if question is None:
                break
            if remaining[self._answer(question)] > 0:
                remaining[self._answer(question)] -= 1
                batch.append(question)
        return batch

    def take(self, question: DocumentQuestion) -> None:
        """Counts an accepted question."""
        self._left[self._answer(question)] -= 1
        self.taken += 1

    def _answer(self, question: DocumentQuestion) -> str:
        return question.reference if self._split else ""


def _unanswered(request: Request, examined: Sequence[Examined]) -> int:
    """Questions that a model may still be given to answer."""
    if request.most_answered is None:
        return BATCH
    return request.most_answered - sum(bool(item.probed) for item in examined)


def _outcome(request: Request, examined: Sequence[Examined]) -> RequestOutcome:
    accepted = sum(item.accepted for item in examined)
    turned_down = Counter(item.failed for item in examined if item.failed is not None)
    return RequestOutcome(
        request=request,
        accepted=accepted,
        candidates=len(examined),
        turned_down=dict(turned_down),
        reason=_why_fewer(request, accepted, turned_down, spent=_unanswered(request, examined) <= 0),
    )


def _why_fewer(request: Request, accepted: int, turned_down: Mapping[Check, int], *, spent: bool) -> str:
    if accepted >= request.n:
        return ""
    if not request.chunk_ids:
        return "The stratum has no passages."
    bound = ""
    if request.most_passages is not None and request.most_passages < len(request.chunk_ids):
        bound = f" A model is asked about at most {request.most_passages:,} of its {len(request.chunk_ids):,} passages."
    if not turned_down and not accepted:
        return f"No question of this kind could be made from its passages.{bound}"
    if request.kind is QuestionKind.YES_NO and not turned_down:
        return f"There were no more candidates with the missing answer, yes or no.{bound}"
    failures = ", ".join(f"{n:,} {_WORDS[check]}" for check, n in sorted(turned_down.items()))
    lead = f"A model answered the most questions allowed, {request.most_answered:,}" if spent else _NO_MORE
    return f"{lead}; turned down: {failures}.{bound}" if failures else f"{lead}.{bound}"


_NO_MORE = "There were no more candidates"
_WORDS: Mapping[Check, str] = {
    Check.FORM: "being no sentence",
    Check.WORDING: "not worded as a person asks",
    Check.READING: "with a second reading in another document",
    Check.SUPPORT: "without support in the passage",
    Check.ANSWER: "with an answer the support does not state",
    Check.GIVEN_AWAY: "holding their answer",
    Check.LANGUAGE: "in another language",
    Check.COPY: "copied from the passage",
    Check.SIMILARITY: "too far from the passage",
    Check.DUPLICATE: "repeating another",
    Check.ANSWERABLE: "not answered as they should be by a model",
    Check.KNOWN: "known to a model without documents",
}
