"""From a reply to an answer, its contexts and what else it tells: a body of JSON, or a stream of events."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from math import isfinite

from core.domain.errors import InvalidInput, TargetFailed, UnreadableFile
from core.domain.results.responses import Context
from core.io.replies.contexts import contexts_of
from core.io.replies.passages import read_passage
from core.io.replies.pieces import joined
from core.io.replies.reading import Reading, read_reply
from core.io.replies.streams import Event, events_of, is_stream, read_events
from core.io.replies.vocabulary.names import DECLINING
from core.llm.calls.thoughts import part
from core.targets.over_http.paths import ReplyPaths

SHOWN = 200
"""Signs of a reply that a message repeats."""

ANSWERED = frozenset({"ok", "success", "succeeded", "answered", "answer", "completed", "complete", "done", "found"})
"""Words of a status that say that there is an answer."""

_TEST = "Compare the JSONPath with the raw reply, which the Test button shows."


_misread = partial(TargetFailed, lasting=True)
"""What is wrong with the settings, or with every reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What a reply said.

    Attributes:
        latency_s: As the system tells it, in seconds.
        missing: The fields that have a path and nothing at it, which is allowed for them.
        places: Where what has no path was read, by field.
        ids: Other names in the passages that could be those of their documents, with a value.
        told_passages: Whether the reply has a place for passages at all.
    """

    answer: str
    contexts: tuple[Context, ...] = ()
    abstained: bool | None = None
    latency_s: float | None = None
    tokens: int | None = None
    missing: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    ids: Mapping[str, str] = field(default_factory=dict)
    told_passages: bool = True


@dataclass(frozen=True, slots=True)
class _Streamed:
    """The events of a reply that came in pieces."""

    events: tuple[Event, ...]


def read_text(text: str, paths: ReplyPaths, content_type: str = "") -> Extracted:
    """What a reply said, whatever it came as.

    Args:
        text: The whole reply.
        paths: Where it keeps what.
        content_type: As the service says it.

    Raises:
        TargetFailed: It is neither JSON nor a stream, or something is missing or of another kind.
    """
    if not is_stream(content_type, text):
        return extract(parse_body(text), paths)
    events = tuple(events_of(text))
    if not events:
        raise _misread("The reply is a stream without any event.", "Check the URL and the request.")
    error = read_events(events).error
    if error:
        raise TargetFailed(f"The stream ended in an error: {error[:SHOWN]}", "The service's own log says why.")
    return extract(_Streamed(events), paths)


def parse_body(text: str) -> object:
    """The JSON of a reply.

    Raises:
        TargetFailed: It is none.
    """
    text = text.removeprefix("\ufeff")  # some servers begin with a mark of the byte order
    if not text.strip():
        raise _misread("The reply is empty.", "Check the URL and the method.")
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        hint = "Check the URL, and ask for JSON in the header Accept where the service has a choice."
        raise _misread(f"The reply is not JSON; it begins with {text.strip()[:SHOWN]!r}.", hint) from None


def _no_number(constant: str) -> None:
    """NaN and Infinity are no JSON, and Python's services write them all the same, as a score that there is not."""


def extract(body: object, paths: ReplyPaths) -> Extracted:
    """What the paths find in a reply.

    Without a path of the answer the reply is read as it is, and paths of other fields count before that.

    The answer must be there. A path that can name one value only and finds none fails for contexts and document ids, as
    a mistake in it would look like a system that retrieves nothing; one such as ``$.sources[*]`` may find none.

    Raises:
        TargetFailed: Something is missing or of another kind; the message names the field and the path.
    """
    reading = _as_it_is(body, paths) if not paths.answer else None
    missing: list[str] = []
    abstained = _abstained(body, paths, missing)
    if abstained is None and reading is not None:
        abstained = reading.abstained
    tokens = _number(body, paths, "tokens", missing)
    latency = _number(body, paths, "latency", missing)
    if latency is not None and paths.latency_unit == "ms":
        latency /= 1000
    placed = bool(paths.contexts or paths.document_ids)
    answer = _answer(body, paths, abstained=abstained is True) if reading is None else _read_answer(reading, abstained)
    extracted = Extracted(
        answer=answer,
        contexts=_contexts(body, paths, missing) if placed or reading is None else reading.contexts,
        abstained=abstained,
        latency_s=latency,
        tokens=None if tokens is None else int(tokens),
        missing=tuple(missing),
        told_passages=placed,
    )
    if reading is None:
        return extracted
    return replace(
        extracted,
        latency_s=reading.latency_s if latency is None else latency,
        tokens=reading.tokens if tokens is None else extracted.tokens,
        places=reading.places,
        ids=reading.ids,
        told_passages=placed or reading.told_passages,
    )


def _as_it_is(body: object, paths: ReplyPaths) -> Reading:
    try:
        if isinstance(body, _Streamed):
            return read_events(body.events, document_id=paths.document_id)
        return read_reply(body, document_id=paths.document_id)
    except UnreadableFile as error:
        raise _misread(error.message, error.hint) from None


def _read_answer(reading: Reading, abstained: bool | None) -> str:
    if reading.answer is not None:
        return reading.answer
    if abstained:
        return ""
    if reading.error:
        raise TargetFailed(f"The service says: {reading.error[:SHOWN]}", "Its own log says more.")
    raise _misread(
        "The reply has no answer under a name that is usual.",
        f"Give the JSONPath of the answer as response.answer. {_TEST}",
    )


