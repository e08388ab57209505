"""What a document is about, in the words by which a question names it: a company, a numbered report, a titled thing."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.sources.chunks import Chunk
from core.judging.match.readers.normalise import key
from core.testset.corpus.reading.common_words import COMMON
from core.testset.corpus.reading.verbs import infinitive

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
    r"[:|][ \t]+(?P<value>[A-Z0-9][A-Z0-9/-]{3,24})[ \t|]*$",
    re.MULTILINE,
)
_CODED = re.compile(
    r"(?P<sort>[A-Z][a-z]+(?: [a-z]+){0,4}):? (?:[Nn]o\.? |[Nn]umber )?"
    r"(?P<value>(?=\S*\d)[A-Z]{1,6}[-/][A-Z\d/-]{1,20})"
)
"""A title that numbers what its document is: "Incident INC-0225-03"."""
_NO_NUMBER = frozenset(
    ["serial", "phone", "telephone", "fax", "page", "our", "your", "my", "vat", "tel", "company", "registered", "room"]
)
"""What stands before a number that is none of the document's own."""
_ISSUED = frozenset(
    ["report", "notice", "certificate", "permit", "licence", "form", "statement", "record", "sheet", "note", "invoice"]
)
"""Numbered papers that tell of something else, so that a question says by which one."""
_PAST = frozenset(
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
_WORKS = frozenset(
    [
        "policy",
        "guide",
        "manual",
        "handbook",
        "report",
        "terms",
        "conditions",
        "catalogue",
        "catalog",
        "list",
        "notice",
        "procedure",
        "statement",
        "schedule",
        "rules",
        "agreement",
        "contract",
        "plan",
        "overview",
        "faq",
        "faqs",
        "brochure",
        "leaflet",
        "minutes",
        "memo",
        "memorandum",
        "letter",
        "agenda",
        "newsletter",
        "bulletin",
        "directory",
        "tariff",
        "standard",
        "regulation",
        "code",
        "summary",
        "guideline",
        "guidelines",
        "review",
        "paper",
        "papers",
        "factsheet",
        "sheet",
        "slides",
        "presentation",
        "leaflet",
        "form",
        "checklist",
        "instructions",
        "reference",
        "notes",
        "charter",
        "formulary",
        "glossary",
        "protocol",
        "protocols",
        "regulations",
        "specification",
        "specifications",
        "timetable",
        "register",
        "log",
        "prices",
        "fees",
        "tariffs",
        "descriptions",
        "questions",
        "programme",
    ]
)
_FIELD = re.compile(r"^[A-Z][\w ]{2,30}: \S", re.MULTILINE)
FEWEST_OF_A_SHEET = 3
"""Fields of a page from which its title of one name is the thing that has them: the helmet Lanner."""
MOST_WORDS_CALLED = 4
"""Words of a title from whose last word its text may call it: "the procedure"; longer ones are quoted."""
_REMARKS = frozenset(
    [
        "extract",
        "excerpt",
        "version",
        "draft",
        "copy",
        "revised",
        "final",
        "updated",
        "edition",
        "part",
        "theme",
        "summary",
    ]
)
"""What stands in brackets behind a title and is no kind of thing."""
MOST_WORDS_OF_A_THING = 3
"""Words of a title that may name a thing its text never names: "Juniper card"."""
_ACTION = re.compile(r"(?:[A-Z][a-z]+ing|How|What|Why|When|Where|Who) [a-z]")
"""Titles of what one does or asks, which no thing is called by: "Using themes"."""
_DETERMINERS = frozenset({"a", "an", "the", "your", "our", "my", "us", "this", "all"})
_DASHED = re.compile(r" [-–—|/] |[:,] ")
"""What parts a title from its subtitle, so that it reads in quotes only."""
_ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)
_CHAPTER = re.compile(r"(?:(?:Chapter|Section|Part|Appendix|Annex|Book|Module|Lesson) [\dIVXA-Z]+\b|\d+\.\d)")
_NO_TITLE = re.compile(
    r"(?:untitled|document|index|readme|page|report|home|introduction|contents?|summary|overview)\W*\d*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a fact is about.

    Attributes:
        words: As a question names it inside a sentence: "Apple", "the Juniper card", "accident NYC08CA048".
        sort: What it is, where known: "company", "accident", "order"; empty otherwise.
        link: How a property is tied to it: "'s", "of" or "in"; empty where what a question says first names it.
        past: Whether it is over, so that its properties were.
        topic: Whether it is a title that no sentence of its document says, so that questions quote it.
        within: What a question says first, where the words alone do not tell which table or list: 'In "Lockers"'.
    """

    words: str
    sort: str = ""
    link: str = "of"
    past: bool = False
    topic: bool = False
    within: str = ""

    @property
    def bare(self) -> str:
        """Without its article."""
        return _ARTICLE.sub("", self.words)

    @property
    def keys(self) -> frozenset[str]:
        """What the spellings of its name share, with and without the kind of thing it is."""
        return frozenset({key(self.bare), key(self.bare.removeprefix(f"{self.sort} "))})


def context_of(about: Subject) -> str:
    """What a question says first about the document that it is on; ``{}`` stands for what that is about."""
    named = about.words.startswith(("the ", '"'))
    lone = " " not in about.words and not about.sort and not re.search(r"\d", about.words)
    if not named and (lone or about.topic or (re.search(r"(?<![\w'’])[a-z]{4,}", about.words) and not about.sort)):
        return 'According to "{}"'  # "For Rooms and rates" is no English
    return "According to {}" if about.link != "of" else "For {}"


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
        named = names_something(titles[document]) and shared[key(titles[document])] == 1
        if document in companies:
            subjects[document] = Subject(words=companies[document], sort="company", link="'s", past=True)
        elif document in identifiers and (document in unnamed or not named):
            subjects[document] = _identified(*identifiers[document])
        elif (coded := _CODED.fullmatch(titles[document].strip())) and _is_numbered(coded["sort"].lower()):
            subjects[document] = _identified(coded["sort"].lower(), coded["value"])
        elif names_something(titles[document]) or _is_code(titles[document], covers[document]):
            subjects[document] = _titled(_unnumbered(titles[document]), covers[document], filed=document in unnamed)
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
    ranked = sorted(by_field.items(), key=lambda item: (-len(item[1]), item[0] not in _PAST, item[0]))
    for sort, values in ranked:
        if len(set(values.values())) == len(values) and sort.split()[0] not in _NO_NUMBER:
            for document, value in values.items():
                best.setdefault(document, (sort, value))
    return best


def _is_numbered(sort: str) -> bool:
    return sort.split()[-1] in _PAST | _ISSUED


def _identified(sort: str, value: str) -> Subject:
    """What a number identifies: an event that its properties were in, a paper by which they were, or a thing."""
    words, last = f"{sort} {value}", sort.split()[-1]
    if last in _ISSUED:
        return Subject(
            words=words, sort=sort, link="", past=last in ("report", "record"), within=f"According to {words}"
        )
    past = last in _PAST
    return Subject(words=words, sort=sort, link="in" if past else "of", past=past)


def names_something(title: str) -> bool:
    """Whether a title is one that people say, and not the name of a file."""
    letters = sum(sign.isalpha() for sign in title)
    numbered = (
        re.fullmatch(r"[A-Z][a-z]+ (?:[a-z]+ )*(?:no\. ?)?\d[\d/-]*", title) is not None
    )  # "Incident report 2024-113"
    readable = numbered or (letters * 10 >= 7 * len(title.replace(" ", "")) and letters >= 3)
    file_name = re.fullmatch(r"[^ ]+\.[A-Za-z0-9]{1,5}", title)  # procfs.5 names a file, not what it is about
    return readable and not file_name and len(title.split()) <= 10 and not _NO_TITLE.match(title) and "_" not in title


def _is_code(title: str, text: str) -> bool:
    """Whether a title is a code that its document's sentences use, as the plate of a vehicle is: "L-846DL"."""
    code = re.fullmatch(r"(?=[^ ]*\d)(?=[^ ]*[A-Za-z])[A-Za-z0-9][A-Za-z0-9/-]{2,20}", title.strip())
    body = text.split("\n", 1)[1] if "\n" in text else ""
    return code is not None and re.search(rf"(?<![\w/-]){re.escape(title.strip())}(?![\w/-])", body) is not None


def _is_order(words: Sequence[str]) -> bool:
    """Whether a title tells its reader to do something: "Find a branch"."""
    return len(words) > 1 and infinitive(words[0].casefold()) and words[1].casefold() in _DETERMINERS


def _unnumbered(title: str) -> str:
    """A heading without the number of its chapter: "22 Vendor Onboarding" as "Vendor Onboarding"."""
    return re.sub(r"^(?:(?:Chapter|Section|Part) )?\d{1,3}(?:\.\d+)*[.:)]? (?=[A-Z][a-z])", "", title.strip())


def _titled(title: str, text: str, *, filed: bool = False) -> Subject:
    """A title as its document writes it inside sentences: with or without "the", with small or capital letters.

    Works such as guides are named in quotes with "in"; "Grenade (song)" is 'the song "Grenade"'.
    A name that only the file has (`filed`) and that no sentence says is in quotes, too.
    """
    sorted_title = re.fullmatch(r"(?P<name>[^()]{2,60}) \((?:[^()]*? )?(?P<sort>[a-z]+)\)", title.strip())
    if sorted_title and sorted_title["sort"] in _REMARKS:
        title, sorted_title = sorted_title["name"].strip(), None
    if sorted_title and sorted_title["name"].split()[-1].casefold() not in _WORKS:
        sort = sorted_title["sort"]
        return Subject(words=f'the {sort} "{sorted_title["name"]}"', sort=sort)
    words = title.strip().rstrip(".").split()
    last = re.sub(r"\W", "", words[-1].casefold())
    if not _DASHED.search(title) and re.match(
        r"(?:Department|Ministry|Office|Institute|Faculty|School|Board|Committee) (?:of|for) ", title
    ):
        return Subject(words=f"the {title.strip()}", sort=words[0].casefold())
    written = _written(title.strip().rstrip("."), text)
    parted = _DASHED.search(title) or _ACTION.match(title) or _is_order(words)
    named = written is not None and not (filed and not re.search(r"[A-Z\d]", written.bare))
    if (
        written is not None
        and named
        and words[0] not in ("Our", "Your", "My", "Their")
        and last not in _WORKS
        and not last.isdigit()
        and not parted
    ):
        return written
    batch = last.isdigit() and len(words) > 1 and words[-2].endswith("s")  # "Care customers 5"
    remark = bool(sorted_title)
    quoted = batch or remark or last in _WORKS or words[0].casefold() in _WORKS or parted
    ours = words[0] in ("Our", "Your", "My", "Their")
    if quoted or ours or title.isupper() or (filed and not named):
        return Subject(words=f'"{title.strip()}"', sort=last if last in _WORKS else "", link="in")
    called = re.search(rf"\b(?:the|this) {re.escape(last)}\b", text, re.IGNORECASE)
    long = len(words) > MOST_WORDS_OF_A_THING
    page = not _FIELD.search(text)  # and not the form of a thing, such as a card's
    if written is None and (len(words) > MOST_WORDS_CALLED or (not called and (long or page or last.endswith("s")))):
        return Subject(words=" ".join(words), topic=True)
    if words[-1].islower() and len(words) > 1 and words[0].casefold() not in ("the", "a", "an"):
        return Subject(words=f"the {' '.join(words)}", sort=last, topic=written is None)
    if words[0] in ("The", "A", "An"):
        return Subject(words=" ".join([words[0].lower(), *words[1:]]), sort=last, topic=written is None)
    sheet = len(words) == 1 and words[0].casefold() not in COMMON and len(_FIELD.findall(text)) >= FEWEST_OF_A_SHEET
    return Subject(words=" ".join(words), sort="", topic=written is None and not sheet)


def _written(title: str, text: str) -> Subject | None:
    """A title as its text has it, with the kind of thing that its definition says it is; None where it has it never."""
    bare = _ARTICLE.sub("", title)
    body = (
        text.split("\n", 1)[1] if text.lstrip("# ").casefold().startswith(title.casefold()) and "\n" in text else text
    )
    body = re.sub(rf"^\W*{re.escape(title)}(?: [|–—-] .{{1,40}})?\W*$", "", body, flags=re.IGNORECASE | re.MULTILINE)
    uses = [
        (match[1] or "", match[2])
        for match in re.finditer(rf"(\b[Tt]he |\b[Aa]n? )?\b({re.escape(bare)})\b", body, re.IGNORECASE)
    ]
    if not uses or not bare[:1].isalnum():
        return None
    inside = [words for article, words in uses if article] or [words for _, words in uses[1:]]
    small = sum(words[:1].islower() for words in inside)
    name = next((words for words in inside if words[:1].islower()), bare) if small * 2 > len(inside) else bare
    the = sum(article.strip().casefold() == "the" for article, _ in uses) * 2 >= len(uses)
    definition = re.search(
        rf"\b{re.escape(bare)}\W[^.]{{0,40}}?\b(?:is|was) (?:an?|the) (?P<what>(?:[\w'’-]+ ){{0,5}}?[a-z]+)"
        r"(?=[,.;(]| (?:by|of|in|on|from|at|for|with|that|which|who|used|written|recorded|developed|between|located|to)\b)",  # noqa: E501
        body,
        re.IGNORECASE,
    )
    last = bare.split()[-1]
    named = last if " " in bare and last.islower() else ""
    sort = definition["what"].split()[-1].casefold() if definition else named
    return Subject(words=f"the {name}" if the else name, sort=sort)
