"""The answer in a reply, and whether the system declined to give one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from core.io.replies.layers import is_address
from core.io.replies.passages import is_retrieved
from core.io.replies.pieces import joined
from core.io.replies.places import passage_paths
from core.io.replies.vocabulary import foreign_nouns
from core.io.replies.vocabulary.meanings import answer_rank, is_known_place, is_whole, says_declined
from core.io.replies.vocabulary.names import (
    ANSWERS,
    ASKED,
    BLOCKED,
    DECLINING,
    DEEPEST,
    ENDINGS,
    ENVELOPES,
    ERRORS,
    MOST_ENTERED,
    PENDING,
    STATES,
    STOPPED,
    WHY_DECLINED,
    walk,
    word,
)

SPEAKERS: Final = frozenset({"assistant", "ai", "aimessage", "aimessagechunk", "model", "bot", "agent", "chatbot"})
_NOT_SAID: Final = frozenset({"tool", "system", "developer", "function", "typing", "toolmessage", "event"})
ASKING: Final = frozenset({"user", "human", "humanmessage", "customer", "visitor", "userprompt"})
_SPOKEN_BY: Final = ("role", "type", "messagetype", "author", "sender", "from", "speaker", "partkind")
_KINDS: Final = ("type", "messagetype", "kind")
_MEANT: Final = frozenset(
    {"answer", "content", "final", "finalanswer", "messageoutput", "inform", "response", "result"}
)
"""Kinds of a message that is the answer, where others of the same speaker say what it does or proposes."""
_PIECES: Final = ("parts", "fragments", "segments")
"""Names of a list whose texts are one answer together."""

_SENTENCES: Final = ("sentences", "statements")
"""Names of a list whose texts are the sentences of one answer."""

_BLOCKS: Final = (
    "text",
    "outputtext",
    "content",
    "value",
    "answer",
    "data",
    "utterance",
    "speech",
    "markdown",
    "html",
    *foreign_nouns.TEXTS,
)
_ASIDE: Final = frozenset(
    {
        *("title", "description", "detail", "details", "hint", "note", "notes", "warning", "warnings", "disclaimer"),
        *("name", "label", "model", "status", "statustext", "error", "errormessage", "msg", "info", "instructions"),
        *("systemprompt", "template", "version", "date", "time", "timestamp", "createdat", "rephrasedquery"),
    }
)
"""Names of a sentence that is no answer, though it is the only one."""
_LOOKED_AT: Final = frozenset({"observation", "observations", "toolcalls", "toolresults", "scratchpad"})
"""Names of what a system looked at on its way; a sentence within is not what it answered."""
_RESULT = re.compile(r"\$\.results\[\d+\]\.[^.]+")
_PARTS_OF_ONE: Final = ("short", "headline", "summary", "explanation", "details", "detail", "long", "full")
"""Names of the parts of an answer that is an object of texts, in the order in which they are read."""
_CHUNKS: Final = frozenset({"candidates", "choices", "delta"})
_NEAR: Final = 3
"""How deep a truth may stand that says whether the system declined; deeper ones are about its parts."""
_CODES: Final = frozenset({"code", "statuscode", "errcode", "errno", "success", "ok", "status"})
_SEVERAL_WORDS: Final = re.compile(r"\S+\s+\S+\s+\S|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{4}")


def answer_in(reply: object, *, guess: bool = True) -> tuple[str | None, str]:
    """The answer of a whole reply, with the path it stands at.

    A name that only an answer has wins wherever it stands; then come the places where chat models and pipelines put
    theirs: the first choice, the last message of the assistant, the text blocks of an output.

    Args:
        reply: Plain data.
        guess: Whether the only sentence of a reply is its answer, whatever it is called.

    Returns:
        None and "" where no place holds a text.

    >>> answer_in({"message": "success", "data": {"answer": "12 EUR"}})
    ('12 EUR', '$.data.answer')
    >>> answer_in({"choices": [{"message": {"role": "assistant", "content": "12 EUR"}}]})[0]
    '12 EUR'
    """
    if isinstance(reply, (str, int, float)) and not isinstance(reply, bool):
        return str(reply), "$"
    if isinstance(reply, list) and (pieces := _of_pieces(reply)):
        return joined(pieces), "$"
    if isinstance(reply, list) and (lines := _of_messages(reply)):
        return "\n".join(lines), "$"
    asked = tuple(_asked(reply))
    said_here = [place for place in walk(reply) if not _is_apart(place[1], place[2], place[3], asked)]
    text, at = _by_name(said_here, surely=True)
    if text is None:
        retrieved = tuple(passage_paths(reply))
        said_here = [place for place in said_here if not place[1].startswith(retrieved)]
        text, at = _by_name(said_here, surely=False)
        text = text or None
    if text is None and isinstance(reply, list):
        text, at = _spoken(reply), "$"
    if text is None and not _is_pending(reply):
        text, at = _in_envelopes(said_here)
    is_told = any(answer_rank(name) is not None for _, _, name, _ in said_here)  # and is null
    if text is None and guess and not is_told and not _is_pending(reply):
        text, at = _only_sentence(said_here)
    return text, at if text is not None else ""


_Places = list[tuple[int, str, str, object]]


def _is_apart(path: str, name: str, value: object, asked: tuple[str, ...]) -> bool:
    """Whether something is a part of what was asked or retrieved; an extract that a search calls its answer is none."""
    if any(word(part) in ERRORS for part in path.split(".")[1:-1]):
        return True
    if name in ANSWERS and _RESULT.search(path):  # a result that holds an answer is no passage
        return path.startswith(asked)
    return path.startswith(asked) or _in_passages(path) or (_retrieved(value) and not name.endswith("answers"))


def _by_name(places: _Places, *, surely: bool) -> tuple[str | None, str]:
    named = [
        (rank, depth, path, value)
        for depth, path, name, value in places
        if (rank := answer_rank(name)) is not None and (rank < len(ANSWERS)) is surely
    ]
    return _first_said((path, value) for _, _, path, value in sorted(named, key=lambda place: place[:2]))


def _in_envelopes(places: _Places) -> tuple[str | None, str]:
    """What stands where chat models and pipelines put an answer or was said last, the nearest first."""
    held: list[tuple[int, int, str, object]] = []
    for depth, path, name, value in places:
        if name in ENVELOPES:
            rank = ENVELOPES.index(name) + (2 * len(ENVELOPES) if _is_receipt(path, name, value, places) else 0)
            held.append((depth if rank < len(ENVELOPES) else DEEPEST, rank, path, value))
        elif is_whole(name) or name in _SENTENCES:
            whole = {name: value} if name in _SENTENCES else value
            held.append((depth, len(ENVELOPES) + 1, path, whole))
        elif name not in ASKED and _is_said(value):
            held.append((depth, len(ENVELOPES), path, value))
    return _first_said((path, value) for _, _, path, value in sorted(held, key=lambda place: place[:2]))


def _is_said(value: object) -> bool:
    """Whether something is a message of the system, or a conversation with one."""
    if isinstance(value, Mapping):
        return bool(_speakers(value) & SPEAKERS)
    return isinstance(value, list) and _spoken(value) is not None


def _is_pending(reply: object) -> bool:
    """Whether a reply says that the question was only taken on."""
    top = reply.items() if isinstance(reply, Mapping) else ()
    return any(word(name) in STATES and isinstance(value, str) and word(value) in PENDING for name, value in top)


def _is_receipt(path: str, name: str, value: object, places: _Places) -> bool:
    """Whether a message beside a code or a state says how the call went, and is no answer unless nothing else is."""
    if name != "message" or not isinstance(value, str):
        return False
    parent = path.rpartition(".")[0]
    return any(other in _CODES and place == f"{parent}.{place.rpartition('.')[2]}" for _, place, other, _ in places)


def _first_said(places: Iterable[tuple[str, object]]) -> tuple[str | None, str]:
    texts = [(said(value), path, value) for path, value in places]
    found = [
        (text, path) for text, path, value in texts if text is not None and (text.strip() or isinstance(value, str))
    ]
    return next((pair for pair in found if pair[0]), found[0] if found else (None, ""))


def _of_pieces(items: list[object]) -> list[str]:
    """The pieces of an answer that came in pieces, such as chunks of a model in a list; none where it is whole."""
    chunks = [item for item in items if isinstance(item, Mapping) and _CHUNKS & {word(name) for name in item}]
    if len(items) < 2 or len(chunks) != len(items):
        return []
    return [text for item in items if (text := answer_in(item, guess=False)[0])]


def _of_messages(items: list[object]) -> list[str]:
    """The texts of several messages to one person, which nobody is said to say, as a bot's channel gives them."""
    texts = [item.get("text") for item in items if isinstance(item, Mapping) and "recipient_id" in item]
    said_all = [text for text in texts if isinstance(text, str)]
    return said_all if len(said_all) == len(items) > 1 else []


