"""Targets by name: each is one decorated file of this package, found by walking it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache

from core.domain.documents import Corpus
from core.domain.errors import InvalidInput
from core.targets.protocol import Target, TargetSpec

MAX_K = 100

Factory = Callable[[str, Corpus, int], Target]
"""Argument after the colon, corpus (empty where none is needed), number of documents to retrieve."""

_FOUND: dict[str, tuple[TargetSpec, Factory]] = {}


def register(spec: TargetSpec) -> Callable[[Factory], Factory]:
    """Makes a factory known under its spec's name.

    Raises:
        ValueError: The name is taken.
    """

    def add(factory: Factory) -> Factory:
        if spec.name in _FOUND:
            raise ValueError(f"There are two targets with the name {spec.name}.")
        _FOUND[spec.name] = (spec, factory)
        return factory

    return add


@cache
def _load() -> None:
    package = importlib.import_module("core.targets")
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
        importlib.import_module(f"core.targets.{module.name}")


def list_targets() -> tuple[TargetSpec, ...]:
    """The kinds of target there are, in name order."""
    _load()
    return tuple(spec for _, (spec, _) in sorted(_FOUND.items()))


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
    _load()
    name, _, argument = spec.strip().partition(":")
    if name not in _FOUND:
        known = ", ".join(found.usage for found in list_targets())
        raise InvalidInput(f"There is no target {spec!r}.", f"Use one of: {known}.")
    found, factory = _FOUND[name]
    if bool(argument) != bool(found.argument):
        raise InvalidInput(f"The target {spec!r} is not complete or has too much in it.", f"Write {found.usage}.")
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
