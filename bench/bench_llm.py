"""Calls of a language model beside a plain asyncio loop that only sends them, against one scripted server.

Lines are wall time unless they say otherwise: Plumbline reads the ledger before each call and writes it after, the
plain loop stores nothing.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx2

from bench.measure import Line
from core.domain.llm import Endpoint, Message
from core.llm import open_chat
from core.project.service import create_project
from core.store.database import Store
from core.store.models import endpoints

CALLS = 1_000
MOST_OVER_IDEAL = 1.05
MOST_OVER_CAP = 1.10


def lines() -> Iterator[Line]:
    """Two latencies, a cap, the cost of a call in small and large runs, and a run from the ledger."""
    for latency, at_once in ((0.2, 20), (2.0, 100)):
        with server(latency) as base_url:
            ideal = CALLS * latency / at_once
            loop_seconds, loop_processor = asyncio.run(plain(base_url, CALLS, at_once))
            seconds, used = _ours(base_url, CALLS, at_once)
        size = f"{CALLS:,} calls of {latency:g} s, {at_once} at once"
        yield Line(what=size, seconds=seconds, against="a plain asyncio loop", other=loop_seconds)
        yield Line(
            what=size, seconds=seconds, against=f"limit: {MOST_OVER_IDEAL} x ideal", other=MOST_OVER_IDEAL * ideal
        )
        yield Line(
            what=f"processor time of a call, {at_once} at once",
            seconds=used * 1000,
            against="a plain asyncio loop",
            other=loop_processor * 1000,
            unit="ms",
        )
    with server(0.2, cap=16) as base_url:
        seconds, _ = _ours(base_url, CALLS, 64)
    yield Line(
        what=f"{CALLS:,} calls of 0.2 s, 64 at once, the server takes 16",
        seconds=seconds,
        against=f"limit: {MOST_OVER_CAP} x ideal at the cap",
        other=MOST_OVER_CAP * CALLS * 0.2 / 16,
    )
    with server(0.05) as base_url:
        _, small = _ours(base_url, 200, 20)
        _, large = _ours(base_url, 5_000, 20)
    yield Line(
        what="processor time of a call in a run of 5,000",
        seconds=large * 1000,
        against="in a run of 200",
        other=small * 1000,
        unit="ms",
    )


@contextmanager
def server(latency: float, cap: int | None = None) -> Iterator[str]:
    """A scripted server in a process of its own; its base URL."""
    command = [sys.executable, "-m", "tests.support.servers.llm_server", str(latency), *([str(cap)] if cap else [])]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    finally:
        process.kill()
        process.wait()


def _ours(base_url: str, calls: int, at_once: int) -> tuple[float, float]:
    """Seconds of wall time, and seconds of processor time for one call."""
    with tempfile.TemporaryDirectory() as folder, Store.open(f"sqlite:///{Path(folder) / 'bench.sqlite'}") as store:
        project = create_project(store, "bench", "local")
        endpoint = Endpoint(id="end", project_id=project.id, name="bench", base_url=base_url, concurrency=at_once)
        with store.write("local", "bench.fill", project_id=project.id) as connection:
            endpoints.put(connection, endpoint)
        chat = open_chat(store, project.id, f"m@{base_url}")
        chat.ask([Message("user", "first")], purpose="bench")

        def ask(number: int) -> None:
            chat.ask([Message("user", f"question {number}")], purpose="bench", case_id=str(number))

        started, used = time.perf_counter(), time.process_time()
        with ThreadPoolExecutor(chat.concurrency) as pool:
            list(pool.map(ask, range(calls)))
        return time.perf_counter() - started, (time.process_time() - used) / calls


async def plain(base_url: str, calls: int, at_once: int) -> tuple[float, float]:
    """Seconds of a loop with a semaphore and nothing else, and seconds of processor time for one call."""
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=at_once)
    async with httpx2.AsyncClient(trust_env=False, limits=limits, timeout=None) as client:
        room = asyncio.Semaphore(at_once)

        async def ask(number: int) -> None:
            messages = [{"role": "user", "content": f"question {number}"}]
            async with room:
                response = await client.post(f"{base_url}/chat/completions", json={"model": "m", "messages": messages})
            response.json()["choices"][0]["message"]["content"]

        started, used = time.perf_counter(), time.process_time()
        await asyncio.gather(*(ask(number) for number in range(calls)))
        return time.perf_counter() - started, (time.process_time() - used) / calls
