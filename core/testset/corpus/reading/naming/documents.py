"""What a document is about: a company, a numbered report, a titled thing."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from core.domain.sources.chunks import Chunk
from core.judging.match.readers.texts.normalise import key
from core.testset.corpus.reading.naming.called import is_code, is_one_of_many, names_something, titled, unnumbered
from core.testset.corpus.reading.naming.subjects import Subject

COVER = 6_000
"""Characters from the beginning of a document among which its name is looked for."""
_REGISTRANT = re.compile(r"([^\n|]{2,80}?)\s*\|?\s*\n?[|(\s]*exact name of (?:the )?registrant", re.IGNORECASE)
_FILED_BY = re.compile(
    r"\b(?:form )?(?:10-[QK]|20-F|8-K|annual report|quarterly report|interim report)\b.*?\b(?:for|of|by) (?P<name>.+?)"
    r"(?: (?:filed|for|dated)\b.*)?$",
    re.IGNORECASE,
)
_LEGAL = re.compile(
    r",?\s+(?:inc(?:orporated)?|corp(?:oration)?|ltd|limited|llc|plc|ag|sa|s\.a|n\.?v|co|company|gmbh|& co)\.?$",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"^[ \t|]*(?P<type>[A-Z][A-Za-z]+(?: [A-Za-z]+)?) (?P<what>[Nn]umber|[Nn]o\.?|ID|Id|[Rr]eference|[Rr]ef\.?)[ \t]*"
    r"[:|][ \t]+(?P<value>[A-Z0-9][A-Z0-9/-]{3,24})(?=[ \t]*(?:\||$))",
    re.MULTILINE,
)
_CODED = re.compile(
    r"(?P<sort>[A-Z][a-z]+(?: [a-z]+){0,4}):? (?:[Nn]o\.? |[Nn]umber )?"
    r"(?P<value>(?=\S*\d)[A-Z]{1,6}[-/][A-Z\d/-]{1,20})"
)
"""A title that numbers what its document is: "Incident INC-0225-03"."""
_DATED_CODE = re.compile(r"(?=\S*[A-Z])[A-Z\d]+(?:[-/][A-Z\d]+)*[-/]?(?:20\d\d(?!\d)|[QH][1-4])(?:[-/][A-Z\d]+)*")
"""The code of a paper that a year or a quarter dates: "SUS-2025-Q1" is no employer."""
_NO_NUMBER = frozenset(
    ["serial", "phone", "telephone", "fax", "page", "our", "your", "my", "vat", "tel", "company", "registered", "room"]
)
"""What stands before a number that is none of the document's own."""
_ISSUED = frozenset(
    ["report", "notice", "certificate", "permit", "licence", "form", "statement", "record", "sheet", "note", "invoice"]
)
"""Numbered papers that tell of something else, so that a question says by which one."""
EVENTS = frozenset(
    [
        "accident",
        "incident",
        "event",
        "crash",
        "fire",
        "inspection",
        "meeting",
        "audit",
        "case",
        "claim",
        "order",
        "trial",
        "visit",
        "survey",
        "test",
        "project",
        "investigation",
        "complaint",
        "outage",
    ]
)
_CHAPTER = re.compile(r"(?:(?:Chapter|Section|Part|Appendix|Annex|Book|Module|Lesson) [\dIVXA-Z]+\b|\d+\.\d)")


