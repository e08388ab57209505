"""A folder, an archive or a file to a corpus; one bad file never stops the rest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from core.domain.errors import SourceUnavailable, Stopped, UnreadableFile
from core.domain.identity import content_hash, short_hash
from core.domain.jobs import Report, silent
from core.domain.sources.document_ids import normalise_id
from core.domain.sources.documents import Corpus, Document, SkippedFile
from core.sources.corpus.attachments import MAILS
from core.sources.corpus.files import File, files, one_file
from core.sources.corpus.journal import Journal, Known
from core.sources.corpus.listing import INDEX, Listed, read_listing
from core.sources.corpus.measuring import measured
from core.sources.corpus.parsing import Format, Parsed, format_of
from core.sources.corpus.pdf.ocr import WITHOUT_OCR, engine
from core.sources.corpus.readers.mail.quotes import told_once

MAX_FILE_BYTES = 50_000_000
MAX_FILES = 50_000
READING = "Reading documents"
MAIL = "attached to"
"""The field of a document that names the e-mail it came with."""
REPEATS = "its text is that of "
"""Begins the note or reason of a document with the text of another one."""
QUOTES = "left out: what it quotes at its end; "
"""Begins the note of an e-mail whose quoted text other e-mails tell."""


def load_corpus(
    folder: Path,
    *,
    before: Corpus | None = None,
    journal: Journal | None = None,
    progress: Report = silent,
    should_stop: Callable[[], bool] = lambda: False,
    max_file_bytes: int = MAX_FILE_BYTES,
    max_files: int = MAX_FILES,
) -> Corpus:
    """Reads every document of a folder, of a zip archive, or of one file.

    A document's id is the one in the file itself, else the one that ``documents.csv`` gives its path, else its path;
    with a number behind it where a file holds several. Documents stand in the order of their paths; those of one file
    in the order of that file. Left out with a reason are a later document with an id that is taken, and a later one
    with the text of another, unless somebody gave it an id of its own, which test cases may name.

    Args:
        folder: The folder, archive or file.
        before: The former load from this place: files that have not changed since are not read again.
        journal: Keeps what was read, so that a killed load reads only the other files when it is resumed.
        progress: Called with the files read, how many there are, and the name of the one that is read now.
        should_stop: Called before each file.
        max_file_bytes: Larger files are left out.
        max_files: Files beyond this number are left out.

    Raises:
        SourceUnavailable: There is no such folder.
        Stopped: A stop was requested.
    """
    if not folder.exists():
        raise SourceUnavailable(f"There is no folder {folder}.", "Check the path.")
    listing = one_file(folder, INDEX, max_file_bytes=max_file_bytes)
    listed, skipped = (read_listing(listing) if listing else None) or ({}, [])
    unchanged = {**_unchanged(before), **(journal.documents() if journal else {})}
    total = measured(folder).files
    collected = _Collected()
    paths: set[str] = set()
    for file in files(folder, max_file_bytes=max_file_bytes, max_files=max_files):
        if should_stop():
            raise Stopped(f"Loading was stopped after {len(paths):,} files.", "Resume it.")
        progress(READING, len(paths), max(total, len(paths) + 1), file.path)
        paths.add(file.path)
        if listed and file.path == INDEX:
            continue
        if isinstance(file, SkippedFile):
            collected.skipped.append(file)
            continue
        try:
            for document in _documents(file, listed.get(file.path), unchanged, journal):
                collected.add(document)
        except UnreadableFile as error:
            collected.skipped.append(SkippedFile(path=file.path, reason=error.told))
    documents = _quoting_once(collected.documents)
    progress(READING, len(paths), len(paths))
    absent = sorted(set(listed) - paths)
    return Corpus(
        documents=tuple(documents),
        skipped=(
            *skipped,
            *collected.skipped,
            *(SkippedFile(path=name, reason=f"{INDEX} lists it and it is not in the folder") for name in absent),
        ),
        fingerprint=fingerprint(documents),
    )


def fingerprint(documents: Iterable[Document]) -> str:
    """SHA-256 over ids and texts."""
    return content_hash([[document.id, document.text] for document in documents])


class _Collected:
    """The documents so far, with the ids and texts that make a later one a repetition."""

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self.skipped: list[SkippedFile] = []
        self._ids: dict[str, str] = {}
        self._texts: dict[str, str] = {}

    def add(self, document: Document) -> None:
        """Adds a document, or leaves it out with the reason."""
        if not document.text.strip():
            self._leave(document, f"document {document.id!r} holds no text")
            return
        other = self._ids.get(normalise_id(document.id))
        if other is not None:
            self._leave(document, f"its id {document.id!r} is taken by {other}")
            return
        same = self._texts.setdefault(text_hash(document.text), document.id)
        if same != document.id:
            if document.id == document.path or document.id.startswith(f"{document.path}#"):  # an id that nobody gave
                self._leave(document, f"{REPEATS}{same}")
                return
            document = replace(document, notes=(*document.notes, f"{REPEATS}{same}"))
        self._ids[normalise_id(document.id)] = document.path
        self.documents.append(document)

    def _leave(self, document: Document, reason: str) -> None:
        self.skipped.append(SkippedFile(path=document.path, reason=reason))


def text_hash(text: str) -> str:
    """SHA-256 of a text's words: blanks and line ends do not count."""
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "replace")).hexdigest()


