"""A reply read as it is: no path says where the answer, the passages and the rest of it stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Final

from core.domain.results.responses import Context
from core.domain.sources.document_ids import normalise_id
from core.io.replies.answers import answer_in, declined_in
from core.io.replies.contexts import contexts_of
from core.io.replies.inner import inner, opened, tabled
from core.io.replies.passages import Passage, most_named_by, names_of_ids, read_passages
from core.io.replies.places import documents_cited, passages_in, passages_observed
from core.io.replies.vocabulary.meanings import is_known_place
from core.io.replies.vocabulary.names import (
    CHUNK_IDS,
    ERRORS,
    LATENCIES,
    PASSAGE_IDS,
    PASSAGE_SCORES,
    TOKENS,
    walk,
    word,
)
from core.llm.calls.thoughts import part

MOST_WRAPS: Final = 3
"""How often JSON may be the text of JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a reply said, and where.

    Attributes:
        answer: None where no place holds one.
        contexts: The passages, in the order of the reply.
        places: Where each was read, by "answer", "contexts", "document_ids", "abstained": a path or a name.
        ids: Other names in the passages that could be those of their documents, with a value.
        error: What the system says went wrong, or empty.
        told_passages: Whether the reply has a place for passages at all, be it empty.
    """

    answer: str | None
    contexts: tuple[Context, ...] = ()
    abstained: bool | None = None
    tokens: int | None = None
    latency_s: float | None = None
    error: str = ""
    told_passages: bool = False
    places: Mapping[str, str] = field(default_factory=dict)
    ids: Mapping[str, str] = field(default_factory=dict)


def read_reply(reply: object, *, document_id: str = "", where: str = "The reply") -> Reading:
    """What a system of whatever make replied.

    Args:
        reply: Plain data: a text, or mappings and lists.
        document_id: Name of the document's id in its passages; empty for the usual ones.
        where: What it is, for messages.

    Raises:
        UnreadableFile: Its passages and their ids are of different numbers.
    """
    reply = tabled(reply)
    whole, reply = reply, _opened(reply)
    passages, at, place = passages_in(reply, document_id=document_id)
    if not any(passage.text for passage in passages):
        within = _within(whole, document_id)
        if not passages or any(passage.text for passage in within[0]):
            passages, at, place = within
    if at == "$" and isinstance(reply, list):  # a retriever: passages and nothing else
        answer, answer_at = None, ""
    else:
        answer, answer_at = answer_in(reply)
        answer = None if answer is None else part(answer).answer  # what a model only thought is no answer
    abstained, abstained_at = declined_in(reply, answer)
    tokens, latency = _number(reply, TOKENS), _number(reply, LATENCIES)
    places = {"answer": answer_at, "contexts": at, "document_ids": most_named_by(passages), "abstained": abstained_at}
    return Reading(
        answer="" if answer is None and abstained else answer,
        contexts=_contexts(reply, passages, where),
        abstained=abstained,
        tokens=None if tokens is None else int(tokens),
        latency_s=latency,
        error=_error(reply) if answer is None else "",
        told_passages=bool(passages) or any(is_known_place(name) for _, _, name, _ in walk(reply)),
        places={name: path for name, path in places.items() if path},
        ids=names_of_ids(place),
    )


def context_of(passage: Passage) -> Context:
    """A passage as the context of a response."""
    return Context(
        document_id=normalise_id(passage.document_id) if passage.document_id else "",
        text=passage.text,
        score=passage.score,
        chunk_id=passage.chunk_id,
    )


def contexts_of_reply(value: object, *, document_id: str = "") -> tuple[Context, ...]:
    """The contexts in a value of a reply, such as a JSONPath found it."""
    return tuple(context_of(passage) for passage in read_passages(value, document_id=document_id))


def _opened(reply: object) -> object:
    """A reply that is nothing but JSON in a text, or has its answer in one, as what that holds."""
    for _ in range(MOST_WRAPS):
        answer, _ = answer_in(reply)
        if isinstance(reply, str):
            held = inner(reply)
        elif answer is None:
            held = opened(reply)
        else:
            held = inner(answer)
        if held is None or held == reply or answer_in(held, guess=False)[0] is None:
            break
        reply = held
    return reply


def _within(reply: object, document_id: str) -> tuple[list[Passage], str, object]:
    """The passages in texts of JSON, in flat names, or in what an agent's tools returned."""
    whole = opened(reply)
    for place in (passages_in, passages_observed, documents_cited):
        found = place(whole, document_id=document_id)
        if found[0]:
            break
    return found


def _contexts(reply: object, passages: list[Passage], where: str) -> tuple[Context, ...]:
    """The passages with what stands side by side with them: ids, ids of parts, scores."""
    beside = [_beside(reply, names) for names in (PASSAGE_IDS, CHUNK_IDS, PASSAGE_SCORES)]
    if not any(beside) or any(passage.document_id for passage in passages):
        return tuple(context_of(passage) for passage in passages)
    ids, chunks, scores = beside
    texts = [
        {"text": passage.text, "chunk_id": passage.chunk_id or None, "score": passage.score} for passage in passages
    ]
    return contexts_of(texts or None, ids, where, chunks=chunks, scores=scores)


def _beside(reply: object, names: tuple[str, ...]) -> list[object] | None:
    for depth, _, name, value in walk(reply):
        if depth < 2 and name in names and isinstance(value, list):
            return value
    return None


def _number(reply: object, names: tuple[str, ...]) -> float | None:
    # What was asked is not entered, and tokens are counted there: "usage" is looked into by itself.
    roots: list[object] = [reply]
    if isinstance(reply, Mapping):
        roots += [value for _, _, name, value in walk(reply) if name in ("usage", "usagemetadata", "tokenusage")]
    for root in roots:
        for _, _, name, value in walk(root):
            if name not in names or isinstance(value, bool) or not isinstance(value, (int, float)):
                continue
            if isfinite(value) and value >= 0:
                return float(value)
    return None


def _error(reply: object) -> str:
    if not isinstance(reply, Mapping):
        return ""
    for name, value in reply.items():
        if word(name) in ERRORS and value:
            return str(value.get("message") or value) if isinstance(value, Mapping) else str(value)
    return ""
