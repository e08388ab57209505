"""Judges by name: each is one decorated file of this package, found by walking it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache

from core.domain.errors import InvalidInput
from core.judging.protocol import Judge, JudgeSpec

Factory = Callable[[str], Judge]
"""Opens a judge from what follows the colon."""

_FOUND: dict[str, tuple[JudgeSpec, Factory]] = {}


def register(spec: JudgeSpec) -> Callable[[Factory], Factory]:
    """Makes a factory known under its spec's name.

    Raises:
        ValueError: The name is taken.
    """

    def add(factory: Factory) -> Factory:
        if spec.name in _FOUND:
            raise ValueError(f"There are two judges with the name {spec.name}.")
        _FOUND[spec.name] = (spec, factory)
        return factory

    return add


@cache
def _load() -> None:
    package = importlib.import_module("core.judging")
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
        importlib.import_module(f"core.judging.{module.name}")


def list_judges() -> tuple[JudgeSpec, ...]:
    """The kinds of judge there are, in name order."""
    _load()
    return tuple(spec for _, (spec, _) in sorted(_FOUND.items()))


def open_judge(spec: str) -> Judge:
    """Opens a judge.

    Args:
        spec: ``match`` or ``recorded:FILE``.

    Raises:
        InvalidInput: The spec is unknown or incomplete, or two recorded verdicts disagree.
        UnreadableFile: The file of a recording cannot be read.
    """
    _load()
    name, _, argument = spec.strip().partition(":")
    if name not in _FOUND:
        known = ", ".join(found.usage for found in list_judges())
        raise InvalidInput(f"There is no judge {spec!r}.", f"Use one of: {known}.")
    found, factory = _FOUND[name]
    if bool(argument.strip()) != bool(found.argument):
        raise InvalidInput(f"The judge {spec!r} is not complete or has too much in it.", f"Write {found.usage}.")
    return factory(argument.strip())
