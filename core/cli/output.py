"""What a command prints: one JSON document or a few lines for a person; everything else goes to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, NoReturn

import typer

from core.domain.errors import InvalidInput, NotFound
from core.domain.estimates import Proportion

Document = Mapping[str, object]

AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on stdout.")]
Seed = Annotated[int, typer.Option("--seed", help="Fixes every random choice.")]
FailUnder = Annotated[
    list[str] | None,
    typer.Option("--fail-under", metavar="NAME=VALUE", help="Exit with 1 when a figure of the result is lower."),
]

MISSED = 1
BAD_INPUT = 2


def emit(
    document: Document, *, as_json: bool, lines: Sequence[str] = (), fail_under: Sequence[str] | None = None
) -> None:
    """Prints a result and exits with 1 when a threshold is missed.

    Args:
        document: The whole result, plain JSON.
        as_json: Print it as JSON, else `lines`.
        lines: The same for a person.
        fail_under: Thresholds, ``name=value`` with dots for nested keys.

    Raises:
        InvalidInput: A threshold is malformed.
        NotFound: A threshold names nothing in the result.
    """
    missed = [text for text in (_missed(document, threshold) for threshold in fail_under or ()) if text]
    if as_json:
        typer.echo(json.dumps(document, ensure_ascii=False, indent=2, default=str))
    else:
        for line in lines:
            typer.echo(line)
    for text in missed:
        typer.echo(text, err=True)
    if missed:
        raise typer.Exit(MISSED)


def shown(proportion: Proportion | Document) -> str:
    """A proportion as ``0.840 [0.790, 0.880] (157/187)``, or why there is none."""
    figures = proportion.as_json() if isinstance(proportion, Proportion) else proportion
    if figures["value"] is None:
        return f"- ({figures['num']}/{figures['den']})"
    interval = "" if figures["low"] is None else f" [{figures['low']:.3f}, {figures['high']:.3f}]"
    return f"{figures['value']:.3f}{interval} ({figures['num']}/{figures['den']})"


def progress_line() -> Callable[[str, int, int], None]:
    """A progress callback that rewrites one line of stderr on a terminal and stays silent elsewhere."""
    if not sys.stderr.isatty():
        return lambda stage, done, total: None

    def tell(stage: str, done: int, total: int) -> None:
        typer.echo(f"\r{stage}: {done:,} of {total:,}   ", err=True, nl=done >= total)

    return tell


def refuse(message: str, hint: str) -> NoReturn:
    """Ends the program for bad input: what is wrong, what to do, exit code 2."""
    typer.echo(message, err=True)
    if hint:
        typer.echo(hint, err=True)
    raise SystemExit(BAD_INPUT)


def one_of(name: str, value: str, allowed: Sequence[str]) -> str:
    """The value, when it is allowed.

    Raises:
        InvalidInput: It is not.
    """
    if value not in allowed:
        raise InvalidInput(f"{name} cannot be {value!r}.", f"Use one of: {', '.join(allowed)}.")
    return value


def _missed(document: Document, threshold: str) -> str:
    name, found, bound = threshold.partition("=")
    try:
        least = float(bound)
    except ValueError:
        found = ""
    if not found:
        raise InvalidInput(f"--fail-under {threshold!r} is not NAME=VALUE.", "Write for example accuracy=0.8.")
    value: object = document
    for key in name.split("."):
        if not isinstance(value, Mapping) or key not in value:
            raise NotFound(f"The result has no figure {name!r}.", f"Its figures are: {', '.join(_figures(document))}.")
        value = value[key]
    if isinstance(value, Mapping):
        value = value.get("value")
    if not isinstance(value, int | float):
        return f"{name} has no value, so it cannot reach {least:g}."
    return f"{name} is {value:.4g}, below {least:g}." if value < least else ""


def _figures(document: Document, prefix: str = "") -> list[str]:
    names: list[str] = []
    for key, value in document.items():
        if isinstance(value, Mapping) and "value" not in value:
            names += _figures(value, f"{prefix}{key}.")
        elif isinstance(value, Mapping) or (isinstance(value, int | float) and not isinstance(value, bool)):
            names.append(prefix + key)
    return names