def document_subjects(
    chunks: Sequence[Chunk], titles: Mapping[str, str], unnamed: frozenset[str] = frozenset()
) -> dict[str, Subject]:
    """What each document is about; a document without a name that tells it from all others is left out.

    Several documents may have the same company: their periods tell their facts apart.

    Args:
        chunks: Every chunk of the collection.
        titles: Of documents by id.
        unnamed: Documents that only their file names; what numbers them is a better name.
    """
    covers = _covers(chunks)
    companies = {document: name for document, cover in covers.items() if (name := _company(cover, titles[document]))}
    identifiers = _identifiers({document: cover for document, cover in covers.items() if document not in companies})
    subjects: dict[str, Subject] = {}
    shared = Counter(key(titles[document]) for document in covers)
    for document in covers:
        bare = is_one_of_many(titles[document])
        named = names_something(titles[document]) and not bare and shared[key(titles[document])] == 1
        if document in companies:
            subjects[document] = Subject(words=companies[document], sort="company", link="'s", past=True)
        elif document in identifiers and (document in unnamed or not named):
            subjects[document] = _identified(*identifiers[document])
        elif (coded := _CODED.fullmatch(titles[document].strip())) and _is_numbered(coded["sort"].lower()):
            subjects[document] = _identified(coded["sort"].lower(), coded["value"])
        elif (names_something(titles[document]) and not bare) or is_code(titles[document], covers[document]):
            subjects[document] = titled(unnumbered(titles[document]), covers[document], filed=document in unnamed)
            if _DATED_CODE.fullmatch(titles[document].strip()):
                code = titles[document].strip()
                subjects[document] = Subject(words=code, link="", within=f"According to {code}")
            if _CHAPTER.match(titles[document]):
                subjects[document] = Subject(words=f'"{titles[document].strip()}"', link="in")
    counts = Counter(key(subject.bare) for subject in subjects.values() if subject.sort != "company")
    return {
        document: subject
        for document, subject in subjects.items()
        if subject.sort == "company" or counts[key(subject.bare)] == 1
    }


def _covers(chunks: Sequence[Chunk]) -> dict[str, str]:
    texts: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        if chunk.start < COVER:
            texts[chunk.document_id].append(chunk)
    return {
        document: "\n".join(chunk.text for chunk in sorted(parts, key=lambda chunk: chunk.start))
        for document, parts in sorted(texts.items())
    }


def _company(cover: str, title: str) -> str:
    match = _REGISTRANT.search(cover) if "exact name of" in cover.casefold() else None
    name = match[1].strip(" #*_") if match else ""
    if not name and (match := _FILED_BY.search(title)):
        name = match["name"].strip()
    return short_company(name) if name and len(name.split()) <= 6 else ""


def short_company(name: str) -> str:
    """A company's name as people say it.

    >>> short_company("MICROSOFT CORPORATION"), short_company("Apple Inc."), short_company("JPMorgan Chase & Co.")
    ('Microsoft', 'Apple', 'JPMorgan Chase')
    """
    short = name.strip()
    while (cut := _LEGAL.sub("", short).strip(" ,&")) != short and cut:
        short = cut
    long_capitals = short.isupper() and any(len(word) > 4 for word in short.split())
    return short.title() if long_capitals else short


def _identifiers(covers: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The field of a form that numbers a document, if no two documents have the same number in it."""
    by_field: dict[str, dict[str, str]] = defaultdict(dict)
    for document, cover in covers.items():
        for match in _IDENTIFIER.finditer(cover):
            counted = match["what"].islower() and not _is_numbered(match["type"].lower())
            if any(sign.isdigit() for sign in match["value"]) and not counted:
                by_field[match["type"].lower()].setdefault(document, match["value"])
    best: dict[str, tuple[str, str]] = {}
    ranked = sorted(by_field.items(), key=lambda item: (-len(item[1]), item[0] not in EVENTS, item[0]))
    for sort, values in ranked:
        if len(set(values.values())) == len(values) and sort.split()[0] not in _NO_NUMBER:
            for document, value in values.items():
                best.setdefault(document, (sort, value))
    return best


def _is_numbered(sort: str) -> bool:
    return sort.split()[-1] in EVENTS | _ISSUED


def _identified(sort: str, value: str) -> Subject:
    """What a number identifies: an event that its properties were in, a paper by which they were, or a thing."""
    words, last = f"{sort} {value}", sort.split()[-1]
    if last in _ISSUED:
        return Subject(
            words=words, sort=sort, link="", past=last in ("report", "record"), within=f"According to {words}"
        )
    past = last in EVENTS
    return Subject(words=words, sort=sort, link="in" if past else "of", past=past)