def _abstained(body: object, paths: ReplyPaths, missing: list[str]) -> bool | None:
    """Whether the system declined, by a truth or by one of the words that mean it."""
    value = _only(body, paths, "abstained", missing)
    if value is None or (isinstance(value, bool) and not paths.abstained_values):
        return value
    if paths.abstained_values:
        said = json.dumps(value) if isinstance(value, bool) else str(value)
        return any(fnmatchcase(said.strip().casefold(), word.casefold()) for word in paths.abstained_values)
    if isinstance(value, str) and DECLINING.fullmatch(value.strip()):
        return True
    if isinstance(value, str) and value.strip().casefold() in ANSWERED:
        return False
    wrong = _wrong("abstained", paths, value, "true or false")
    raise _misread(wrong.message, "Say in response.abstained_values which words mean that it declined.")


def _answer(body: object, paths: ReplyPaths, *, abstained: bool) -> str:
    values = _values_at(body, paths, "answer")
    if len(values) > 1:
        raise _misread(
            f"answer: {paths.answer} names {len(values)} values of the reply.",
            f"Name one{_first_of(paths.answer)}. {_TEST}",
        )
    answer = values[0] if values else None
    if answer is None and abstained:
        return ""
    if not values:
        raise _nothing("answer", paths, body)
    if isinstance(answer, str):
        return part(answer).answer  # what a model only thought is no answer
    if isinstance(answer, (int, float)) and not isinstance(answer, bool):
        return str(answer)
    raise _wrong("answer", paths, answer, "text")


def _first_of(path: str) -> str:
    """How a path that names several values names the first, as an addition to "Name one"."""
    return f", as in {path.replace('[*]', '[0]')}" if "[*]" in path else ""


def _contexts(body: object, paths: ReplyPaths, missing: list[str]) -> tuple[Context, ...]:
    passages = _list(body, paths, "contexts", missing)
    ids = _list(body, paths, "document_ids", missing)
    scores = _list(body, paths, "scores", missing)
    if passages is not None:
        passages = [_passage(item, paths.document_id) for item in passages]
    try:
        return contexts_of(passages, ids, "The reply", scores=scores)
    except UnreadableFile as error:
        places = " and ".join(
            f"{name}: {getattr(paths, name)}" for name in ("contexts", "document_ids") if getattr(paths, name)
        )
        raise _misread(f"{error.message} ({places})", f"{error.hint} {_TEST}") from None


def _passage(item: object, document_id: str) -> object:
    """An object of whatever make by the names of a recording."""
    if not isinstance(item, dict):
        return item
    passage = read_passage(item, document_id=document_id)
    return {
        "text": passage.text,
        "document_id": passage.document_id or None,
        "chunk_id": passage.chunk_id or None,
        "score": passage.score,
    }


def _list(body: object, paths: ReplyPaths, field: str, missing: list[str]) -> list[object] | None:
    path = paths.path(field)
    if path is None:
        return None
    values = _values_at(body, paths, field)
    if not values:
        if path.single:
            raise _nothing(field, paths, body)
        missing.append(field)
    if len(values) == 1 and isinstance(values[0], list):
        return values[0]
    if len(values) == 1 and values[0] is None:
        return []
    return values


def _only(body: object, paths: ReplyPaths, field: str, missing: list[str]) -> object:
    if not getattr(paths, field):
        return None
    values = _values_at(body, paths, field)
    if len(values) > 1:
        raise _misread(
            f"{field}: {getattr(paths, field)} names {len(values)} values of the reply.", f"Name one. {_TEST}"
        )
    if not values:
        missing.append(field)
    return values[0] if values else None


def _number(body: object, paths: ReplyPaths, field: str, missing: list[str]) -> float | None:
    value = _only(body, paths, field, missing)
    if value is None:
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value) and value >= 0:
        return value
    raise _wrong(field, paths, value, "a number that is not negative")


def _values_at(body: object, paths: ReplyPaths, field: str) -> list[object]:
    path = paths.path(field)
    try:
        if path is None:
            return []
        if not isinstance(body, _Streamed):
            return path.find(body)
        told = [values for event in body.events if (values := path.find(event.data)) and values != [None]]
        if field == "answer":
            pieces = [value for values in told for value in values]
            return [joined([str(piece) for piece in pieces])] if pieces else []
        return told[-1] if told else []
    except InvalidInput as error:
        raise _misread(f"{field}: {error.message}", error.hint) from None


def _nothing(field: str, paths: ReplyPaths, body: object) -> TargetFailed:
    if isinstance(body, _Streamed):
        return _misread(
            f"{field}: none of the {len(body.events):,} events of the stream has anything at {getattr(paths, field)}.",
            _TEST,
        )
    names = ", ".join(str(name)[:40] for name in list(body)[:10]) if isinstance(body, dict) else ""
    there = f"At its top it has {names}." if names else f"It is {_kind(body)}."
    return _misread(f"{field}: the reply has nothing at {getattr(paths, field)}. {there}", _TEST)


def _wrong(field: str, paths: ReplyPaths, value: object, expected: str) -> TargetFailed:
    return _misread(f"{field}: at {getattr(paths, field)} the reply has {_kind(value)}, not {expected}.", _TEST)


def _kind(value: object) -> str:
    if isinstance(value, (bool, int, float)):
        return json.dumps(value)
    if isinstance(value, str):
        return f"the text {value[:60]!r}"
    return "nothing (null)" if value is None else "a list" if isinstance(value, list) else "an object"
