"""What a validation report says, as a record that knows nothing of how it is drawn.

Every number keeps its full precision and its n; words are made of it only where it is drawn. The record is what a
snapshot stores and what the JSON file holds, so its schema has a version.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from core.domain.estimates import Estimate, Proportion

SCHEMA: Final = "plumbline.report/1"
"""Name and version of the JSON; the number grows when a key changes its meaning or goes."""


class Kind(StrEnum):
    """What a number is, which decides how it is written."""

    SHARE = "share"
    MEAN = "mean"
    DIFFERENCE = "difference"
    P_VALUE = "p_value"


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number with its interval and n.

    Attributes:
        value: None where there is none.
        low: Lower end of the 95% interval, None where there is none.
        high: Upper end.
        n: Cases it is of; the denominator of a share. None where it is no figure of cases.
        num: Numerator of a share of cases.
        clusters: Independent clusters, where cases share a source.
        method: How the interval was computed, or why there is no value.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    num: int | None = None
    clusters: int | None = None
    method: str = ""
    kind: Kind = Kind.MEAN


Cell = str | int | Number | None
"""One cell: a text, a count, a number with its interval, or nothing."""


class Tone(StrEnum):
    """What a paragraph is for."""

    PLAIN = "plain"
    NOTE = "note"
    GOOD = "good"
    WARNING = "warning"
    MISSING = "missing"
    """Says that something is not there, and which step makes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Some sentences."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading inside a section."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Points, one sentence or two each."""

    points: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A name and what stands for it."""

    name: str
    cell: Cell
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Names with what stands for them."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table.

    Attributes:
        id: Stable name, such as ``scores``.
        columns: Their headings.
        note: What must be known to read it.
        number: Its place among the numbered tables of the report; 0 for one that stands behind a figure.
        labels: Whether the first column names the row.
    """

    id: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    number: int = 0
    labels: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One series of a chart; all sequences have the same length.

    Attributes:
        colour: What its colour means, a key of :data:`core.report.colours.COLOURS`.
        x: Names of categories, or numbers.
        y: Values, None where there is none.
        low: Lower ends of intervals; empty for a series without.
        high: Upper ends.
        texts: What is written beside each value; empty for none.
        line: Whether its points are joined.
    """

    name: str
    colour: str
    x: tuple[str | float, ...]
    y: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    texts: tuple[str, ...] = ()
    line: bool = False


class Shape(StrEnum):
    """How a chart is drawn."""

    INTERVALS = "intervals"
    """A mark with whiskers for each category, categories from top to bottom."""
    STACKED = "stacked"
    """A bar for each category, cut into the series."""
    CURVES = "curves"
    """Numbers over numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A figure: its data, what it shows in words, and the table that stands behind it.

    Attributes:
        title: What it shows; the finding where there is one.
        alt: The same for who cannot see it, with the main numbers.
        reference: Where a line is drawn, such as a threshold; None for none.
        diagonal: Whether the line of equal values is drawn.
        number: Its place among the figures of the report.
    """

    id: str
    title: str
    alt: str
    shape: Shape
    values: str
    series: tuple[Series, ...]
    table: Table
    categories: str = ""
    reference: float | None = None
    diagonal: bool = False
    low: float | None = None
    high: float | None = None
    number: int = 0


Block = Paragraph | Heading | Listing | Facts | Table | Chart


@dataclass(frozen=True, slots=True, kw_only=True)
class Commentary:
    """What a person wrote about a section.

    Attributes:
        at: UTC, ISO 8601.
    """

    text: str
    by: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section.

    Attributes:
        key: Stable name, see :data:`core.report.outline.SECTIONS`.
        number: Its place in the report; 0 for the summary.
    """

    key: str
    title: str
    number: int
    blocks: tuple[Block, ...]
    commentary: tuple[Commentary, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportContent:
    """A whole report.

    Attributes:
        date: The date it is of, ISO 8601; the only thing that differs between two reports of the same store.
        summary: Page one.
        sections: In order, those that are switched off left out.
        left_out: Titles of sections that were switched off.
        figures: The engine's figures by name, plain JSON as the command line gives them.
        findings: Open and decided findings, plain JSON.
        made_from: What reproduces it: run, test set, calibration, options, hashes, versions.
        cases: The cases as they were when the report was frozen, plain JSON; None where they are not kept with it.
    """

    project: str
    project_id: str
    run_id: str
    calibration_id: str
    date: str
    version: str
    summary: Section
    sections: tuple[Section, ...]
    left_out: tuple[str, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[Mapping[str, Any], ...] = ()
    made_from: Mapping[str, Any] = field(default_factory=dict)
    cases: tuple[Mapping[str, Any], ...] | None = None

    @property
    def title(self) -> str:
        """The title on page one."""
        return f"Validation report: {self.project}"

    def every_section(self) -> Iterator[Section]:
        """Page one and all others."""
        yield self.summary
        yield from self.sections

    def section(self, key: str) -> Section | None:
        """A section by its key, None where it was switched off."""
        return next((section for section in self.every_section() if section.key == key), None)


def share(value: Proportion) -> Number:
    """A proportion as a cell."""
    return Number(
        value=value.value,
        low=value.low,
        high=value.high,
        n=value.den,
        num=value.num,
        clusters=value.clusters,
        method=value.method,
        kind=Kind.SHARE,
    )


def number(value: Estimate, kind: Kind = Kind.MEAN) -> Number:
    """An estimate as a cell."""
    return Number(value=value.value, low=value.low, high=value.high, n=value.n, method=value.method, kind=kind)


def bare(value: float | None, kind: Kind = Kind.MEAN) -> Number:
    """A number without an interval, such as a threshold."""
    return Number(value=value, kind=kind)


def proportion_of(figures: Mapping[str, Any]) -> Number:
    """A stored proportion, as the command line writes it, as a cell."""
    return Number(
        value=figures["value"],
        low=figures.get("low"),
        high=figures.get("high"),
        n=figures["den"],
        num=figures["num"],
        clusters=figures.get("clusters"),
        method=str(figures.get("method", "")),
        kind=Kind.SHARE,
    )


def numbered(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The sections with their places, and their tables and figures numbered through."""
    tables = charts = 0
    result = []
    for place, section in enumerate(sections):
        blocks: list[Block] = []
        for block in section.blocks:
            if isinstance(block, Table):
                tables += 1
                blocks.append(replace(block, number=tables))
            elif isinstance(block, Chart):
                charts += 1
                blocks.append(replace(block, number=charts))
            else:
                blocks.append(block)
        result.append(replace(section, number=place, blocks=tuple(blocks)))
    return tuple(result)
