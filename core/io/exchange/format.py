"""What a peer's format is: its names for our fields, how its files are laid open as rows, and how a run becomes one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.identity import short_hash
from core.domain.registry import Registry
from core.domain.results.responses import Response, Score
from core.domain.testset.cases import TestCase
from core.io.tables.columns import MANY, Field
from core.io.tables.rows import Row, refuse_large

REASON: Final = ".reason"
"""A column ``X.reason`` explains the scores in column X."""

MOST_BYTES: Final = 500_000_000
"""A file is held in memory as a whole, so that nothing is stored when its last row cannot be used."""


OURS: Final = frozenset(
    column_field.value for column_field in Field if column_field not in MANY and column_field is not Field.ANSWERABLE
)
"""Our own column names, which every format carries for what it has no name for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """Columns that together tell a format.

    Attributes:
        columns: All of them must be there.
        confidence: From 0 to 1, how sure their presence makes.
        says: Why, one sentence.
        without: None of these may be there.
    """

    columns: tuple[str, ...]
    confidence: float
    says: str
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSpec:
    """A peer's format, described.

    Attributes:
        name: On the command line ("ragas").
        title: For people ("Ragas").
        about: What such a file is, one sentence.
        reads: Endings of files that are read.
        writes: Endings of files that are written, the usual one first.
        columns: What its columns become where :mod:`core.io.tables.columns` does not know them, or takes them for
            something else: attributes, the tool's bookkeeping, and names that mean something else in its files.
        scores: Columns that hold its scores, without its prefix.
        signs: What tells such a file.
        notes: What a reader must know, one sentence each.
        prefix: Of its metrics in our score tables; by default the name.
        value_suffix: Behind the name of a score, in the column of its values.
        reason_suffix: Behind the name of a score, in the column of its reasons.
        tells_scores: Whether its files say which of their columns are scores.
        null_judgement: Whether an empty score is a judge's "cannot be evaluated" and no missing value.
    """

    name: str
    title: str
    about: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    columns: Mapping[str, Field]
    signs: tuple[Sign, ...]
    scores: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    prefix: str = ""
    value_suffix: str = ""
    reason_suffix: str = REASON
    tells_scores: bool = False
    null_judgement: bool = False

    def metric(self, column: str) -> str:
        """The name under which a column of scores is kept: the tool's name in front, so that it is never one of ours.

        Links name metrics, so the rest is small letters, digits and underscores; a cut-off stays.
        """
        whole_name, at, cut = column.strip().rpartition("@") if re.search(r"@\d{1,4}$", column) else (column, "", "")
        prefix, dot, rest = whole_name.strip().partition(".")
        if not dot or prefix not in prefixes():
            prefix, rest = self.prefix or self.name, whole_name
        word = re.sub(r"[^a-z0-9]+", "_", rest.casefold()).strip("_")[:60] or f"score_{short_hash(column, 6)}"
        return f"{prefix}.{word}{at}{cut}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    """A file laid open.

    Attributes:
        rows: Flat rows with their numbers from 1; nested fields are parted by dots ("metrics.precision").
        notes: What a reader must know, one sentence each.
        options: What a run made of it remembers besides.
        left_out: Things of the file that are no rows, with the reason.
        scores: Columns that the file's own layout says are scores.
        columns: What columns become in this file, where that is not what they become elsewhere.
    """

    rows: Iterable[tuple[int, Row]]
    notes: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    scores: frozenset[str] = frozenset()
    columns: Mapping[str, Field] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One case of a run, ready to be written.

    Attributes:
        scores: By metric, the verdict left out.
        ideal_contexts: Texts of the passages that should be found.
        conversation: Earlier turns, each a pair of role and text.
    """

    case: TestCase
    response: Response
    verdict: Score | None = None
    scores: Mapping[str, Score] = field(default_factory=dict)
    ideal_contexts: tuple[str, ...] = ()
    conversation: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricWords:
    """What a file says about one of our metrics.

    Attributes:
        question: What it answers.
        low: Its lowest value; None where it has no bound.
        high: Its highest value; None where it has no bound.
    """

    title: str
    question: str
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunData:
    """A run, ready to be written.

    Attributes:
        name: Of the test set.
        metrics: Names of its metrics, the verdict left out.
        columns: What a metric was called in the file it came in, where it came in one.
        words: What the file says about those metrics that are ours.
        contexts_known: Whether the run tells what was retrieved, so that an empty list means nothing.
        criteria: What people labelled under, in InspectorRAGet's words.
        labels: By case, criterion and rater, in InspectorRAGet's words.
    """

    run_id: str
    name: str
    target: str
    metrics: tuple[str, ...]
    answered: tuple[Answered, ...]
    columns: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, MetricWords] = field(default_factory=dict)
    contexts_known: bool = True
    criteria: tuple[Mapping[str, object], ...] = ()
    labels: Mapping[str, Mapping[str, Mapping[str, object]]] = field(default_factory=dict)


Unpack = Callable[[Path, str], Unpacked]
"""Lays a file open; the second argument names the model where a file has answers of several, else it is empty."""

Pack = Callable[[RunData, Path], Mapping[str, str]]
"""Writes a run and returns our fields with the columns they were written to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format with what reads and writes it.

    Attributes:
        pack: Writes it; None for one that is only read.
        models: Names the models whose answers a file holds; None where a file has those of one system.
    """

    spec: FormatSpec
    unpack: Unpack
    pack: Pack | None = None
    models: Callable[[Path], tuple[str, ...]] | None = None


_FORMATS: Registry[Format] = Registry(f"{__name__.rpartition('.exchange.')[0]}.formats", "format")


def exchange_format(file_format: Format) -> Format:
    """Makes a format known.

    Raises:
        ValueError: The name is taken.
    """
    _FORMATS.add(file_format.spec.name, file_format)
    return file_format


def list_formats() -> tuple[Format, ...]:
    """Every format, in name order."""
    return tuple(_FORMATS.all().values())


@cache
def prefixes() -> frozenset[str]:
    """What the names of foreign metrics begin with; our own scores, read back from a file, are foreign too."""
    return frozenset({peer.spec.prefix or peer.spec.name for peer in list_formats()} | {"plumbline"})


def find_format(name: str) -> Format:
    """The format of that name.

    Raises:
        InvalidInput: There is none.
    """
    formats = _FORMATS.all()
    peer = formats.get(name.strip().casefold())
    if peer is None:
        raise InvalidInput(f"There is no format {name!r}.", f"Use one of: {', '.join(formats)}.")
    return peer


def check_size(path: Path) -> None:
    """Refuses a file that is missing or too large to be held in memory.

    Raises:
        UnreadableFile: It is.
    """
    refuse_large(path, MOST_BYTES)
