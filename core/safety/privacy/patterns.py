"""Patterns of the user: checked before they are kept, so that none of them takes for ever."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from core.domain.errors import InvalidInput
from core.safety.privacy.entities import Entity, Finding

LONGEST: Final = 200
MOST: Final = 50
_REPEATED_GROUP: Final = re.compile(r"\)(?:[*+]|\{\d*,\d*\})")
_OPEN: Final = re.compile(r"(?<!\\)(?:[*+]|\{\d+,\})")


def check_pattern(name: str, pattern: str) -> None:
    """Refuses a pattern that cannot be read, or that could take for ever.

    Raises:
        InvalidInput: It is empty, too long, no regular expression, or repeats a group that repeats.
    """
    if not name.strip():
        raise InvalidInput("A pattern has no name.", "Write it as NAME = REGULAR EXPRESSION.")
    if not pattern or len(pattern) > LONGEST:
        raise InvalidInput(
            f"The pattern {name!r} has {len(pattern)} signs.", f"Use 1 to {LONGEST} signs, or several patterns."
        )
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise InvalidInput(f"The pattern {name!r} is no regular expression: {error}.", "Correct it.") from error
    if compiled.match(""):
        raise InvalidInput(f"The pattern {name!r} fits an empty text.", "Ask for at least one sign.")
    if _REPEATED_GROUP.search(pattern) and len(_OPEN.findall(pattern)) > 1:
        raise InvalidInput(
            f"The pattern {name!r} repeats a group in which something repeats, which can take for ever.",
            "Give every repetition a fixed or a largest number, such as {1,8}.",
        )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def find_patterns(text: str, patterns: Mapping[str, str]) -> Iterator[Finding]:
    """What the user's patterns find, by their names."""
    for name, pattern in patterns.items():
        for match in _compiled(pattern).finditer(text):
            if match[0]:
                yield Finding(
                    entity=Entity.OWN, start=match.start(), end=match.end(), value=match[0], rule=f"your pattern {name}"
                )
