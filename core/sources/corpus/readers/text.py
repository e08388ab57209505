"""Plain text in any usual encoding."""

from __future__ import annotations

from core.sources.corpus.decoding import decode
from core.sources.corpus.parsing import Parsed, reads


@reads("text", ".txt", ".text")
def read_text(data: bytes) -> tuple[Parsed, ...]:
    """The file's text as it is."""
    return (Parsed(text=decode(data).strip()),)
