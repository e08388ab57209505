"""Lists and objects that stand as text in a cell of a table: JSON, or as Python or numpy print them."""

from __future__ import annotations

import json
import re
import tokenize
from ast import literal_eval
from io import StringIO
from itertools import pairwise

from core.domain.errors import InvalidInput

_LIST = re.compile(r"""(\[\s*(['"{]|[rbu]['"])|array\().*[\])]""", re.DOTALL)
"""What only a list begins and ends like; a passage may well begin with a bracket."""

_NUMBERS = re.compile(r"\[\s*-?\d+(\.\d*)?(\s+-?\d+(\.\d*)?)+\s*\]")
_DECODER = json.JSONDecoder(parse_constant=lambda _: None)
"""Made once: json.loads makes one for each cell where it is told what NaN is."""

_LAYOUT = frozenset({tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER})


def listed_cell(cell: str, where: str, column: str) -> object:
    """The list a cell holds; any text that is no list stays one text.

    numpy parts what it prints by blanks, which Python would glue into one text: ``['A is 5.' 'B is 6.']`` are two.

    Args:
        cell: The text.
        where: The row, for messages.
        column: Its column, for messages.

    Raises:
        InvalidInput: It looks like a list and cannot be read as one.
    """
    text = cell.strip()
    if not text.startswith(("[", "(", "array(")):
        return cell
    parsed = _json(text)
    if isinstance(parsed, list):
        return parsed
    if _NUMBERS.fullmatch(text):
        return text.strip("[]").split()
    parts: list[object] | None = None
    try:
        parsed = _printed(text) or literal_eval(text)
        parts = list(parsed) if isinstance(parsed, (list, tuple)) else None
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        pass
    if parts is None and _LIST.fullmatch(text):
        raise InvalidInput(
            f"{where} has {column} that look like a list and cannot be read: {text[:60]}", "Write the list as JSON."
        )
    return cell if parts is None else parts


def object_cell(cell: str) -> object:
    """The object a cell holds, JSON or as Python prints it; any other text stays a text.

    >>> object_cell('{"question": "Q?"}'), object_cell("{'a': 1}"), object_cell("{so}")
    ({'question': 'Q?'}, {'a': 1}, '{so}')
    """
    text = cell.strip()
    if not text.startswith("{"):
        return cell
    parsed = _json(text)
    if parsed is None:
        try:
            parsed = literal_eval(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return cell
    return parsed if isinstance(parsed, dict) else cell


def _json(text: str) -> object:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def _printed(text: str) -> list[str] | None:
    """The texts of an array as numpy prints it: in brackets, parted by blanks alone; None where it is none.

    Raises:
        ValueError: Some of its texts are parted by blanks and some are not.
    """
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        tokens = list(tokenize.generate_tokens(StringIO(text[1:-1]).readline))
    except (tokenize.TokenError, SyntaxError):
        return None
    inner = [token for token in tokens if token.type not in _LAYOUT]
    # 'it''s' without a blank is one text with a doubled quote.
    glued = any(
        token.type == following.type == tokenize.STRING and token.end != following.start
        for token, following in pairwise(inner)
    )
    if not glued:
        return None
    if any(token.type != tokenize.STRING for token in inner):
        raise ValueError("neither a list nor an array")
    return [str(literal_eval(token.string)) for token in inner]
