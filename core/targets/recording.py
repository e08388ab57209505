"""Files of recorded answers: JSONL, JSON or CSV rows, GRAMMAR's eval_results among them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from core.domain.document_ids import normalise_id
from core.domain.errors import UnreadableFile
from core.domain.responses import Context

MAX_BYTES = 1_000_000_000

QUESTION = ("question", "query", "user_input")
ANSWER = ("gpt_response", "response", "answer", "output")
"""First match wins: GRAMMAR's `answer` is the reference, what the system said is in `gpt_response`."""
CONTEXTS = ("contexts", "retrieved_contexts")
IDS = ("document_ids", "retrieved_document_ids", "retrieved_context_ids")
CONTEXT_ID = ("document_id", "doc_id", "doc_uri", "id")
CONTEXT_TEXT = ("text", "content", "page_content")

Row = Mapping[str, object]


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


def read_recording(path: Path) -> tuple[Recorded, ...]:
    """Reads a recording.

    Rows need `case_id` or `question` (`query`, `user_input`) and `answer` (`response`, `gpt_response`, `output`).
    Optional: `contexts` (texts, or objects with `document_id`, `text`, `score`), `document_ids`, `error`, `abstained`,
    `latency_s`, `tokens`.

    Raises:
        UnreadableFile: The file or one of its rows cannot be used; the message has the row's number.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UnreadableFile(f"{path} has more than {MAX_BYTES:,} bytes.", "Split the recording.")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UnreadableFile(f"The recording {path} cannot be opened ({error.strerror}).", "Check the path.") from None
    except UnicodeDecodeError:
        raise UnreadableFile(f"The recording {path} is not UTF-8 text.", "Save it as UTF-8.") from None
    rows = _csv(text) if path.suffix.casefold() == ".csv" else _json(text, path)
    recorded = tuple(read_row(row, number, f"Row {number} of {path}") for number, row in rows)
    if not recorded:
        raise UnreadableFile(f"The recording {path} has no row.", "Give one row for each case.")
    return recorded


def _json(text: str, path: Path) -> Iterator[tuple[int, object]]:
    """Rows of a JSON list, of an object with one list in it, or one JSON value a line."""
    if path.suffix.casefold() == ".json":
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise UnreadableFile(f"The recording {path} is no JSON: {error}.", "Give a list of rows.") from None
        lists = [value for value in content.values() if isinstance(value, list)] if isinstance(content, dict) else []
        rows = lists[0] if len(lists) == 1 else content
        if not isinstance(rows, list):
            raise UnreadableFile(f"The recording {path} is not a list of rows.", "Give a list of JSON objects.")
        yield from enumerate(rows, start=1)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise UnreadableFile(
                    f"Row {number} of {path} is no JSON: {error}.", "Give one JSON object a line."
                ) from None


def _csv(text: str) -> Iterator[tuple[int, object]]:
    """Rows of a CSV; a cell that is empty holds nothing, lists are JSON or parted by semicolons."""
    for number, cells in enumerate(csv.DictReader(io.StringIO(text)), start=1):
        row: dict[str, object] = {str(name).strip(): value or None for name, value in cells.items()}
        for name in (*CONTEXTS, *IDS, "chunk_ids"):
            if isinstance(value := row.get(name), str):
                row[name] = _cell_list(value, split=name in IDS)
        for name in ("latency_s", "tokens"):
            if isinstance(value := row.get(name), str):
                row[name] = _cell_number(value)
        if isinstance(value := row.get("abstained"), str):
            row["abstained"] = {"true": True, "1": True, "false": False, "0": False}.get(
                value.strip().casefold(), value
            )
        yield number, row


def _cell_list(cell: str, *, split: bool) -> object:
    if cell.lstrip().startswith("["):
        try:
            return json.loads(cell)
        except (ValueError, RecursionError):
            pass  # a text that begins with a bracket
    return [part.strip() for part in cell.split(";") if part.strip()] if split else [cell]


def _cell_number(cell: str) -> object:
    try:
        number = float(cell)
    except ValueError:
        return cell
    return int(number) if number.is_integer() else number


def read_row(row: object, number: int, where: str) -> Recorded:
    """One answer from an object with the names of a recording.

    Args:
        row: The object.
        number: Its number in the file, from 1.
        where: What it is, for messages.

    Raises:
        UnreadableFile: It cannot be used.
    """
    if not isinstance(row, dict):
        raise UnreadableFile(f"{where} is not an object but {type(row).__name__}.", "Give one JSON object a row.")
    case_id = str(row.get("case_id") or "").strip()
    question = str(_first(row, QUESTION) or "").strip()
    if not case_id and not question:
        raise UnreadableFile(f"{where} has neither case_id nor question.", "One of them says which case it answers.")
    error = str(row.get("error") or "")
    if not error and not any(name in row for name in ANSWER):
        raise UnreadableFile(f"{where} has no answer.", f"Name the column one of {', '.join(ANSWER)}; null is allowed.")
    answer = _answer(_first(row, ANSWER), where)
    return Recorded(
        row=number,
        case_id=case_id,
        question=question,
        answer=None if error else answer,
        error=error or ("" if answer is not None else "The recording holds no answer for this case."),
        abstained=_abstained(row.get("abstained"), where),
        contexts=contexts_of(_first(row, CONTEXTS), _first(row, IDS), where, chunks=row.get("chunk_ids")),
        latency_s=_number(row.get("latency_s"), "latency_s", where),
        tokens=None if (tokens := _number(row.get("tokens"), "tokens", where)) is None else int(tokens),
    )


def _first(row: Row, names: Sequence[str]) -> object:
    return next((row[name] for name in names if name in row), None)


def _answer(value: object, where: str) -> str | None:
    if isinstance(value, list):  # GRAMMAR keeps a list of samples; the first one was judged
        value = value[0] if value else None
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    raise UnreadableFile(f"{where} has an answer that is {type(value).__name__}, not text.", "Give text or null.")


def _abstained(value: object, where: str) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise UnreadableFile(f"{where} has abstained = {value!r}.", "Give true, false or nothing.")


def _number(value: object, name: str, where: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value) and value >= 0:
        return value
    raise UnreadableFile(f"{where} has {name} = {value!r}.", "Give a number that is not negative, or nothing.")


def contexts_of(contexts: object, ids: object, where: str, *, chunks: object = None) -> tuple[Context, ...]:
    """Passages from texts or objects, with ids side by side; where there are ids only, contexts without text.

    Args:
        contexts: A text, or a list of texts and objects (`text`, `content` or `page_content`; `document_id`, `doc_id`,
            `doc_uri` or `id`; `chunk_id`; `score`).
        ids: Ids of the documents they are from, in the same order.
        where: The row, for messages.
        chunks: Ids of the parts of documents they are, in the same order.

    Raises:
        UnreadableFile: They are of another kind, or of different numbers.
    """
    texts = _listed(contexts, "contexts", where)
    names = [normalise_id(_plain_id(value, where)) for value in _listed(ids, "document ids", where)]
    parts = [_plain_id(value, where) for value in _listed(chunks, "chunk ids", where)]
    size = len(texts) or len(names) or len(parts)
    for what, given in (("document ids", names), ("chunk ids", parts)):
        if given and len(given) != size:
            raise UnreadableFile(
                f"{where} has {size} contexts and {len(given)} {what}.", "Give one id for each context."
            )
    return tuple(
        _context(
            texts[place] if texts else "",
            names[place] if names else "",
            parts[place] if parts else "",
            where,
        )
        for place in range(size)
    )


def _context(item: object, document_id: str, chunk_id: str, where: str) -> Context:
    if item is None or isinstance(item, str):
        return Context(document_id=document_id, text=item or "", chunk_id=chunk_id)
    if not isinstance(item, dict):
        raise UnreadableFile(f"{where} has a context that is {type(item).__name__}.", "Give texts or objects.")
    own, part = _first(item, CONTEXT_ID), item.get("chunk_id")
    return Context(
        document_id=document_id if own is None else normalise_id(_plain_id(own, where)),
        text=str(_first(item, CONTEXT_TEXT) or ""),
        score=_score(item.get("score"), where),
        chunk_id=chunk_id if part is None else _plain_id(part, where),
    )


def _score(value: object, where: str) -> float | None:
    if value is None or (isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)):
        return value
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
