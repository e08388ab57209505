"""Answered questions of anybody's file as samples to score; `core.io.tables.columns` tells what columns are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.identity import short_hash
from core.io.recorded_answers import contexts_of_row
from core.io.tables.columns import ALIASES, Field
from core.io.tables.layout import Layout, lay_out
from core.io.tables.list_cells import object_cell
from core.io.tables.rows import Row, read_rows
from core.metrics.samples.sample import Sample

READ: Final = frozenset(
    {
        Field.CASE_ID,
        Field.QUESTION,
        Field.ANSWER,
        Field.CONTEXTS,
        Field.DOCUMENT_IDS,
        Field.CHUNK_IDS,
        Field.CONTEXT_SCORES,
        Field.REFERENCES,
        Field.GOLD_DOCUMENTS,
        Field.GOLD_CHUNKS,
        Field.ANSWERABLE,
        Field.ABSTAINED,
        Field.ERROR,
        Field.GROUP,
    }
)
"""The fields that metrics look at."""
MESSAGE: Final = ("content", "text")
"""What a message in an object is called."""
OBJECTS: Final = frozenset({"inputs", "outputs", "expectations"})
"""Columns of MLflow that hold an object, which a table has as text."""

_TRUE = frozenset({"true", "yes", "1", "1.0", "answerable", "partial"})
_FALSE = frozenset({"false", "no", "0", "0.0", "unanswerable"})


def read_samples(path: Path, layout: Layout | None = None) -> Iterator[tuple[Row, Sample, str]]:
    """Reads the rows of a file as samples, as they are needed.

    A row needs a question or an answer. A column that is absent, or a cell that is empty, means "not known"; an empty
    list of contexts means that nothing was retrieved.

    Args:
        path: The file.
        layout: What its columns are; found out first where it is not given.

    Yields:
        The row as it was read, the sample, and the cluster it belongs to: its group where it names one, else itself.

    Raises:
        UnreadableFile: The file, or a row of it, cannot be used; the message has the row's number.
        InvalidInput: A row has neither a question nor an answer, or a cell that cannot be what its column says.
    """
    layout = layout or lay_out(path)
    for number, row in read_rows(path):
        where = f"Row {number} of {path}"
        question = _text(_cell(layout, row, Field.QUESTION), where, "question", ALIASES[Field.QUESTION])
        answer = _text(_cell(layout, row, Field.ANSWER), where, "answer", (*ALIASES[Field.ANSWER], *MESSAGE))
        if not question and answer is None:
            raise InvalidInput(
                f"{where} has neither a question nor an answer.",
                f"Name the columns, for example, question and answer; it has {', '.join(list(row)[:12]) or 'none'}.",
            )
        case_id = layout.text(row, Field.CASE_ID) or short_hash({"row": number, "question": question})
        group = layout.text(row, Field.GROUP)
        yield row, _sample(layout, row, where, case_id, question or "", answer), group or case_id


def _sample(layout: Layout, row: Row, where: str, case_id: str, question: str, answer: str | None) -> Sample:
    gold, gold_chunks = (layout.listed(row, name, where) for name in (Field.GOLD_DOCUMENTS, Field.GOLD_CHUNKS))
    reference: object = layout.listed(row, Field.REFERENCES, where)
    if layout.column(row, Field.REFERENCES) in OBJECTS and isinstance(reference, str):
        reference = object_cell(reference)
    if isinstance(reference, Mapping):
        reference = _first(reference, ALIASES[Field.REFERENCES])
    return Sample(
        case_id=case_id,
        question=question,
        answer=answer,
        contexts=contexts_of_row(layout, row, where),
        references=tuple(_texts(reference, where, "reference")),
        gold_document_ids=None if gold is None else tuple(_texts(gold, where, "gold document ids")),
        gold_chunk_ids=None if gold_chunks is None else tuple(_texts(gold_chunks, where, "gold chunk ids")),
        abstained=_truth(layout.cell(row, Field.ABSTAINED), where, "abstained"),
        answerable=_truth(layout.cell(row, Field.ANSWERABLE), where, "answerable"),
        error=layout.text(row, Field.ERROR) if answer is None else "",
    )


def _first(row: Row, names: Sequence[str]) -> object:
    return next((row[name] for name in names if row.get(name) is not None), None)


def _cell(layout: Layout, row: Row, name: Field) -> object:
    value = layout.cell(row, name)
    return object_cell(value) if isinstance(value, str) and layout.column(row, name) in OBJECTS else value


def _text(value: object, where: str, what: str, names: Sequence[str]) -> str | None:
    """A text; of an object the one under a known name, else the only one there is: another would be a guess."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        text_by_name = _first(value, names)
        texts = [text for text in value.values() if isinstance(text, str)]
        if text_by_name is not None or len(texts) == 1:
            return _text(texts[0] if text_by_name is None else text_by_name, where, what, names)
        raise InvalidInput(
            f"{where} has a {what} with {len(texts)} texts, none under a known name ({', '.join(list(value)[:12])}).",
            f"Name the one that is the {what} {names[0]!r}.",
        )
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list):
        return _text(value[0] if value else None, where, what, names)
    raise InvalidInput(f"{where} has a {what} that is {type(value).__name__}, not text.", "Give text or nothing.")


def _texts(value: object, where: str, what: str) -> list[str]:
    if value is None:
        return []
    items = [item for item in value if item is not None] if isinstance(value, (list, tuple)) else [value]
    wrong = next((item for item in items if not isinstance(item, (str, int, float))), None)
    if wrong is not None:
        raise InvalidInput(f"{where} has {what} that hold {type(wrong).__name__}.", "Give texts, or a list of texts.")
    return [str(item) for item in items]


def _truth(value: object, where: str, what: str) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, list) and len(value) == 1:
        return _truth(value[0], where, what)
    text = str(value).strip().casefold()
    if text in _TRUE | _FALSE:
        return text in _TRUE
    if what == "answerable":
        return None  # other words, such as "conversational", say nothing about it
    raise InvalidInput(f"{where} has {what} = {value!r}.", "Give true, false or nothing.")
