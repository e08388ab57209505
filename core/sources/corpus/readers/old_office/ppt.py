"""PowerPoint 97 to 2003 (MS-PPT): slide by slide, titles as headings, the speaker's notes below.

Written here on olefile: no kept library under a free licence reads the format.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.domain.errors import UnreadableFile
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.pdf.page_texts import joined_pages
from core.sources.corpus.readers.old_office.compound import compound, left_out, properties, stream
from core.sources.corpus.readers.old_office.ppt_records import (
    BYTES,
    CHARACTERS,
    TEXTBOX,
    decoded,
    records,
    table_rows,
)
from core.sources.corpus.tabular.tables import table_lines

KIND, ENDING = "PowerPoint file", "PPTX"
LOCKED = 0xF3D1C4DF
"""Mark of the current user's stream in a file with a password."""
DOCUMENT, USER_EDIT, DIRECTORY = 1000, 4085, 6002
SLIDES, PERSIST, HEADER, NOTES_ATOM = 4080, 1011, 3999, 1009
TITLES = frozenset({0, 6})
TABLE = -1
"""Kind of a table that is written out already."""
NOTE_TEXT = 2
"""Kinds of text, by the header before it."""
DEEPEST = 32
MAX_RECORDS = 2_000_000
MOST_EDITS = 10_000


