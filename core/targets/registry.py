"""Targets by name: each is one decorated file of this package, found by walking it."""

from __future__ import annotations

from collections.abc import Callable

from core.domain.documents import Corpus
from core.domain.errors import InvalidInput
from core.domain.registry import Registry, chosen
from core.targets.protocol import Target, TargetSpec

MAX_K = 100

Factory = Callable[[str, Corpus, int], Target]
"""Argument after the colon, corpus (empty where none is needed), number of documents to retrieve."""

_TARGETS: Registry[tuple[TargetSpec, Factory]] = Registry("core.targets", "target")


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


def open_target(spec: str, corpus: Corpus | None, *, k: int | None = None) -> Target:
    """Opens the system under test.

    Args:
        spec: Such as ``keyword``, ``bm25`` or ``recorded:FILE``.
        corpus: The documents it searches, where it needs any; their order decides ties.
        k: How many documents it retrieves; None takes the target's own default.

    Raises:
        InvalidInput: The spec is unknown or incomplete, the documents are missing, or k is out of range.
        UnreadableFile: The file of a recording cannot be read.
    """
    targets = _TARGETS.all()
    name, argument = chosen(spec, "target", {name: found for name, (found, _) in targets.items()})
    found, factory = targets[name]
    if found.needs_corpus and (corpus is None or not corpus.documents):
        raise InvalidInput(
            f"The target {name} searches documents and there are none.", "Connect a folder of documents first."
        )
    wanted = found.default_k if k is None else k
    if found.default_k is not None and not (isinstance(wanted, int) and 1 <= wanted <= MAX_K):
        raise InvalidInput(
            f"k is {k}, and must be a whole number from 1 to {MAX_K}.", "Give the documents to retrieve."
        )
    return factory(argument, corpus or Corpus(documents=()), wanted or 1)
