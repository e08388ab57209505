"""HTTP through the gate: each request's host is admitted, and connections are opened to checked addresses only.

Whatever follows redirects on top of these transports has each hop checked, since each is a request of its own.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Iterable
from typing import Any

import httpcore2
import httpx2

from core.domain.errors import SourceUnavailable
from core.net.gate.destinations import Destination, plain_host
from core.net.gate.policy import addresses, admit

Options = Iterable[Any]

ASKED_AGAIN_S = 1.0
"""Seconds for which a host that was admitted is not asked about again."""


class AsyncGate(httpx2.AsyncHTTPTransport):
    """Connections for asynchronous clients; takes nothing from the environment.

    Args:
        trust: Which certificates are believed.
        limits: Of connections.
        proxy: URL of a proxy with its password in place, "" for none. Its address is checked; what the names behind it
            lead to only the proxy knows.
    """

    def __init__(self, trust: ssl.SSLContext, limits: httpx2.Limits, proxy: str = "") -> None:
        super().__init__(verify=trust, trust_env=False, limits=limits, proxy=proxy or None)
        _through(self._pool, _AsyncBackend())
        self._admitted: dict[Destination, float] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends one request.

        Raises:
            DestinationRefused: Its host may not be called.
        """
        to = _destination(request.url)
        now = time.monotonic()
        # Of hundreds of requests a second to one host, one asks; connections are checked each for itself.
        if now - self._admitted.get(to, -ASKED_AGAIN_S) >= ASKED_AGAIN_S:
            admit(to)
            self._admitted = {to: now}
        return await super().handle_async_request(request)


class SyncGate(httpx2.HTTPTransport):
    """The same for clients that block.

    Args:
        proxy: URL of the operator's proxy, "" for none.
    """

    def __init__(self, proxy: str = "") -> None:
        super().__init__(trust_env=False, proxy=proxy or None)
        _through(self._pool, _SyncBackend(exempt=_destination(httpx2.URL(proxy)) if proxy else None))

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends one request.

        Raises:
            DestinationRefused: Its host may not be called.
        """
        admit(_destination(request.url))
        return super().handle_request(request)


def _destination(url: httpx2.URL) -> Destination:
    return Destination(
        plain_host(url.raw_host.decode("ascii", "replace")), url.port or (80 if url.scheme == "http" else 443)
    )


def _through(pool: object, backend: object) -> None:
    """Makes a pool open its connections with our backend; one that cannot be told so is not used at all."""
    if not hasattr(pool, "_network_backend"):
        raise TypeError("this release of httpcore2 keeps its network backend elsewhere")
    pool._network_backend = backend


class _AsyncBackend(httpcore2.AsyncNetworkBackend):
    """Opens connections to the addresses that the gate has for a host, one after the other."""

    def __init__(self) -> None:
        self._plain = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Options | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        where = Destination(plain_host(host), port)
        try:
            if where.address is not None:
                found = addresses(where, port)
            else:
                found = await asyncio.get_running_loop().run_in_executor(None, addresses, where, port)
        except SourceUnavailable as error:
            raise httpcore2.ConnectError(error.message) from None
        failure: Exception | None = None
        for address in found:
            try:
                return await self._plain.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore2.ConnectError(f"{host} does not answer")

    async def sleep(self, seconds: float) -> None:
        await self._plain.sleep(seconds)


class _SyncBackend(httpcore2.NetworkBackend):
    """The same for connections that block.

    Args:
        exempt: The proxy that the operator has set for this machine; nobody else can name it.
    """

    def __init__(self, exempt: Destination | None = None) -> None:
        self._plain = httpcore2.SyncBackend()
        self._exempt = exempt

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Options | None = None,
    ) -> httpcore2.NetworkStream:
        where = Destination(plain_host(host), port)
        if where == self._exempt:
            return self._plain.connect_tcp(host, port, timeout, local_address, socket_options)
        try:
            found = addresses(where, port)
        except SourceUnavailable as error:
            raise httpcore2.ConnectError(error.message) from None
        failure: Exception | None = None
        for address in found:
            try:
                return self._plain.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore2.ConnectError(f"{host} does not answer")
