"""A peer's file read as a whole: which format it is and why, what each column becomes, and every row in our words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from core.domain.errors import LostColumns
from core.domain.identity import short_hash
from core.io.exchange.detecting import AUTO, Detected, detect, opened
from core.io.exchange.format import FormatSpec, Unpacked, check_size, find_format
from core.io.exchange.lost import refuse_losses
from core.io.exchange.mapping import Mapped, fill_gaps, propose
from core.io.exchange.records import Record, RecordReader, check_unique
from core.io.tables.cells import AUTOMATIC
from core.io.tables.columns import Field
from core.io.tables.rows import Row
from core.io.tables.table_files import ENDINGS
from core.runs.exchange.enables import enabled, measurable

SAME_PASSAGES: Final = (
    "Retrieved and ideal passages are compared by their texts: one counts as found where the two are equal."
)
NO_ANSWERS: Final = (
    "No row has an answer, so the file becomes a test set to be run; retrieved passages and scores are not kept."
)
OTHER_PASSAGES: Final = (
    "No retrieved passage has the text of an ideal one, so whether the ideal passages were found is not known; their "
    "texts are kept with the test set."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What a file is, before its rows are read.

    Attributes:
        mapped: What each column becomes, in the order of the file.
        rows: How many rows it has.
    """

    spec: FormatSpec
    detected: Detected
    mapped: tuple[Mapped, ...]
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a file, as a person checks it.

    Attributes:
        read_as: How its lists were written, or empty.
        enables: Names of our metrics that look at it and have all they need.
    """

    mapped: Mapped
    read_as: str
    enables: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A file in our words; nothing is stored yet.

    Attributes:
        columns: In the order of the file.
        records: Every row.
        metrics: Names of our metrics that can be measured on it.
        ignored: What is left behind, with the reason.
        notes: What a reader must know, one sentence each.
        options: What a run made of it remembers besides.
    """

    path: Path
    spec: FormatSpec
    detected: Detected
    columns: tuple[Column, ...]
    records: tuple[Record, ...]
    metrics: tuple[str, ...]
    ignored: Mapping[str, str]
    notes: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def mapped(self) -> dict[str, str]:
        """Our names with the columns they come from."""
        return {
            column.mapped.ours: column.mapped.column
            for column in self.columns
            if column.mapped.becomes is not Field.IGNORED
        }


def read_exchange(
    path: Path,
    name: str = AUTO,
    *,
    overrules: Mapping[str, str] | None = None,
    lists: str = AUTOMATIC,
    model: str = "",
    shown_as: str = "",
) -> Imported:
    """Reads a file of a peer.

    Args:
        path: The file.
        name: Of the format, or ``auto``.
        overrules: A field's name by column; they go before what the format says.
        lists: How lists in cells are read: ``auto``, ``none`` or the delimiter.
        model: Whose answers, where a file has those of several.
        shown_as: What messages call the file; its path by default.

    Raises:
        UnreadableFile: It cannot be read, or is no file of that format.
        InvalidInput: It is of no known format, a mapping cannot be, or a row cannot be used; the message names row and
            column.
        LostColumns: Columns would be lost that look like answers, references, passages or ids.
    """
    outlined, unpacked, rows = _outlined(path, name, overrules or {}, lists, model)
    mapped, null = outlined.mapped, outlined.spec.null_judgement
    called = shown_as or str(path)
    refuse_losses(mapped, rows, called)
    reader = RecordReader(mapped, null_judgement=null)
    records = tuple(reader.read(number, row, f"Row {number} of {called}") for number, row in rows)
    column = next((item.column for item in mapped if item.becomes is Field.CASE_ID), Field.CASE_ID.value)
    check_unique(records, called, column)
    records, notes = _by_text(records)
    ready = measurable(records)
    return Imported(
        path=path,
        spec=outlined.spec,
        detected=outlined.detected,
        columns=tuple(
            Column(
                mapped=item, read_as=_ways(reader.readings.get(item.column, {})), enables=enabled(item, ready, records)
            )
            for item in mapped
        ),
        records=records,
        metrics=ready,
        ignored={
            **{item.column: item.why for item in mapped if item.becomes is Field.IGNORED},
            **unpacked.left_out,
        },
        notes=(*outlined.spec.notes, *unpacked.notes, *notes, *_unanswered(records, mapped, called)),
        options=unpacked.options,
    )


