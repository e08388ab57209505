"""Replies that copy the example of their prompt: a small model writes it off instead of answering.

The short prompts show the form of a reply by one example, of a lighthouse that no bank's documents tell of. So a text
of the example in a reply is no answer, unless what was asked holds it too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pydantic import BaseModel

from core.domain.llm import Message
from core.llm.replies.shapes import TEXT

LEAST_WORDS = 3
"""Of a text of the example that counts: a yes or a year may be the answer to anything."""

_NAME = re.compile(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b")
"""A name of the example counts as well, which nobody has whom a question is about."""

_EXAMPLE = re.compile(r"^JSON: (\{.*\})\s*$", re.MULTILINE)
_BETWEEN = re.compile(r"[\W_]+")


def copied(reply: BaseModel, messages: Sequence[Message]) -> str:
    """The text of a reply with words of the example of its prompt that what was asked has not; "" where none has.

    Case, punctuation and blanks do not count. Dots, which stand for a text in the form that a repair shows, are a copy
    too.

    Args:
        reply: As it was read.
        messages: The conversation; the example is in what the system says, as ``JSON: {...}``.
    """
    shown = _shown("\n".join(message.content for message in messages if message.role == "system"))
    asked = f" {_plain(' '.join(message.content for message in messages if message.role == 'user'))} "
    for text in _texts(reply.model_dump()):
        if text.strip() == TEXT:
            return text
        plain = f" {_plain(text)} "
        if any(example in plain and example not in asked for example in shown):
            return text
    return ""


@lru_cache(maxsize=64)
def _shown(said: str) -> tuple[str, ...]:
    """The texts of the example in what the system says, each between blanks."""
    examples = []
    for match in _EXAMPLE.finditer(said):
        try:
            examples.append(json.loads(match[1]))
        except ValueError:  # an edited prompt; it shows no example that could be copied as it is
            continue
    texts = list(_texts(examples))
    names = [_plain(name) for text in texts for name in _NAME.findall(text)]
    whole = [plain for text in texts if len((plain := _plain(text)).split()) >= LEAST_WORDS]
    return tuple(f" {text} " for text in dict.fromkeys([*whole, *names]))


def _plain(text: str) -> str:
    return _BETWEEN.sub(" ", text.casefold()).strip()


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
