"""All that a model takes, asked on demand: a dozen calls of the size and the parameters of real ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, Literal

from pydantic import BaseModel

from core.domain.llm import Call, CallState, Message, PromptVariant
from core.domain.model_profiles import Api, Capabilities, Ground, Profile, Support, Thoughts
from core.llm.calls.outcomes import failure_of
from core.llm.calls.replies import Completion
from core.llm.calls.sender import Sender
from core.llm.calls.transport import Fault
from core.llm.profiles import context, forms
from core.llm.profiles.adapting import PURPOSE, TINY, Adapter, draw
from core.llm.profiles.known import Known
from core.llm.questions import Question
from core.llm.replies.reading import Malformed, read_form
from core.llm.replies.structured import stated

PAGE: Final = (
    "Branches of the bank. The branch in Alpine has 72 lockers and opens at nine. The branch in Bergen has 48 lockers "
    "and opens at ten; its lockers were counted again in March. A locker costs 30 a year, two keys are handed out, and "
    "a lost key is charged with 15. Contracts end with the year in which notice is given. "
)
JUDGED: Final = (("72", "correct"), ("48", "incorrect"), ("It has 72 lockers.", "correct"))
"""Answers to one question, and what a judge says of them that can follow a whole prompt."""

GROWTH: Final = (1_000, 3_000, 6_000)
"""Words of the prompts that show how much an endpoint reads."""

SMALL_CONTEXT = 4_096
"""Tokens up to which the short prompts are the default: a whole one with its passages fills them."""

REPLY = 400


class Judgement(BaseModel):
    """What a probe of judging asks for."""

    reason: str
    verdict: Literal["correct", "incorrect"]


def discover(
    sender: Sender, adapter: Adapter, known: Known, *, progress: Callable[[str], None] = lambda stage: None
) -> Profile:
    """Asks for all a profile has, from nothing but what a person has set.

    Args:
        sender: Keeps the calls and what they cost.
        adapter: Sends them.
        known: What is known of the model; it holds what was found at the end, and what it held where it fails.
        progress: Called with what is asked next.

    Raises:
        CallFailed: The endpoint cannot be used at all; what was known before stands.
    """
    before = known.profile
    known.forget()
    try:
        grounds = _asked(sender, adapter, known, progress)
    except BaseException:
        known.restore(before)
        raise
    known.replace_all(known.profile.found, [*known.profile.grounds, *grounds])
    return known.profile


def _asked(sender: Sender, adapter: Adapter, known: Known, progress: Callable[[str], None]) -> list[Ground]:
    asking = _Asking(sender, adapter, known)
    progress("a plain question")
    asking.plainly()
    progress("forms")
    way, call = forms.prove(
        lambda question: sender.call(replace(question, sample=draw()))[0], sample=draw(), seen=known.now
    )
    if call.state in (CallState.FAILED, CallState.TIMEOUT):
        raise failure_of(call)
    forms.learn(known, way, call)
    progress("parameters")
    asking.parameters()
    progress("context")
    asking.context()
    progress("judging")
    asking.prompts()
    return asking.grounds


class _Asking:
    """Asks one thing after the other, and gathers why."""

    def __init__(self, sender: Sender, adapter: Adapter, known: Known) -> None:
        self._sender, self._adapter, self._known = sender, adapter, known
        self.grounds: list[Ground] = []

    def plainly(self) -> None:
        """A question of the usual size; what is refused of it is learnt as it would be at work."""
        question = _question(
            (
                Message("system", "You answer from the page and name the figure."),
                _about("How many lockers are in Alpine?"),
            ),
            {"temperature": 0.0, "max_tokens": REPLY},
        )
        result, call = self._ask(question)
        if isinstance(result, Fault):
            raise failure_of(call)
        found = self._known.profile.found
        sent = call.parameters
        self._find("api", found.api, f"A question of {call.prompt_tokens or 'some'} tokens was answered.", call)
        self._find("temperature", found.temperature, _taken("temperature", sent), call)
        limit = "max_output_tokens" if found.api is Api.RESPONSES else found.token_limit.value
        self._find("token_limit", found.token_limit, _taken(limit, sent), call)
        self._find("system", found.system, "A system message was taken.", call)
        self._find("stream", found.stream, "A reply came at once." if not found.stream else "", call)
        if result.thoughts is Thoughts.NONE:
            self._find("thoughts", Thoughts.NONE, "A reply came without any.", call)
        self._find("content", "parts" if result.parts else "text", "As the reply came.", call)
        counted = result.prompt_tokens is not None
        self._find("usage", Support.YES if counted else Support.IGNORED, "As the reply came.", call)

    def parameters(self) -> None:
        """What else may be asked for, one at a time."""
        self._supports("effort", {"reasoning_effort": "low"}, lambda result: True)
        self._supports("several", {"n": 2}, lambda result: result.choices == 2)
        self._supports("logprobs", {"logprobs": True}, lambda result: result.logprobs)
        texts = []
        for _ in range(2):
            result, call = self._ask(_question(_WORDS, {"temperature": 1.0, "max_tokens": REPLY, "seed": 7}))
            if isinstance(result, Fault):
                self._find("seed", Support.REFUSED, result.reason, call)
                return
            texts.append(result.text)
        same = texts[0] == texts[1]
        text = f"Two draws with one seed were {'the same' if same else 'not the same'}."
        self._find("seed", Support.YES if same else Support.IGNORED, text, call)

    def context(self) -> None:
        """Prompts that grow, until one is refused, counted short, or long enough."""
        last: tuple[int, int] | None = None
        for count in GROWTH:
            text = context.PADDING * (count // len(context.PADDING.split()))
            messages = (TINY[0], Message("user", f"{text}\n{TINY[1].content}"))
            result, call = self._ask(_question(messages, {"temperature": 0.0, "max_tokens": 16}))
            if isinstance(result, Fault):
                if limit := context.limit_in(result):
                    self._find("context_tokens", limit, result.reason, call)
                return
            found = self._known.profile.found
            if found.context_cut or not result.prompt_tokens:
                return
            counted, sent = result.prompt_tokens, context.words(messages)
            if max(counted, last[1] if last else 0) < context.LEAST_WINDOW:
                return
            if last is not None and counted - last[1] < 0.5 * (sent - last[0]):
                text = f"A prompt of at least {sent:,} tokens was counted as {counted:,}."
                self._find("context_tokens", max(counted, last[1]), text, call)
                self._find("context_cut", True, text, call)
                return
            last = sent, counted

    def prompts(self) -> None:
        """Whether the model follows a whole prompt: three answers judged in a form."""
        found = self._known.profile.found
        if found.context_tokens is not None and found.context_tokens <= SMALL_CONTEXT:
            text = f"It reads {found.context_tokens:,} tokens, which a whole prompt with its passages fills."
            self._find("prompts", PromptVariant.SHORT, text, None)
            return
        right = 0
        for answer, expected in JUDGED:
            messages = (
                Message("system", "You judge an answer by the page: correct, or incorrect."),
                _about(f"Question: how many lockers are in Alpine?\nAnswer: {answer}"),
            )
            question = replace(
                _question(stated(Judgement, messages), {"temperature": 0.0, "max_tokens": REPLY}), form=Judgement
            )
            result, call = self._ask(question)
            if isinstance(result, Completion):
                right += _verdict(result.text) == expected
        size = PromptVariant.FULL if right >= len(JUDGED) - 1 else PromptVariant.SHORT
        self._find("prompts", size, f"{right} of {len(JUDGED)} plain answers were judged rightly in the form.", call)

    def _supports(self, name: str, parameters: dict[str, object], kept: Callable[[Completion], bool]) -> None:
        result, call = self._ask(_question(TINY, {"temperature": 0.0, "max_tokens": REPLY, **parameters}))
        sent = ", ".join(parameters)
        if isinstance(result, Fault):
            self._find(name, Support.REFUSED, result.reason, call)
        elif kept(result):
            self._find(name, Support.YES, f"A question with {sent} was answered as asked.", call)
        else:
            self._find(name, Support.IGNORED, f"A question with {sent} was answered as if it were without.", call)

    def _ask(self, question: Question) -> tuple[Completion | Fault, Call]:
        delivery = self._adapter.deliver(question)
        call = self._sender.note(question, delivery)
        return delivery.outcome.result, call

    def _find(self, name: str, value: object, text: str, call: Call | None) -> None:
        """Keeps what was found; what a refusal has shown already keeps its words."""
        if self._known.profile.ground(name) is None or self._value(name) != value:
            self.grounds.append(
                Ground(name=name, text=text, call_id=call.id if call else "", at=call.at if call else "")
            )
        self._known.learn({name: value}, [])

    def _value(self, name: str) -> object:
        found: Capabilities = self._known.profile.found
        return getattr(found, name)


_WORDS: Final = (TINY[0], Message("user", "Write three words that have nothing to do with each other."))


def _question(messages: tuple[Message, ...], parameters: dict[str, object]) -> Question:
    return Question(messages=messages, parameters=parameters, purpose=PURPOSE, sample=draw())


def _about(asked: str) -> Message:
    return Message("user", f"{PAGE * 4}\n\n{asked}")


def _taken(name: str, sent: object) -> str:
    return f"A question with {name} was answered." if name in str(sent) else f"A question without {name} was answered."


def _verdict(text: str) -> str:
    try:
        return read_form(Judgement, text).verdict
    except Malformed:
        return ""
