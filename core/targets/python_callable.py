"""A function, a chain, an engine or a retriever of the user's own code as the system under test.

It runs the user's code in this process, with all that this process may do; a server with sign-in does not open it. The
code is called with the question from as many threads as were asked for, one by default, since most code is not made for
several. What it returns is read as it is (:mod:`core.io.replies`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from core.domain.errors import TargetFailed, UnreadableFile
from core.domain.results.responses import Response
from core.io.replies.objects import Pieces, plain
from core.io.replies.reading import Reading, read_reply
from core.io.replies.streams import Event, read_events
from core.net.pacing import Pace
from core.net.waiting import TookTooLong, within
from core.targets.in_python.asking import Ask, asked, whole
from core.targets.in_python.importing import SHOWN, import_thing, parse_spec
from core.targets.protocol import Target, TargetRequest, TargetSpec
from core.targets.registry import register

ONLY_PASSAGES = "It retrieves passages and gives no answer."
"""Why a response of a retriever has no answer; what it retrieved can be scored all the same."""


class PythonTarget:
    """Puts each question to code of the user's own.

    It returns the answer as text; a mapping or an object that says where the answer and the passages are by names that
    are usual; passages only; a generator of pieces; or a `Response`. It may be asynchronous.

    Args:
        name: The spec it was opened with.
        function: What is called with the question.
        document_id: Name of the document's id in its passages; empty for the usual ones.
        concurrency: From how many threads it is called at once.
        rate: Calls a second at most; None for no limit.
        timeout_s: Seconds one call may take; the thread of a call that takes longer cannot be stopped and is left.
    """

    words_to_encode = 0

    def __init__(
        self,
        name: str,
        function: Ask,
        *,
        document_id: str = "",
        concurrency: int = 1,
        rate: float | None = None,
        timeout_s: float | None = None,
    ) -> None:
        self.name = name
        self.concurrency = concurrency
        self._function = function
        self._document_id = document_id
        self._pace = Pace(rate)
        self._timeout = timeout_s

    def prepare(self, progress: Callable[[str, int, int], None], should_stop: Callable[[], bool]) -> bool:
        """Nothing to do."""
        return True

    def answer(self, case_id: str, question: str) -> Response:
        """Answers one question.

        Raises:
            TargetFailed: The code raised, took too long, or returned what is no answer.
        """
        return self.read(case_id, question)[0]

    def read(self, case_id: str, question: str) -> tuple[Response, Reading | None]:
        """Answers one question and says where in the result everything was read.

        Raises:
            TargetFailed: As for `answer`.
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
        seconds = time.perf_counter() - started
        if isinstance(returned, Response):
            latency = seconds if returned.latency_s is None else returned.latency_s
            return replace(returned, case_id=case_id, latency_s=latency), None
        reading = _reading(returned, self._document_id)
        return _response(reading, case_id, seconds), reading


def _called(function: Ask, question: str) -> object:
    """What the code returned, plain; a `Response` as it is."""
    try:
        returned = whole(function(question))
        return returned if isinstance(returned, Response) else (type(returned).__name__, plain(returned))
    except (Exception, SystemExit) as error:  # the user's own code may raise anything
        reason = f": {str(error)[:SHOWN]}" if str(error) else ""
        raise TargetFailed(f"The function raised {type(error).__name__}{reason}.", "Its own log says more.") from error


def _reading(returned: object, document_id: str) -> Reading:
    kind, reply = returned if isinstance(returned, tuple) else ("", returned)
    if isinstance(reply, Mapping) and isinstance(pieces := reply.get("response"), Pieces):
        reply = {**reply, "response": "".join(str(piece) for piece in pieces)}
    try:
        if isinstance(reply, Pieces) and not _passages_only(reply):
            return read_events([Event(kind="", data=piece) for piece in reply], document_id=document_id)
        if isinstance(reply, (str, list, Mapping)) and reply:
            return read_reply(reply, document_id=document_id, where="What the function returned")
    except UnreadableFile as error:
        raise TargetFailed(error.message, error.hint) from None
    raise TargetFailed(
        f"The function returned {kind}, which has no answer.", "Return a text, or a mapping with answer and contexts."
    )


def _passages_only(pieces: Pieces) -> bool:
    reading = read_reply(list(pieces))
    return bool(reading.contexts) and reading.answer is None


def _response(reading: Reading, case_id: str, seconds: float) -> Response:
    error = ""
    if reading.answer is None:
        if reading.error:
            raise TargetFailed(reading.error)
        if not reading.contexts:
            raise TargetFailed(
                "What the function returned has no answer.", "Return a text, or a mapping with answer and contexts."
            )
        error = ONLY_PASSAGES
    return Response(
        case_id=case_id,
        answer=reading.answer,
        contexts=reading.contexts,
        abstained=reading.abstained,
        latency_s=seconds if reading.latency_s is None else reading.latency_s,
        tokens=reading.tokens,
        error=error,
    )


@register(
    TargetSpec(
        name="python",
        title="A Python function",
        question="How well does a system answer that is a function or a chain of your own, run by Plumbline itself?",
        needs_corpus=False,
        argument="MODULE:FUNCTION",
        outside=True,
        local_only=True,
    )
)
def open_python(request: TargetRequest) -> Target:
    """The target that calls a function, or asks a chain, an engine or a retriever."""
    spec = parse_spec(request.argument)
    return PythonTarget(
        f"python:{request.argument}",
        asked(import_thing(spec), request.argument, spec.input),
        document_id=spec.document_id,
        concurrency=request.concurrency or 1,
        rate=request.rate,
        timeout_s=request.timeout_s,
    )
