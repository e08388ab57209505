"""How a question calls a document and its tables: by their titles, by a heading, or by the name of the file."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from core.domain.sources.chunks import Chunk
from core.testset.corpus.reading.naming.subjects import Subject
from core.testset.corpus.reading.naming.titles import names_an_issuer
from core.testset.corpus.reading.tables.grids import TITLE, Grid, grids
from core.testset.corpus.reading.tables.rows import FILES

SHEETS = (*FILES, ".xlsx", ".xls", ".ods")
MOST_TITLE_WORDS = 16
_NUMBER = re.compile(
    r"^(?:(?:Table|Tab\.|Sheet|Figure) )?(?:[A-Z]?\d{1,2}(?:\.\d+)*|[A-Z])[.):]? +(?:[-–—:] )?(?=[A-Z])"
)
"""The number of a table or of its section, which is no part of what it is called."""
_ANNOUNCED = re.compile(
    r"\b(?:all )?(?:amounts?|figures?|values?|prices?|sums?|costs?|charges?|fees?|rates?|limits?|balances?)"
    r"(?: of money)?(?: (?:are|is))?(?: (?:shown|given|quoted|stated|expressed))? in (?P<unit>[^.;:,\n|]{1,30})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """How a document and its tables are called.

    Attributes:
        lead: What a question says first: 'According to "Budget.xlsx"'.
        scale: The unit that the document announces for all of its figures, or empty.
        words: What it says, without the titles that its loader gave to tables; by which a title is known to be its own.
        called: How often it has a table that is called so.
        filed: Whether it is one table itself.
    """

    lead: str
    scale: str
    words: str
    called: Counter[str]
    filed: bool

    def name_of(self, table: Grid, chunk: Chunk) -> str:
        """How a question calls a table; empty where its document has two that are called so."""
        if self.filed:
            return "the file"
        called = _called(table, chunk, self.words)
        if self.called[called] != 1:
            return ""
        quoted = called.partition('"')[2].rstrip('"')
        repeats = quoted.casefold() in self.lead.casefold()
        return ("the table" if len(self.called) == 1 else "") if repeats else called


def shown_documents(
    chunks: Sequence[Chunk], titles: Mapping[str, str], subjects: Mapping[str, Subject]
) -> dict[str, Shown]:
    """How each document is called: by its title, else by the name of its file.

    Companies' filings and the records of events have rules of their own, and are left out.

    Args:
        chunks: Every chunk of the collection.
        titles: Of documents by id, as people say them.
        subjects: What documents are about, where that has a name.
    """
    by_document: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        by_document[chunk.document_id].append(chunk)
    files = Counter(PurePath(document).name for document in by_document)
    return {
        document: _shown(document, parts, titles[document], about, files)
        for document, parts in by_document.items()
        if (about := subjects.get(document)) is None or (about.sort != "company" and not _is_event(about))
    }


def _shown(document: str, parts: Sequence[Chunk], title: str, about: Subject | None, files: Mapping[str, int]) -> Shown:
    announced = next((match["unit"] for part in parts if (match := _ANNOUNCED.search(part.text))), "")
    torn = document.casefold().endswith(".pdf")  # whose captions may be put together from two lines
    words = _plain("\n".join(TITLE.sub("", part.text) for part in parts)) if torn else ""
    called = Counter(_called(grid, part, words) for part in parts for grid in grids(part.text))
    return Shown(
        lead=_lead(document, title, about, files),
        scale=announced,
        words=words,
        called=called,
        filed=document.casefold().endswith(FILES),
    )


def _is_event(about: Subject) -> bool:
    """Whether a document tells of a numbered event, which its fields are of."""
    return about.link == "in" and not about.words.startswith('"')


def _lead(document: str, title: str, about: Subject | None, files: Mapping[str, int]) -> str:
    if about is not None and about.within:
        return about.within
    name = PurePath(document).name
    filed = re.sub(r"[-_ ]+", " ", PurePath(document).stem).casefold() == re.sub(r"[-_ ]+", " ", title).casefold()
    issuer = names_an_issuer(title) and not {*title.casefold().split()} & {*re.split(r"[\W_]+", name.casefold())}
    sheet = name.casefold().endswith(SHEETS)  # called by its file, whatever its first line says
    if about is not None and title and '"' not in title and not (issuer or sheet or filed):
        return f'According to "{title}"'
    return f'According to "{name}"' if files[name] == 1 else ""


def _called(table: Grid, chunk: Chunk, words: str) -> str:
    """A table by its caption in the document's own words, else by the heading above it, both without their numbers."""
    heading = _NUMBER.sub("", chunk.section[-1]).strip() if chunk.section else ""
    caption = _NUMBER.sub("", table.title).strip()
    spliced = caption.startswith((f"{heading}: ", f"{heading} ("))
    own = caption and caption != heading and not spliced
    if own and (not words or _plain(caption) in words) and _is_quotable(caption):
        return f'the table "{caption}"'
    return f'the table under "{heading}"' if _is_quotable(heading) else ""


def _is_quotable(title: str) -> bool:
    return bool(title) and len(title.split()) <= MOST_TITLE_WORDS and '"' not in title and not title.endswith(":")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
