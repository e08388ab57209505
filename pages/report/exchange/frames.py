"""A peer's file as tables: what each column becomes, what it gives, its first rows as they were read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Final

import pandas as pd
import streamlit as st

from core.io.exchange.detecting import detect
from core.io.exchange.format import list_formats
from core.io.exchange.mapping import LIST_CHOICES
from core.io.exchange.records import Record
from core.io.tables.cells import Reading
from core.io.tables.columns import Field
from core.runs.exchange.reading import Column, Imported, Outline, outline, read_exchange
from pages.kit import uploads
from pages.kit.look import numbers
from pages.kit.scores import names as metric_names

FIRST: Final = 20
"""Rows shown as they were read."""
MOST_ENABLED: Final = 1
LONGEST: Final = 140
KINDS: Final = {
    ".json": "JSON",
    ".jsonl": "JSON",
    ".ndjson": "JSON",
    ".csv": "CSV",
    ".tsv": "CSV",
    ".parquet": "Parquet",
    ".xlsx": "Excel",
    ".sqlite": "SQLite",
    ".sqlite3": "SQLite",
    ".db": "SQLite",
}
"""What people call the files; one with another ending is called by it."""
SURE: Final = 0.8
"""From here on the columns of a file are those of one tool."""

CALLED: Final[Mapping[Field, str]] = {
    Field.CASE_ID: "Case id",
    Field.QUESTION: "Question",
    Field.ANSWER: "Answer",
    Field.CONTEXTS: "Retrieved passages",
    Field.DOCUMENT_IDS: "Ids of the retrieved documents",
    Field.CHUNK_IDS: "Ids of the retrieved chunks",
    Field.CONTEXT_SCORES: "Scores of the retrieved passages",
    Field.REFERENCES: "Reference answers",
    Field.IDEAL_CONTEXTS: "Passages that should be found",
    Field.GOLD_DOCUMENTS: "Documents that should be found",
    Field.GOLD_CHUNKS: "Chunks that should be found",
    Field.GROUP: "Semantic group",
    Field.FORM: "Form",
    Field.CONVERSATION: "Earlier turns",
    Field.ANSWERED: "Whether there is an answer",
    Field.ABSTAINED: "Whether the system declined",
    Field.ERROR: "Error",
    Field.LATENCY: "Latency in seconds",
    Field.TOKENS: "Tokens",
    Field.VERDICT: "Verdict",
    Field.VERDICT_REASON: "Reason of the verdict",
    Field.SQL: "SQL",
    Field.SQL_PARAMS: "SQL values",
    Field.TABLES: "Tables",
    Field.SQL_TEMPLATE: "SQL template",
    Field.TEXT_TEMPLATE: "Text template",
    Field.ATTRIBUTES: "Attributes, as an object",
    Field.ATTRIBUTE: "Attribute",
    Field.SCORE: "Score",
    Field.SCORE_REASON: "Reason of a score",
    Field.IGNORED: "Ignored",
}
"""What a column can become, in plain words."""

FIELDS: Final = {title: field for field, title in CALLED.items()}

LISTS: Final[Mapping[str, str]] = {
    "auto": "Automatic",
    "none": "One text, unless JSON or Python",
    "|": "Separated by |",
    ";": "Separated by ;",
    ",": "Separated by ,",
}
assert set(LISTS) == set(LIST_CHOICES)  # noqa: S101  # a new way of reading needs its words


@st.cache_data(max_entries=2, show_spinner="Reading the file")
def read(
    _data: bytes, digest: str, name: str, form: str, lists: str, model: str, overrules: tuple[tuple[str, str], ...]
) -> Imported:
    """The file in our words; nothing is stored.

    Args:
        _data: Its bytes.
        digest: Of the bytes.
        name: Its name, whose ending says what it is.
        form: The format's name, or ``auto``.
        lists: How lists in cells are read.
        model: Whose answers, where there are several.
        overrules: What a person changed, column by column.
    """
    del digest
    with uploads.folder() as folder:
        path = folder / PurePath(name).name
        path.write_bytes(_data)
        return read_exchange(path, form, overrules=dict(overrules), lists=lists, model=model, shown_as=path.name)


@st.cache_data(max_entries=2, show_spinner="Reading the file")
def outlined(_data: bytes, digest: str, name: str, form: str, lists: str, model: str) -> Outline:
    """What the file is and what its columns become by themselves; see `read` for the arguments."""
    del digest
    with uploads.folder() as folder:
        path = folder / PurePath(name).name
        path.write_bytes(_data)
        return outline(path, form, lists=lists, model=model)


@st.cache_data(max_entries=4, show_spinner=False)
def models(_data: bytes, digest: str, name: str, form: str) -> tuple[str, ...]:
    """The models whose answers a file holds; empty where its format has one system only."""
    del digest
    with uploads.folder() as folder:
        path = folder / PurePath(name).name
        path.write_bytes(_data)
        format_name = detect(path).name if form == "auto" else form
        chosen_format = next(
            (file_format for file_format in list_formats() if file_format.spec.name == format_name), None
        )
        return chosen_format.models(path) if chosen_format is not None and chosen_format.models is not None else ()


def formats_frame() -> pd.DataFrame:
    """The formats there are."""
    return pd.DataFrame(
        [
            {
                "Format": file_format.spec.title,
                "A file of it": file_format.spec.about,
                "Files": ", ".join(dict.fromkeys(KINDS.get(ending, ending) for ending in file_format.spec.reads)),
            }
            for file_format in list_formats()
        ]
    )


def mapping_frame(file_outline: Outline) -> pd.DataFrame:
    """What each column becomes by itself: what a person edits."""
    return pd.DataFrame(
        [
            {
                "Column": column.column,
                "Becomes": CALLED[column.becomes],
                "Sample": column.sample,
                "Filled": f"{column.filled:,} of {file_outline.rows:,}",
            }
            for column in file_outline.mapped
        ]
    )


def outcome_frame(imported: Imported) -> pd.DataFrame:
    """What each column gives, as the mapping stands now."""
    return pd.DataFrame(
        [
            {
                "Column": column.mapped.column,
                "Kept as": _kept_as(column),
                "Enables": _enables(column.enables),
                "Note": " ".join(part for part in (_read_as(column), column.mapped.why) if part),
            }
            for column in imported.columns
        ]
    )


def _read_as(column: Column) -> str:
    """How lists were written in the cells; nothing where the file has lists of its own."""
    if column.read_as in ("", Reading.LIST):
        return ""
    return f"Lists {column.read_as}." if column.read_as.startswith(Reading.PARTED) else f"Read as {column.read_as}."


def recognised(file_outline: Outline) -> str:
    """How sure the format is, in words: the signs are rules of ours and measure nothing."""
    if not file_outline.detected.others and file_outline.detected.confidence >= SURE:
        return "recognised by its columns"
    return "most likely" if file_outline.detected.confidence >= SURE else "perhaps"


def _kept_as(column: Column) -> str:
    mapped = column.mapped
    if mapped.becomes in (Field.SCORE, Field.ATTRIBUTE):
        return f"{CALLED[mapped.becomes]} {mapped.name}"
    return CALLED[mapped.becomes]


def _enables(names: tuple[str, ...]) -> str:
    titles = ", ".join(metric_names.title(name) for name in names[:MOST_ENABLED])
    more = len(names) - MOST_ENABLED
    return f"{titles} and {more} more" if more > 0 else titles


def overrules(before: pd.DataFrame, after: pd.DataFrame) -> tuple[tuple[str, str], ...]:
    """What a person changed, as fields by column."""
    changed = after[after["Becomes"] != before["Becomes"]]
    return tuple(
        (str(column), FIELDS[str(title)].value)
        for column, title in zip(changed["Column"], changed["Becomes"], strict=True)
        if str(title) in FIELDS
    )


def rows_frame(imported: Imported) -> pd.DataFrame:
    """The first rows as they were read."""
    return pd.DataFrame([_row(record) for record in imported.records[:FIRST]])


def _row(record: Record) -> dict[str, object]:
    passages, answer = record.response.contexts, record.response.answer
    return {
        "Case": record.case.case_id,
        "Question": _cut(record.case.question),
        "Answer": f"{numbers.NONE} {record.response.error}" if answer is None else _cut(answer),
        "Reference answers": _listed([_cut(text) for text in record.case.reference_answers]),
        "Retrieved passages": _listed([_cut(item.text or item.document_id) for item in passages]),
        "Should be found": _listed([*record.case.gold_document_ids, *(_cut(text) for text in record.ideal_contexts)]),
        "Scores": ", ".join(f"{score.metric} {numbers.share(score.value)}" for score in record.scores),
        "Verdict": record.judgement.verdict.value.replace("_", " "),
    }


def _listed(texts: list[str]) -> list[str]:
    return [text for text in texts if text]


def _cut(text: str | None) -> str:
    line = " ".join((text or "").split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."


def written_frame(mapped: Mapping[str, str]) -> pd.DataFrame:
    """Our names with the columns they were written to."""
    return pd.DataFrame([{"Ours": ours, "In the file": theirs} for ours, theirs in mapped.items()])
