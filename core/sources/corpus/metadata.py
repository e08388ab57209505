"""What files state about themselves, in one form: short texts, days as ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime

LONGEST = 200
"""Characters of a value; what is longer is content, not a field."""
MOST = 30
_PDF_DAY = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?")
_ISO_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
DAYS = ("date", "created", "published", "updated")
"""Names of fields that hold the day of a document, the best first."""


def fields(raw: Mapping[str, object]) -> dict[str, str]:
    """Scalar values as trimmed text under lower-case names; blank, nested and long ones are left out.

    A day under another usual name is given as ``date`` too, so that documents can be grouped by it.

    >>> fields({"Author": " A. Moor ", "published": "2024-05-01T10:00:00Z", "tags": ["a"], "pages": 3})
    {'author': 'A. Moor', 'published': '2024-05-01T10:00:00Z', 'pages': '3', 'date': '2024-05-01'}
    """
    metadata: dict[str, str] = {}
    for name, value in raw.items():
        text = " ".join(_text(value).split())
        key = " ".join(str(name).split()).casefold()
        if text and key and len(text) <= LONGEST and len(key) <= LONGEST and len(metadata) < MOST:
            metadata[key] = text
    days = [day_of(metadata[name]) for name in DAYS if name in metadata]
    if day := next(filter(None, days), ""):
        metadata["date"] = day
    return metadata


def day_of(text: str) -> str:
    """The day of an ISO or PDF time as ``YYYY-MM-DD``; empty where it is neither.

    >>> day_of("D:20230124213844+00'00'"), day_of("2023-01-24T21:38"), day_of("last week")
    ('2023-01-24', '2023-01-24', '')
    """
    match = _ISO_DAY.match(text) or _PDF_DAY.match(text)
    if match is None:
        return ""
    try:
        year, month, day = (int(part or 1) for part in match.groups())
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def _text(value: object) -> str:
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return str(value) if isinstance(value, (str, int, float)) else ""
