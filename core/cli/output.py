"""What a command prints: one JSON document or a few lines for a person; everything else goes to stderr."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from core.domain.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from core.domain.estimates import Proportion
    from core.domain.jobs import Report

Document = Mapping[str, object]

MISSED = 1
BAD_INPUT = 2
INTERRUPTED = 130
BROKEN_PIPE = 141
"""As shells number a process that a signal ended: 128 and the signal."""

WIDTH = 78
"""Of the line that is rewritten."""

REPORT_SECONDS = 10.0
"""Seconds between progress lines where stderr is not a terminal."""

ENDS = (".low", ".high")
"""What a threshold adds to a name to mean an end of its 95% interval."""

MEAN = "metrics.{}.mean"
LONG_NAMES = (MEAN, "metrics.{}")
"""What the bare name of a metric stands for in a threshold, as the result has it."""

MOST_FIGURES = 12
"""So many figures are named to somebody who asked for one that is not there."""

LARGEST_SEED = 2**63 - 1


def _thresholds(thresholds: list[str] | None) -> list[str]:
    """Refuses a malformed threshold before anything is done."""
    for threshold in thresholds or ():
        _threshold(threshold)
    return thresholds or []


AsJson = Annotated[bool, typer.Option("--json", help="Print exactly one JSON document on stdout.")]
PromptKind = Annotated[
    str, typer.Option("--prompts", metavar="KIND", help="full, short for small models, or auto: what suits the model.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, max=LARGEST_SEED, help="Seed of every random choice.")]
FailUnder = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-under",
        metavar="NAME=VALUE",
        callback=_thresholds,
        help="Exit with 1 when a figure of the result is lower: accuracy=0.9, or its lower bound, accuracy.low=0.85; "
        "a metric's name stands for its mean.",
    ),
]


def emit(
    document: Document, *, as_json: bool, lines: Sequence[str] = (), fail_under: Sequence[str] | None = None
) -> None:
    """Prints a result and exits with 1 when a threshold is missed.

    Args:
        document: The whole result, plain JSON.
        as_json: Print it as JSON, else `lines`.
        lines: The same for a person.
        fail_under: Thresholds, ``name=value`` with dots for nested keys; the bare name of a metric is its mean.

    Raises:
        InvalidInput: A threshold is malformed.
        NotFound: A threshold names nothing in the result, which is printed all the same.
    """
    text = json.dumps(document, ensure_ascii=False, indent=2, default=str) if as_json else "\n".join(lines)
    try:
        typer.echo(text)
    except BrokenPipeError:
        # Whoever read our output has left; without this the interpreter complains once more when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(BROKEN_PIPE)
    missed = [text for text in missed_thresholds(document, fail_under).values() if text]
    for text in missed:
        tell(text)
    if missed:
        raise typer.Exit(MISSED)


def missed_thresholds(document: Document, fail_under: Sequence[str] | None) -> dict[str, str]:
    """Each threshold with how it is missed; an empty text where it is reached.

    Raises:
        InvalidInput: A threshold is malformed.
        NotFound: A threshold names nothing in the result.
    """
    return {threshold: _missed(document, threshold) for threshold in fail_under or ()}


def check_figures(fail_under: Sequence[str] | None, figures: Collection[str]) -> None:
    """Refuses a threshold on what will be no figure of the result, before the work is done.

    Args:
        fail_under: Thresholds, ``name=value``.
        figures: The names there will be; of an estimate ``metrics.NAME.mean`` the bare ``NAME`` too.

    Raises:
        NotFound: A threshold names none of them.
    """
    for threshold in fail_under or ():
        name, _ = _threshold(threshold)
        whole = name.removesuffix(".low").removesuffix(".high")
        if not {name, MEAN.format(name), whole, MEAN.format(whole)} & set(figures):
            raise _no_figure(name, figures)


def tell(text: str) -> None:
    """Prints a message on stderr, beside the result."""
    typer.echo(text, err=True)


def ignored_keys(ignored: Mapping[str, str]) -> dict[str, object]:
    """The columns of a file that nobody looks at as keys of a document; on stderr they stand too."""
    return {"ignored": list(ignored), "ignored_because": dict(ignored)}


def shown(proportion: Proportion | Document) -> str:
    """A proportion as ``0.840 [0.790, 0.880] (157/187)``, or why there is none."""
    figures = proportion if isinstance(proportion, Mapping) else proportion.as_json()
    if figures["value"] is None:
        return f"- ({figures['num']}/{figures['den']})"
    interval = "" if figures["low"] is None else f" [{figures['low']:.3f}, {figures['high']:.3f}]"
    return f"{figures['value']:.3f}{interval} ({figures['num']}/{figures['den']})"


def progress_line(*, clock: Callable[[], float] = time.monotonic) -> Report:
    """A progress callback: one line rewritten on a terminal, elsewhere a line of its own every ten seconds."""
    terminal = sys.stderr.isatty()
    stage_now, first, since, reported_at = "", 0, 0.0, 0.0

    def report(stage: str, done: int, total: int, item: str = "") -> None:
        nonlocal stage_now, first, since, reported_at
        now = clock()
        if stage != stage_now:
            stage_now, first, since, reported_at = stage, done, now, now
        text = f"{stage}: {done:,} of {total:,}{_pace(done - first, total - done, now - since)}"
        if item:
            text = f"{text} ({_printable(item)})"
        if terminal:
            typer.echo(f"\r{text[:WIDTH]:<{WIDTH}}", err=True, nl=done >= total)
        elif now - reported_at >= REPORT_SECONDS:
            reported_at = now
            tell(text)

    return report


def _printable(item: str) -> str:
    """A file's name without signs that would steer a terminal."""
    return "".join(sign if sign.isprintable() else "?" for sign in item)


