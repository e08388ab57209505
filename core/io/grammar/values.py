"""Single values of GRAMMAR's files, which were written by several programs and do not agree on types."""

from __future__ import annotations

import ast
import json
import math
from pathlib import Path

from core.domain.errors import UnreadableFile
from core.domain.sources.document_ids import normalise_id


def read_json(path: Path) -> object:
    """A file's JSON, or a list of its lines where each line is JSON.

    Raises:
        UnreadableFile: It is missing, empty, not UTF-8 or not JSON.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror}.", "Check the path.") from error
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{path} is damaged, or is not UTF-8.", "Save it as UTF-8.") from error
    if not text.strip():
        raise UnreadableFile(f"{path} is empty.", "Give the file that the recording wrote.")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as whole:
        try:
            # Not splitlines(): a text may hold a line separator that JSON does not escape.
            return [json.loads(line) for line in text.split("\n") if line.strip()]
        except (ValueError, RecursionError):
            where = f"line {whole.lineno}: {whole.msg}" if isinstance(whole, json.JSONDecodeError) else str(whole)
            raise UnreadableFile(f"{path} is not JSON ({where}).", "Give the file that the recording wrote.") from whole


def missing(value: object) -> bool:
    """Whether a value stands for nothing: null or not a number."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def same_text(value: object) -> str | None:
    """A value as text, equal for 1, 1.0 and "1"; None where it stands for nothing.

    >>> same_text(12.0), same_text("Maldives"), same_text(float("nan"))
    ('12', 'Maldives', None)
    """
    if missing(value):
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def whole_tag(value: object) -> str | None:
    """A query tag as text; None where there is none."""
    text = same_text(value)
    return normalise_id(text) if text is not None and text.strip() else None


def flat_ids(value: object) -> tuple[str, ...]:
    """Document ids as text, each once: from one id, a list, lists of lists, a list written as text, or by table.

    >>> flat_ids([[1.0, "2"], None, float("nan")]), flat_ids("[('1',)]"), flat_ids({"Company": [1]})
    (('1', '2'), ('1',), ('company:1',))
    """
    ids: dict[str, None] = {}
    _collect(value, "", ids)
    return tuple(ids)


def _collect(value: object, table: str, ids: dict[str, None]) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            _collect(inner, str(key), ids)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for inner in value:
            _collect(inner, table, ids)
    elif isinstance(value, str) and (listed := _as_list(value)) is not None:
        _collect(listed, table, ids)
    else:
        text = same_text(value)
        if text is not None and text.strip():
            ids[normalise_id(f"{table}:{text}" if table else text)] = None


def _as_list(text: str) -> list[object] | tuple[object, ...] | None:
    if not text.lstrip().startswith(("[", "(")):
        return None
    try:
        read = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return read if isinstance(read, (list, tuple)) else None
