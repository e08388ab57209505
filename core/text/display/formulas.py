"""Texts in tables that a spreadsheet opens: none of them is run as a formula, and each comes back as it was."""

from __future__ import annotations

import re

_FORMULA = re.compile(r"[\s\x00\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n\x00]")
"""How a formula begins; spreadsheets skip what cannot be seen, and some take the wide signs for the plain ones."""
_NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)*%?")
MARK = "'"


def neutral(value: object) -> object:
    """A cell that is no formula: a text that begins like one gets a quote in front; all else is as it is.

    >>> neutral("=1+1"), neutral("-5.2"), neutral("- first"), neutral("'=1+1"), neutral(-5)
    ("'=1+1", '-5.2', "'- first", "''=1+1", -5)
    """
    return f"{MARK}{value}" if isinstance(value, str) and _begins(value) and not _NUMBER.fullmatch(value) else value


def restored(text: str) -> str:
    """The text that :func:`neutral` was given.

    >>> restored("'=1+1"), restored("''=1+1"), restored("'quoted'")
    ('=1+1', "'=1+1", "'quoted'")
    """
    return text[1:] if text.startswith(MARK) and _begins(text) else text


def _begins(text: str) -> bool:
    """Whether it begins like a formula, however many quotes stand before that."""
    return _FORMULA.match(text.lstrip(MARK)) is not None