def _pace(done: int, remaining: int, seconds: float) -> str:
    if done <= 0 or remaining <= 0 or seconds <= 0:
        return ""
    return f", {done / seconds:,.1f} a second, {remaining * seconds / done:,.0f} s left"


def refuse(message: str, hint: str) -> NoReturn:
    """Ends the program for bad input: what is wrong, what to do, exit code 2."""
    for text in (message, hint):
        if text:
            tell(text)
    raise SystemExit(BAD_INPUT)


def one_of(name: str, value: str, allowed: Sequence[str]) -> str:
    """The value, when it is allowed.

    Raises:
        InvalidInput: It is not.
    """
    if value not in allowed:
        raise InvalidInput(f"{name} cannot be {value!r}.", f"Use one of: {', '.join(allowed)}.")
    return value


def _threshold(threshold: str) -> tuple[str, float]:
    name, _, bound = threshold.partition("=")
    try:
        least = float(bound)
    except ValueError:
        least = math.nan
    if not name or math.isnan(least):
        raise InvalidInput(f"--fail-under {threshold!r} is not NAME=VALUE.", "Write for example accuracy=0.8.")
    return name, least


def _missed(document: Document, threshold: str) -> str:
    name, least = _threshold(threshold)
    figures = _figures(document)
    full = _full(name, figures)
    if full not in figures:
        raise _no_figure(name, [known for known in figures if not known.endswith(ENDS)])
    value = figures[full]
    if value is None:
        return f"{name} has no value, so it cannot reach {least:g}."
    return f"{name} is {value:.4g}, below {least:g}." if value < least else ""


def _full(name: str, figures: Collection[str]) -> str:
    """The dotted key that a name of a threshold stands for; a metric's name is its mean, with the end it may name."""
    if name in figures:
        return name
    whole, dot, end = name.rpartition(".")
    long = [f"{form.format(whole)}{dot}{end}" for form in LONG_NAMES] if f".{end}" in ENDS else []
    return next((key for key in (*(form.format(name) for form in LONG_NAMES), *long) if key in figures), name)


def _no_figure(name: str, figures: Iterable[str]) -> NotFound:
    """The error, with the figures there are; of many those whose names are most like the wanted one."""
    figures = list(figures)
    words = name.casefold().removesuffix(".low").removesuffix(".high")
    likeness = {figure: SequenceMatcher(None, words, figure.casefold()).ratio() for figure in figures}
    nearest = sorted(figures, key=lambda figure: (words not in figure.casefold(), -likeness[figure]))
    if len(figures) <= MOST_FIGURES:
        return NotFound(f"The result has no figure {name!r}.", f"Its figures are: {', '.join(figures)}.")
    return NotFound(
        f"The result has no figure {name!r}.",
        f"The nearest of its {len(figures):,} figures are: {', '.join(nearest[:MOST_FIGURES])}. --json shows all.",
    )


def _figures(document: Document, prefix: str = "") -> dict[str, float | None]:
    """What a threshold can name: numbers, proportions and estimates, by their dotted keys."""
    figures: dict[str, float | None] = {}
    for key, value in document.items():
        if isinstance(value, Mapping) and "value" in value:
            figures[prefix + key] = value["value"]
            figures |= {f"{prefix}{key}{end}": value[end[1:]] for end in ENDS if end[1:] in value}
        elif isinstance(value, Mapping):
            figures |= _figures(value, f"{prefix}{key}.")
        elif value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            # No value is a figure all the same: a share of no criteria misses a threshold and is no unknown name.
            figures[prefix + key] = value
    return figures
