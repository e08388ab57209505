"""Services that take a question and answer later: the state is asked for until the answer is there."""

from __future__ import annotations

import time
from collections.abc import Callable

from core.domain.errors import InvalidInput, NoReply, TargetFailed
from core.targets.over_http.config import filled_url
from core.targets.over_http.json_paths import JsonPath
from core.targets.over_http.parts import Job
from core.targets.over_http.reply import parse_body

Fetch = Callable[[str], str]
"""Asks an address with GET and returns the text of the reply, or raises `NoReply`."""

SHOWN = 60


def finished(job: Job, first: str, fetch: Fetch, *, sleep: Callable[[float], None] = time.sleep) -> str:
    """The reply that has the answer.

    Args:
        job: The settings.
        first: The reply to the question, which names the job; it may be done already.
        fetch: Asks for the state.
        sleep: Waits between two questions for the state.

    Raises:
        TargetFailed: The reply names no job, the job failed, was not done in time, or there is no reply.
    """
    started = time.monotonic()
    body = parse_body(first)
    job_id = _one(body, job.path("id"), "job.id")
    address = filled_url(job.url, {"job_id": job_id})
    text, state = first, _state(body, job, needed=False)
    while state not in _words(job.done):
        if state in _words(job.failed):
            said = " ".join(text.split())[:200]
            raise TargetFailed(
                f"The job {job_id[:SHOWN]} ended as {state!r}: {said}", "The service's own log says why."
            )
        if time.monotonic() - started > job.timeout_s:
            raise TargetFailed(
                f"The job {job_id[:SHOWN]} was not done within {job.timeout_s:g} seconds; its state is {state!r}.",
                "Raise job.timeout_s, or add the state to job.done if it means that the answer is there.",
            )
        sleep(job.every_s)
        text = fetch(address)
        state = _state(parse_body(text), job, needed=True)
    return fetch(filled_url(job.result_url, {"job_id": job_id})) if job.result_url else text


def _words(states: tuple[str, ...]) -> frozenset[str]:
    return frozenset(state.strip().casefold() for state in states)


def _state(body: object, job: Job, *, needed: bool) -> str:
    path = job.path("status")
    if not needed and not _found(body, path, "job.status"):
        return ""
    return _one(body, path, "job.status").strip().casefold()


def _one(body: object, path: JsonPath, field: str) -> str:
    values = [value for value in _found(body, path, field) if isinstance(value, (str, int, float))]
    if len(values) != 1 or isinstance(values[0], bool) or not str(values[0]).strip():
        names = ", ".join(str(name)[:40] for name in list(body)[:10]) if isinstance(body, dict) else ""
        raise NoReply(
            f"{field}: the reply has no text or number at {path.text}."
            f"{f' At its top it has {names}.' if names else ''}",
            "Compare the JSONPath with the raw reply, which the Test button shows.",
            lasting=True,
        )
    return str(values[0])


def _found(body: object, path: JsonPath, field: str) -> list[object]:
    try:
        return path.find(body)
    except InvalidInput as error:
        raise TargetFailed(f"{field}: {error.message}", error.hint) from None
