"""Things found by name: each is one decorated file of a package, found by walking its folder."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from typing import Generic, Protocol, TypeVar

from core.domain.errors import InvalidInput

T = TypeVar("T")


class Usable(Protocol):
    """What a spec says about how it is written."""

    @property
    def argument(self) -> str:
        """What stands after the colon, or empty."""

    @property
    def usage(self) -> str:
        """How it is written, such as ``recorded:FILE``."""


class Registry(Generic[T]):
    """Named things of one package.

    Args:
        package: Whose modules register them; imported on the first look-up, in name order.
        what: One of them, for messages ("target").
        more: Further packages that are walked in the same way.
    """

    def __init__(self, package: str, what: str, more: tuple[str, ...] = ()) -> None:
        self._packages = (package, *more)
        self._what = what
        self._things: dict[str, T] = {}
        self._loaded = False

    def add(self, name: str, thing: T) -> None:
        """Makes a thing known.

        Raises:
            ValueError: The name is taken.
        """
        if name in self._things:
            raise ValueError(f"There are two {self._what}s with the name {name}.")
        self._things[name] = thing

    def all(self) -> Mapping[str, T]:
        """Every thing by name, in name order."""
        if not self._loaded:
            for package in self._packages:
                path = importlib.import_module(package).__path__
                for module in sorted(pkgutil.iter_modules(path), key=lambda found: found.name):
                    importlib.import_module(f"{package}.{module.name}")
            self._loaded = True
        return dict(sorted(self._things.items()))


def chosen(spec: str, what: str, known: Mapping[str, Usable]) -> tuple[str, str]:
    """Splits a spec such as ``recorded:FILE`` into a known name and its argument.

    Args:
        spec: As a person writes it.
        what: What it names, for messages ("target").
        known: Specs by name.

    Returns:
        Name and argument; the argument is empty where the spec takes none.

    Raises:
        InvalidInput: The name is unknown, or the argument is missing or too much.
    """
    name, _, argument = spec.strip().partition(":")
    if name not in known:
        usages = ", ".join(found.usage for found in known.values())
        raise InvalidInput(f"There is no {what} {spec!r}.", f"Use one of: {usages}.")
    if bool(argument.strip()) != bool(known[name].argument):
        raise InvalidInput(f"The {what} {spec!r} is not complete or has too much in it.", f"Write {known[name].usage}.")
    return name, argument.strip()
