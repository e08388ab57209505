"""Connections in small pools: spread evenly, used again, closed together."""

import asyncio

import httpx2
import pytest

from core.net.pools import MOST_IN_A_POOL, SmallPools, small_pools

LIMIT_S = 60.0
"""How long a test waits; only one that fails waits so long."""


class Held(httpx2.AsyncBaseTransport):
    """A pool that answers when it is let go."""

    def __init__(self):
        self.begun, self.closed, self.go = 0, False, asyncio.Event()

    async def handle_async_request(self, request):
        self.begun += 1
        await self.go.wait()
        if request.url.path == "/breaks":
            raise httpx2.ConnectError("no")
        return httpx2.Response(200)

    async def aclose(self):
        self.closed = True


def client_of(pools):
    return httpx2.AsyncClient(transport=SmallPools(pools), trust_env=False, timeout=None)


def test_requests_are_spread_evenly_and_a_free_pool_is_taken_first():
    async def run():
        pools = [Held() for _ in range(3)]
        async with client_of(pools) as client:
            sent = [asyncio.create_task(client.get("http://a/")) for _ in range(7)]
            async with asyncio.timeout(LIMIT_S):
                while sum(pool.begun for pool in pools) < 7:
                    await asyncio.sleep(0)
            assert [pool.begun for pool in pools] == [3, 2, 2]
            for pool in pools:
                pool.go.set()
            await asyncio.gather(*sent)
            assert (await client.get("http://a/")).status_code == 200
            assert [pool.begun for pool in pools] == [4, 2, 2], "nobody was in flight, so the first is used again"
        assert all(pool.closed for pool in pools)

    asyncio.run(run())


def test_a_request_that_breaks_leaves_its_place():
    async def run():
        pools = [Held(), Held()]
        for pool in pools:
            pool.go.set()
        async with client_of(pools) as client:
            for _ in range(3):
                with pytest.raises(httpx2.ConnectError):
                    await client.get("http://a/breaks")
        assert [pool.begun for pool in pools] == [3, 0]

    asyncio.run(run())


@pytest.mark.parametrize(("at_once", "pools"), [(1, 1), (MOST_IN_A_POOL, 1), (MOST_IN_A_POOL + 1, 2), (1000, 100)])
def test_there_are_as_many_pools_as_it_takes(at_once, pools):
    made = small_pools(at_once, httpx2.create_ssl_context(trust_env=False))
    assert len(made._pools) == pools
    asyncio.run(made.aclose())
