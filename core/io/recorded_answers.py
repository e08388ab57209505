"""Files of recorded answers: rows with what a system said, and passages however they are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.results.responses import Context
from core.domain.sources.document_ids import normalise_id
from core.io.replies.passages import is_passage, read_passage, unread_id
from core.io.tables.cells import number_of, truth_of
from core.io.tables.columns import ALIASES, Field, arrange
from core.io.tables.layout import Layout, lay_out
from core.io.tables.rows import Row, read_rows, refuse_large

MAX_BYTES = 1_000_000_000

CONTEXT_TEXT = ("text", "content", "page_content")

READ: Final = frozenset(
    {
        Field.CASE_ID,
        Field.QUESTION,
        Field.ANSWER,
        Field.CONTEXTS,
        Field.DOCUMENT_IDS,
        Field.CHUNK_IDS,
        Field.CONTEXT_SCORES,
        Field.ABSTAINED,
        Field.ERROR,
        Field.LATENCY,
        Field.TOKENS,
    }
)
"""The fields of a recording."""
ANSWER_NAMES: Final = tuple(name for name in ALIASES[Field.ANSWER] if "." not in name)
NO_ANSWER: Final = "The recording holds no answer for this case."


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One recorded answer.

    Attributes:
        row: Its number in the file, from 1.
        answer: What the system said, or None where it said nothing or failed.
        error: Why there is no answer, as recorded, or empty.
    """

    row: int
    case_id: str
    question: str
    answer: str | None
    error: str = ""
    abstained: bool | None = None
    contexts: tuple[Context, ...] = ()
    latency_s: float | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A file of recorded answers.

    Attributes:
        ignored: Columns that are not read, with the reason.
    """

    rows: tuple[Recorded, ...]
    ignored: Mapping[str, str]


def read_recording(path: Path) -> Recording:
    """Reads a recording.

    Rows need a case id or a question, and an answer; optional are passages, ids of their documents, an error, whether
    the system declined, latency in seconds and tokens. What columns are called is told by
    :mod:`core.io.tables.columns`.

    Raises:
        UnreadableFile: The file or one of its rows cannot be used; the message has the row's number.
    """
    refuse_large(path, MAX_BYTES)
    rows = list(read_rows(path))
    layout = lay_out(path, rows)
    recorded = tuple(_recorded(layout, row, number, f"Row {number} of {path}") for number, row in rows)
    return Recording(rows=recorded, ignored=layout.ignored(READ))


def read_row(row: Mapping[str, object], where: str) -> Recorded:
    """One answer from an object with the names of a recording.

    Args:
        row: The object.
        where: What it is, for messages.

    Raises:
        UnreadableFile: It cannot be used.
    """
    layout = Layout(path=Path(), columns=tuple(row), fields=arrange(row), has_header=False)
    return _recorded(layout, row, 1, where)


def _recorded(layout: Layout, row: Row, number: int, where: str) -> Recorded:
    case_id, question = layout.text(row, Field.CASE_ID), layout.text(row, Field.QUESTION)
    if not case_id and not question:
        raise UnreadableFile(f"{where} has neither case_id nor question.", "One of them says which case it answers.")
    error = str(layout.cell(row, Field.ERROR) or "")
    if not error and not layout.column(row, Field.ANSWER):
        raise UnreadableFile(
            f"{where} has no answer.", f"Name the column one of {', '.join(ANSWER_NAMES)}; null is allowed."
        )
    answer = _answer(layout.cell(row, Field.ANSWER), where)
    tokens = _number(layout, row, Field.TOKENS, where)
    contexts = contexts_of_row(layout, row, where)
    return Recorded(
        row=number,
        case_id=case_id,
        question=question,
        answer=None if error else answer,
        error=error or ("" if answer is not None else NO_ANSWER),
        abstained=_abstained(layout, row, where),
        contexts=contexts or (),
        latency_s=_number(layout, row, Field.LATENCY, where),
        tokens=None if tokens is None else int(tokens),
    )


def contexts_of_row(layout: Layout, row: Row, where: str) -> tuple[Context, ...] | None:
    """The passages of a row; None where nothing is said of them.

    Raises:
        UnreadableFile: They are of another kind, or of different numbers; the message names the column.
    """
    fields = (Field.CONTEXTS, Field.DOCUMENT_IDS, Field.CHUNK_IDS, Field.CONTEXT_SCORES)
    try:
        texts, ids, chunks, scores = (layout.listed(row, name, where) for name in fields)
    except InvalidInput as error:
        raise UnreadableFile(error.message, error.hint) from None
    if texts is None and ids is None and chunks is None:
        return None
    columns = [column for name in fields if (column := layout.column(row, name))]
    place = f"column {columns[0]}" if len(columns) == 1 else f"columns {', '.join(dict.fromkeys(columns))}"
    return contexts_of(texts, ids, f"{where}, {place},", chunks=chunks, scores=scores)


def _answer(value: object, where: str) -> str | None:
    if isinstance(value, list):  # GRAMMAR keeps a list of samples; the first one was judged
        value = value[0] if value else None
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    raise UnreadableFile(f"{where} has an answer that is {type(value).__name__}, not text.", "Give text or null.")


def _abstained(layout: Layout, row: Row, where: str) -> bool | None:
    value = layout.cell(row, Field.ABSTAINED)
    column = layout.column(row, Field.ABSTAINED)
    try:
        return truth_of(value, where, column)
    except InvalidInput:
        raise UnreadableFile(f"{where} has {column} = {value!r}.", "Give true, false or nothing.") from None


def _number(layout: Layout, row: Row, name: Field, where: str) -> float | None:
    value = layout.cell(row, name)
    try:
        number = None if isinstance(value, bool) else number_of(value)
    except ValueError:
        number = -1.0
    if isinstance(value, bool) or (number is not None and number < 0):
        column = layout.column(row, name)
        raise UnreadableFile(f"{where} has {column} = {value!r}.", "Give a number that is not negative, or nothing.")
    return number


def contexts_of(
    contexts: object, ids: object, where: str, *, chunks: object = None, scores: object = None
) -> tuple[Context, ...]:
    """Passages from texts or objects, with ids side by side; where there are ids only, contexts without text.

    Args:
        contexts: A text, or a list of texts and of objects, which are read as those in a target's reply are, however
            deep their parts lie (`core.io.replies.passages`).
        ids: Ids of the documents they are from, in the same order.
        where: The row, for messages.
        chunks: Ids of the parts of documents they are, in the same order.
        scores: How well they fit the question, in the same order.

    Raises:
        UnreadableFile: They are of another kind, or of different numbers.
    """
    texts = _listed(contexts, "contexts", where)
    names = [normalise_id(_plain_id(value, where)) for value in _listed(ids, "document ids", where)]
    parts = [_plain_id(value, where) for value in _listed(chunks, "chunk ids", where)]
    ranks = [_score(value, where) for value in _listed(scores, "context scores", where)]
    size = len(texts) or len(names) or len(parts) or len(ranks)
    for what, values in (("document ids", names), ("chunk ids", parts), ("context scores", ranks)):
        if values and len(values) != size:
            raise UnreadableFile(
                f"{where} has {size} contexts and {len(values)} {what}.", "Give one id for each context."
            )
    return tuple(
        _context(
            texts[place] if texts else "",
            names[place] if names else "",
            parts[place] if parts else "",
            ranks[place] if ranks else None,
            where,
        )
        for place in range(size)
    )


def _context(item: object, document_id: str, chunk_id: str, score: float | None, where: str) -> Context:
    if item is None or isinstance(item, str):
        return Context(document_id=document_id, text=item or "", chunk_id=chunk_id, score=score)
    if isinstance(item, list) and is_passage(item):  # a passage with its score
        return _context(item[0], document_id, chunk_id, _score(item[1], where) if score is None else score, where)
    if not isinstance(item, dict):
        raise UnreadableFile(f"{where} has a context that is {type(item).__name__}.", "Give texts or objects.")
    passage = read_passage(item)
    if not passage.document_id and (named := unread_id(item)) is not None:
        _plain_id(named, where)
    if score is None:
        score = passage.score if passage.score is not None else _score(item.get("score"), where)
    return Context(
        document_id=document_id or normalise_id(passage.document_id),
        text=passage.text,
        score=score,
        chunk_id=chunk_id or passage.chunk_id,
    )


def _score(value: object, where: str) -> float | None:
    if value is None or (isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)):
        return value
    if isinstance(value, str):  # a list that is written as text
        try:
            return number_of(value)
        except ValueError:
            pass
    raise UnreadableFile(f"{where} has a context score {value!r}.", "Give a number or nothing.")


def _plain_id(value: object, where: str) -> str:
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return str(value)
    raise UnreadableFile(f"{where} has a document id that is {type(value).__name__}.", "Give text or a number.")


def _listed(value: object, what: str, where: str) -> list[object]:
    if value is None:
        return []
    if isinstance(value, list):
        return value
    if isinstance(value, str):
        return [value]
    raise UnreadableFile(f"{where} has {what} that are {type(value).__name__}, not a list.", "Give a list.")
