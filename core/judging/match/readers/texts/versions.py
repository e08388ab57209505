"""Numbers of versions, of which 5.3, v5.3 and 5.3.0 are one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_ASKED: Final = re.compile(r"\b(?:version|release|firmware|build)\b", re.IGNORECASE)
_VERSION: Final = re.compile(
    r"(?<![\w.])(?P<name>(?:version|release|v\.?) ?)?(?P<number>\d+(?:\.\d+)+)(?![\w]|\.\d)", re.IGNORECASE
)


def one_version(answer: str, references: Sequence[str], question: str) -> str:
    """An answer in which a version is written as the reference writes it, where zeros or a "v" make the difference.

    >>> one_version("It came with v5.3.0.", ["5.3"], "In which version did it come?")
    'It came with 5.3.'
    >>> one_version("It came with v5.3.", ["Version 5.3"], "In which version did it come?")
    'It came with Version 5.3.'
    >>> one_version("It came with v5.3.1.", ["5.3"], "In which version did it come?")
    'It came with v5.3.1.'
    """
    wanted = [match for reference in references for match in _VERSION.finditer(reference)]
    if not wanted or not _ASKED.search(question):
        return answer

    def same(match: re.Match[str]) -> str:
        own = next((one for one in wanted if _parts(one["number"]) == _parts(match["number"])), None)
        if own is None:
            return match[0]
        return f"{own['name'] or ''}{own['number']}"

    return _VERSION.sub(same, answer)


def _parts(version: str) -> list[str]:
    parts = version.split(".")
    while len(parts) > 1 and not parts[-1].strip("0"):
        parts.pop()
    return parts
