"""Single cells of a peer's file: texts, lists in several spellings, numbers, messages; errors name their place."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from core.domain.errors import InvalidInput
from core.io.tables.list_cells import listed_cell, object_cell

DELIMITERS: Final = ("|", ";", ",")
"""What parts texts in one cell, the first that fits; a comma parts ids only."""

AUTOMATIC: Final = "auto"
WHOLE: Final = "none"
"""A text is one text, whatever it holds; lists as JSON or Python are read all the same."""

TEXT_NAMES: Final = ("content", "text", "page_content", "value", "output", "response", "answer")
QUESTION_NAMES: Final = ("question", "query", "input", "user_input", "request", "prompt", "messages", *TEXT_NAMES)
ROLE_NAMES: Final = ("role", "type", "speaker")
USERS: Final = frozenset({"user", "human"})
ASSISTANTS: Final = frozenset({"assistant", "ai", "agent", "system_under_test"})
MOST_SHOWN: Final = 60

YES: Final = frozenset(
    ("1", "true", "yes", "y", "pass", "passed", "correct", "good", "accept", "accepted", "right", "supported")
)
NO: Final = frozenset(
    ("0", "false", "no", "n", "fail", "failed", "incorrect", "bad", "reject", "rejected", "wrong", "unsupported")
)
UNJUDGED: Final = frozenset(("cannot judge", "cannot_judge"))
"""Somebody looked and gave no level."""
NOTHING: Final = frozenset(("", "nan", "na", "n/a", "null", "none", "-")) | UNJUDGED

Turn = tuple[str, str]


class Reading(StrEnum):
    """How the lists of a column were written."""

    LIST = "a list"
    JSON = "JSON"
    PYTHON = "Python list"
    PARTED = "parted by"
    ONE = "one text"


def refuse(where: str, column: str, what: str, hint: str) -> InvalidInput:
    """The error of one cell, to be raised."""
    return InvalidInput(f"{where}, column {column}: {what}", hint)


def read_list(value: object, where: str, column: str, delimiter: str = "") -> tuple[list[object], str]:
    """The items of a cell, and how they were written.

    >>> read_list('["a", "b"]', "Row 1", "contexts"), read_list("['a' 'b']", "Row 1", "contexts")
    ((['a', 'b'], 'JSON'), (['a', 'b'], 'Python list'))
    >>> read_list("a|b", "Row 1", "contexts", "|"), read_list("a|b", "Row 1", "contexts")
    ((['a', 'b'], 'parted by |'), (['a|b'], 'one text'))

    Raises:
        InvalidInput: It looks like a list and cannot be read as one.
    """
    if value is None:
        return [], ""
    if isinstance(value, (list, tuple)):
        return list(value), Reading.LIST.value if value else ""
    if isinstance(value, str):
        return _written(value, where, column, delimiter)
    return [value], Reading.ONE.value


def _written(text: str, where: str, column: str, delimiter: str) -> tuple[list[object], str]:
    stripped = text.strip()
    if not stripped:
        return [], ""
    if stripped.startswith(("[", "(", "array(")):
        parsed = listed_cell(stripped, where, column)
        if isinstance(parsed, list):
            how = Reading.JSON if _is_json(stripped) else Reading.PYTHON
            return parsed, how.value if parsed else ""
    if stripped.startswith("{") and not isinstance(parsed := object_cell(stripped), str):
        return [parsed], (Reading.JSON if _is_json(stripped) else Reading.PYTHON).value
    if delimiter and delimiter in text:
        return [part for part in text.split(delimiter) if part.strip()], f"{Reading.PARTED.value} {delimiter}"
    return [text], Reading.ONE.value


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def find_delimiter(cells: Iterable[object], *, ids: bool) -> str:
    """What parts the texts in the cells of a column; empty where nothing does.

    A sign that stands beside a blank, at an end or twice in a row anywhere in the column is prose or a table and parts
    nothing; between ids blanks do not matter. A column that has a real list anywhere is not parted.

    >>> find_delimiter(["Ann lives here.|Bob does not."], ids=False), find_delimiter(["Yes; no.", "a;b"], ids=False)
    ('|', '')
    >>> find_delimiter(["d1, d2"], ids=True)
    ','
    """
    texts: list[str] = []
    for cell in cells:
        if isinstance(cell, (list, tuple, dict)) or (isinstance(cell, str) and cell.strip().startswith(("[", "{"))):
            return ""
        if isinstance(cell, str):
            texts.append(cell)
    for sign in DELIMITERS if ids else DELIMITERS[:-1]:
        among = [text for text in texts if sign in text]
        if among and all(_parts(text, sign, ids=ids) for text in among):
            return sign
    return ""


def _parts(text: str, sign: str, *, ids: bool) -> bool:
    parts = text.split(sign)
    return all(part.strip() and (ids or part == part.strip()) for part in parts)


def plain_text(value: object, where: str, column: str, names: Sequence[str] = TEXT_NAMES) -> str | None:
    """A text; of an object the one under a known name, of a list of one text that one.

    Raises:
        InvalidInput: It is something else.
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    if isinstance(value, Mapping):
        return _of_object(value, where, column, names)
    if isinstance(value, (list, tuple)) and len(value) <= 1:
        return plain_text(value[0], where, column, names) if value else None
    raise refuse(where, column, f"it is a {type(value).__name__} of {_shown(value)} and not a text.", "Give one text.")


