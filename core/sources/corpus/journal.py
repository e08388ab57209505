"""The journal of a load: what it has read so far, so that a killed load reads only the other files when resumed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.domain.sources.documents import Document
from core.store.codec import from_row, to_row

Known = Mapping[tuple[str, str, str], tuple[Document, ...]]
"""Documents by path, hash and reader of their file."""

PRIVATE = 0o600


class Journal:
    """The documents of each file that was read, a line for each file, readable for nobody else on the machine.

    Args:
        path: Where it is kept; made with the first file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def documents(self) -> Known:
        """The documents read before; a line that was cut off by a kill does not count."""
        if not self.path.exists():
            return {}
        by_file: dict[tuple[str, str, str], tuple[Document, ...]] = {}
        with self.path.open("rb") as lines:
            for line in lines:
                if documents := _read(line):
                    first = documents[0]
                    by_file[first.path, first.sha256, first.reader] = documents
        return by_file

    def add(self, documents: Sequence[Document]) -> None:
        """Keeps the documents of one file."""
        line = json.dumps([to_row(document) for document in documents], ensure_ascii=True)
        opened = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE)
        with os.fdopen(opened, "wb") as file:
            file.write(f"\n{line}\n".encode())  # a line end before it parts it from one that was cut off


def _read(line: bytes) -> tuple[Document, ...]:
    try:
        rows = json.loads(line)
    except ValueError:
        return ()
    return tuple(from_row(Document, row) for row in rows)
