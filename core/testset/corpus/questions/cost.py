"""The expected cost of questions from documents by a model: calls, tokens and money; nothing is sent.

The least holds where every passage gives its questions and all pass the checks; the most follows from the bounds of
:mod:`core.testset.corpus.questions.passages`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from pydantic import BaseModel

from core.domain.llm import Message, PromptVariant, Structured
from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import QuestionKind
from core.llm import Prompt, load_prompt
from core.llm.addresses import split_spec
from core.llm.replies.structured import held_to
from core.llm.spending.estimates import NONE, Between, CallPart, characters_of, grounds_of, probes_of, sized
from core.store.database import Store
from core.testset.corpus.questions.ground import Ground, ground_of, shares_of
from core.testset.corpus.questions.kinds import KIND_RULES
from core.testset.corpus.questions.model import FACTS_PROMPT, MOST_FACTS, PROMPT, PURPOSE, KeyFacts, WrittenQuestions
from core.testset.corpus.questions.passages import PER_CHUNK, Passages, first_passages, most_passages
from core.testset.corpus.questions.plan import QuestionPlan, requests_of
from core.testset.corpus.selection.probe import GUESSED, NEAREST, WITH_PROMPT, WITHOUT_PROMPT
from core.testset.corpus.selection.probe import PURPOSE as PROBE_PURPOSE
from core.testset.corpus.writing import Request

LOOKED_AT = 40
"""Passages whose requests are measured, evenly spread; the others are assumed to be like them."""
TOKENS_A_FACT, TOKENS_A_QUESTION, TOKENS_AN_ANSWER = (30.0, 90.0), (40.0, 160.0), (5.0, 80.0)
"""Of one fact, question or answer in a reply that was never measured."""
FACT = {"fact": "x" * 90, "quote": "x" * 110}
QUESTION = "x" * 110
"""Stand for a fact and a question that are not written yet."""
GROUNDS = (
    "The least holds where every passage gives its questions and all pass the checks; the most is a bound that only "
    "repairs exceed."
)
FACTS_PART, ALONE_PART = "key_facts", "question_alone"
"""Parts of an estimate whose calls the ledger has under the purposes of writing and of answering."""

_Ends = tuple[tuple[Message, ...], tuple[Message, ...]]
"""The shortest and the longest conversation there may be about a passage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    """Calls of each sort."""

    facts: Between
    questions: Between
    answers: Between
    alone: Between


def expected_cost(store: Store, project_id: str, plan: QuestionPlan, *, actor: str = "") -> tuple[CallPart, ...]:
    """The model calls of a plan with their tokens and money; none for rules alone. Nothing is sent.

    Raises:
        InvalidInput: A model's spec cannot be read, or the plan's budget cannot be divided.
        NotFound: No documents are loaded, or no topics were found in them yet.
        Forbidden: The documents must be cut first, and the actor may not change the project.
    """
    if not plan.models:
        return ()
    ground = ground_of(store, project_id, plan, actor=actor)
    requests = [request for _, request in requests_of(plan, shares_of(ground, plan), ground.strata)]
    passages = Passages(ground.chunks, seed=plan.seed)
    counts = _counts(requests, passages, plan)
    estimate = _Estimate(store, project_id, ground, plan.prompts)
    return tuple(
        replace(part, notes=(*part.notes, GROUNDS)) for part in estimate.parts(plan, counts) if part.calls.high > 0
    )


def _counts(requests: Sequence[Request], passages: Passages, plan: QuestionPlan) -> _Counts:
    least_work, most_work = (_work(requests, passages, bound) for bound in (first_passages, most_passages))
    facts = Between(low=_distinct(least_work), high=_distinct(most_work))
    questions = Between(low=len(least_work), high=len(most_work))
    answers = alone = NONE
    for request in requests:
        if request.most_answered is None:
            continue
        most_calls = request.most_answered
        if plan.model:
            # Also what came of the first passages and then fails a check that costs nothing.
            most_calls += PER_CHUNK * first_passages(request.n)
        calls = Between(low=request.n, high=most_calls)
        answers += calls
        if request.kind not in GUESSED and request.kind is not QuestionKind.OUT_OF_SCOPE:
            alone += calls
    return _Counts(
        facts=facts if plan.model else NONE, questions=questions if plan.model else NONE, answers=answers, alone=alone
    )


def _work(
    requests: Sequence[Request], passages: Passages, bound: Callable[[int], int]
) -> dict[tuple[str, QuestionKind], tuple[Chunk, ...]]:
    """What is asked about, once for each chunk and kind."""
    return {
        (chunk_id, request.kind): about
        for request in requests
        for chunk_id, about in passages.in_turn(request.kind, request.chunk_ids, bound(request.n))
        if about
    }


def _distinct(work: dict[tuple[str, QuestionKind], tuple[Chunk, ...]]) -> int:
    """Different chunks: the facts of a chunk are asked for once, whatever is then made of them."""
    return len({chunk.id for about in work.values() for chunk in about})


