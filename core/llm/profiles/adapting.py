"""Sending a question in the words its endpoint takes; what is refused is left out, learnt, and not asked twice."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Final

from core.domain.llm import Call, CallState, Message
from core.domain.model_profiles import Capabilities, Ground, Support, Thoughts
from core.llm.calls.gate import Gate, Outcome
from core.llm.calls.replies import Completion
from core.llm.calls.sender import Delivery
from core.llm.calls.transport import Fault
from core.llm.profiles import context
from core.llm.profiles.known import Known, changed
from core.llm.profiles.refusals import Step, doubtful, kind_of, same, steps, without
from core.llm.profiles.refusals import capability as capability_of
from core.llm.profiles.wire import EXTRA, LIMIT, Wire, chosen, wire_of
from core.llm.questions import Question
from core.llm.replies.structured import stated
from core.net import loop

MOST_STEPS = 12
"""Refusals of one call that are looked into; each parameter is refused at most once or twice."""

PURPOSE = "probe"
"""What a call is made for that finds out how an endpoint wants to be asked."""

TINY: Final = (
    Message("system", "You answer in as few words as you can."),
    Message("user", "Which number comes after 1? Reply with the number alone."),
)
"""What is asked to see which parameter is refused where the refusal does not say."""

TINY_LIMIT = 64
ASKED_ANYWHERE: Final = frozenset({"temperature", "max_tokens"})
"""What a question may ask for that an endpoint's profile puts in its own words; anything else is sent as it is."""


