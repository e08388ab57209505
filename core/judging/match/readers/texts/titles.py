"""What stands before the name of a person and is no part of it."""

from __future__ import annotations

from typing import Final

_WORDS = (
    "mr mrs ms miss mme mlle herr frau dr prof professor sir dame mister hon honorable honourable rev cllr councillor"
)
TITLES: Final = frozenset(_WORDS.split())