@dataclass(slots=True)
class Slide:
    """Texts of one slide with their kinds, and those of its notes."""

    texts: list[tuple[int, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@reads("ppt", ".ppt")
def read_ppt(data: bytes) -> tuple[Parsed, ...]:
    """The text of each slide in the file's order; a page is a slide."""
    with compound(data, KIND, ENDING) as opened:
        show, user = stream(opened, "PowerPoint Document"), stream(opened, "Current User")
        if not show:
            raise UnreadableFile(f"it is a compound file but no {KIND}", "Name it by what it is.")
        if (len(user) >= 16 and struct.unpack_from("<I", user, 12)[0] == LOCKED) or opened.exists("EncryptedSummary"):
            raise UnreadableFile("it needs a password", f"Save it as {ENDING} without a password.")
        title, metadata = properties(opened)
        notes = left_out(opened)
        slides = _slides(show, struct.unpack_from("<I", user, 16)[0] if len(user) >= 20 else 0)
    texts = [_text(slide) for slide in slides]
    heads = (" ".join(text.split()) for slide in slides for kind, text in slide.texts if kind in TITLES)
    text, pages = joined_pages(texts)
    usual = title.casefold() in ("powerpoint presentation", "presentation", "")
    first = next(filter(None, heads), "")
    return (Parsed(text=text, title=first if usual else title, pages=pages, metadata=metadata, notes=notes),)


def _slides(data: bytes, edit: int) -> list[Slide]:
    places, document = _directory(data, edit)
    if document is None:
        found = next((item for item in records(data, 0, len(data)) if item[1] == DOCUMENT), None)
        if found is None:
            raise UnreadableFile(f"it is damaged or no {KIND} (it has no document)", f"Save it again as {ENDING}.")
        document = found[2] - 8
    length = struct.unpack_from("<I", data, document + 4)[0]
    slides: dict[int, Slide] = {}
    noted: dict[int, int] = {}
    for head, kind, start, stop in records(data, document + 8, min(document + 8 + length, len(data))):
        if kind == SLIDES and head >> 4 in (0, 2):
            for identity, place, texts in _listed(data, start, stop):
                if head >> 4 == 0:
                    slides[identity] = Slide(texts=texts + _drawn(data, places.get(place)))
                else:
                    noted[identity] = place
    for place in noted.values():
        _add_notes(data, places.get(place), slides)
    return list(slides.values())


def _directory(data: bytes, edit: int) -> tuple[dict[int, int], int | None]:
    """Where each saved part lies, the newest of each, and where the document itself lies."""
    places: dict[int, int] = {}
    document = 0
    edits: set[int] = set()
    while edit > 0 and edit + 28 <= len(data) and edit not in edits and len(edits) < MOST_EDITS:
        edits.add(edit)
        if struct.unpack_from("<H", data, edit + 2)[0] != USER_EDIT:
            break
        before, directory, number = struct.unpack_from("<III", data, edit + 16)
        document = document or number
        if directory + 8 <= len(data) and struct.unpack_from("<H", data, directory + 2)[0] == DIRECTORY:
            at = directory + 8
            end = min(at + struct.unpack_from("<I", data, directory + 4)[0], len(data))
            while at + 4 <= end:
                packed = struct.unpack_from("<I", data, at)[0]
                at += 4
                for offset in range(packed >> 20):
                    if at + 4 > end:
                        break
                    places.setdefault((packed & 0xFFFFF) + offset, struct.unpack_from("<I", data, at)[0])
                    at += 4
        edit = before
    where = places.get(document)
    return places, where if where is not None and where + 8 <= len(data) else None


def _listed(data: bytes, start: int, stop: int) -> Iterator[tuple[int, int, list[tuple[int, str]]]]:
    """The slides of a list: id, number of the saved part, and the texts that stand in the list itself."""
    current: tuple[int, int, list[tuple[int, str]]] | None = None
    kind_of_text = 4
    for _, kind, at, end in records(data, start, stop):
        if kind == PERSIST and end - at >= 16:
            if current:
                yield current
            current = (struct.unpack_from("<I", data, at + 12)[0], struct.unpack_from("<I", data, at)[0], [])
        elif kind == HEADER and end - at >= 4:
            kind_of_text = struct.unpack_from("<I", data, at)[0]
        elif kind in (CHARACTERS, BYTES) and current:
            current[2].append((kind_of_text, decoded(data[at:end], kind)))
    if current:
        yield current


def _drawn(data: bytes, place: int | None) -> list[tuple[int, str]]:
    """The texts in the shapes of a slide or of notes, in the file's order."""
    if place is None or place + 8 > len(data):
        return []
    length = struct.unpack_from("<I", data, place + 4)[0]
    texts: list[tuple[int, str]] = []
    waiting = [(place + 8, min(place + 8 + length, len(data)), 0, False)]
    kind_of_text, walked = 4, 0
    while waiting and walked < MAX_RECORDS:
        start, stop, depth, boxed = waiting.pop()
        inner: list[tuple[int, int, int, bool]] = []
        if rows := table_rows(data, start, stop):
            texts.append((TABLE, "\n".join(table_lines(rows, headed=True))))
            continue
        for head, kind, at, end in records(data, start, stop):
            walked += 1
            if kind == HEADER and end - at >= 4:
                kind_of_text = struct.unpack_from("<I", data, at)[0]
            elif kind in (CHARACTERS, BYTES) and boxed:
                texts.append((kind_of_text, decoded(data[at:end], kind)))
            elif kind == TEXTBOX or (head & 0xF == 0xF and depth < DEEPEST):
                if kind == TEXTBOX:
                    kind_of_text = 4
                inner.append((at, end, depth + 1, boxed or kind == TEXTBOX))
        waiting += reversed(inner)
    return texts


def _add_notes(data: bytes, place: int | None, slides: dict[int, Slide]) -> None:
    if place is None or place + 8 > len(data):
        return
    length = struct.unpack_from("<I", data, place + 4)[0]
    for _, kind, at, end in records(data, place + 8, min(place + 8 + length, len(data))):
        if kind == NOTES_ATOM and end - at >= 4:
            slide = slides.get(struct.unpack_from("<I", data, at)[0])
            if slide is not None:
                slide.notes += [text for kind_of_text, text in _drawn(data, place) if kind_of_text == NOTE_TEXT]
            return


def _text(slide: Slide) -> str:
    parts: list[str] = []
    seen: set[str] = set()
    for kind, text in slide.texts:
        if kind == TABLE:
            parts.append(text)
            continue
        lines = [" ".join(line.replace("\x0b", " ").split()) for line in text.split("\r")]
        lines = [line for line in lines if line and line != "*"]  # "*" stands for a slide's number or day
        joined = "\n".join(lines)
        if not lines or joined in seen:
            continue
        seen.add(joined)
        if kind in TITLES:
            parts.append(f"## {' '.join(lines)}")
        else:
            parts.append("\n".join(f"- {line}" for line in lines) if len(lines) > 1 else joined)
    notes = " ".join(" ".join(text.split()) for text in slide.notes)
    return "\n\n".join([*parts, f"Notes: {notes}"] if notes else parts)
