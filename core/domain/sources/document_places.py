"""Documents by where they lie: the address or the path that a system names, and the file that was loaded."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Final
from urllib.parse import unquote

ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/]*")
ENDING: Final = re.compile(r"(?<=.)\.[A-Za-z][A-Za-z0-9]{0,4}$")
NAMED: Final = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}(?!\.?[A-Za-z0-9])")
"""The ending of a file's name within a text."""
OF_A_PAGE: Final = frozenset({".html", ".htm", ".md", ".php", ".aspx", ".jsp"})
"""What a page of a site may end with, whatever its file is called."""

START: Final = "index"
LONGEST: Final = 300
"""Characters of a name in which a file is looked for; a longer one is a text."""
PARTS: Final = (
    "chunks? pages? pp? pg parts? passages? sections? sec slides? sheets? rows? lines? paragraphs? para nodes? splits? "
    "segments? seite"
)
"""What a part of a document is called, as regular expressions."""
MARK: Final = rf"(?:#|::|§|(?<![A-Za-z])(?:{PARTS.replace(' ', '|')})(?:[_-]?id)?(?![A-Za-z]))"
WITHIN: Final = re.compile(rf"[\s,;|/_\-–(\[]*{MARK}[\s_:.#=-]*\d[\d.,\s–-]*[)\]]*\s*$", re.IGNORECASE)
"""A place within a document, at the end of its name: " (p. 2)", "#3", "_chunk_12", ", page 4"."""
BORDER: Final = re.compile(r"(?<![^\s\[(<{\"'“«:,;|=])(?=\S)")
"""Where a file's name may begin within a longer text."""
Segments = tuple[str, ...]


class DocumentPlaces:
    """The files of a corpus by the ends of their paths.

    A service names ``https://help.example/fees/cards.html?lang=en`` or ``/srv/kb/fees/cards.html``; the file that was
    loaded is ``fees/cards.html``. The longest end counts, and only where it names one file.

    Args:
        known_ids: The documents' own ids. Only those that end like a file's name lie somewhere.

    >>> DocumentPlaces(["fees/cards.html", "fees/loans.md"]).find("https://help.example/en/fees/loans")
    'fees/loans.md'
    """

    def __init__(self, known_ids: Iterable[str]) -> None:
        self._by_name: defaultdict[str, list[tuple[Segments, str]]] = defaultdict(list)
        self._by_stem: defaultdict[str, list[tuple[Segments, str]]] = defaultdict(list)
        self._by_bare_name: defaultdict[str, set[str]] = defaultdict(set)
        for own in known_ids:
            segments = _segments(own)
            if not segments or not ENDING.search(segments[-1]):
                continue
            self._by_name[segments[-1]].append((segments, own))
            self._by_bare_name[ENDING.sub("", segments[-1])].add(own)
            if page := _page(segments):
                self._by_stem[page[-1]].append((page, own))

    def find(self, name: str) -> str | None:
        """The document at an address or a path, or named in a few words; None where none, or several, may be meant."""
        if found := self._at(name):
            return found
        if len(name) > LONGEST:
            return None
        inner = without_place(name)
        return (self._at(inner) if inner != name else None) or self._within(name) or self._bare(inner)

    def _at(self, name: str) -> str | None:
        segments = _segments(name)
        if not segments:
            return None
        if found := self._by_name.get(segments[-1]):
            return _nearest(segments, found)
        page = _page(segments) if ADDRESS.match(name.strip()) else ()
        return _nearest(page, self._by_stem.get(page[-1], [])) if page else None

    def _within(self, name: str) -> str | None:
        """The one file that is named within a text: "[2] Fee policy.pdf, page 3"."""
        ends = [match.end() for match in NAMED.finditer(name)]
        starts = [match.start() for match in BORDER.finditer(name)]
        named = set()
        for end in ends:
            inside = (self._at(name[start:end]) for start in starts if start < end)
            named.add(next(filter(None, inside), None))
        named.discard(None)
        return named.pop() if len(named) == 1 else None

    def _bare(self, name: str) -> str | None:
        """The one file that has this name but for its ending."""
        found = self._by_bare_name.get(name.strip().casefold(), set())
        return next(iter(found)) if len(found) == 1 else None


def without_place(name: str) -> str:
    """A document's name without the place within it that a system adds.

    >>> without_place("policy.pdf (p. 2)"), without_place("products:1_chunk_12"), without_place("Part 3")
    ('policy.pdf', 'products:1', 'Part 3')
    """
    return WITHIN.sub("", name) or name


def _segments(name: str) -> Segments:
    text = re.split(r"[?#]", ADDRESS.sub("", name.strip()), maxsplit=1)[0]
    parts = unquote(text).replace("\\", "/").casefold().split("/")
    return tuple(part for part in parts if part not in ("", "."))


def _page(segments: Segments) -> Segments:
    """Without the ending of a page, and without the name of a folder's first page; empty for another kind of file."""
    ending = ENDING.search(segments[-1])
    if ending and ending[0] not in OF_A_PAGE:
        return ()
    stem = segments[-1][: ending.start()] if ending else segments[-1]
    return segments[:-1] if stem == START else (*segments[:-1], stem)


def _nearest(segments: Segments, found: Iterable[tuple[Segments, str]]) -> str | None:
    """The document whose whole path the name ends with, the longest such; else the one that ends with the name."""
    within: defaultdict[int, list[str]] = defaultdict(list)
    around: list[str] = []
    for own, document_id in found:
        if segments[-len(own) :] == own:
            within[len(own)].append(document_id)
        elif own[-len(segments) :] == segments:
            around.append(document_id)
    nearest = within[max(within)] if within else around
    return nearest[0] if len(nearest) == 1 else None