def _of_object(value: Mapping[str, object], where: str, column: str, names: Sequence[str]) -> str | None:
    choices = value.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        return plain_text(choices[0], where, column, names)
    if isinstance(message := value.get("message"), Mapping):
        return plain_text(message, where, column, names)
    text_by_name = next((value[name] for name in names if value.get(name) is not None), None)
    texts = [text for text in value.values() if isinstance(text, str)]
    if text_by_name is None and len(texts) != 1:
        raise refuse(
            where,
            column,
            f"it is an object with {', '.join(map(str, list(value)[:8])) or 'nothing'} in it.",
            f"Name the text {names[0]!r}, or map the part of the object that holds it.",
        )
    return plain_text(texts[0] if text_by_name is None else text_by_name, where, column, names)


def turns_of(value: object, where: str, column: str) -> tuple[Turn, ...] | None:
    """The turns of a conversation, or None where a value is none.

    Raises:
        InvalidInput: A message has no text.
    """
    if isinstance(value, Mapping) and isinstance(value.get("messages"), list):
        value = value["messages"]
    if isinstance(value, str) and value.lstrip().startswith("["):
        items = listed_cell(value, where, column)
        value = items if isinstance(items, list) and items and all(isinstance(turn, dict) for turn in items) else value
    if not isinstance(value, (list, tuple)) or not value:
        return None
    if all(isinstance(turn, (list, tuple)) and len(turn) == 2 and isinstance(turn[0], str) for turn in value):
        return tuple((turn[0], str(turn[1])) for turn in value)
    if not all(isinstance(turn, Mapping) and any(name in turn for name in ROLE_NAMES) for turn in value):
        return None
    return tuple(
        (
            str(next(turn[name] for name in ROLE_NAMES if name in turn)).casefold(),
            plain_text(turn.get("content", turn.get("text")), where, column) or "",
        )
        for turn in value
    )


def split_turns(turns: Sequence[Turn]) -> tuple[str, tuple[Turn, ...], str | None]:
    """The last thing a user said, what came before it, and what was answered to it where that is there."""
    places = [place for place, (role, _) in enumerate(turns) if role in USERS]
    if not places:
        return "", tuple(turns), None
    last = places[-1]
    after = [text for role, text in turns[last + 1 :] if role in ASSISTANTS and text]
    return turns[last][1], tuple(turns[:last]), after[-1] if after else None


def number_of(value: object) -> float | None:
    """A number, yes and no as 1 and 0; None where there is none.

    Raises:
        ValueError: It is something else.

    >>> number_of("0.5"), number_of("yes"), number_of(True), number_of("NaN")
    (0.5, 1.0, 1.0, None)
    """
    if value is None or isinstance(value, (bool, int, float)):
        number = None if value is None else float(value)
        return number if number is None or math.isfinite(number) else None
    if not isinstance(value, str):
        raise ValueError(f"{_shown(value)} is no number")
    text = value.strip().casefold()
    if text in NOTHING:
        return None
    try:
        number = float(text)
    except ValueError:
        if text in YES | NO:
            return float(text in YES)
        raise ValueError(f"{value[:MOST_SHOWN]!r} is no number") from None
    return number if math.isfinite(number) else None


def truth_of(value: object, where: str, column: str) -> bool | None:
    """True, false or not known.

    Raises:
        InvalidInput: It is something else.
    """
    try:
        number = number_of(value)
    except ValueError:
        number = math.nan
    if number is None or number in (0.0, 1.0):
        return None if number is None else bool(number)
    raise refuse(where, column, f"it is {_shown(value)}, neither true nor false.", "Give true, false or nothing.")


def object_of(value: object, where: str, column: str) -> Mapping[str, object]:
    """An object, or one written as text; empty where there is none.

    Raises:
        InvalidInput: It is something else.
    """
    parsed = object_cell(value) if isinstance(value, str) else value
    if parsed is None or parsed == "":
        return {}
    if not isinstance(parsed, Mapping):
        raise refuse(where, column, f"it is {_shown(value)} and not an object.", "Give a JSON object.")
    return parsed


def id_text(value: object, where: str, column: str) -> str:
    """An id as text, 1.0 as "1".

    Raises:
        InvalidInput: It is neither text nor a number.
    """
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return (plain_text(value, where, column) or "").strip()
    if value is None:
        return ""
    raise refuse(where, column, f"it has an id that is {_shown(value)}.", "Give ids as text or numbers.")


def shown(value: object) -> str:
    """A cell in a table of samples: one line, cut."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    line = " ".join(text.split())
    return line if len(line) <= 2 * MOST_SHOWN else f"{line[: 2 * MOST_SHOWN - 3]}..."


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."
