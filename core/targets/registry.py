"""Targets by name: each is one decorated file of this package, found by walking it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite

from core.domain.errors import Forbidden, InvalidInput
from core.domain.registry import Registry, chosen
from core.domain.sources.documents import Corpus
from core.encoders.embedding import open_encoder
from core.encoders.protocols import SentenceEncoder
from core.llm import ChatModel, Prompts, load_prompt
from core.settings import settings
from core.targets.protocol import CLOSED_BOOK, RETRIEVAL, Target, TargetRequest, TargetSpec

MAX_K = 100
MAX_CONCURRENCY = 256
MAX_RATE = 10_000.0
MAX_TIMEOUT_S = 3_600.0

Factory = Callable[[TargetRequest], Target]

_TARGETS: Registry[tuple[TargetSpec, Factory]] = Registry(__package__, "target")


def register(spec: TargetSpec) -> Callable[[Factory], Factory]:
    """Makes a factory known under its spec's name.

    Raises:
        ValueError: The name is taken.
    """

    def add(factory: Factory) -> Factory:
        _TARGETS.add(spec.name, (spec, factory))
        return factory

    return add


def list_targets() -> tuple[TargetSpec, ...]:
    """The kinds of target there are, in name order."""
    return tuple(spec for spec, _ in _TARGETS.all().values())


def open_target(
    spec: str,
    corpus: Corpus | None,
    *,
    k: int | None = None,
    encoder: Callable[[], SentenceEncoder] = open_encoder,
    chat: Callable[[str], ChatModel] | None = None,
    prompts: Prompts | None = None,
    mode: str | None = None,
    gold: Mapping[str, tuple[str, ...]] | None = None,
    draws: Mapping[str, int] | None = None,
    asked: Mapping[str, str] | None = None,
    retriever: str | None = None,
    concurrency: int | None = None,
    rate: float | None = None,
    timeout_s: float | None = None,
) -> Target:
    """Opens the system under test; one that needs an encoder opens it, and encodes the documents, at its first answer.

    Concurrency, rate and timeout mean something only for a target that waits for somebody (`TargetSpec.outside`); the
    others take no notice of them, as a recording takes none of k.

    Args:
        spec: Such as ``keyword``, ``bm25``, ``recorded:FILE`` or ``openai:MODEL@BASE_URL``.
        corpus: The documents it searches, where it needs any; their order decides ties.
        k: How many documents it retrieves; None takes the target's own default.
        encoder: Opens the sentence encoder; by default that of the settings, without a cache.
        chat: Opens a model; None where no model may be called.
        prompts: Loads a prompt; by default as it comes with Plumbline.
        mode: ``retrieval`` (also when None), ``closed_book`` or ``oracle``.
        gold: Gold documents by case id, for ``oracle``.
        draws: Which repeat of its question a case is, by case id.
        asked: The questions there will be, by case id, where they are known.
        retriever: What finds the contexts, where there is a choice; bm25 when None.
        concurrency: Questions in flight at most, 1 to 256.
        rate: Questions a second at most, above 0.
        timeout_s: Seconds one answer may take, above 0.

    Raises:
        InvalidInput: The spec is unknown or incomplete, the documents are missing, or an option is out of range.
        UnreadableFile: The file of a recording or of an HTTP target cannot be read.
        Forbidden: The target runs a person's own code and this server has sign-in.
    """
    targets = _TARGETS.all()
    name, argument = chosen(spec, "target", {name: target_spec for name, (target_spec, _) in targets.items()})
    target_spec, factory = targets[name]
    mode = mode or RETRIEVAL
    if mode not in target_spec.modes:
        raise InvalidInput(
            f"The target {name} has no mode {mode!r}.", f"Choose one of its modes: {', '.join(target_spec.modes)}."
        )
    config = settings()
    if target_spec.local_only and config.require_login:
        raise Forbidden(
            f"The target {name} runs code of its own, and this server, which has sign-in, runs none.",
            "Serve the system over HTTP and test it as an http target.",
        )
    if target_spec.needs_corpus and mode != CLOSED_BOOK and (corpus is None or not corpus.documents):
        raise InvalidInput(
            f"The target {name} searches documents, but there are none.", "Connect a folder of documents first."
        )
    chosen_k = target_spec.default_k if k is None else k
    if target_spec.default_k is not None and not (isinstance(chosen_k, int) and 1 <= chosen_k <= MAX_K):
        raise InvalidInput(
            f"k is {k}, and must be a whole number from 1 to {MAX_K}.", "Give the documents to retrieve."
        )
    _check_limits(concurrency, rate, timeout_s)
    request = TargetRequest(
        argument=argument,
        corpus=corpus or Corpus(documents=()),
        k=chosen_k or 1,
        encoder=encoder,
        language=config.language,
        chat=chat,
        prompts=prompts or load_prompt,
        mode=mode,
        gold=gold or {},
        draws=draws or {},
        asked=asked or {},
        retriever=retriever or "bm25",
        concurrency=concurrency,
        rate=rate,
        timeout_s=timeout_s,
    )
    return factory(request)


def _check_limits(concurrency: int | None, rate: float | None, timeout_s: float | None) -> None:
    if concurrency is not None and not (isinstance(concurrency, int) and 1 <= concurrency <= MAX_CONCURRENCY):
        raise InvalidInput(
            f"concurrency is {concurrency!r}.", f"Give a whole number of questions from 1 to {MAX_CONCURRENCY}."
        )
    for name, value, most in (("rate", rate, MAX_RATE), ("timeout_s", timeout_s, MAX_TIMEOUT_S)):
        if value is not None and not (isinstance(value, (int, float)) and isfinite(value) and 0 < value <= most):
            raise InvalidInput(f"{name} is {value!r}.", f"Give a number above 0 and at most {most:,.0f}.")
