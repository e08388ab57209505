"""Answers that come in pieces: server-sent events and JSON lines, put together again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.domain.results.responses import Context
from core.io.replies.answers import answer_in, said
from core.io.replies.passages import read_passages
from core.io.replies.pieces import joined
from core.io.replies.reading import Reading, read_reply
from core.io.replies.vocabulary.meanings import passages_rank
from core.io.replies.vocabulary.names import ANSWERS, DELTAS, PASSAGES, word
from core.llm.calls.thoughts import part

EVENTS: Final = ("text/event-stream",)
LINES: Final = ("application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines")
ENDS: Final = frozenset({"[DONE]", "[done]", "DONE"})

_FIELD = re.compile(r"(data|event|id|retry)?:")
_DATA = re.compile(r"^data:", re.MULTILINE)
_PREFIXED = re.compile(r"[0-9a-z]:[\[{\"]")
_PREFIXES: Final = {"0": "text", "2": "data", "8": "data", "3": "error"}
"""What the signs before the lines of a data stream of the Vercel AI SDK mean; all others are no piece of the answer."""
_ASIDE = re.compile(
    r"thought|think|reason|ping|heartbeat|keepalive|status|progress|workflow|node|start(ed)?$|log$|tool"
)
"""Kinds of events that hold no piece of the answer: how it is thought about, that the connection is alive."""
_PIECES: Final = frozenset(
    {"", "data", "token", "delta", "chunk", "message", "text", "answer", "completion", "content"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event of a stream.

    Attributes:
        kind: As it is called, or empty.
        data: Its JSON, or its text where it is none.
    """

    kind: str
    data: object


def is_stream(content_type: str, text: str) -> bool:
    """Whether a reply comes in pieces, by its content type, else by how it begins."""
    kind = content_type.partition(";")[0].strip().casefold()
    if kind in (*EVENTS, *LINES):
        return True
    start = text.lstrip("\ufeff \n\r")
    if not start.startswith(("{", "[", '"', "<")) and _DATA.search(start):
        return True
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and all(_PREFIXED.match(line) for line in lines):
        return True
    return len(lines) > 1 and all(line.lstrip().startswith("{") and line.rstrip().endswith("}") for line in lines)


def events_of(text: str) -> list[Event]:
    r"""The events of a stream in their order, without those that only end it.

    >>> [event.data for event in events_of('data: {"answer": "12"}\n\ndata: [DONE]')]
    [{'answer': '12'}]
    """
    lines = text.lstrip("\ufeff").splitlines()
    sent = any(_FIELD.match(line) for line in lines) and not any(line.startswith("{") for line in lines)
    lines = lines if sent else [line for line in lines if line.strip()]
    if lines and all(_PREFIXED.match(line) for line in lines):
        blocks: Iterator[tuple[str, str]] = ((_PREFIXES.get(line[0], "log"), line[2:]) for line in lines)
    else:
        blocks = _sent(lines) if sent else (("", line) for line in lines)
    events = []
    for name, data in blocks:
        if not data or data.strip() in ENDS:
            continue
        value = _value(data)
        kind = name
        if isinstance(value, Mapping) and (not kind or kind in ("message", "data")):
            own = next((value[key] for key in ("event", "type") if isinstance(value.get(key), str)), "")
            kind = str(own) or kind
        events.append(Event(kind=kind, data=value))
    return events


def _value(data: str) -> object:
    """The JSON of an event; a piece of text such as ``12`` or ``[1]`` stays the text it is."""
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError):
        return data
    if isinstance(value, (str, Mapping)):
        return value
    objects = isinstance(value, list) and any(isinstance(item, Mapping) for item in value)
    return value if objects else data


