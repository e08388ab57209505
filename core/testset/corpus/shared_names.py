"""Chunks about the same subject: two that share a name which few others have."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from core.domain.sources.chunks import Chunk
from core.text.words import STOP_WORDS, fold

MOST_SHARERS = 12
"""A name in more chunks than this is too common to join two chunks."""
_NAME = re.compile(r"(?<![.!?:|\n] )(?<!^)\b[A-ZÀ-ÖØ-Þ][\w'’&-]+(?: [A-ZÀ-ÖØ-Þ][\w'’&-]+)*", re.MULTILINE)
"""Capitalised words in a row that do not begin a sentence."""


class SharedNames:
    """Which chunks share names.

    Args:
        chunks: Every chunk of the collection.
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._names = {chunk.id: _names(chunk.text) for chunk in chunks}
        sharers: dict[str, list[str]] = defaultdict(list)
        for chunk in chunks:
            for name in self._names[chunk.id]:
                sharers[name].append(chunk.id)
        self._sharers = {name: ids for name, ids in sharers.items() if 1 < len(ids) <= MOST_SHARERS}

    def partners(self, chunk_id: str) -> tuple[str, ...]:
        """Other chunks with a name of this one, those with the rarest name first."""
        shared = sorted((len(self._sharers[name]), name) for name in self._names[chunk_id] if name in self._sharers)
        partners = (other for _, name in shared for other in self._sharers[name] if other != chunk_id)
        return tuple(dict.fromkeys(partners))


def _names(text: str) -> frozenset[str]:
    names = (fold(match[0]) for match in _NAME.finditer(text))
    return frozenset(name for name in names if len(name) > 2 and name not in STOP_WORDS)
