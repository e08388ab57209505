"""Short forms that a text opens itself: "Model Risk Committee (MRC)", "EAD – Exposure at default"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.domain.sources.chunks import Chunk
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.naming.subjects import Subject, said_first

_SHORT = r"[A-Z][A-Z&][A-Za-z]{0,5}"
_WORD = r"[A-Za-z][A-Za-z'’-]+"
_BEHIND = re.compile(rf"(?P<words>{_WORD}(?: (?:&|{_WORD})){{1,8}}) \((?P<short>{_SHORT})\)")
_BEFORE = re.compile(rf"(?<![\w-])(?P<short>{_SHORT}) \((?P<words>{_WORD}(?: (?:&|{_WORD})){{1,8}})\)")
_LISTED = re.compile(
    rf"^[ \t]*(?:[-*•] +)?(?:\*\*|\| *)?(?P<short>{_SHORT})(?:\*\*)? *(?:[–—:|=-]+) *"
    rf"(?P<words>{_WORD}(?: (?:&|{_WORD})){{1,8}})(?= *(?:[.,;:(|–—]|$))",
    re.MULTILINE,
)
_SMALL = frozenset({"of", "the", "and", "for", "in", "to", "at", "on", "a", "an", "with", "by", "&"})
_KNOWN = frozenset(
    [
        "VAT",
        "FAQ",
        "PDF",
        "CEO",
        "CFO",
        "UK",
        "USA",
        "EU",
        "GPS",
        "ID",
        "HR",
        "IT",
        "TV",
        "PC",
        "FAQs",
        "CV",
        "AGM",
        "GDPR",
        "BMS",
        "CMS",
        "EMS",
        "LMS",
        "MIS",
        "PMO",
        "QMS",
        "SMS",
    ]
)
"""What nobody looks up."""
_OWN = frozenset(
    [
        "board",
        "bureau",
        "cell",
        "centre",
        "committee",
        "council",
        "database",
        "department",
        "desk",
        "division",
        "forum",
        "group",
        "hub",
        "list",
        "network",
        "office",
        "panel",
        "party",
        "plan",
        "platform",
        "portal",
        "procedure",
        "programme",
        "project",
        "register",
        "scheme",
        "section",
        "system",
        "taskforce",
        "team",
        "tool",
        "unit",
    ]
)
"""What a house has of its own and gives a short name; the terms of a trade everybody in it knows."""
SHORTEST = 2


def short_forms(chunk: Chunk, about: Subject | None) -> Iterator[Fact]:
    """The short forms that a passage opens, each where the first letters of the words are those of the form.

    Args:
        chunk: The passage.
        about: What its document is about; None where that has no name. An event or a thing opens no short form.
    """
    if about is None or about.past or not (about.topic or about.link != "of"):
        return
    for shape in (_BEHIND, _BEFORE, _LISTED):
        for match in shape.finditer(chunk.text):
            short = match["short"]
            words = opened(match["words"].split(), short, from_end=shape is _BEHIND)
            if (
                len(words) < SHORTEST
                or short in _KNOWN
                or words[-1].casefold() not in _OWN
                or match["words"].isupper()
                or (shape is not _BEHIND and words != match["words"].split())
            ):
                continue
            yield Fact(
                chunk_id=chunk.id,
                document_id=chunk.document_id,
                rule=FactRule.SHORT_FORM,
                subject=Subject(words=short, within=said_first(about)),
                attribute="stands for",
                value=" ".join(words),
                kind="text",
                start=match.start(),
                end=match.end(),
            )


def opened(words: Sequence[str], short: str, *, from_end: bool) -> list[str]:
    """The fewest words at one end whose first letters make the short form; small words count where they are needed.

    >>> opened("report to the Model Risk Committee".split(), "MRC", from_end=True)
    ['Model', 'Risk', 'Committee']
    >>> opened("Exposure at default".split(), "EAD", from_end=False)
    ['Exposure', 'at', 'default']
    >>> opened(["Data", "warehouse"], "DWH", from_end=False)
    []
    """
    letters = short.replace("&", "").upper()
    for count in range(SHORTEST, len(words) + 1):
        taken = list(words[-count:] if from_end else words[:count])
        pieces = [piece for word in taken for piece in word.split("-") if piece]
        full = "".join(piece[0] for piece in pieces if piece != "&").upper()
        bare = "".join(piece[0] for piece in pieces if piece.casefold() not in _SMALL).upper()
        if letters in (full, bare) and taken[0].casefold() not in _SMALL:
            return taken
    return []