def outline(path: Path, name: str = AUTO, *, lists: str = AUTOMATIC, model: str = "") -> Outline:
    """What a file is and what its columns become by themselves; its rows may still be found unusable.

    Raises:
        UnreadableFile: It cannot be read, or is no file of that format.
        InvalidInput: It is of no known format.
    """
    return _outlined(path, name, {}, lists, model)[0]


def _outlined(
    path: Path, name: str, overrules: Mapping[str, str], lists: str, model: str
) -> tuple[Outline, Unpacked, list[tuple[int, Row]]]:
    check_size(path)
    by_hand = bool({Field.QUESTION.value, Field.ANSWER.value} & set(overrules.values()))
    detected = (
        detect(path, by_hand=by_hand) if name == AUTO else Detected(name=name, confidence=1.0, why="Chosen by hand.")
    )
    peer = find_format(detected.name)
    unpacked, rows = opened(peer, path, model)
    columns = {**peer.spec.columns, **unpacked.columns}
    spec = replace(peer.spec, scores=peer.spec.scores | unpacked.scores, columns=columns)
    mapped = propose(spec, rows, overrules, lists=lists)
    if path.suffix.casefold() not in ENDINGS:  # in a table a cell that is absent is an empty one
        rows = fill_gaps(rows, mapped)
    return Outline(spec=spec, detected=detected, mapped=mapped, rows=len(rows)), unpacked, rows


def _unanswered(records: Sequence[Record], mapped: Sequence[Mapped], called: str) -> tuple[str, ...]:
    """The note that a file becomes a test set, which keeps no retrieved passages and no scores.

    Raises:
        LostColumns: Passages would be lost, and the file does not say itself (`answered`) that nothing was answered.
    """
    if any(record.response.answer is not None for record in records):
        return ()
    retrieved = {Field.CONTEXTS, Field.DOCUMENT_IDS, Field.CHUNK_IDS, Field.CONTEXT_SCORES}
    columns = [item.column for item in mapped if item.becomes in retrieved]
    declared = any(item.becomes is Field.ANSWERED for item in mapped)
    if any(record.response.contexts for record in records) and not declared:
        raise LostColumns(
            f"No row of {called} has an answer, so it becomes a test set, which keeps no retrieved passages: "
            f"{', '.join(columns[:5])} would be lost.",
            f"Map the column with the system's answers to answer, or {columns[0]} to ideal_contexts or to ignored.",
            columns,
        )
    return (NO_ANSWERS,) if any(record.response.contexts or record.scores for record in records) else ()


def _by_text(records: Sequence[Record]) -> tuple[tuple[Record, ...], tuple[str, ...]]:
    """Passages get ids made of their texts, where ideal ones are told and at least one of them was retrieved."""
    ideal = [record for record in records if record.ideal_contexts]
    if not ideal or any(
        record.case.gold_chunk_ids or any(context.chunk_id for context in record.response.contexts)
        for record in records
    ):
        return tuple(records), ()
    if not any({context.text for context in record.response.contexts} & set(record.ideal_contexts) for record in ideal):
        return tuple(records), (OTHER_PASSAGES,)
    return tuple(_named_by_text(record) for record in records), (SAME_PASSAGES,)


def _named_by_text(record: Record) -> Record:
    gold = tuple(dict.fromkeys(_passage(text) for text in record.ideal_contexts))
    contexts = tuple(
        replace(context, chunk_id=_passage(context.text)) if context.text else context
        for context in record.response.contexts
    )
    return replace(
        record, case=replace(record.case, gold_chunk_ids=gold), response=replace(record.response, contexts=contexts)
    )


def _passage(text: str) -> str:
    return f"passage-{short_hash(text)}"


def _ways(ways: Mapping[str, int]) -> str:
    """How the lists of a column were written; several ways with their counts."""
    if len(ways) <= 1:
        return next(iter(ways), "")
    return ", ".join(f"{how} {count:,}" for how, count in sorted(ways.items(), key=lambda item: -item[1]))
