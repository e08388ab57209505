"""Topics beside BERTopic on the same vectors: time and processor time of each stage, memory, and the topics found.

Each measurement runs in a process of its own, which finds topics twice: the first time is cold (imports and compilation
included), the second warm. BERTopic gets the vectors, the same least size of a topic and no seed; all other settings
are its defaults, and it draws no map. The chunks are labelled blobs: groups of unequal size on curved sheets in 384
dimensions, and texts whose words follow the group.
"""

from __future__ import annotations

import importlib.util
import json
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import pairwise
from string import ascii_lowercase as letters
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.measure import Line

SIZES = (2_000, 10_000, 50_000)
GROUPS = 40
DIMENSIONS = 384
WORDS = 1_500
LENGTH = 60
EMBEDDED = 400
LIMIT = 1.10


def lines() -> Iterator[Line]:
    """2,000, 10,000 and 50,000 chunks, then the embedding of unique texts."""
    peer = importlib.util.find_spec("bertopic") is not None
    if not peer:
        print("bertopic is not installed (requirements-dev.txt); our figures stand alone.", flush=True)
    for n in SIZES:
        ours = [_measured("ours", n) for _ in range(2)]
        theirs = [_measured("bertopic", n) for _ in range(2)] if peer else []
        yield from _compared(n, ours, theirs)
    yield from _embedding()


def _compared(n: int, ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> Iterator[Line]:
    mine, other = ours[0], theirs[0] if theirs else {}
    for stage, seconds, processor in mine["stages"]:
        limit = "its processor time"
        yield Line(what=f"{n:,} chunks, warm: {stage.lower()}", seconds=seconds, against=limit, other=processor)
    for key, name in (
        ("cold", "cold"),
        ("warm", "warm"),
        ("cold_cpu", "cold, processor"),
        ("warm_cpu", "warm, processor"),
    ):
        yield Line(
            what=f"{n:,} chunks, {name}", seconds=mine[key], against="BERTopic", other=other.get(key, float("nan"))
        )
    yield _plain(f"{n:,} chunks: peak memory", mine["peak_mb"], "BERTopic", other.get("peak_mb"), "MB")
    for figure in ("ARI", "NMI"):
        yield _plain(f"{n:,} chunks: {figure} with the groups", mine[figure], "BERTopic", other.get(figure), "")
    again = _agreement(ours[0]["labels"], ours[1]["labels"])
    apart = _agreement(theirs[0]["labels"], theirs[1]["labels"]) if theirs else None
    yield _plain(f"{n:,} chunks: ARI of two processes", again, "BERTopic", apart, "")
    same = float(ours[0]["hash"] == ours[1]["hash"] == ours[0]["hash_warm"])
    yield _plain(f"{n:,} chunks: equal byte for byte (1 is yes)", same, "must be", 1.0, "")


def _plain(what: str, value: float, against: str, other: float | None, unit: str) -> Line:
    return Line(what=what, seconds=value, against=against, other=float("nan") if other is None else other, unit=unit)


def _agreement(first: list[int], second: list[int]) -> float:
    from sklearn.metrics import adjusted_rand_score

    return float(adjusted_rand_score(first, second))


def _embedding() -> Iterator[Line]:
    """Embedding with progress, cache and repeats, beside the model's forward passes over the unique texts."""
    from bench.bench_embedding import _forward_passes, _in_turns
    from core.encoders.cache import MemoryCache
    from core.encoders.embedding import open_encoder
    from core.encoders.loading import load_model, minilm_folder
    from core.testset.topics.finding import embed

    texts = _texts(np.arange(EMBEDDED) % GROUPS, np.random.default_rng(0))
    passes_only = _forward_passes(load_model(str(minilm_folder()), "float32"), list(dict.fromkeys(texts)))
    work = lambda: embed([*texts, *texts], open_encoder("minilm", cache=MemoryCache()))  # noqa: E731
    work()
    passes, ours = _in_turns(passes_only, work)
    yield Line(
        what=f"{2 * EMBEDDED} texts, {EMBEDDED} unique: embedded",
        seconds=ours,
        against=f"limit: {LIMIT:.2f} x the model's forward passes",
        other=LIMIT * passes,
    )


def _measured(side: str, n: int) -> dict[str, Any]:
    """One side in a new process; the library's own output is ignored."""
    command = [sys.executable, "-m", "bench.bench_topics", side, str(n)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    figures: dict[str, Any] = json.loads(output.splitlines()[-1])
    return figures


def blobs(n: int, seed: int = 0) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64], list[str]]:
    """Unit vectors, the group of each, and a text of each."""
    draw = np.random.default_rng(seed)
    centres = draw.standard_normal((GROUPS, DIMENSIONS))
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    share = draw.dirichlet(np.full(GROUPS, 4.0))
    labels = draw.choice(GROUPS, size=n, p=share)
    vectors = np.empty((n, DIMENSIONS), dtype=np.float32)
    for group in range(GROUPS):
        inside = np.flatnonzero(labels == group)
        axes = draw.standard_normal((6, DIMENSIONS)) / np.sqrt(DIMENSIONS)
        flat = draw.standard_normal((len(inside), 3))
        sheet = np.concatenate([flat, flat**2 - 1], axis=1)
        noise = draw.standard_normal((len(inside), DIMENSIONS)) * (0.8 / np.sqrt(DIMENSIONS))
        vectors[inside] = centres[group] + 0.35 * sheet @ axes + noise
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors, labels, _texts(labels, draw)


