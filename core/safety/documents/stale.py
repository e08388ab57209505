"""Pages that were left behind: by the date they state, their folder or their title, against the other pages."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from core.domain.sources.documents import Document

YEARS: Final = 3
"""A page is stale when its date is that many years before that of the page in the middle."""
LEAST_DATED: Final = 5
DATES: Final = ("updated", "last_updated", "modified", "date", "reviewed", "last_reviewed")
_OLD_FOLDER: Final = re.compile(
    r"(?:^|/)(?:archives?|old|deprecated|superseded|obsolete|legacy|outdated)(?:/|[-_ ])", re.I
)
_YEAR: Final = re.compile(r"(?<!\d)((?:19|20)\d{2})(?!\d)")
_SUPERSEDED: Final = re.compile(
    r"\b(?:superseded by|no longer (?:valid|in force|current)|replaced by|out of date|is obsolete|expired on)\b", re.I
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StalePage:
    """A page that looks left behind.

    Attributes:
        reasons: Why, one sentence each; one by itself is a reason to look, not a proof.
    """

    document_id: str
    path: str
    dated: str
    reasons: tuple[str, ...]


def stale_pages(documents: Sequence[Document], *, years: int = YEARS) -> list[StalePage]:
    """Pages whose own date, folder or words say that they are left behind.

    A date counts against the page in the middle, so an archive of old pages is not stale by itself; a folder called
    archive counts only together with a date or a year in the title that is old, for an archive may be meant to be read.

    Args:
        documents: All pages.
        years: How far behind the middle a page may be.
    """
    dated = {document.id: at for document in documents if (at := _date(document)) is not None}
    middle = statistics.median_low(sorted(dated.values())) if len(dated) >= LEAST_DATED else None
    pages = []
    for document in documents:
        reasons = list(_reasons(document, dated.get(document.id), middle, years))
        if reasons:
            at = dated.get(document.id)
            pages.append(
                StalePage(
                    document_id=document.id,
                    path=document.path,
                    dated=at.isoformat() if at else "",
                    reasons=tuple(reasons),
                )
            )
    return pages


def _reasons(document: Document, at: date | None, middle: date | None, years: int) -> list[str]:
    behind = at is not None and middle is not None and (middle - at).days > years * 365
    titled = [int(year) for year in _YEAR.findall(f"{document.title} {document.path}")]
    old_title = bool(middle and titled and max(titled) <= middle.year - years)
    reasons = []
    if behind and at is not None and middle is not None:
        reasons.append(f"It is dated {at.isoformat()}; the page in the middle is of {middle.isoformat()}.")
    if _OLD_FOLDER.search(document.path) and (behind or old_title):
        reasons.append("It lies in a folder for old pages.")
    head = _SUPERSEDED.search(document.text[:600])
    if head and (behind or old_title or (at is None and titled)):
        reasons.append(f"Its beginning says that it is {head[0].lower()}.")
    return reasons


def _date(document: Document) -> date | None:
    for name in DATES:
        text = str(document.metadata.get(name, ""))[:10]
        try:
            return date.fromisoformat(text)
        except ValueError:
            continue
    return None
