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
    said = cell.strip()
    if not said.startswith(("[", "(", "array(")):
        return cell
    found = _json(said)
    if isinstance(found, list):
        return found
    if _NUMBERS.fullmatch(said):
        return said.strip("[]").split()
    parts: list[object] | None = None
    try:
        found = _printed(said) or literal_eval(said)
        parts = list(found) if isinstance(found, (list, tuple)) else None
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        pass
    if parts is None and _LIST.fullmatch(said):
        raise InvalidInput(
            f"{where} has {column} that look like a list and cannot be read: {said[:60]}", "Write the list as JSON."
        )
    return cell if parts is None else parts


def object_cell(cell: str) -> object:
    """The object a cell holds, JSON or as Python prints it; any other text stays a text.

    >>> object_cell('{"question": "Q?"}'), object_cell("{'a': 1}"), object_cell("{so}")
    ({'question': 'Q?'}, {'a': 1}, '{so}')
    """
    said = cell.strip()
    if not said.startswith("{"):
        return cell
    found = _json(said)
    if found is None:
        try:
            found = literal_eval(said)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return cell
    return found if isinstance(found, dict) else cell


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
    glued = any(one.type == other.type == tokenize.STRING and one.end != other.start for one, other in pairwise(inner))
    if not glued:
        return None
    if any(token.type != tokenize.STRING for token in inner):
        raise ValueError("neither a list nor an array")
    return [str(literal_eval(token.string)) for token in inner]
