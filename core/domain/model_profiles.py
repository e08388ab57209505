"""What one model at one endpoint takes and how it replies: found out by calls, set by a person, shown and stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from core.domain.llm import PromptVariant, Structured


class Api(StrEnum):
    """Where a conversation is sent."""

    CHAT = "chat"
    RESPONSES = "responses"
    AZURE = "azure"


class TokenLimit(StrEnum):
    """What the parameter is called that limits a reply; ``none`` where the endpoint takes no limit."""

    MAX_TOKENS = "max_tokens"
    MAX_COMPLETION_TOKENS = "max_completion_tokens"
    NONE = "none"


class Thoughts(StrEnum):
    """How a model gives its reasoning beside the answer.

    A field of its own (``reasoning_content``, ``reasoning``), parts of the content, ``<think>`` tags, a closing tag
    without an opening one, or the channels of harmony.
    """

    UNKNOWN = ""
    NONE = "none"
    FIELD = "field"
    PARTS = "parts"
    TAGS = "think"
    BARE = "bare"
    HARMONY = "harmony"


class Support(StrEnum):
    """Whether a parameter does what it says."""

    UNKNOWN = ""
    YES = "yes"
    IGNORED = "ignored"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a model at an endpoint takes, and how it replies; until something else is found, what most of them do.

    Attributes:
        api: Where conversations are sent.
        api_version: Sent as ``api-version`` where the endpoint asked for one and its settings name none.
        stream: Whether it only answers in a stream.
        temperature: Whether a temperature is sent; without, the model draws at its own.
        token_limit: What limits a reply.
        reply_tokens: The longest reply that is asked for where a question names none; None leaves it to the endpoint.
        system: Whether a system message is sent as such; else it stands before the first of the user.
        reasoning_effort: What is sent of that name; "" for nothing.
        extra_body: Further parameters of every request.
        structured: How replies are held to a form; ``auto`` while nobody asked for one.
        thoughts: How it gives its reasoning.
        content: ``text`` or ``parts``, as the answer comes; "" while unknown.
        usage: Whether it reports the tokens of a call.
        effort: Whether it takes a `reasoning_effort`.
        several: Whether it takes ``n``, and draws as many.
        seed: Whether it takes a seed.
        logprobs: Whether it gives the probabilities of its tokens.
        context_tokens: Tokens that a prompt may have; None while unknown.
        context_cut: Whether what is longer is cut without a word.
        prompts: Which variant of the prompts it gets.
        refused: What it refused besides, by name, such as ``json_schema``; none of it is sent.
    """

    api: Api = Api.CHAT
    api_version: str = ""
    stream: bool = False
    temperature: bool = True
    token_limit: TokenLimit = TokenLimit.MAX_TOKENS
    reply_tokens: int | None = None
    system: bool = True
    reasoning_effort: str = ""
    extra_body: Mapping[str, object] = field(default_factory=dict)
    structured: Structured = Structured.AUTO
    thoughts: Thoughts = Thoughts.UNKNOWN
    content: str = ""
    usage: Support = Support.UNKNOWN
    effort: Support = Support.UNKNOWN
    several: Support = Support.UNKNOWN
    seed: Support = Support.UNKNOWN
    logprobs: Support = Support.UNKNOWN
    context_tokens: int | None = None
    context_cut: bool = False
    prompts: PromptVariant = PromptVariant.FULL
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Why a profile says what it says.

    Attributes:
        name: The capability.
        text: What was seen, in plain words.
        call_id: The call that showed it; "" where a person set it.
        at: When.
        by: Who set it; "" where it was found.
    """

    name: str
    text: str
    call_id: str = ""
    at: str = ""
    by: str = ""


EDITABLE: Final[Mapping[str, type]] = {
    "api": Api,
    "api_version": str,
    "stream": bool,
    "temperature": bool,
    "token_limit": TokenLimit,
    "reply_tokens": int,
    "system": bool,
    "reasoning_effort": str,
    "extra_body": dict,
    "structured": Structured,
    "context_tokens": int,
    "context_cut": bool,
    "prompts": PromptVariant,
}
"""What a person may set, and what it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The profile of one model at one endpoint.

    Attributes:
        project_id: Whose; "" for work outside any project.
        base_url: The endpoint's address.
        model: The model's name.
        api_version: The endpoint's setting, which may change what it takes.
        found: What calls have shown.
        edits: What a person has set, as plain JSON; it stands above what was found.
        grounds: Why, one for each capability that was found or set; a person's after the call's.
        probed_at: When all of it was last asked; "" where only calls of work have shown something.
    """

    id: str = ""
    project_id: str = ""
    base_url: str
    model: str
    api_version: str = ""
    found: Capabilities = field(default_factory=Capabilities)
    edits: Mapping[str, object] = field(default_factory=dict)
    grounds: tuple[Ground, ...] = ()
    probed_at: str = ""

    @property
    def now(self) -> Capabilities:
        """What calls go by: what was found, under what a person has set."""
        return replace(self.found, **{name: _typed(name, value) for name, value in self.edits.items()})

    @property
    def prompts(self) -> PromptVariant:
        """Which variant of the prompts the model gets."""
        return self.now.prompts

    def ground(self, name: str) -> Ground | None:
        """Why a capability is what it is; a person's word before a call's."""
        return next((ground for ground in reversed(self.grounds) if ground.name == name), None)


def _typed(name: str, value: Any) -> Any:
    kind = EDITABLE[name]
    return None if value is None else kind(value)