def _sent(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Server-sent events as the standard reads them: kind and data."""
    kind, data = "", list[str]()
    for line in (*lines, ""):
        if not line:
            if data:
                yield kind, "\n".join(data)
            kind, data = "", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            data.append(value)
        elif field == "event":
            kind = value.strip()


def read_events(events: Sequence[Event], *, document_id: str = "") -> Reading:
    """What a stream said, whole.

    The pieces of the answer are put one after the other; where each repeats what was there before, the last is the
    answer. Passages are those of the surest name, each once, whichever events they came in. An event of an error is the
    reply's error: a part of an answer is none.

    Raises:
        UnreadableFile: Passages and ids of one event are of different numbers.
    """
    error = next((message for event in events if (message := _error(event))), "")
    if error:
        return Reading(answer=None, error=error)
    answer, place = _answer(events)
    readings = [
        read_reply(_with_kind(event), document_id=document_id, where="An event of the reply")
        for event in events
        if isinstance(event.data, (Mapping, list))
    ]
    told = [reading for reading in readings if reading.contexts]
    surest = min((_rank(reading) for reading in told), default=0)
    contexts: dict[Context, None] = {
        context: None for reading in told if _rank(reading) == surest for context in reading.contexts
    }
    last = next((reading for reading in reversed(told) if _rank(reading) == surest), None)
    rest = Reading(answer=answer, contexts=tuple(contexts))
    places = {"answer": place} | ({} if last is None else {n: p for n, p in last.places.items() if n != "answer"})
    for reading in readings:
        rest = replace(
            rest,
            tokens=rest.tokens if reading.tokens is None else reading.tokens,
            latency_s=rest.latency_s if reading.latency_s is None else reading.latency_s,
            abstained=rest.abstained if reading.abstained is None else reading.abstained,
        )
    if rest.answer is None and rest.abstained:
        rest = replace(rest, answer="")
    return replace(
        rest,
        places={name: path for name, path in places.items() if path},
        ids={} if last is None else last.ids,
        told_passages=any(reading.told_passages for reading in readings),
    )


def _answer(events: Sequence[Event]) -> tuple[str | None, str]:
    places: dict[str, list[str]] = {}
    for event in events:
        piece, place = _piece(event)
        if piece is not None:
            places.setdefault(place, []).append(piece)
    if not places:
        return None, ""
    best = min(places, key=lambda place: (_unsure(place), -len(places[place])))
    return part(joined(places[best])).answer, best  # what a model only thought is no answer


def _unsure(place: str) -> int:
    names = {word(part.partition("[")[0]) for part in place.split(".")}
    return 0 if names & {"delta", *DELTAS} else 1 if names & set(ANSWERS) else 2


def _piece(event: Event) -> tuple[str | None, str]:
    kind = word(event.kind)
    if _ASIDE.search(kind) or kind in PASSAGES:
        return None, ""
    data = event.data
    if isinstance(data, str):
        return (data, "$") if kind in _PIECES else (None, "")
    if not isinstance(data, Mapping):
        return answer_in(data, guess=False)
    by_word = {word(name): value for name, value in data.items()}
    choices = by_word.get("choices")
    if isinstance(choices, list):
        first = choices[0] if choices and isinstance(choices[0], Mapping) else {}
        return said(first.get("delta") or first.get("text") or first.get("message")), "$.choices[0].delta"
    for name in DELTAS:
        if name in by_word and name not in PASSAGES:
            text = said(by_word[name])
            if text is not None:
                return text, f"$.{name}"
    if kind in _PIECES and isinstance(by_word.get("data"), str):
        return str(by_word["data"]), "$.data"
    return answer_in(data, guess=False)


def _with_kind(event: Event) -> object:
    """The data of an event, under its kind where that says that they are passages."""
    if word(event.kind) not in PASSAGES:
        return event.data
    data = event.data
    inner = data.get("data", data) if isinstance(data, Mapping) else data
    return {event.kind: inner} if read_passages(inner) else data


def _rank(reading: Reading) -> int:
    name = word(reading.places.get("contexts", "").rpartition(".")[2].partition("[")[0])
    rank = passages_rank(name)
    return len(PASSAGES) + 2 if rank is None else rank


def _error(event: Event) -> str:
    if word(event.kind) not in ("error", "exception", "responsefailed"):
        return ""
    data = event.data
    if isinstance(data, Mapping):
        return str(said({name: value for name, value in data.items() if word(name) not in ("event", "type")}) or data)
    return str(data)