def _only_sentence(places: _Places) -> tuple[str | None, str]:
    """The only text of several words that is neither asked, nor retrieved, nor about the reply; none where two are."""
    texts = {
        value: path
        for _, path, name, value in reversed(places)
        if isinstance(value, str)
        and name not in _ASIDE
        and name not in ASKED
        and not _LOOKED_AT & {word(part.partition("[")[0]) for part in path.split(".")}
        and _SEVERAL_WORDS.search(value)
        and not is_address(value)
    }
    return next(iter(texts.items())) if len(texts) == 1 else (None, "")


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
    for name in (*_PIECES, *_SENTENCES):
        if isinstance(pieces := by_word.get(name), list):
            texts = [text for piece in pieces if (text := said(piece, depth + 1)) is not None]
            if texts:
                return (" " if name in _SENTENCES else "").join(texts)
    known = sorted((name for name in by_word if answer_rank(name) is not None), key=lambda name: answer_rank(name) or 0)
    for name in (*known, "message", "delta", "content", *_BLOCKS, "output", "choices", "messages", "refusal"):
        if name in by_word and not _retrieved(by_word[name]):
            text = said(by_word[name], depth + 1)
            if text is not None:
                return text
    texts_of = (item for name, item in by_word.items() if name.endswith(("text", "body")) and isinstance(item, str))
    text = next(texts_of, None)
    return text or _of_parts(by_word)


