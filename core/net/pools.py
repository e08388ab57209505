"""Connections to one endpoint in several small pools.

A pool looks at each of its connections whenever a request begins or ends, and asks the system about the idle ones. With
100 of them that takes a quarter of all the processor time of a call; with ten it does not show.
"""

from __future__ import annotations

import math
import ssl
from collections.abc import Mapping, Sequence
from http.cookiejar import CookieJar

import httpx2

from core.net.gate.http import AsyncGate

MOST_IN_A_POOL = 10
"""Connections of one pool, as long as calls are spread evenly."""

IDLE_SECONDS = 60.0
"""After which an idle connection is closed."""


class SmallPools(httpx2.AsyncBaseTransport):
    """Sends each request through the pool that has the fewest in flight.

    Args:
        pools: At least one.
    """

    def __init__(self, pools: Sequence[httpx2.AsyncBaseTransport]) -> None:
        self._pools = pools
        self._flying = [0] * len(pools)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends one request; the first pool of several with equally few, so that open connections are used again."""
        place = min(range(len(self._pools)), key=self._flying.__getitem__)
        self._flying[place] += 1
        try:
            return await self._pools[place].handle_async_request(request)
        finally:
            self._flying[place] -= 1

    async def aclose(self) -> None:
        """Closes every pool."""
        for pool in self._pools:
            await pool.aclose()


def small_pools(at_once: int, trust: ssl.SSLContext, proxy: str = "") -> SmallPools:
    """Pools for so many calls at once.

    Args:
        at_once: The most calls in flight.
        trust: Which certificates are believed.
        proxy: URL of a proxy with its password in place, "" for none.
    """
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=at_once, keepalive_expiry=IDLE_SECONDS)
    return SmallPools([AsyncGate(trust, limits, proxy) for _ in range(math.ceil(at_once / MOST_IN_A_POOL))])


def http_client(
    at_once: int,
    trust: ssl.SSLContext,
    *,
    proxy: str = "",
    headers: Mapping[str, str] | None = None,
    cookies: CookieJar | None = None,
) -> httpx2.AsyncClient:
    """A client for one service, which follows no redirect and takes no proxy and no header from the environment.

    Every request and every connection goes through the gate: `DestinationRefused` comes out where a host may not be
    called or its name leads where nothing is called.

    It has no limit of time of its own; whoever sends covers the whole exchange, also a reply that trickles in.

    Args:
        at_once: The most requests in flight.
        trust: Which certificates are believed.
        proxy: URL of a proxy with its password in place, "" for none.
        headers: Sent with every request.
        cookies: What is kept of them between requests.

    Raises:
        ValueError: The proxy's address cannot be used.
        ImportError: A SOCKS proxy needs a package that is not installed.
    """
    return httpx2.AsyncClient(
        transport=small_pools(at_once, trust, proxy),
        headers=headers,
        cookies=cookies,
        trust_env=False,
        follow_redirects=False,
        timeout=None,
    )
