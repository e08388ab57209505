"""Strata of a corpus: its topics, each by document type or date where wished, and the order chunks are drawn in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.domain.sources.chunks import Chunk
from core.domain.sources.documents import Document
from core.domain.sources.topics import OUTLIER

UNKNOWN = "unknown"
"""The value of a document that does not state one."""
_DATE = re.compile(r"(\d{4})-(\d{2})")


class Crossing(StrEnum):
    """What topics are crossed with."""

    NONE = "none"
    FORMAT = "format"
    YEAR = "year"
    MONTH = "month"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Stratum:
    """A part of the corpus with its own number of questions.

    Attributes:
        topic: Its topic.
        value: The document type, year or month; empty where topics are not crossed.
    """

    topic: int
    value: str = ""


def crossing_of(document: Document, crossing: Crossing) -> str:
    """A document's value: its format, or year or month of its date; empty without a crossing.

    >>> crossing_of(Document(id="a", title="", text="", metadata={"date": "2026-03-01"}), Crossing.MONTH)
    '2026-03'
    """
    if crossing is Crossing.NONE:
        return ""
    if crossing is Crossing.FORMAT:
        return document.format or UNKNOWN
    match = _DATE.match(document.metadata.get("date", ""))
    if match is None:
        return UNKNOWN
    return match[1] if crossing is Crossing.YEAR else match[0]


def strata(
    chunks: Sequence[Chunk],
    topic_of: Mapping[str, int],
    *,
    dropped: Collection[int] = (),
    outliers: bool = False,
    value_of: Callable[[str], str] = lambda document_id: "",
) -> dict[Stratum, tuple[str, ...]]:
    """The chunks of each stratum, in rising order of strata; dropped topics have none.

    Args:
        chunks: Of the corpus.
        topic_of: Topic of each chunk; a chunk that is not there is an outlier.
        dropped: Topics that nothing is drawn from.
        outliers: Whether the chunks without a topic are a stratum too; where no chunk has a topic, as in a folder of a
            few pages, they always are.
        value_of: Of a document's id, what topics are crossed with.
    """
    chunks_by_stratum: dict[Stratum, list[str]] = {}
    outliers = outliers or not any(topic_of.get(chunk.id, OUTLIER) != OUTLIER for chunk in chunks)
    for chunk in chunks:
        topic = topic_of.get(chunk.id, OUTLIER)
        if topic in dropped or (topic == OUTLIER and not outliers):
            continue
        chunks_by_stratum.setdefault(Stratum(topic=topic, value=value_of(chunk.document_id)), []).append(chunk.id)
    return {stratum: tuple(chunks_by_stratum[stratum]) for stratum in sorted(chunks_by_stratum)}


def in_drawing_order(chunk_ids: Sequence[str], *, seed: int) -> tuple[str, ...]:
    """The chunks of a stratum in the order they are drawn, without replacement.

    The order of two chunks depends on nothing but their ids and the seed: a document that comes later changes the draw
    of no other chunk.
    """
    return tuple(sorted(chunk_ids, key=lambda chunk: (hashlib.sha256(f"{seed}:{chunk}".encode()).digest(), chunk)))
