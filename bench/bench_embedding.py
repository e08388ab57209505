"""Every metric that embeds sentences beside the model's forward passes alone, other ways to encode, and its memory."""

from __future__ import annotations

import random
import statistics
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import psutil

from bench.measure import REPEATS, Line
from core.domain.results.responses import Context
from core.encoders.batches import batches
from core.encoders.cache import CachedEncoder, MemoryCache
from core.encoders.embedding import open_encoder
from core.encoders.loading import load_model, minilm_folder, native_bfloat16
from core.metrics import Metric, Models, Need, Sample, find_metrics, list_metrics, score_samples
from core.text.sentences import split_sentences

SAMPLES, PASSAGES, RETRIEVED, LOOPED = 300, 60, 3, 15
LIMIT = 1.10
LENGTH = 15
"""Sentences of a passage."""
STREAMED, WARM = 100_000, 10_000
GROWTH_MB = 150.0
SUBJECTS = ["account", "card", "loan", "branch", "transfer", "deposit", "mortgage", "statement", "cheque", "limit"]
VERBS = ["costs", "needs", "covers", "reaches", "opens", "earns", "blocks", "replaces", "allows", "ends"]
REST = (
    "a fee of {n} euros per month unless the balance stays above {m} euros all the time",
    "an identity card, a proof of address and {n} days until the branch has looked at both",
    "customers of {n} years and more who have been with the bank for at least {m} months",
    "{n}.5 percent a year",
    "up to {n} withdrawals a month, of which {m} are free at machines of other banks in the country and abroad",
    "the branch in Harbour Street {n}, on weekdays until {m} o'clock",
)


def lines() -> Iterator[Line]:
    """300 samples sharing 60 passages, then 100,000 samples with an encoder that costs nothing."""
    samples = [_sample(number, _passages(0)) for number in range(SAMPLES)]
    metrics = find_metrics(spec.name for spec in list_metrics() if Need.ENCODER in spec.needs)
    texts = _sentences(samples)
    model: Any = load_model(str(minilm_folder()), "float32")
    passes = _forward_passes(model, texts)
    score = partial(_scores, samples, metrics)
    encode = partial(_encode_once, samples)
    score()  # imports and first calls are no part of either side

    model_seconds, encoded, scored = _in_turns(passes, encode, score)
    workload = f"{SAMPLES} samples, {len(texts):,} distinct sentences"
    limit = f"limit: {LIMIT:.2f} x the model's forward passes"
    yield Line(what=f"{workload}: cut and encoded", seconds=encoded, against=limit, other=LIMIT * model_seconds)
    yield Line(what=f"{workload}: {len(metrics)} metrics", seconds=scored, against=limit, other=LIMIT * model_seconds)

    budgeted = partial(open_encoder("minilm").encode, texts)
    library, token_budget = _in_turns(lambda: model.encode(texts), budgeted, turns=1)
    yield Line(
        what=f"{len(texts):,} distinct sentences in token-budget batches",
        seconds=token_budget,
        against="encode of sentence-transformers",
        other=library,
    )
    few = [partial(model.encode, [text for text, _ in _parts(sample)]) for sample in samples[:LOOPED]]
    looped = _seconds(lambda: [encode_one() for encode_one in few]) * SAMPLES / LOOPED
    yield Line(
        what=f"{workload}: {len(metrics)} metrics",
        seconds=scored,
        against=f"encode per sample ({LOOPED} x {SAMPLES // LOOPED})",
        other=looped,
    )
    if native_bfloat16():
        yield from _bfloat16(score, texts)
    yield _memory(metrics)


def _bfloat16(score: Callable[..., list[float]], texts: Sequence[str]) -> Iterator[Line]:
    exact, rough = open_encoder("minilm"), open_encoder("minilm", precision="bfloat16")
    slow, fast = _in_turns(partial(exact.encode, texts), partial(rough.encode, texts))
    yield Line(what=f"{len(texts):,} sentences in bfloat16", seconds=fast, against="in float32", other=slow)
    furthest = float(np.abs(np.array(score()) - np.array(score(precision="bfloat16"))).max())
    yield Line(what="largest difference of a score", seconds=furthest, against="limit", other=0.05, unit="")


