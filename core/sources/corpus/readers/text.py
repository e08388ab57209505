"""Plain text in any usual encoding."""

from __future__ import annotations

from core.sources.corpus.decoding import decode_told
from core.sources.corpus.parsing import Parsed, reads


@reads("text", ".txt", ".text", ".rst", ".log")
def read_text(data: bytes) -> tuple[Parsed, ...]:
    """The file's text as it is."""
    text, notes = decode_told(data)
    return (Parsed(text=text.strip(), notes=notes),)
