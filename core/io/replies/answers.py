"""The answer in a reply, and whether the system declined to give one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from core.io.replies.names import (
    ANSWERS,
    BLOCKED,
    DECLINED,
    DECLINING,
    DEEPEST,
    ENDINGS,
    ENVELOPES,
    MOST_ENTERED,
    PASSAGES,
    STATES,
    STOPPED,
    WHY_DECLINED,
    walk,
    word,
)
from core.io.replies.passages import is_retrieved

SPEAKERS: Final = frozenset({"assistant", "ai", "aimessage", "aimessagechunk", "model", "bot"})
_NOT_SAID: Final = frozenset({"tool", "system", "developer", "function", "typing", "toolmessage", "event"})
ASKING: Final = frozenset({"user", "human", "humanmessage"})
_SPOKEN_BY: Final = ("role", "type", "messagetype", "author", "sender", "from", "speaker")
_PIECES: Final = ("parts", "fragments")
"""Names of a list whose texts are one answer together."""

_BLOCKS: Final = ("text", "outputtext", "content", "value", "answer", "data")


def answer_in(reply: object) -> tuple[str | None, str]:
    """The answer of a whole reply, with the path it stands at.

    A name that only an answer has wins wherever it stands; then come the places where chat models and pipelines put
    theirs: the first choice, the last message of the assistant, the text blocks of an output.

    Args:
        reply: Plain data.

    Returns:
        None and "" where no place holds a text.

    >>> answer_in({"message": "success", "data": {"answer": "12 EUR"}})
    ('12 EUR', '$.data.answer')
    >>> answer_in({"choices": [{"message": {"role": "assistant", "content": "12 EUR"}}]})[0]
    '12 EUR'
    """
    if isinstance(reply, (str, int, float)) and not isinstance(reply, bool):
        return str(reply), "$"
    asked = tuple(_asked(reply))
    places = [
        (ANSWERS.index(name), depth, path, value)
        for depth, path, name, value in walk(reply)
        if name in ANSWERS and not path.startswith(asked) and not _in_passages(path) and not _retrieved(value)
    ]
    for _, _, path, value in sorted(places, key=lambda place: place[:2]):
        text = said(value)
        if text is not None:
            return text, path
    text = _spoken(reply) if isinstance(reply, list) else None
    if text is not None:
        return text, "$"
    envelopes = [
        (depth, ENVELOPES.index(name), path, value)
        for depth, path, name, value in walk(reply)
        if name in ENVELOPES and not path.startswith(asked) and not _in_passages(path) and not _retrieved(value)
    ]
    for _, _, path, value in sorted(envelopes, key=lambda place: place[:2]):
        text = said(value)
        if text is not None:
            return text, path
    return None, ""


def said(value: object, depth: int = 0) -> str | None:
    """The text of a value that holds an answer; None where it holds none.

    >>> said([{"type": "reasoning"}, {"type": "message", "content": [{"type": "output_text", "text": "12"}]}])
    '12'
    """
    if depth > DEEPEST or value is None or isinstance(value, bool):
        return None
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, list):
        return _of_list(value, depth)
    if not isinstance(value, Mapping) or value.get("thought") is True:  # a part of Gemini that was only thought
        return None
    if _speakers(value) & ASKING:
        return None
    by_word = {word(name): item for name, item in value.items()}
    for name in _PIECES:
        if isinstance(pieces := by_word.get(name), list):
            texts = [text for piece in pieces if (text := said(piece, depth + 1)) is not None]
            if texts:
                return "".join(texts)
    for name in (*ANSWERS, "message", "delta", "content", *_BLOCKS, "output", "choices", "messages", "refusal"):
        if name in by_word and not _retrieved(by_word[name]):
            text = said(by_word[name], depth + 1)
            if text is not None:
                return text
    return None


def _of_list(items: list[object], depth: int) -> str | None:
    spoken = _spoken(items)
    if spoken is not None:
        return spoken
    if items and all(isinstance(item, Mapping) and "type" in {word(name) for name in item} for item in items):
        blocks = [item for item in items if isinstance(item, Mapping) and _is_text(item)]
        parts = [part for item in blocks if (part := said(item, depth + 1))]
        return "".join(parts) if parts else None
    if any(isinstance(item, Mapping) and item.get("thought") is True for item in items):
        return "".join(text for item in items if (text := said(item, depth + 1)) is not None) or None
    return next((text for item in items if (text := said(item, depth + 1)) is not None), None)


def _retrieved(value: object) -> bool:
    """Whether a list holds passages, which are no answer under whatever name."""
    return isinstance(value, list) and bool(value) and all(is_retrieved(item) for item in value)


def _is_text(block: Mapping[str, object]) -> bool:
    kind = word(str(block.get("type", "")))
    return kind in ("", "text", "outputtext", "message", "textdelta") or kind.endswith("text")


def _spoken(items: list[object]) -> str | None:
    """What the system said last, where the items are messages of a conversation."""
    messages = [item for item in items if isinstance(item, Mapping)]
    if not messages or len(messages) != len(items):
        return None
    is_conversation = any(_speakers(message) & ASKING for message in messages)
    if not is_conversation and not all("content" in {word(name) for name in message} for message in messages):
        return None
    for message in reversed(messages):
        speakers = _speakers(message)
        if speakers & SPEAKERS or (is_conversation and speakers and not speakers & (ASKING | _NOT_SAID)):
            text = said(message)
            if text is not None:
                return text
    return None


def _asked(value: object, path: str = "$", depth: int = 0) -> Iterator[str]:
    """How the paths begin of what the user said, which is no answer."""
    if depth > DEEPEST:
        return
    if isinstance(value, Mapping):
        if depth and _speakers(value) & ASKING:
            yield f"{path}."
            return
        for name, item in value.items():
            yield from _asked(item, f"{path}.{name}", depth + 1)
    elif isinstance(value, list):
        for place, item in enumerate(value[:MOST_ENTERED]):
            yield from _asked(item, f"{path}[{place}]", depth + 1)


def _speakers(message: Mapping[str, object]) -> set[str]:
    """Who says a message, and what it is, in all the words for that."""
    found: set[str] = set()
    for name, value in message.items():
        if word(name) in _SPOKEN_BY:
            values = [value.get("role"), value.get("type")] if isinstance(value, Mapping) else [value]
            found |= {word(item) for item in values if isinstance(item, str)}
    return found


def _in_passages(path: str) -> bool:
    return any(word(part.partition("[")[0]) in PASSAGES for part in path.split(".")[1:-1] if "[" in part)


def declined_in(reply: object, answer: str | None) -> tuple[bool | None, str]:
    """Whether a reply says that the system declined, with the path where it says so.

    A truth under a name such as ``no_answer`` counts as it is, and so does a word such as ``NO_ANSWER`` under
    ``status`` or in the place of the answer.

    >>> declined_in({"status": "NO_ANSWER", "answer": None}, None)
    (True, '$.status')
    """
    for _, path, name, value in walk(reply):
        if name in DECLINED and isinstance(value, bool):
            return value, path
        if name in WHY_DECLINED and isinstance(value, (list, str)) and value:
            return True, path
    for _, path, name, value in walk(reply):
        if name in STATES and isinstance(value, str) and DECLINING.fullmatch(value.strip()):
            return True, path
    for _, path, name, value in walk(reply):
        ending = word(value) if name in ENDINGS and isinstance(value, str) else ""
        if ending in STOPPED or (ending in BLOCKED and not answer):
            return True, path
    if answer is not None and DECLINING.fullmatch(answer.strip()) and "_" in answer:
        return True, "the answer itself"
    return None, ""