def _memory(metrics: Sequence[Metric]) -> Line:
    """How far the process grows between the case where every bounded cache is full and the last."""
    process = psutil.Process()
    start = most = 0
    encoder = CachedEncoder(_HashEncoder(), MemoryCache(WARM))
    # One metric is enough: all metrics share the caches.
    stream = _stream()
    scored = 0
    for scores in score_samples(stream, metrics[:1], Models(encoder=encoder)):
        scored += len(scores)
        memory = process.memory_info().rss
        start = start if start and scored > WARM else memory
        most = max(most, memory)
    return Line(
        what=f"{STREAMED:,} cases streamed: growth after {WARM:,}",
        seconds=(most - start) / 2**20,
        against="limit",
        other=GROWTH_MB,
        unit="MB",
    )


def _in_turns(*works: Callable[[], object], turns: int = REPEATS) -> list[float]:
    """Median seconds of each, one after the other in every turn, so that a slow moment of the machine affects all."""
    durations = [[_seconds(work) for work in works] for _ in range(turns)]
    return [statistics.median(column) for column in zip(*durations, strict=True)]


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _scores(samples: Sequence[Sample], metrics: Sequence[Metric], precision: str = "float32") -> list[float]:
    """Every score, with an encoder whose cache is empty."""
    encoder = open_encoder("minilm", precision=precision, cache=MemoryCache())
    scored = score_samples(samples, metrics, Models(encoder=encoder))
    return [score.value for batch in scored for score in batch if score.value is not None]


def _encode_once(samples: Sequence[Sample]) -> None:
    """All embedding work without the metrics."""
    open_encoder("minilm", cache=MemoryCache()).encode(
        [sentence.text for sample in samples for text in _texts(sample) for sentence in split_sentences(text)]
    )


def _forward_passes(model: Any, texts: Sequence[str]) -> Callable[[], None]:
    """The model alone: the batches are made before timing starts."""
    import torch

    lengths = [len(ids) for ids in model.tokenizer(list(texts))["input_ids"]]
    encoded_batches = [model.preprocess([texts[place] for place in batch]) for batch in batches(lengths)]

    def run() -> None:
        with torch.inference_mode():
            for features in encoded_batches:
                model(dict(features))

    return run


def _texts(sample: Sample) -> tuple[str, ...]:
    return (sample.question, sample.answer or "", *sample.texts, *sample.references)


def _parts(sample: Sample) -> list[tuple[str, int]]:
    return [(sentence.text, sentence.start) for text in _texts(sample) for sentence in split_sentences(text)]


def _sentences(samples: Sequence[Sample]) -> list[str]:
    return list(dict.fromkeys(text for sample in samples for text, _ in _parts(sample)))


def _sentence(draw: random.Random) -> str:
    rest = draw.choice(REST).format(n=draw.randint(1, 99), m=draw.randint(100, 9_999))
    return f"The {draw.choice(SUBJECTS)} {draw.choice(VERBS)} {rest}."


def _passages(seed: int) -> tuple[Context, ...]:
    draw = random.Random(seed)
    return tuple(
        Context(document_id=f"d{number}", text=" ".join(_sentence(draw) for _ in range(LENGTH)))
        for number in range(PASSAGES)
    )


def _sample(number: int, passages: Sequence[Context]) -> Sample:
    draw = random.Random(number)
    contexts = tuple(draw.sample(passages, RETRIEVED))
    copied = [text for text in contexts[0].text.split(". ") if text.startswith("The ")]
    return Sample(
        case_id=f"c{number}",
        question=f"What does the {draw.choice(SUBJECTS)} number {number} need?",
        answer=f"{_sentence(draw)} {_sentence(draw)} {draw.choice(copied).rstrip('.')}.",
        contexts=contexts,
        references=(f"{draw.choice(copied).rstrip('.')}.",),
    )


def _stream() -> Iterator[Sample]:
    """Samples whose passages change as they do over a long run."""
    for part in range(STREAMED // 1_000):
        passages = _passages(part)
        yield from (_sample(part * 1_000 + number, passages) for number in range(1_000))


class _HashEncoder:
    """Any unit vector for a text, at no cost."""

    name = "hash"
    dimension = 384

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = np.random.default_rng(zlib.crc32(text.encode())).standard_normal(self.dimension)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors
