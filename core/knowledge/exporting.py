"""A corpus as files for other systems: an archive of texts with a list of their ids, or one JSON."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from core.domain.errors import InvalidInput
from core.domain.sources.documents import Document
from core.sources.corpus.listing import INDEX
from core.text.display.formulas import neutral

ENDINGS = ("txt", "md")
LONGEST = 80
ODD = re.compile(r"[^\w.-]+")
MOMENT = (1980, 1, 1, 0, 0, 0)
"""Of every file in an archive, so that equal documents give equal bytes."""


def file_name(document_id: str, ending: str = "txt") -> str:
    """A unique file name for a document: its id, with characters that file systems refuse replaced.

    A name that had to change ends in a few digits of the id's hash, so that two ids never share a file.

    >>> file_name("branch:1"), file_name("client:Blue Horizon")
    ('branch/1.txt', 'client/Blue-Horizon-74d61f.txt')
    """
    table, _, key = document_id.rpartition(":")
    parts = [ODD.sub("-", part).strip("-.")[:LONGEST] for part in (table, key)]
    if parts != [table, key]:
        parts[1] = f"{parts[1] or 'document'}-{sha256(document_id.encode()).hexdigest()[:6]}"
    return f"{'/'.join(filter(None, parts))}.{ending}"


def as_json(documents: Iterable[Document]) -> str:
    """The documents as GRAMMAR keeps them: one object of ids and texts, in their order."""
    return json.dumps({document.id: document.text for document in documents}, ensure_ascii=False, indent=2) + "\n"


def as_zip(documents: Sequence[Document], ending: str = "txt") -> bytes:
    """Each document as a file, and ``documents.csv`` with path, id and title of each, as one archive.

    Loading the archive again gives the same documents.

    Raises:
        InvalidInput: Another ending than ``txt`` and ``md``.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _files(documents, ending):
            archive.writestr(zipfile.ZipInfo(name, MOMENT), text, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _files(documents: Sequence[Document], ending: str) -> Iterator[tuple[str, str]]:
    if ending not in ENDINGS:
        raise InvalidInput(f"Documents are not written as .{ending}.", f"Choose one of: {', '.join(ENDINGS)}.")
    index = io.StringIO()
    table = csv.writer(index, lineterminator="\n")
    table.writerow(["path", "id", "title"])
    for document in documents:
        name = file_name(document.id, ending)
        table.writerow([name, neutral(document.id), neutral(document.title)])
        yield name, document.text
    yield INDEX, index.getvalue()


def write_folder(documents: Sequence[Document], out: Path, ending: str = "txt") -> int:
    """Each document as a file of a folder, beside ``documents.csv``; what an earlier call wrote is replaced.

    Loading the folder gives the same documents.

    Args:
        documents: With different ids.
        out: A new or empty folder, or one that an earlier call wrote.
        ending: ``txt`` or ``md``.

    Returns:
        How many files of the earlier call were removed because no document has their name now.

    Raises:
        InvalidInput: The folder holds other files, or the ending is another one.
    """
    files = dict(_files(documents, ending))
    removed = _clear(out, set(files))
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return removed


def _clear(out: Path, names: set[str]) -> int:
    """Removes what an earlier call wrote and this one does not; refuses a folder of somebody else."""
    if not out.exists():
        return 0
    if not out.is_dir():
        raise InvalidInput(f"{out} is a file.", "Name a folder.")
    index = out / INDEX
    if not index.is_file():
        if any(out.iterdir()):
            raise InvalidInput(f"{out} holds files that are no documents from a database.", "Name a new folder.")
        return 0
    with index.open(encoding="utf-8", newline="") as opened:
        listed = [row.get("path") or "" for row in csv.DictReader(opened)]
    stale = [out / name for name in listed if name and name not in names and ".." not in name.split("/")]
    written = [path for path in stale if path.is_file() and not path.is_symlink()]
    for path in written:
        path.unlink()
    return len(written)
