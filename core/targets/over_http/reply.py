"""From the body of a reply to an answer, its contexts and what else the reply tells."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isfinite

from core.domain.errors import InvalidInput, TargetFailed, UnreadableFile
from core.domain.results.responses import Context
from core.io.recorded_answers import contexts_of
from core.targets.over_http.config import ReplyPaths

SHOWN = 200
"""Signs of a reply that a message repeats."""

_TEST = "Compare the JSONPath with the raw reply, which the Test button shows."


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What a reply said.

    Attributes:
        latency_s: As the system tells it, in seconds.
        missing: The fields that have a path and nothing at it, which is allowed for them.
    """

    answer: str
    contexts: tuple[Context, ...] = ()
    abstained: bool | None = None
    latency_s: float | None = None
    tokens: int | None = None
    missing: tuple[str, ...] = ()


def parse_body(text: str) -> object:
    """The JSON of a reply.

    Raises:
        TargetFailed: It is none.
    """
    if not text.strip():
        raise TargetFailed("The reply is empty.", "Check the URL and the method.")
    try:
        return json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        hint = "Check the URL, and ask for JSON in the header Accept where the service has a choice."
        if text.lstrip().startswith(("data:", "event:")):
            hint = "The service streams its answer: ask for the whole one in the request."
        raise TargetFailed(f"The reply is not JSON; it begins with {text.strip()[:SHOWN]!r}.", hint) from None


def _refused(constant: str) -> object:
    raise ValueError(constant)  # NaN and Infinity are no JSON


def extract(body: object, paths: ReplyPaths) -> Extracted:
    """What the paths find in a reply.

    The answer must be there. A path that can name one value only and finds none fails for contexts and document ids, as
    a mistake in it would look like a system that retrieves nothing; one such as ``$.sources[*]`` may find none.

    Raises:
        TargetFailed: Something is missing or of another kind; the message names the field and the path.
    """
    missing: list[str] = []
    abstained = _only(body, paths, "abstained", missing)
    if not (abstained is None or isinstance(abstained, bool)):
        raise _wrong("abstained", paths, abstained, "true or false")
    answer = _answer(body, paths, abstained=abstained is True)
    tokens = _number(body, paths, "tokens", missing)
    latency = _number(body, paths, "latency", missing)
    if latency is not None and paths.latency_unit == "ms":
        latency /= 1000
    return Extracted(
        answer=answer,
        contexts=_contexts(body, paths, missing),
        abstained=abstained,
        latency_s=latency,
        tokens=None if tokens is None else int(tokens),
        missing=tuple(missing),
    )


def _answer(body: object, paths: ReplyPaths, *, abstained: bool) -> str:
    values = _values_at(body, paths, "answer")
    if len(values) > 1:
        raise TargetFailed(
            f"answer: {paths.answer} names {len(values)} values of the reply.",
            f"Name one{_first_of(paths.answer)}. {_TEST}",
        )
    answer = values[0] if values else None
    if answer is None and abstained:
        return ""
    if not values:
        raise _nothing("answer", paths, body)
    if isinstance(answer, str):
        return answer
    if isinstance(answer, (int, float)) and not isinstance(answer, bool):
        return str(answer)
    raise _wrong("answer", paths, answer, "text")


def _first_of(path: str) -> str:
    """How a path that names several values names the first, as an addition to "Name one"."""
    return f", as in {path.replace('[*]', '[0]')}" if "[*]" in path else ""


def _contexts(body: object, paths: ReplyPaths, missing: list[str]) -> tuple[Context, ...]:
    passages = _list(body, paths, "contexts", missing)
    ids = _list(body, paths, "document_ids", missing)
    try:
        return contexts_of(passages, ids, "The reply")
    except UnreadableFile as error:
        places = " and ".join(
            f"{name}: {getattr(paths, name)}" for name in ("contexts", "document_ids") if getattr(paths, name)
        )
        raise TargetFailed(f"{error.message} ({places})", f"{error.hint} {_TEST}") from None


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
        raise TargetFailed(
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
        return path.find(body) if path else []
    except InvalidInput as error:
        raise TargetFailed(f"{field}: {error.message}", error.hint) from None


def _nothing(field: str, paths: ReplyPaths, body: object) -> TargetFailed:
    names = ", ".join(str(name)[:40] for name in list(body)[:10]) if isinstance(body, dict) else ""
    there = f"At its top it has {names}." if names else f"It is {_kind(body)}."
    return TargetFailed(f"{field}: the reply has nothing at {getattr(paths, field)}. {there}", _TEST)


def _wrong(field: str, paths: ReplyPaths, value: object, expected: str) -> TargetFailed:
    return TargetFailed(f"{field}: at {getattr(paths, field)} the reply has {_kind(value)}, not {expected}.", _TEST)


def _kind(value: object) -> str:
    if isinstance(value, (bool, int, float)):
        return json.dumps(value)
    if isinstance(value, str):
        return f"the text {value[:60]!r}"
    return "nothing (null)" if value is None else "a list" if isinstance(value, list) else "an object"
