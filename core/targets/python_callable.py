"""A Python function of the user's own as the system under test.

It runs the user's code in this process, with all that this process may do; a server with sign-in does not open it. The
function is called with the question from as many threads as were asked for, one by default, since most code is not made
for several.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.domain.errors import InvalidInput, TargetFailed, UnreadableFile
from core.domain.results.responses import Context, Response
from core.io.recorded_answers import CONTEXT_ID, CONTEXT_TEXT, read_row
from core.net.pacing import Pace
from core.net.waiting import TookTooLong, within
from core.targets.protocol import Target, TargetRequest, TargetSpec
from core.targets.registry import register

FIELDS = (
    "answer",
    "response",
    "output",
    "contexts",
    "retrieved_contexts",
    "document_ids",
    "retrieved_document_ids",
    "abstained",
    "latency_s",
    "tokens",
    "error",
)
"""What is read from a returned object that is no mapping, by the names a recording has."""

SHOWN = 500
_SPEC = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)")


class PythonTarget:
    """Calls a function with each question.

    It returns the answer as text; a mapping or an object with `answer` and, where it tells them, `contexts` (texts, or
    objects with `document_id` and `text`), `document_ids`, `abstained`, `latency_s`, `tokens`; or a `Response`. It may
    be asynchronous.

    Args:
        name: The spec it was opened with.
        function: The function.
        concurrency: From how many threads it is called at once.
        rate: Calls a second at most; None for no limit.
        timeout_s: Seconds one call may take; the thread of a call that takes longer cannot be stopped and is left.
    """

    words_to_encode = 0

    def __init__(
        self,
        name: str,
        function: Callable[[str], object],
        *,
        concurrency: int = 1,
        rate: float | None = None,
        timeout_s: float | None = None,
    ) -> None:
        self.name = name
        self.concurrency = concurrency
        self._function = function
        self._pace = Pace(rate)
        self._timeout = timeout_s

    def prepare(self, progress: Callable[[str, int, int], None], should_stop: Callable[[], bool]) -> bool:
        """Nothing to do."""
        return True

    def answer(self, case_id: str, question: str) -> Response:
        """Answers one question.

        Raises:
            TargetFailed: The function raised, took too long, or returned what is no answer.
        """
        self._pace.wait()
        started = time.perf_counter()
        try:
            returned = within(self._timeout, lambda: _called(self._function, question))
        except TookTooLong:
            raise TargetFailed(
                f"{self.name} took more than {self._timeout:g} seconds.",
                "Raise the timeout, or check what it waits for.",
            ) from None
        return _response(returned, case_id, self.name, time.perf_counter() - started)


def _called(function: Callable[[str], object], question: str) -> object:
    try:
        returned = function(question)
        if inspect.isawaitable(returned):
            return asyncio.run(_awaited(returned))
    except (Exception, SystemExit) as error:  # the user's own code may raise anything
        reason = f": {str(error)[:SHOWN]}" if str(error) else ""
        raise TargetFailed(f"The function raised {type(error).__name__}{reason}.", "Its own log says more.") from error
    return returned


async def _awaited(returned: object) -> object:
    return await returned  # type: ignore[misc]


def _response(returned: object, case_id: str, name: str, seconds: float) -> Response:
    if isinstance(returned, Response):
        return replace(
            returned, case_id=case_id, latency_s=seconds if returned.latency_s is None else returned.latency_s
        )
    if isinstance(returned, str):
        return Response(case_id=case_id, answer=returned, latency_s=seconds)
    row = dict(returned) if isinstance(returned, Mapping) else _fields(returned, FIELDS)
    if returned is None or not row:
        raise TargetFailed(
            f"The function returned {type(returned).__name__}, which has no answer.",
            "Return a text, or a mapping with answer and contexts.",
        )
    for field in ("contexts", "retrieved_contexts"):
        if isinstance(values := row.get(field), Sequence) and not isinstance(values, str):
            row[field] = [_context(item) for item in values]
    for field in ("document_ids", "retrieved_document_ids"):
        if isinstance(values := row.get(field), Sequence) and not isinstance(values, str):
            row[field] = list(values)
    try:
        read = read_row({**row, "case_id": case_id}, "What the function returned")
    except UnreadableFile as error:
        raise TargetFailed(error.message, error.hint) from None
    if read.answer is None:
        raise TargetFailed(read.error if row.get("error") else "The function returned no answer.", "")
    return Response(
        case_id=case_id,
        answer=read.answer,
        contexts=read.contexts,
        abstained=read.abstained,
        latency_s=seconds if read.latency_s is None else read.latency_s,
        tokens=read.tokens,
    )


def _context(item: object) -> object:
    if isinstance(item, Context):
        return {
            "document_id": item.document_id,
            "text": item.text,
            "score": item.score,
            "chunk_id": item.chunk_id or None,
        }
    if item is None or isinstance(item, (str, Mapping)):
        return dict(item) if isinstance(item, Mapping) else item
    return _fields(item, (*CONTEXT_ID, *CONTEXT_TEXT, "score", "chunk_id")) or item


def _fields(thing: object, names: Sequence[str]) -> dict[str, object]:
    return {name: value for name in names if not callable(value := getattr(thing, name, None)) and value is not None}


def import_function(spec: str) -> Callable[[str], object]:
    """The function that ``module:function`` names; the working directory can be imported from.

    Raises:
        InvalidInput: The spec is not of that form, the module cannot be imported, or the name is no function.
    """
    match = _SPEC.fullmatch(spec.strip())
    if match is None:
        raise InvalidInput(f"{spec!r} names no function.", "Write module:function, such as my_rag.service:answer.")
    module_name, path = match[1], match[2]
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)
    importlib.invalidate_caches()
    try:
        thing: object = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # a module runs what it likes when it is imported
        if isinstance(error, ModuleNotFoundError) and error.name and module_name.startswith(error.name):
            raise InvalidInput(
                f"There is no module {error.name}.",
                f"Start Plumbline in the folder that has it (now {here}), or install it.",
            ) from None
        raise InvalidInput(
            f"The module {module_name} cannot be imported: {type(error).__name__}: {str(error)[:SHOWN]}.", "Correct it."
        ) from error
    for part in path.split("."):
        if not hasattr(thing, part):
            raise InvalidInput(f"The module {module_name} has no {path}.", "Check the name behind the colon.")
        thing = getattr(thing, part)
    if not callable(thing):
        raise InvalidInput(f"{spec} is {type(thing).__name__}, which cannot be called.", "Name a function.")
    function: Callable[[str], object] = thing
    return function


@register(
    TargetSpec(
        name="python",
        title="A Python function",
        question="How well does a system answer that is a function of your own code, run by Plumbline itself?",
        needs_corpus=False,
        argument="MODULE:FUNCTION",
        outside=True,
        local_only=True,
    )
)
def open_python(request: TargetRequest) -> Target:
    """The target that calls a function."""
    return PythonTarget(
        f"python:{request.argument}",
        import_function(request.argument),
        concurrency=request.concurrency or 1,
        rate=request.rate,
        timeout_s=request.timeout_s,
    )
