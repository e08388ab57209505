"""GRAMMAR's documents file: one JSON object, id to text."""

from __future__ import annotations

import json

from core.domain.errors import UnreadableFile
from core.sources.corpus.decoding import decode
from core.sources.corpus.parsing import Parsed, reads


@reads("json", ".json")
def read_documents(data: bytes) -> tuple[Parsed, ...]:
    """One document for each entry, in the order of the file; the id is the title too."""
    try:
        content = json.loads(decode(data))
    except ValueError as error:
        raise UnreadableFile(f"it is no JSON ({error})", "Give an object of ids and texts.") from None
    if not isinstance(content, dict) or not content or not all(isinstance(text, str) for text in content.values()):
        raise UnreadableFile("it is JSON but not an object of ids and texts", "Only such JSON files are documents.")
    return tuple(Parsed(id=str(key), title=str(key), text=text) for key, text in content.items())
