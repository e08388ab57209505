"""Kinds of variants by name: each is one decorated file of a folder below this package, found by walking it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from core.domain.errors import InvalidInput
from core.domain.registry import Registry
from core.testset.variants.spec import Family, Make, VariantSpec

_KINDS: Registry[tuple[VariantSpec, Make]] = Registry(
    f"{__package__}.wording", "kind of variant", more=(f"{__package__}.stress",)
)


@dataclass(frozen=True, slots=True)
class VariantKind:
    """A kind with what makes it."""

    spec: VariantSpec
    make: Make


def variant(spec: VariantSpec) -> Callable[[Make], Make]:
    """Makes a function known as the maker of a kind.

    Raises:
        ValueError: The name is taken.
    """

    def add(make: Make) -> Make:
        _KINDS.add(spec.name, (spec, make))
        return make

    return add


@cache
def list_kinds() -> tuple[VariantSpec, ...]:
    """Every kind there is, by family, then in name order."""
    families = list(Family)
    specs = [spec for spec, _ in _KINDS.all().values()]
    return tuple(sorted(specs, key=lambda spec: (families.index(spec.family), spec.name)))


def find_kinds(names: Iterable[str]) -> tuple[VariantKind, ...]:
    """Kinds by name, each once, in the order asked for.

    Raises:
        InvalidInput: No name, or one that no kind has.
    """
    kinds = _KINDS.all()
    asked = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    every = ", ".join(spec.name for spec in list_kinds())
    if not asked:
        raise InvalidInput("No kind of variant is named.", f"Choose some of: {every}.")
    for name in asked:
        if name not in kinds:
            raise InvalidInput(f"There is no kind of variant {name!r}.", f"Choose some of: {every}.")
    return tuple(VariantKind(*kinds[name]) for name in asked)


def spec_of_kind(name: str) -> VariantSpec | None:
    """The spec of a kind; None for one that this version does not know."""
    entry = _KINDS.all().get(name)
    return entry[0] if entry else None
