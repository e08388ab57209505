"""Notes in a reference on where it was found, which are no part of what an answer has to say."""

from __future__ import annotations

import re

_FILE = r"[^\s,;()\[\]\"'][^,;()\[\]\"'\n]{0,80}\.(?:pdf|docx?|xlsx?|pptx?|html?|txt|csv|md|json)"
_TRAILING = re.compile(
    r"(?:^|\n|(?<=[.!?])\s)\s*[*_]{0,2}\(?(?:sources?|source\(s\)|citations?|references?|found in|see also)[*_]{0,2}"
    r"\s?[:=]\s?(?:[^\n]*|(?:\n\s*(?:[-*•]|\d+[.)])[^\n]*)+)\)?\s*\Z",
    re.IGNORECASE,
)
_INSIDE = re.compile(
    rf"\s?\((?:sources?|source\(s\)|from|see|in|as stated in)\b\s?:?\s?[^()\n]{{1,160}}?{_FILE}[^()\n]{{0,40}}\)"
    rf"|\s?\((?:(?:from|see|as stated in|in)\s)?(?:the\s)?[\"'“]?{_FILE}[\"'”]?(?:\s(?:document|report|file))?\)"
    r"|\s?\(sources?(?:\(s\))?\s?:[^()\n]{1,160}\)",
    re.IGNORECASE,
)


def without_provenance(reference: str) -> str:
    r"""A reference without its notes of where it was found; as given where nothing else is there.

    >>> without_provenance("It was $5 million (SOURCE: q3 report.pdf).\n\nSOURCE(S): q3 report.pdf, q4 report.pdf")
    'It was $5 million.'
    >>> without_provenance("Source: the annual report"), without_provenance("Sources of income: fees")
    ('Source: the annual report', 'Sources of income: fees')
    """
    plain = _INSIDE.sub("", _TRAILING.sub("", reference)) if "ource" in reference.casefold() or "." in reference else ""
    return plain.strip() or reference


def without_notes(answer: str) -> str:
    """An answer without the notes in brackets of where it was found.

    >>> without_notes("Alpenseil (source: makers/alpenseil.md) built it."), without_notes("It (see below) is red.")
    ('Alpenseil built it.', 'It (see below) is red.')
    """
    return _INSIDE.sub("", answer).strip() or answer
