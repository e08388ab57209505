"""What a peer's format is: its names for our fields, how its files are laid open as rows, and how a run becomes one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from core.domain.cases import TestCase
from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.identity import short_hash
from core.domain.registry import Registry
from core.domain.responses import Response, Score
from core.interchange.rows import Row

REASON: Final = ".reason"
"""A column ``X.reason`` explains the scores in column X."""

MOST_BYTES: Final = 500_000_000
"""A file is held in memory as a whole, so that nothing is stored when its last row cannot be used."""


class Field(StrEnum):
    """What a column can become; the names are those of our records."""

    CASE_ID = "case_id"
    QUESTION = "question"
    ANSWER = "answer"
    CONTEXTS = "contexts"
    DOCUMENT_IDS = "document_ids"
    CHUNK_IDS = "chunk_ids"
    CONTEXT_SCORES = "context_scores"
    REFERENCES = "reference_answers"
    IDEAL_CONTEXTS = "ideal_contexts"
    GOLD_DOCUMENTS = "gold_document_ids"
    GOLD_CHUNKS = "gold_chunk_ids"
    GROUP = "group_id"
    FORM = "form"
    CONVERSATION = "conversation"
    ANSWERED = "answered"
    ABSTAINED = "abstained"
    ERROR = "error"
    LATENCY = "latency_s"
    TOKENS = "tokens"
    VERDICT = "verdict"
    VERDICT_REASON = "verdict_reason"
    SQL = "sql"
    SQL_PARAMS = "sql_params"
    TABLES = "tables"
    SQL_TEMPLATE = "sql_template_id"
    TEXT_TEMPLATE = "text_template_id"
    ATTRIBUTES = "attributes"
    ATTRIBUTE = "attribute"
    SCORE = "score"
    SCORE_REASON = "score_reason"
    IGNORED = "ignored"


LISTS: Final = frozenset(
    {
        Field.CONTEXTS, Field.DOCUMENT_IDS, Field.CHUNK_IDS, Field.CONTEXT_SCORES, Field.IDEAL_CONTEXTS,
        Field.GOLD_DOCUMENTS, Field.GOLD_CHUNKS, Field.TABLES, Field.CONVERSATION,
    }
)  # fmt: skip
"""Fields whose cells may hold a list that is written as text."""

IDS: Final = frozenset({Field.DOCUMENT_IDS, Field.CHUNK_IDS, Field.GOLD_DOCUMENTS, Field.GOLD_CHUNKS, Field.TABLES})
"""Lists of short texts, in which blanks around a delimiter mean nothing."""

MANY: Final = frozenset({Field.ATTRIBUTE, Field.SCORE, Field.SCORE_REASON, Field.IGNORED})
"""What several columns may become; any other field is filled by one column."""

OURS: Final[Mapping[str, Field]] = {
    one.value: one for one in Field if one not in MANY
} | {"latency_seconds": Field.LATENCY}  # fmt: skip
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
        columns: Which field each of its columns becomes; of two columns for one field the earlier one is taken.
        scores: Columns that hold its scores, without its prefix.
        signs: What tells such a file.
        notes: What a reader must know, one sentence each.
        lists: Columns of texts whose cells may hold a list all the same (``ground_truths``).
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
    lists: frozenset[str] = frozenset()
    prefix: str = ""
    value_suffix: str = ""
    reason_suffix: str = REASON
    tells_scores: bool = False
    null_judgement: bool = False

    def metric(self, column: str) -> str:
        """The name under which a column of scores is kept: the tool's name in front, so that it is never one of ours.

        Links name metrics, so the rest is small letters, digits and underscores; a cut-off stays.
        """
        named, at, cut = column.strip().rpartition("@") if re.search(r"@\d{1,4}$", column) else (column, "", "")
        prefix, dot, rest = named.strip().partition(".")
        if not dot or prefix not in prefixes():
            prefix, rest = self.prefix or self.name, named
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
class RunData:
    """A run, ready to be written.

    Attributes:
        name: Of the test set.
        metrics: Names of its metrics, the verdict left out.
        columns: What a metric was called in the file it came in, where it came in one.
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
        models: Names the models whose answers a file holds; None where a file has those of one system.
    """

    spec: FormatSpec
    unpack: Unpack
    pack: Pack
    models: Callable[[Path], tuple[str, ...]] | None = None


_FORMATS: Registry[Format] = Registry("core.interchange.formats", "format")


def exchange_format(found: Format) -> Format:
    """Makes a format known.

    Raises:
        ValueError: The name is taken.
    """
    _FORMATS.add(found.spec.name, found)
    return found


def list_formats() -> tuple[Format, ...]:
    """Every format, in name order."""
    return tuple(_FORMATS.all().values())


@cache
def prefixes() -> frozenset[str]:
    """What the names of foreign metrics begin with; our own scores, read back from a file, are foreign too."""
    return frozenset({one.spec.prefix or one.spec.name for one in list_formats()} | {"plumbline"})


def find_format(name: str) -> Format:
    """The format of that name.

    Raises:
        InvalidInput: There is none.
    """
    known = _FORMATS.all()
    found = known.get(name.strip().casefold())
    if found is None:
        raise InvalidInput(f"There is no format {name!r}.", f"Use one of: {', '.join(known)}.")
    return found


def check_size(path: Path) -> None:
    """Refuses a file that is missing or too large to be held in memory.

    Raises:
        UnreadableFile: It is.
    """
    try:
        size = path.stat().st_size
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror or error}.", "Check the path.") from error
    if path.is_dir():
        raise UnreadableFile(f"{path} is a folder.", "Name the file in it.")
    if size > MOST_BYTES:
        raise UnreadableFile(
            f"{path} has {size:,} bytes, more than the {MOST_BYTES:,} that are read at once.", "Split the file by rows."
        )


def plain_name(column: str) -> str:
    """A column's name as most tools would write it.

    >>> plain_name(" Retrieved Contexts ")
    'retrieved_contexts'
    """
    return "_".join(column.casefold().replace("-", " ").split())


def numbered(rows: Iterable[Row]) -> Iterator[tuple[int, Row]]:
    """Rows with their numbers from 1."""
    yield from enumerate(rows, start=1)
