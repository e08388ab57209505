"""Judges by name: each is one decorated file of this package, found by walking it."""

from __future__ import annotations

from collections.abc import Callable

from core.domain.registry import Registry, chosen
from core.judging.protocol import Judge, JudgeSpec

Factory = Callable[[str], Judge]
"""Opens a judge from what follows the colon."""

_JUDGES: Registry[tuple[JudgeSpec, Factory]] = Registry("core.judging", "judge")


def register(spec: JudgeSpec) -> Callable[[Factory], Factory]:
    """Makes a factory known under its spec's name.

    Raises:
        ValueError: The name is taken.
    """

    def add(factory: Factory) -> Factory:
        _JUDGES.add(spec.name, (spec, factory))
        return factory

    return add


def list_judges() -> tuple[JudgeSpec, ...]:
    """The kinds of judge there are, in name order."""
    return tuple(spec for spec, _ in _JUDGES.all().values())


def open_judge(spec: str) -> Judge:
    """Opens a judge.

    Args:
        spec: ``match`` or ``recorded:FILE``.

    Raises:
        InvalidInput: The spec is unknown or incomplete, or two recorded verdicts disagree.
        UnreadableFile: The file of a recording cannot be read.
    """
    judges = _JUDGES.all()
    name, argument = chosen(spec, "judge", {name: found for name, (found, _) in judges.items()})
    return judges[name][1](argument)