def _texts(labels: npt.NDArray[np.int64], draw: np.random.Generator) -> list[str]:
    """Words drawn by rank: the first 400 are shared by all groups, the others belong to one group."""
    names = np.array(
        [f"w{letters[n // 676]}{letters[n // 26 % 26]}{letters[n % 26]}{'x' * (n % 6)}" for n in range(WORDS)]
    )
    common = draw.zipf(1.5, size=(len(labels), LENGTH)) % 400
    own = 400 + (labels[:, None] * 25 + draw.integers(0, 25, size=(len(labels), LENGTH))) % (WORDS - 400)
    words = np.where(draw.random((len(labels), LENGTH)) < 0.3, own, common)
    return [" ".join(row) for row in names[words].tolist()]


def _ours(n: int) -> dict[str, Any]:
    vectors, labels, texts = blobs(n)
    started = _clock()
    from core.domain.sources.chunks import Chunk
    from core.domain.sources.topics import TopicSettings
    from core.testset.topics.finding import find_topics

    chunks = [
        Chunk(
            id=f"c{place}",
            document_id=f"d{place // 8}",
            position=place % 8,
            text=text,
            section=(),
            page=None,
            start=0,
            end=len(text),
        )
        for place, text in enumerate(texts)
    ]
    times: list[tuple[str, float, float]] = []
    settings = TopicSettings(stability_runs=0)
    first = find_topics(chunks, vectors, settings)
    cold = _since(started)
    stages = lambda stage, done, total: times.append((stage, *_clock()))  # noqa: E731
    started = _clock()
    second = find_topics(chunks, vectors, settings, progress=stages)
    warm = _since(started)
    spent = [[stage, then - now, cpu_then - cpu] for (stage, now, cpu), (_, then, cpu_then) in pairwise(times)]
    labels_found = [chunk.topic for chunk in first.chunks]
    return _result(cold, warm, labels_found, labels) | {
        "stages": spent,
        "hash": first.content_hash,
        "hash_warm": second.content_hash,
    }


def _bertopic(n: int) -> dict[str, Any]:
    vectors, labels, texts = blobs(n)
    size = max(10, n // 200)

    def fit() -> list[int]:
        from bertopic import BERTopic

        return list(map(int, BERTopic(min_topic_size=size).fit_transform(texts, vectors)[0]))

    started = _clock()
    labels_found = fit()
    cold = _since(started)
    started = _clock()
    fit()
    return _result(cold, _since(started), labels_found, labels)


def _result(
    cold: tuple[float, float], warm: tuple[float, float], labels_found: list[int], labels: npt.NDArray[np.int64]
) -> dict[str, Any]:
    from sklearn.metrics import normalized_mutual_info_score

    return {
        "cold": cold[0],
        "cold_cpu": cold[1],
        "warm": warm[0],
        "warm_cpu": warm[1],
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "labels": labels_found,
        "ARI": _agreement(labels.tolist(), labels_found),
        "NMI": float(normalized_mutual_info_score(labels, labels_found)),
    }


def _clock() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def _since(started: tuple[float, float]) -> tuple[float, float]:
    now = _clock()
    return now[0] - started[0], now[1] - started[1]


SIDES: dict[str, Callable[[int], dict[str, Any]]] = {"ours": _ours, "bertopic": _bertopic}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps(SIDES[sys.argv[1]](int(sys.argv[2]))))
