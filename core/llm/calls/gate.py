"""A call with its attempts: a slot, the request, and patience where the endpoint may yet answer."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from core.domain.errors import CallFailed
from core.domain.llm import Endpoint, Message
from core.domain.status import Status
from core.llm.calls.replies import Completion
from core.llm.calls.transport import CHAT, Fault, OpenAiTransport, Route, Transport
from core.net import loop, retry
from core.net.limiter import AdaptiveLimiter

MOST_ATTEMPTS = 6
"""How often a call is sent that fails for another reason than too much load."""

INTERNAL = 500
"""The status of an error of the service itself; some say so of a parameter they do not know."""

CLOSE_SECONDS = 2.0
"""How long the end of the process waits for connections to close."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a call ended.

    Attributes:
        result: The completion, or the last attempt's fault.
        attempts: How often it was sent.
        latency_s: Seconds of the last attempt.
    """

    result: Completion | Fault
    attempts: int
    latency_s: float


class Gate:
    """All that this process sends to one endpoint goes through here.

    Slots and connections belong to the event loop they were first used on. Where that has died, the next call gets new
    ones: the calls that held slots there will never give them back.

    Args:
        endpoint: Where to, with its ceiling and its deadline.
        connect: Makes what sends one request.

    Attributes:
        faults: How many attempts failed, by reason in one word or HTTP status.

    Raises:
        InvalidInput: Nothing can be sent with these settings.
    """

    def __init__(self, endpoint: Endpoint, connect: Callable[[], Transport]) -> None:
        self.limiter = AdaptiveLimiter(endpoint.concurrency)
        self.faults: Counter[str] = Counter()
        self._endpoint = endpoint
        self._connect = connect
        self._transport = connect()
        self._quiet_until = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None

    async def call(
        self,
        model: str,
        messages: tuple[Message, ...],
        parameters: Mapping[str, object],
        route: Route = CHAT,
        *,
        hasty: bool = False,
    ) -> Outcome:
        """Sends a call until it is answered, cannot be, or its deadline has passed.

        Args:
            model: The model's name.
            messages: The conversation.
            parameters: What is sent beside it.
            route: Where below its address the endpoint takes it.
            hasty: Whether an error of the service itself (500) ends the call at once, since nobody knows yet whether
                the endpoint takes these parameters at all.
        """
        limiter, transport = self._settled()
        await limiter.acquire()
        deadline = time.monotonic() + self._endpoint.deadline_s
        attempts = failures = refusals = 0
        while True:
            try:
                await self._quiet(deadline)
                attempts += 1
                result, latency = await self._send(transport, deadline, model, messages, parameters, route)
            except BaseException:
                limiter.release(answered=False)
                raise
            if isinstance(result, Completion):
                self._quiet_until = 0.0
                limiter.release(answered=True)
                return Outcome(result=result, attempts=attempts, latency_s=latency)
            self.faults[_word(result)] += 1
            if result.refused:
                refusals += 1
                limiter.refuse()
                if limiter.limit == 1 and result.retry_after:
                    # It takes nobody at all now: whoever is next would only be refused as well.
                    self._quiet_until = time.monotonic() + min(result.retry_after, retry.LONGEST_PAUSE)
            else:
                failures += 1
                limiter.release(answered=False)
            pause = retry.pause(max(failures, refusals), result.retry_after)
            remaining = deadline - time.monotonic()
            unclear = hasty and result.http_status == INTERNAL
            if not result.again or unclear or failures >= MOST_ATTEMPTS or pause >= remaining:
                return Outcome(result=result, attempts=attempts, latency_s=latency)
            await asyncio.sleep(pause)
            try:
                async with asyncio.timeout(deadline - time.monotonic()):
                    await limiter.acquire(again=True)
            except TimeoutError:
                return Outcome(result=result, attempts=attempts, latency_s=latency)

    async def close(self) -> None:
        """Closes the connections to the endpoint."""
        await self._transport.close()

    def _settled(self) -> tuple[AdaptiveLimiter, Transport]:
        """Slots and connections of the running loop."""
        running = asyncio.get_running_loop()
        if self._loop is not None and self._loop is not running:
            self.limiter, self._transport = AdaptiveLimiter(self._endpoint.concurrency), self._connect()
        self._loop = running
        return self.limiter, self._transport

    async def _send(
        self,
        transport: Transport,
        deadline: float,
        model: str,
        messages: tuple[Message, ...],
        parameters: Mapping[str, object],
        route: Route,
    ) -> tuple[Completion | Fault, float]:
        """One attempt, which the deadline ends as well."""
        started = time.monotonic()
        try:
            async with asyncio.timeout(deadline - started):
                return await transport.send(model, messages, parameters, route)
        except TimeoutError:
            reason = f"no answer within the {self._endpoint.deadline_s:g} seconds a call may take"
            return Fault(reason=reason, again=False, status=Status.TIMEOUT), time.monotonic() - started

    async def _quiet(self, deadline: float) -> None:
        wait = min(self._quiet_until, deadline) - time.monotonic()
        if wait > 0:
            await asyncio.sleep(wait)


def _word(fault: Fault) -> str:
    if fault.http_status is not None:
        return str(fault.http_status)
    return "timeout" if fault.status is Status.TIMEOUT else fault.reason.split(" (")[0].split(":")[0]


_lock = threading.Lock()
_gates: dict[tuple[object, ...], Gate] = {}


def gate_of(endpoint: Endpoint) -> Gate:
    """The gate to an endpoint; one for all stages of this process that call it with the same settings.

    Raises:
        InvalidInput: A variable it refers to is not set, or its certificates cannot be read.
    """
    key = (
        os.getpid(),
        endpoint.base_url,
        endpoint.key_env,
        tuple(sorted(endpoint.headers.items())),
        endpoint.api_version,
        endpoint.ca_bundle,
        endpoint.proxy,
        endpoint.timeout_s,
        endpoint.deadline_s,
        endpoint.concurrency,
    )
    with _lock:
        if key not in _gates:
            _gates[key] = Gate(endpoint, partial(OpenAiTransport, endpoint))
        return _gates[key]


@atexit.register
def _close() -> None:
    for key, gate in list(_gates.items()):
        if key[0] == os.getpid():
            with suppress(
                CallFailed, TimeoutError, RuntimeError
            ):  # the process ends in any case, its loop perhaps before
                loop.call(asyncio.wait_for(gate.close(), CLOSE_SECONDS))
