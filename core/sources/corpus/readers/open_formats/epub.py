"""EPUB books: their chapters in reading order, each as an HTML page is read."""

from __future__ import annotations

from posixpath import dirname, join
from typing import Any
from urllib.parse import unquote

from core.domain.errors import UnreadableFile
from core.sources.corpus.metadata import fields
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.pdf.page_texts import joined_pages
from core.sources.corpus.readers.html import read_html
from core.sources.corpus.readers.open_formats.packed import Package
from core.sources.corpus.readers.open_formats.safe_xml import local, xml_root

KIND = "EPUB book"
PAGES = ("application/xhtml+xml", "text/html", "application/xml")
META = {"creator": "author", "date": "date", "language": "language", "subject": "subject", "publisher": "publisher"}
LOCKED_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


@reads("epub", ".epub")
def read_epub(data: bytes) -> tuple[Parsed, ...]:
    """The text of a book; a page is a chapter's file. Books with copy protection are refused."""
    package = Package(data, KIND)
    container = package.read("META-INF/container.xml")
    if not container:
        raise UnreadableFile(f"it is damaged or no {KIND}: it names no content", "Save it again.")
    roots = [item.get("full-path", "") for item in xml_root(container, KIND).iter() if local(item) == "rootfile"]
    place = next((root for root in roots if root), "")
    book = xml_root(package.read(place), KIND)
    names = _chapters(book, dirname(place))
    locked = _locked(package)
    if names and all(name in locked for name in names):
        raise UnreadableFile("it is locked by copy protection", "Give a copy without protection.")
    chapters: list[str] = []
    notes: list[str] = []
    for name in names:
        page = package.read(name)
        if page and name not in locked:
            [parsed] = read_html(page)
            chapters.append(parsed.text)
            notes += parsed.notes
        else:
            notes.append(f"left out: {name[:100]}, which is {'locked' if page else 'not in it'}")
    text, pages = joined_pages(chapters)
    described = {local(item): " ".join((item.text or "").split()) for item in _part(book, "metadata")[::-1]}
    metadata = fields({name: described.get(source, "") for source, name in META.items()})
    return (
        Parsed(
            text=text,
            title=described.get("title", ""),
            pages=pages,
            metadata=metadata,
            notes=tuple(dict.fromkeys(notes)),
        ),
    )


def _chapters(book: Any, folder: str) -> list[str]:
    """The places of the chapters in reading order; tables of contents are none."""
    files = {}
    for item in _part(book, "manifest"):
        if item.get("media-type") in PAGES and "nav" not in (item.get("properties") or "").split():
            files[item.get("id")] = join(folder, unquote(item.get("href") or ""))
    listed = [files[item.get("idref")] for item in _part(book, "spine") if item.get("idref") in files]
    return list(dict.fromkeys(listed))


def _part(book: Any, name: str) -> list[Any]:
    return next((list(element) for element in book if local(element) == name), [])


def _locked(package: Package) -> set[str]:
    """The parts that are encrypted, apart from fonts that are only scrambled."""
    data = package.read("META-INF/encryption.xml")
    locked: set[str] = set()
    for item in xml_root(data, KIND).iter() if data else ():
        if local(item) == "EncryptedData":
            method = next((part.get("Algorithm", "") for part in item.iter() if local(part) == "EncryptionMethod"), "")
            if method not in LOCKED_FONTS:
                uris = (part.get("URI", "") for part in item.iter() if local(part) == "CipherReference")
                locked.update(unquote(uri) for uri in uris)
    return locked