class Adapter:
    """Sends the questions to one model.

    Args:
        model: The model's name.
        gate: All that is sent to its endpoint goes through it.
        known: What is known of it.

    Attributes:
        note: Keeps a request that was made to find something out, beside the one that was asked for.
    """

    def __init__(self, model: str, gate: Gate, known: Known) -> None:
        self.model = model
        self.known = known
        self.note: Callable[[Question, Delivery], object] = lambda question, delivery: None
        self._gate = gate

    def chosen(self) -> Mapping[str, object]:
        """What a person has set for this model that decides the answer."""
        return chosen(self.known.now())

    def too_long(self, question: Question) -> str:
        """Why a question does not go into the context that is known; "" where it may."""
        return context.beyond(question.messages, self.known.now(), self.model)

    def deliver(self, question: Question) -> Delivery:
        """Sends a question; where the endpoint refuses how it is put, that is found out and it is put differently.

        Who comes to know of a refusal first finds out why; the others wait for that and then send in the new words.
        """
        attempts = 0
        while True:
            now = self.known.now()
            wire = wire_of(question, now, self.model)
            proven = self.known.proven(wire.options)
            outcome = self._send(wire, hasty=not proven or _asks_more(question))
            attempts += outcome.attempts
            fault = outcome.result
            if isinstance(fault, Completion):
                self.known.prove(wire.options)
                return self._delivered(wire, outcome, attempts)
            if not doubtful(fault, wire, proven=proven) or self.known.innocent(kind_of(fault)):
                if fault.http_status == 500 and not proven and not _asks_more(question):
                    return self._patiently(wire, attempts)
                return self._delivered(wire, outcome, attempts)
            with self.known.turn:
                if wire_of(question, self.known.now(), self.model) != wire:
                    continue  # somebody else has found out meanwhile
                return self._put_differently(question, now, wire, outcome, fault, attempts)

    def witness(self, call: Call, learnt: Collection[str]) -> None:
        """Learns from a call that was kept: that it counts no tokens, and that it is the ground of what was learnt."""
        self.known.attribute(learnt, call.id)
        if call.state is not CallState.ANSWERED or call.prompt_tokens is not None:
            return
        if self.known.profile.found.usage is Support.UNKNOWN:
            text = "A reply came without the number of its tokens."
            self.known.learn({"usage": Support.IGNORED}, [Ground(name="usage", text=text, call_id=call.id)])

    def tiny(self, question: Question, now: Capabilities) -> Outcome:
        """Asks as little as can be with the options of a question, at an endpoint taken for what is said."""
        small = replace(
            question,
            messages=TINY if question.form is None else stated(question.form, TINY),
            parameters={
                **question.parameters,
                **({"max_tokens": TINY_LIMIT} if "max_tokens" in question.parameters else {}),
            },
        )
        wire = wire_of(small, now, self.model)
        outcome = self._send(wire, hasty=True)
        self._note(wire, outcome)
        return outcome

    def send_beside(self, wire: Wire) -> Completion | Fault:
        """Sends a request that settles something about the endpoint, and keeps it as such."""
        outcome = self._send(wire, hasty=True)
        self._note(wire, outcome)
        return outcome.result

    def _note(self, wire: Wire, outcome: Outcome) -> None:
        question = Question(messages=wire.messages, parameters=wire.parameters, purpose=PURPOSE, sample=draw())
        self.note(question, Delivery(outcome=outcome, messages=wire.messages, parameters=wire.parameters))

    def _send(self, wire: Wire, *, hasty: bool) -> Outcome:
        return loop.call(self._gate.call(self.model, wire.messages, wire.parameters, wire.route, hasty=hasty))

    def _patiently(self, wire: Wire, attempts: int) -> Delivery:
        outcome = self._send(wire, hasty=False)
        return self._delivered(wire, outcome, attempts + outcome.attempts)

    def _delivered(self, wire: Wire, outcome: Outcome, attempts: int) -> Delivery:
        result = outcome.result
        cut = ""
        if isinstance(result, Completion):
            self._observe(result)
            cut = context.cut(self, wire, result)
        return Delivery(
            outcome=replace(outcome, attempts=attempts),
            messages=wire.messages,
            parameters=wire.parameters,
            cut=cut,
            learnt=self.known.unattributed(),
        )

    def _observe(self, result: Completion) -> None:
        """Learns how the model gives its reasoning and its answers."""
        found = self.known.profile.found
        changes: dict[str, object] = {}
        grounds = []
        if result.thoughts is not Thoughts.NONE and found.thoughts is not result.thoughts:
            changes["thoughts"] = result.thoughts
            grounds.append(Ground(name="thoughts", text="A reply came with thoughts before its answer."))
        if result.parts and found.content != "parts":
            changes["content"] = "parts"
            grounds.append(Ground(name="content", text="A reply came as a list of parts."))
        if changes:
            self.known.learn(changes, grounds)

    def _put_differently(
        self,
        question: Question,
        before: Capabilities,
        wire: Wire,
        outcome: Outcome,
        fault: Fault,
        attempts: int,
    ) -> Delivery:
        """Finds out what of a request is refused: what the refusal names first, else what a tiny question shows."""
        now = before
        accepted: list[Step] = []
        tried: set[tuple[str, str]] = set()
        for _ in range(MOST_STEPS):
            step = next(
                (one for one in steps(fault, wire, now) if (kind_of(fault), repr(one.after)) not in tried), None
            )
            if step is None:
                break
            tried.add((kind_of(fault), repr(step.after)))
            other = wire_of(question, step.after, self.model)
            if other == wire:
                continue
            outcome = self._send(other, hasty=True)
            attempts += outcome.attempts
            result = outcome.result
            if isinstance(result, Completion):
                self._learn(before, step.after, [*accepted, step])
                self.known.prove(other.options)
                return self._delivered(other, outcome, attempts)
            if same(result, fault) or not doubtful(result, other, proven=False):
                continue
            if step.name == "api":  # another address that refuses as well says nothing
                continue
            now, wire, fault, accepted = step.after, other, result, [*accepted, step]
        if accepted:
            self._learn(before, now, accepted)
        if _asks_more(question):
            return self._delivered(wire, replace(outcome, result=fault), attempts)
        return self._bisect(question, now, wire, outcome if not tried else None, fault, attempts)

    def _bisect(
        self,
        question: Question,
        now: Capabilities,
        wire: Wire,
        outcome: Outcome | None,
        fault: Fault,
        attempts: int,
    ) -> Delivery:
        """Asks a tiny question with all options, with none, and with each alone; then the question itself."""
        guilty = self._guilty(question, now, wire)
        if guilty:
            after = now
            for name in guilty:
                after = without(name, after)
            steps_taken = [Step(name=capability_of(name), after=after, text=_unnamed(name, fault)) for name in guilty]
            self._learn(now, after, steps_taken)
            again = self.deliver(question)
            return replace(again, outcome=replace(again.outcome, attempts=again.outcome.attempts + attempts))
        self.known.acquit(kind_of(fault))
        if fault.http_status == 500:
            return self._patiently(wire, attempts)
        refused = outcome or Outcome(result=fault, attempts=attempts, latency_s=0.0)
        return self._delivered(wire, replace(refused, result=fault), attempts)

    def _guilty(self, question: Question, now: Capabilities, wire: Wire) -> list[str]:
        """The options that are refused even of a tiny question; none where the words of the question are."""
        suspects = sorted(wire.options)
        if not suspects or isinstance(self.tiny(question, now).result, Completion):
            return []
        bare = now
        for name in suspects:
            bare = without(name, bare)
        if not isinstance(self.tiny(question, bare).result, Completion):
            return []
        guilty = []
        for name in suspects:
            others = now
            for other in suspects:
                others = others if other == name else without(other, others)
            if not isinstance(self.tiny(question, others).result, Completion):
                guilty.append(name)
        if guilty or isinstance(self.tiny(question, now).result, Completion):
            return guilty  # where no option alone is refused, it was a hiccup, or they are refused together
        return [name for name in suspects if name not in (EXTRA, LIMIT)]

    def _learn(self, before: Capabilities, after: Capabilities, taken: list[Step]) -> None:
        self.known.learn(changed(before, after), [Ground(name=step.name, text=step.text) for step in taken])


def _asks_more(question: Question) -> bool:
    """Whether a question is asked to see what becomes of a parameter: then a refusal is the answer."""
    return bool(question.parameters.keys() - ASKED_ANYWHERE)


def draw() -> int:
    """Tells a call apart from all equal ones before: it is about the endpoint as it is now."""
    return time.time_ns() // 1_000


def _unnamed(name: str, fault: Fault) -> str:
    return f"A tiny question with {name} was refused and one without it answered ({fault.reason})."
