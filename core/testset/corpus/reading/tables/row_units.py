"""The unit of a row's figures, as its name or a column for it gives it: "Freight (thousand tonnes)", "Unit: hours"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.testset.corpus.reading.tables.grids import Grid, Row

UNIT_HEADS = frozenset({"unit", "units", "unit of measure", "uom", "measured in"})
"""Heads of a column that gives the unit of each row."""
_NUMBER = re.compile(r"(?:numbers?|no\.?|nr\.?|counts?|#|each)", re.IGNORECASE)
_CURRENCIES = {
    "$": "dollars",
    "usd": "dollars",
    "us$": "dollars",
    "dollar": "dollars",
    "€": "euros",
    "eur": "euros",
    "euro": "euros",
    "£": "pounds",
    "gbp": "pounds",
    "pound": "pounds",
    "chf": "Swiss francs",
    "pence": "pence",
    "cent": "cents",
}
_CURRENCY = r"US\$|[$€£]|(?:USD|EUR|GBP|CHF|dollars?|euros?|pounds?|pence|cents?)(?![a-z])"
_SCALES = {"k": "thousands", "000": "thousands", "m": "millions", "mn": "millions", "bn": "billions", "b": "billions"}
_SCALE = r"thousands?|millions?|billions?|['’]?000s?|mn|bn|[mkb](?![a-z])"
_SCALED = re.compile(
    rf"(?:(?P<before>{_CURRENCY}) ?)?(?P<scale>{_SCALE})(?: (?:of )?(?P<what>{_CURRENCY}|[a-z][a-z²³-]*(?: [a-z]+)?))?",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"%|per ?cent(?:age)?", re.IGNORECASE)
_MEASURE = re.compile(
    r"(?:[kcm]?m[²³2]?|k?g|mg|t|l|ml|hl|[kMG]?[WVA]h?|[MG]L|[GMT]B|bar|°C|h|hrs|min|ha|GT|TEU|FTE|dwt|nm|tonnes|tons|"
    r"kilograms|days|weeks|months|years|hours|minutes|seconds|miles|feet|inches|met(?:re|er)s|kilomet(?:re|er)s|"
    r"lit(?:re|er)s|gallons|pallets|nights|points)(?:/[a-z]+| per [a-z]+)?"
)
_BEHIND = re.compile(r"\s*\((?:in )?(?P<unit>[^()]+)\)$")
_NO_REMARK = re.compile(r"[%$€£\d÷/=]|\b(?:of|per|incl|excl)\b", re.IGNORECASE)
"""In brackets behind a name, what is neither a unit nor a word that says which."""


def said_unit(words: str, label: str = "") -> str | None:
    """A unit in the words of a question; empty for a plain number, None where it is none.

    >>> said_unit("USD thousand"), said_unit("€m"), said_unit("thousand tonnes"), said_unit("no."), said_unit("ro-ro")
    ('in thousands of dollars', 'in millions of euros', 'in thousands of tonnes', '', None)
    >>> said_unit("thousand units", "freight units"), said_unit("USD"), said_unit("hours"), said_unit("% of claims")
    ('in thousands', 'in dollars', 'in hours', None)
    """
    plain = words.strip().removeprefix("in ").strip()
    if _NUMBER.fullmatch(plain):
        return ""
    if _PERCENT.fullmatch(plain):
        return "in percent"
    if currency := _currency(plain):
        return f"in {currency}"
    if scaled := _SCALED.fullmatch(plain):
        return _scaled(scaled, label)
    return f"in {plain}" if _MEASURE.fullmatch(plain) else None


def _scaled(match: re.Match[str], label: str) -> str | None:
    word = re.sub(r"^['’]", "", match["scale"].casefold()).removesuffix("s")
    scale = _SCALES.get(word, f"{word}s")
    what = match["before"] or match["what"] or ""
    if match["before"] and match["what"]:
        return None
    of = _currency(what) or what
    known = not of or of.casefold() in label.casefold()  # "freight units" in thousands
    return f"in {scale}" if known else f"in {scale} of {of}"


def _currency(words: str) -> str:
    low = words.casefold()
    return _CURRENCIES.get(low, "") or _CURRENCIES.get(low.removesuffix("s"), "")


def named(label: str) -> tuple[str, str] | None:
    """A row's name without its unit in brackets, and the unit; None where brackets hold what a question cannot say.

    >>> named("Repair cost (USD thousand)"), named("Trips (ferry)"), named("Claims repudiated (% of closed)")
    (('Repair cost', 'in thousands of dollars'), ('Trips (ferry)', ''), None)
    """
    match = _BEHIND.search(label)
    if match is None:
        return label, ""
    unit = said_unit(match["unit"], label[: match.start()])
    if unit is None:
        return None if _NO_REMARK.search(match["unit"]) else (label, "")
    return label[: match.start()].strip(), unit


def unit_column(heads: Sequence[str]) -> int:
    """The place of the column that gives each row's unit; 0 for none."""
    return next((place for place, head in enumerate(heads) if place and head.casefold().strip(" :") in UNIT_HEADS), 0)


def unit_above(head: str) -> str:
    """The unit that the head above the rows' names gives for all of them: "Cargo (thousand tonnes)"."""
    match = _BEHIND.search(head)
    return (said_unit(match["unit"], "") or "") if match else ""


def rows_with_units(grid: Grid) -> Iterator[tuple[Row, str | None]]:
    """The rows without the units in their names, each with the unit that it, its column or the head above gives.

    None where neither gives one. Rows whose unit cannot be said are left out.
    """
    column, above = unit_column(grid.heads), unit_above(grid.heads[0])
    for row in grid.rows:
        parts = named(row.cells[0])
        if parts is None:
            continue
        label, own = parts
        unit: str | None = own or above or None
        if column and row.cells[column]:
            unit = said_unit(row.cells[column], label)
            if unit is None:
                continue
        yield replace(row, cells=(label, *row.cells[1:])), unit
