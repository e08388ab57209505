"""Registries: entries by name, each from one decorated module of a package, collected by walking its folder."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from typing import Generic, Protocol, TypeVar

from core.domain.errors import InvalidInput

T = TypeVar("T")


class Usable(Protocol):
    """How a spec is written."""

    @property
    def argument(self) -> str:
        """What stands after the colon, or empty."""

    @property
    def usage(self) -> str:
        """How it is written, such as ``recorded:FILE``."""


class Registry(Generic[T]):
    """The named entries of one package.

    Args:
        package: Whose modules register them; imported on the first look-up, in name order.
        noun: What one of them is called in messages ("target").
        more: Further packages that are walked in the same way.
    """

    def __init__(self, package: str, noun: str, more: tuple[str, ...] = ()) -> None:
        self._packages = (package, *more)
        self._noun = noun
        self._entries: dict[str, T] = {}
        self._loaded = False

    def add(self, name: str, entry: T) -> None:
        """Registers an entry under its name.

        Raises:
            ValueError: The name is taken.
        """
        if name in self._entries:
            raise ValueError(f"There are two {self._noun}s with the name {name}.")
        self._entries[name] = entry

    def all(self) -> Mapping[str, T]:
        """Every entry by name, in name order."""
        if not self._loaded:
            for package in self._packages:
                path = importlib.import_module(package).__path__
                for module in sorted(pkgutil.iter_modules(path), key=lambda info: info.name):
                    importlib.import_module(f"{package}.{module.name}")
            self._loaded = True
        return dict(sorted(self._entries.items()))


def chosen(spec: str, noun: str, specs: Mapping[str, Usable]) -> tuple[str, str]:
    """Splits a spec such as ``recorded:FILE`` into a known name and its argument.

    Args:
        spec: As a person writes it.
        noun: What the spec names, for messages ("target").
        specs: Specs by name.

    Returns:
        Name and argument; the argument is empty where the spec takes none.

    Raises:
        InvalidInput: The name is unknown, or the argument is missing or too much.
    """
    name, _, argument = spec.strip().partition(":")
    if name not in specs:
        usages = ", ".join(usable.usage for usable in specs.values())
        raise InvalidInput(f"There is no {noun} {spec!r}.", f"Use one of: {usages}.")
    if bool(argument.strip()) != bool(specs[name].argument):
        raise InvalidInput(
            f"The {noun} {spec!r} is incomplete or has an argument too many.", f"Write {specs[name].usage}."
        )
    return name, argument.strip()