def _unchanged(before: Corpus | None) -> Known:
    """The documents that need not be read again: those of files that were loaded whole."""
    if before is None:
        return {}
    incomplete = {item.path for item in before.skipped}
    fresh = (
        replace(document, notes=tuple(note for note in document.notes if not note.startswith(REPEATS)))
        for document in before.documents
        if document.reader and document.path not in incomplete and not _to_read_again(document)
    )
    grouped = groupby(fresh, key=lambda document: (document.path, document.sha256, document.reader))
    return {key: tuple(group) for key, group in grouped}


def _quoting_once(documents: list[Document]) -> list[Document]:
    """E-mails without what they quote at their end where another e-mail of the corpus tells it."""
    mails = {document.id: document.text for document in documents if Path(document.path).suffix.casefold() in MAILS}
    shortened = told_once(mails)
    return [
        replace(document, text=shortened[document.id][0], notes=(*document.notes, _told_by(shortened[document.id][1])))
        if document.id in shortened
        else document
        for document in documents
    ]


def _told_by(sources: Mapping[str, int]) -> str:
    named = ", ".join(f"{name} ({words:,} words)" for name, words in list(sources.items())[:5])
    more = f" and {len(sources) - 5:,} more" if len(sources) > 5 else ""
    return f"{QUOTES}it stands in {named}{more}"


def _to_read_again(document: Document) -> bool:
    """Whether an unchanged file may give another text: what others quote changed, or an engine for scans is there."""
    waiting = any(note.endswith(WITHOUT_OCR) for note in document.notes)
    return any(note.startswith(QUOTES) for note in document.notes) or (waiting and engine() is not None)


def _documents(
    file: File, listed: Listed | None, unchanged: Known, journal: Journal | None = None
) -> Iterable[Document]:
    """The documents of one file, as they were loaded before where nothing has changed.

    Raises:
        UnreadableFile: It cannot be read, or holds no text.
    """
    kind = format_of(file.ending)
    digest = hashlib.sha256(file.data).hexdigest()
    reader = f"{kind.name} {kind.version}" + (f" {short_hash(listed)}" if listed else "")
    if documents := unchanged.get((file.path, digest, reader)):
        return documents
    parsed = _parsed(kind, file.data)
    names = [file.path if len(parsed) == 1 else f"{file.path}#{number}" for number in range(1, len(parsed) + 1)]
    documents = tuple(
        replace(_document(item, file, name, listed), format=kind.name, sha256=digest, reader=reader)
        for item, name in zip(parsed, names, strict=True)
    )
    if journal:
        journal.add(documents)
    return documents


def _parsed(kind: Format, data: bytes) -> tuple[Parsed, ...]:
    try:
        parsed = kind.read(data)
    except UnreadableFile:
        raise
    except Exception as error:  # noqa: BLE001 - a damaged file fails in its library with whatever it provokes
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise UnreadableFile(f"it cannot be read as {kind.name} ({reason})", "Save it again.") from None
    if not any(item.text.strip() for item in parsed):
        raise UnreadableFile("it holds no text", "")
    return parsed


def _document(item: Parsed, file: File, name: str, listed: Listed | None) -> Document:
    titles = (item.title, listed.title if listed else "")
    if not item.id:  # what a PDF or an HTML page calls itself is often worse than what a person listed
        titles = titles[::-1]
    return Document(
        id=item.id or (listed.id if listed else "") or name,
        title=_storable(titles[0] or titles[1] or Path(file.path).stem.replace("-", " ").replace("_", " ")),
        text=_storable(item.text),
        path=file.path,
        pages=item.pages,
        outline=item.outline,
        metadata={**item.metadata, **({MAIL: file.mail} if file.mail else {}), **(listed.metadata if listed else {})},
        notes=(*file.notes, *item.notes),
    )


def _storable(text: str) -> str:
    """The text as the store will hold it, so that places in it stay true: no NUL and no half of a surrogate pair."""
    text = text.replace("\x00", "\ufffd")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
