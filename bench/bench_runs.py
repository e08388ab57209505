"""Runs from the command line beside a plain asyncio loop that only sends as many calls, against scripted servers.

The seconds are those the command says it took for the run; the start of the interpreter, which is the same for a run of
any length, has a line of its own. The plain loop stores nothing, reads no ledger and judges nothing.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.bench_llm import plain, server
from bench.measure import Line

CASES = 1_000
MOST_OVER_PLAIN = 1.10
MOST_OVER_SLOWER = 1.15


def lines() -> Iterator[Line]:
    """Asking alone, judging alone, both together, at two latencies; what a call costs the processor."""
    load = f"load {os.getloadavg()[0]:.1f}"
    for latency, at_once in ((0.2, 20), (2.0, 100)):
        with server(latency) as asked, server(latency) as judged:
            loop, _ = asyncio.run(plain(asked, CASES, at_once))
            asking = _run(at_once, target=f"openai:m@{asked}")
            judging = _run(at_once, judge=f"llm:m@{judged}")
            both = _run(at_once, target=f"openai:m@{asked}", judge=f"llm:j@{judged}")
        size = f"{CASES:,} cases of {latency:g} s, {at_once} at once ({load})"
        for what, seconds in (("asked", asking), ("judged", judging)):
            yield Line(what=f"{what}: {size}", seconds=seconds, against="a plain asyncio loop", other=loop)
            limit = f"limit: {MOST_OVER_PLAIN} x the plain loop"
            yield Line(what=f"{what}: {size}", seconds=seconds, against=limit, other=MOST_OVER_PLAIN * loop)
        slower = max(asking, judging)
        limit = f"limit: {MOST_OVER_SLOWER} x the slower of the two"
        yield Line(what=f"asked and judged: {size}", seconds=both, against=limit, other=MOST_OVER_SLOWER * slower)
    with server(0.0) as asked:
        _, bare = asyncio.run(plain(asked, 2_000, 20))
        used: list[float] = []
        _run(20, target=f"openai:m@{asked}", cases=2_000, used=used)
    yield Line(
        what="processor time of a case asked, 2,000 without latency",
        seconds=used[0] / 2_000 * 1000,
        against="a call of the plain loop",
        other=bare * 1000,
        unit="ms",
    )


def _run(
    at_once: int, *, target: str = "", judge: str = "match", cases: int = CASES, used: list[float] | None = None
) -> float:
    """Seconds of a run from the command line; `used` gets its processor time."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        rows = [
            {"case_id": f"c{number}", "question": f"What is the fee of account {number}?", "reference_answers": ["12"]}
            for number in range(cases)
        ]
        (folder / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        answers = [{"case_id": row["case_id"], "answer": "The fee is 12."} for row in rows]
        (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers))
        (folder / "documents").mkdir()
        (folder / "documents" / "fees.md").write_text("# Fees\n\nThe fee of each account is 12.\n")
        command = [sys.executable, "-m", "core", "evaluate", "--testset", str(folder / "cases.jsonl"), "--json"]
        command += ["--target", target or f"recorded:{folder / 'answers.jsonl'}", "--judge", judge]
        command += ["--corpus", str(folder / "documents"), "--out", str(folder / "run")]
        command += ["--concurrency", str(at_once)]
        before = os.times()
        started = time.perf_counter()
        done = subprocess.run(
            command, env={**os.environ, "PLUMBLINE_DATA": str(folder / "data")}, capture_output=True, check=True
        )
        whole = time.perf_counter() - started
        after = os.times()
        document = json.loads(done.stdout)
        if document["scored"]["verdict"] != cases:
            raise RuntimeError(f"{document['unscored']} of {cases} cases were not judged")
        if used is not None:
            used.append(after.children_user + after.children_system - before.children_user - before.children_system)
        sys.stderr.write(f"{target or judge} {document['seconds']:.2f} s of {whole:.2f} s\n")
        return float(document["seconds"])
