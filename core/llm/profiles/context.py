"""Whether an endpoint read the whole prompt: the tokens it counted against the words that were sent.

Some services cut a prompt that does not fit and answer from what is left, with status 200. No tokeniser in use makes
one token of two words, so fewer tokens than words are a sign; so is a count that is a round window to the token. A sign
is no proof: the same prompt with more words at its end is sent once, and where the count does not grow it was cut.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from core.domain.llm import Message
from core.domain.model_profiles import Capabilities, Ground
from core.llm.calls.replies import Completion
from core.llm.calls.transport import Fault
from core.llm.profiles.known import Known
from core.llm.profiles.wire import Wire

LEAST_WORDS = 200
"""Below this no window in use is reached."""

LEAST_WINDOW = 256
"""Tokens below which no window is in use; a service that counts fewer for every prompt counts something else."""

SHARE = 0.9
"""Tokens for each word below which a count is a sign: some services count without the frame of the messages."""

WINDOWS = frozenset({512, 1024, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 65536, 131072})
CHARACTERS_A_TOKEN = 3.0
"""Few enough that a prompt of a round count is looked at where it may be longer."""

PADDING = "The next page of the file repeats that nothing else was decided on this day. "

_WORD = re.compile(r"\S*\w\S*")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LIMITS = (
    re.compile(r"maximum context length (?:is|of) (\d+)", re.IGNORECASE),
    re.compile(r"context (?:window|length|size) (?:is|of) (\d+)", re.IGNORECASE),
    re.compile(r"available context size[^\d]{0,20}(\d+)", re.IGNORECASE),
    re.compile(r"(?:exceeds?|than) (?:the )?(?:model's )?(?:maximum )?context[^\d]{0,30}(\d+)", re.IGNORECASE),
    re.compile(r"n_ctx[^\d]{0,5}(\d+)", re.IGNORECASE),
    re.compile(r"must be <= (\d+)", re.IGNORECASE),
)


class Asks(Protocol):
    """What asks the endpoint once more, and knows what is known of it."""

    known: Known

    def send_beside(self, wire: Wire) -> Completion | Fault:
        """Sends a request that settles something."""
        ...


def words(messages: Sequence[Message]) -> int:
    """The fewest tokens a conversation can have: its words; letters of scripts without blanks count a quarter."""
    text = "\n".join(message.content for message in messages)
    wide = len(_WIDE.findall(text))
    return len(_WORD.findall(_WIDE.sub(" ", text))) + wide // 4


def beyond(messages: Sequence[Message], now: Capabilities, model: str) -> str:
    """Why a conversation cannot go into a context that is known; "" where it may.

    Only where it is sure: a prompt of fewer words than tokens fit in is sent, and the endpoint says what it read.
    """
    if now.context_tokens is None or not now.context_cut:
        return ""
    sent = words(messages)
    if sent <= now.context_tokens:
        return ""
    return (
        f"The prompt has at least {sent:,} tokens and {model} reads {now.context_tokens:,}: the endpoint would cut it, "
        "so it was not sent."
    )


def cut(adapter: Asks, wire: Wire, result: Completion) -> str:
    """How the endpoint cut a prompt; "" where it read the whole, or does not count.

    Args:
        adapter: Sends the one question that settles it, where nobody knows the endpoint's window yet.
        wire: What was sent.
        result: What came back.
    """
    counted, now = result.prompt_tokens, adapter.known.now()
    if not counted:
        return ""
    if now.context_cut and now.context_tokens is not None:
        return _told(counted, wire.messages) if counted >= now.context_tokens - 1 or _few(counted, wire) else ""
    if now.context_tokens is not None and counted <= now.context_tokens and not _few(counted, wire):
        return ""
    if not _suspicious(counted, wire):
        return ""
    with adapter.known.turn:
        now = adapter.known.now()
        seen = "context few" if _few(counted, wire) else f"context {counted}"
        if not now.context_cut and not adapter.known.innocent(seen):
            window = _window(adapter, wire, counted)
            if window is None:
                adapter.known.acquit(seen)
                return ""
            text = (
                f"A prompt of at least {words(wire.messages):,} tokens was counted as {counted:,}, and as {window:,} "
                "with more words at its end."
            )
            grounds = [Ground(name=name, text=text) for name in ("context_tokens", "context_cut")]
            adapter.known.learn({"context_tokens": window, "context_cut": True}, grounds)
        elif not now.context_cut:
            return ""
    return _told(counted, wire.messages)


def limit_in(fault: Fault) -> int | None:
    """The context that a refusal names, in tokens."""
    return next((int(match[1]) for pattern in _LIMITS if (match := pattern.search(fault.reason))), None)


def _suspicious(counted: int, wire: Wire) -> bool:
    if _few(counted, wire):
        return True
    longest = sum(len(message.content) for message in wire.messages) / CHARACTERS_A_TOKEN
    return (counted in WINDOWS or counted + 1 in WINDOWS) and longest > counted


def _few(counted: int, wire: Wire) -> bool:
    pieces = [message.content for message in wire.messages]
    if all(piece.isascii() for piece in pieces) and counted >= SHARE * sum(len(piece.split()) for piece in pieces):
        return False  # what is told at a glance of nearly every prompt
    sent = words(wire.messages)
    return sent >= LEAST_WORDS and counted < SHARE * sent


def _window(adapter: Asks, wire: Wire, counted: int) -> int | None:
    """The window in tokens, where the same prompt with more words is counted no higher; None where it is."""
    more = PADDING * max(4, round(0.2 * words(wire.messages) / len(PADDING.split())))
    *before, last = wire.messages
    padded = replace(wire, messages=(*before, Message(last.role, f"{last.content}\n{more}")))
    result = adapter.send_beside(padded)
    if not isinstance(result, Completion) or not result.prompt_tokens:
        return None
    window = max(counted, result.prompt_tokens)
    if window < LEAST_WINDOW or result.prompt_tokens - counted >= 0.5 * len(more.split()):
        return None  # it grows, or the count is none of tokens at all
    return window


def _told(counted: int, messages: Sequence[Message]) -> str:
    return (
        f"the endpoint cut the prompt: it counted {counted:,} tokens of a prompt of at least "
        f"{max(counted + 1, words(messages)):,}"
    )