def _of_parts(by_word: Mapping[str, object]) -> str | None:
    """An answer that is an object of texts, such as ``{"short": "No", "explanation": "..."}``, as one text."""
    texts = [text.strip() for name in _PARTS_OF_ONE if isinstance(text := by_word.get(name), str) and text.strip()]
    ended = [text if text[-1] in ".!?" else f"{text}." for text in texts[:-1]]
    return " ".join((*ended, *texts[-1:])) or None


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
    all_spoken = all(_speakers(message) & (SPEAKERS | ASKING | _NOT_SAID) for message in messages)
    if (
        not is_conversation
        and not all_spoken
        and not all("content" in {word(name) for name in message} for message in messages)
    ):
        return None
    for sure in (True, False):
        for message in reversed(messages):
            speakers = _speakers(message)
            if sure and not _is_meant(message):
                continue
            if speakers & SPEAKERS or (is_conversation and speakers and not speakers & (ASKING | _NOT_SAID)):
                text = said(message)
                if text is not None:
                    return text
    return None


def _is_meant(message: Mapping[str, object]) -> bool:
    """Whether a message is the answer by its kind, or has no kind of its own."""
    kinds = {word(str(value)) for name, value in message.items() if word(name) in _KINDS and isinstance(value, str)}
    kinds -= SPEAKERS | _NOT_SAID | ASKING
    return not kinds or bool(kinds & (_MEANT | {"message", "text"}))


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
            found |= {said for item in values if isinstance(item, str) for said in (word(item), *_words(item))}
    return found


def _words(name: str) -> list[str]:
    """The words of a speaker's name: ``GLEAN_AI`` is one of a system."""
    return re.split(r"[^a-z]+", name.casefold())


def _in_passages(path: str) -> bool:
    return any(is_known_place(word(part.partition("[")[0])) for part in path.split(".")[1:-1] if "[" in part)


def declined_in(reply: object, answer: str | None) -> tuple[bool | None, str]:
    """Whether a reply says that the system declined, with the path where it says so.

    A truth under a name such as ``no_answer`` counts as it is, and so does a word such as ``NO_ANSWER`` under
    ``status`` or in the place of the answer.

    >>> declined_in({"status": "NO_ANSWER", "answer": None}, None)
    (True, '$.status')
    """
    for depth, path, name, value in walk(reply):
        declined = says_declined(name, value) if isinstance(value, bool) and depth <= _NEAR else None
        if declined is not None:
            return declined, path
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
