"""A folder of files to a corpus; one bad file never stops the rest."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.domain.document_ids import normalise_id
from core.domain.documents import Corpus, Document, SkippedFile
from core.domain.errors import SourceUnavailable, UnreadableFile
from core.domain.identity import content_hash
from core.sources.corpus.decoding import decode
from core.sources.corpus.parsing import Parsed, reader_for
from core.sources.corpus.readers.csv_table import csv_rows

MAX_FILE_BYTES = 50_000_000
MAX_FILES = 50_000
INDEX = "documents.csv"
"""A list of ids and titles beside the files (columns path, id, title)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listed:
    id: str
    title: str


def load_corpus(folder: Path, *, max_file_bytes: int = MAX_FILE_BYTES, max_files: int = MAX_FILES) -> Corpus:
    """Reads every document of a folder, or of one file.

    A document's id is the one in its front matter, else the one that ``documents.csv`` gives its path, else its path.
    Documents stand in the order of their paths; those of one JSON file in the order of that file. A later document
    with an id that is taken is left out, as are files outside the folder that a link points to.

    Args:
        folder: The folder, or one file.
        max_file_bytes: Larger files are left out.
        max_files: Files beyond this number are left out.

    Raises:
        SourceUnavailable: There is no such folder.
    """
    if not folder.exists():
        raise SourceUnavailable(f"There is no folder {folder}.", "Check the path.")
    root = folder if folder.is_dir() else folder.parent
    paths = list(_files(root)) if folder.is_dir() else [folder]
    documents: list[Document] = []
    skipped: list[SkippedFile] = []
    listed = _index(root / INDEX, skipped) if folder.is_dir() else {}
    if listed:
        paths = [path for path in paths if path != root / INDEX]
    beyond = f"only the first {max_files:,} files are read"
    skipped.extend(SkippedFile(path=_relative(path, root), reason=beyond) for path in paths[max_files:])
    taken: dict[str, str] = {}
    for path in paths[:max_files]:
        relative = _relative(path, root)
        try:
            data = _bytes(path, root, max_file_bytes)
            format_name, reader = reader_for(path.suffix)
            parsed = reader(data)
            if not any(item.text.strip() for item in parsed):
                raise UnreadableFile("it holds no text", "")
        except UnreadableFile as error:
            skipped.append(SkippedFile(path=relative, reason=error.message))
            continue
        digest = hashlib.sha256(data).hexdigest()
        for item in parsed:
            document = _document(item, relative, format_name, digest, listed.get(relative))
            reason = _refusal(document, taken)
            if reason:
                skipped.append(SkippedFile(path=relative, reason=reason))
                continue
            taken[normalise_id(document.id)] = relative
            documents.append(document)
    absent = sorted(set(listed) - {_relative(path, root) for path in paths})
    skipped.extend(SkippedFile(path=name, reason=f"{INDEX} lists it and it is not in the folder") for name in absent)
    return Corpus(
        documents=tuple(documents),
        skipped=tuple(skipped),
        fingerprint=content_hash([[document.id, document.text] for document in documents]),
    )


def _files(root: Path) -> Iterator[Path]:
    """The files below a folder by path; hidden ones are no documents, and links to folders are not followed."""
    found: list[Path] = []
    for folder, folders, names in os.walk(root, followlinks=False):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found.extend(Path(folder) / name for name in names if not name.startswith((".", "~$")))
    yield from sorted(found, key=lambda path: _relative(path, root))


def _relative(path: Path, root: Path) -> str:
    # a name that is not valid text on this machine must still be shown and stored
    return path.relative_to(root).as_posix().encode("utf-8", "replace").decode("utf-8")


def _bytes(path: Path, root: Path, limit: int) -> bytes:
    try:
        if not path.resolve(strict=True).is_relative_to(root.resolve()):
            raise UnreadableFile("it is a link to a file outside the folder", "")
        if not path.is_file():
            raise UnreadableFile("it is no regular file", "")
        size = path.stat().st_size
        if size > limit:
            raise UnreadableFile(f"it has {size:,} bytes, more than {limit:,}", "")
        data = path.read_bytes()
    except (OSError, RuntimeError) as error:  # a ring of links is a RuntimeError
        reason = getattr(error, "strerror", None) or "it is a ring of links"
        raise UnreadableFile(f"it cannot be opened ({reason})", "") from None
    if not data.strip():
        raise UnreadableFile("it is empty", "")
    return data


def _document(item: Parsed, relative: str, format_name: str, digest: str, listed: _Listed | None) -> Document:
    document_id = item.id or (listed.id if listed else "") or relative
    titles = (item.title, listed.title if listed else "")
    if not item.id:  # what a PDF or an HTML page calls itself is often worse than what a person listed
        titles = titles[::-1]
    title = titles[0] or titles[1] or Path(relative).stem.replace("-", " ").replace("_", " ")
    return Document(id=document_id, title=title, text=item.text, path=relative, format=format_name, sha256=digest)


def _refusal(document: Document, taken: Mapping[str, str]) -> str:
    if not document.text.strip():
        return f"document {document.id!r} holds no text"
    other = taken.get(normalise_id(document.id))
    return f"its id {document.id!r} is taken by {other}" if other is not None else ""


def _index(path: Path, skipped: list[SkippedFile]) -> dict[str, _Listed]:
    """Ids and titles by path; empty where there is no such file or it is an ordinary document."""
    if not path.is_file():
        return {}
    try:
        headers, *rows = csv_rows(decode(path.read_bytes())) or [[]]
    except UnreadableFile:
        return {}  # it is skipped with its reason when its turn comes as a document
    places = {name.casefold(): place for place, name in enumerate(headers)}
    if not {"path", "id"} <= set(places):
        return {}
    listed: dict[str, _Listed] = {}
    for number, row in enumerate(rows, start=2):
        cells = {name: row[place] if place < len(row) else "" for name, place in places.items()}
        name = cells["path"].replace("\\", "/").removeprefix("./")
        if not name or not cells["id"]:
            skipped.append(SkippedFile(path=INDEX, reason=f"row {number} has no path or no id"))
            continue
        listed[name] = _Listed(id=cells["id"], title=cells.get("title", ""))
    return listed