class _Estimate:
    """The parts of one estimate."""

    def __init__(self, store: Store, project_id: str, ground: Ground, asked: PromptVariant | None) -> None:
        self._asked = asked
        self._known = grounds_of(store, project_id)
        self._prompt = partial(load_prompt, store=store, project_id=project_id)
        step = max(1, len(ground.chunks) // LOOKED_AT)
        self._seen = ground.chunks[::step][:LOOKED_AT]
        self._titles = ground.titles

    def parts(self, plan: QuestionPlan, counts: _Counts) -> list[CallPart]:
        """Facts, questions, answers with passages and answers without."""
        call_parts = []
        if plan.model:
            # The first calls in a form, with those that find out how the model is held to one.
            calls = counts.facts + probes_of(self._known, *split_spec(plan.model))
            facts = self._writing_part(
                plan.model, FACTS_PROMPT, calls, self._facts, KeyFacts, TOKENS_A_FACT, MOST_FACTS
            )
            call_parts.append(replace(facts, purpose=FACTS_PART))
            call_parts.append(
                self._writing_part(
                    plan.model,
                    PROMPT,
                    counts.questions,
                    self._questions,
                    WrittenQuestions,
                    TOKENS_A_QUESTION,
                    PER_CHUNK,
                )
            )
        if plan.answered_by:
            call_parts.append(self._answering_part(plan.answered_by, WITH_PROMPT, counts.answers, self._answers))
            alone = self._answering_part(plan.answered_by, WITHOUT_PROMPT, counts.alone, self._alone)
            call_parts.append(replace(alone, purpose=ALONE_PART))
        return call_parts

    def _writing_part(
        self,
        spec: str,
        prompt_id: str,
        calls: Between,
        messages: Callable[[Prompt, Chunk], _Ends],
        form: type[BaseModel],
        tokens_each: tuple[float, float],
        count: int,
    ) -> CallPart:
        prompt = self._prompt(prompt_id, variant=self._asked or self._known.variant(spec))
        conversations = [messages(prompt, chunk) for chunk in self._seen]
        with_form = [held_to(form, longest, Structured.NONE)[0] for _, longest in conversations]
        model, url = split_spec(spec)
        return sized(
            self._known,
            PURPOSE,
            model,
            url,
            prompt,
            calls=calls,
            characters=Between(low=_characters(shortest for shortest, _ in conversations), high=_characters(with_form)),
            of=len(conversations),
            reply=(tokens_each[0], tokens_each[1] * count),
            wanted_at_once=0,
            repairs=True,
        )

    def _answering_part(
        self,
        spec: str,
        prompt_id: str,
        calls: Between,
        messages: Callable[[Prompt, Chunk], _Ends],
    ) -> CallPart:
        prompt = self._prompt(prompt_id, variant=self._asked or self._known.variant(spec))
        conversations = [messages(prompt, chunk) for chunk in self._seen]
        model, url = split_spec(spec)
        return sized(
            self._known,
            PROBE_PURPOSE,
            model,
            url,
            prompt,
            calls=calls,
            characters=Between(
                low=_characters(low for low, _ in conversations), high=_characters(high for _, high in conversations)
            ),
            of=len(conversations),
            reply=TOKENS_AN_ANSWER,
            wanted_at_once=0,
        )

    def _facts(self, prompt: Prompt, chunk: Chunk) -> _Ends:
        conversation = prompt.render(title=self._title(chunk), passage=chunk.text, count=MOST_FACTS)
        return conversation, conversation

    def _questions(self, prompt: Prompt, chunk: Chunk) -> _Ends:
        """From one passage with one fact, and from two with as many as a model lists."""
        rules = KIND_RULES[QuestionKind.SIMPLE]
        shortest, longest = (
            prompt.render(
                kind=rules.name,
                rules="\n".join(f"- {rule}" for rule in rules.rules),
                passages=[self._passage(chunk)] * n,
                facts=[FACT] * facts,
                count=PER_CHUNK,
            )
            for n, facts in ((1, 1), (2, 2 * MOST_FACTS))
        )
        return shortest, longest

    def _answers(self, prompt: Prompt, chunk: Chunk) -> _Ends:
        """With one passage, and with as many as a question without an answer is shown."""
        shortest, longest = (
            prompt.render(question=QUESTION, contexts=[self._passage(chunk)] * n) for n in (1, NEAREST)
        )
        return shortest, longest

    def _alone(self, prompt: Prompt, chunk: Chunk) -> _Ends:
        conversation = prompt.render(question=QUESTION)
        return conversation, conversation

    def _passage(self, chunk: Chunk) -> dict[str, str]:
        return {"title": self._title(chunk), "text": chunk.text}

    def _title(self, chunk: Chunk) -> str:
        return self._titles.get(chunk.document_id) or (chunk.section[0] if chunk.section else "")


def _characters(conversations: Iterable[tuple[Message, ...]]) -> float:
    return float(sum(characters_of(messages) for messages in conversations))
