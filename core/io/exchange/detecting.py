"""Which peer's file a file is, by its columns, and why."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput, UnreadableFile
from core.io.exchange.format import Format, FormatSpec, Unpacked, check_size, list_formats
from core.io.exchange.lost import looks_like
from core.io.exchange.tables import READS
from core.io.tables.columns import Field, arrange, plain_name
from core.io.tables.rows import Row, read_rows

AUTO: Final = "auto"
"""Instead of a format's name: find it out."""

TABLE: Final = "table"
"""The format of files that no tool writes."""

SURE: Final = 0.99
"""No other format has such columns, so none is tried any more."""
LOOKED_AT: Final = 200

ENOUGH: Final = 0.5
"""Less confidence than this is a guess that a person should make."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detected:
    """Which format a file is.

    Attributes:
        confidence: From 0 to 1.
        why: One sentence.
        others: Names of other formats it could be, with their confidence.
    """

    name: str
    confidence: float
    why: str
    others: Mapping[str, float] = field(default_factory=dict)


def detect(path: Path, *, by_hand: bool = False) -> Detected:
    """Which format a file is: the one whose signs make surest, by the columns of its first rows.

    Args:
        path: The file.
        by_hand: Whether a person says what columns are, so that a file of no known format is just a table.

    Raises:
        UnreadableFile: No format can read the file at all.
        InvalidInput: Its columns are those of no format.
    """
    check_size(path)
    endings = sorted({ending for file_format in list_formats() for ending in file_format.spec.reads})
    if path.suffix.casefold() not in endings:
        raise UnreadableFile(
            f"{path} ends in {path.suffix or 'nothing'}, which is not the ending of a supported tool's file.",
            f"Save it as one that ends in {', '.join(endings)}.",
        )
    columns: dict[str, None] = {}
    matches: list[Detected] = []
    failure: UnreadableFile | None = None
    with _head(path) as head:
        for file_format in sorted(list_formats(), key=_surest):
            if path.suffix.casefold() not in file_format.spec.reads:
                continue
            try:
                rows = list(islice(file_format.unpack(head, _first_model(file_format, head)).rows, LOOKED_AT))
            except UnreadableFile as error:
                failure = failure or error
                continue
            except InvalidInput:
                continue  # it is laid out in another way
            names = {name: None for _, row in rows for name in row}
            columns |= names
            matches.extend(_signed(file_format.spec, names))
            if matches and matches[-1].confidence >= SURE:
                break
    if not columns:
        if path.suffix.casefold() in READS:
            columns = {name: None for _, row in read_rows(path) for name in row}  # says why it is no table
        if failure is not None and not columns:
            raise failure
    best = sorted(matches, key=lambda match: -match.confidence)
    if best and best[0].confidence < ENOUGH:
        raise InvalidInput(
            f"{path} has names that many tools use: {', '.join(list(columns)[:20])}.",
            f"Name the format, such as {' or '.join(match.name for match in best)}, "
            "and check what each column becomes.",
        )
    if not best:
        return _unknown(path, list(columns), by_hand=by_hand)
    return replace(best[0], others={match.name: match.confidence for match in best[1:]})


def _surest(file_format: Format) -> float:
    return -max((sign.confidence for sign in file_format.spec.signs), default=0.0)


def _unknown(path: Path, columns: Sequence[str], *, by_hand: bool) -> Detected:
    """A file that no tool writes: just a table where a person says what its columns are."""
    if by_hand and path.suffix.casefold() in READS:
        return Detected(name=TABLE, confidence=1.0, why="No tool has such columns; they are mapped by hand.")
    supported = ", ".join(file_format.spec.name for file_format in list_formats())
    raise InvalidInput(
        f"{path} has the columns of no known format: {', '.join(columns[:20]) or 'none'}.",
        f"Take it as any table (format {TABLE}) and say what its columns are, such as {_example(columns)}, "
        f"or name the tool's format; there are {supported}.",
    )


def _example(columns: Iterable[str]) -> str:
    """A mapping as it is written, of the columns whose names tell what they hold."""
    guessed: dict[Field, str] = {}
    for column in columns:
        by_name = next(iter(arrange([column])), "")
        field_of_it = Field(by_name) if by_name else looks_like(column)
        if field_of_it in (Field.QUESTION, Field.ANSWER):
            guessed.setdefault(field_of_it, column)
    question, answer = guessed.get(Field.QUESTION, "COLUMN"), guessed.get(Field.ANSWER, "COLUMN")
    return f"{question}={Field.QUESTION.value} and {answer}={Field.ANSWER.value}"


@contextmanager
def _head(path: Path) -> Iterator[Path]:
    """The first rows of a table as a small file, so that no format reads the whole; other files as they are."""
    if path.suffix.casefold() not in READS or path.suffix.casefold() == ".json":
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        head = Path(folder) / f"{path.stem[:80]}.jsonl"
        rows = [json.dumps(row, default=str) for _, row in islice(read_rows(path), LOOKED_AT)]
        head.write_text("\n".join(rows), encoding="utf-8")
        yield head


def _signed(spec: FormatSpec, names: Iterable[str]) -> list[Detected]:
    parts = {part for name in names for part in (name, name.split(".", 1)[0], plain_name(name))}
    fitting = [sign for sign in spec.signs if parts.issuperset(sign.columns) and not parts.intersection(sign.without)]
    if not fitting:
        return []
    sign = max(fitting, key=lambda candidate: candidate.confidence)
    return [Detected(name=spec.name, confidence=sign.confidence, why=sign.says)]


def opened(file_format: Format, path: Path, model: str) -> tuple[Unpacked, list[tuple[int, Row]]]:
    """A file laid open by a format, with all its rows.

    Raises:
        UnreadableFile: Its ending is none of the format's, it has no row, or it is no such file.
        InvalidInput: It has answers of several models and none is named.
    """
    if path.suffix.casefold() not in file_format.spec.reads:
        raise UnreadableFile(
            f"{path} ends in {path.suffix or 'nothing'}, which {file_format.spec.title} does not write.",
            f"Give a file that ends in {', '.join(file_format.spec.reads)}.",
        )
    unpacked = file_format.unpack(path, model)
    rows = list(unpacked.rows)
    if not rows:
        raise UnreadableFile(f"{path} has no row.", "Give one row for each case.")
    return replace(unpacked, rows=()), rows


def _first_model(file_format: Format, path: Path) -> str:
    models = file_format.models(path) if file_format.models is not None else ()
    return models[0] if models else ""
