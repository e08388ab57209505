"""What the rows of a table are called: a boat, the size Large, the van KB21 TLK, "More than 3 years"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.judging.match.readers.texts.normalise import key
from core.testset.corpus.reading.data import is_datum
from core.testset.corpus.reading.labels import SMALL, Labels, is_plural, singular, tidy_label, usable, with_article
from core.testset.corpus.reading.naming.called import WORKS
from core.testset.corpus.reading.naming.subjects import Subject, said_first
from core.testset.corpus.reading.tables.grids import Grid
from core.testset.corpus.reading.values import tells
from core.testset.corpus.reading.vocabulary.common_words import COMMON
from core.testset.corpus.reading.vocabulary.property_nouns import NOUNS
from core.testset.corpus.reading.vocabulary.verbs import participle

NO_ROW = re.compile(
    r"(?:sub)?totals?$|other\b|others$|beginning\b|ending\b|balances?\b|adjust|change|all\b|n/?a$|none$|due\b|less\b|plus\b|"
    r"add\b|thereafter|denominator|numerator|effect\b|.*\b(?:beginning|ending) balances?|.*\(used in\)|level \d|page\b|item\b|note\b|exhibit|\d",  # noqa: E501
    re.IGNORECASE,
)
"""Names of rows that are a part of a sum, or say nothing by themselves."""
GENERIC = frozenset({"", "value", "values", "detail", "details", "description", "information", "answer", "text"})
MOST_WORDS_OF_A_SORT = 3
LONGEST_CODE = 3
"""Signs of a code that other tables may use as well, such as "A" or "12"."""
WHEN = re.compile(
    r"\b(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:days?)?\b|\bweekdays?\b|\bweekends?\b|\b(?:january|february|march|april|june|july|august|september|"
    r"october|november|december)\b",
    re.IGNORECASE,
)
_CLASS = re.compile(r"(?:size|type|class|band|grade|level|zone|model|version|code|plan|tier)$")
_DOES = re.compile(r"(?:\w{3}(?:er|or|ist|ian)|client|student|person|group|role)$")
_TOTAL = re.compile(r"(?:grand |sub)?-?totals?\b|averages?\b|sums?\b|of which\b", re.IGNORECASE)
_SPAN = re.compile(
    r"(?:up to|over|under|more than|less than|fewer than|from|at least|below|above) (?:[$€£] ?)?\d|"
    r"(?:[$€£] ?)?\d[\d,.]* ?(?:to|–|-) ?(?:[$€£] ?)?\d"
)
"""A row that is a span of figures."""
_ACTIVITY = re.compile(r"[A-Z][a-z]+ing [a-z]")
"""A row named by what one does there, such as the course "Selling harnesses"."""
_OPEN_ENDED = re.compile(r"^\d.* (?:and|or) (?:over|above|more|older|under|below|less|younger)$")
_GRADE = re.compile(r"(?:size|type|class|band|grade|level|zone|tier)$")
"""Heads of what orders things, whose rows are called with it."""
_NO_SORT = re.compile(
    r"(?:\w+ )?codes?|signatures?|shelf ?marks?|(?:\w+ )?plates?|registrations?|tags?|marks?|"
    r"badges?|urls?|e-?mails?|phones?|extensions?|abbreviations?|symbols?|skus?|cas|isin|isbn|barcode|short name|alias|"
    r"label|host(?:name)?|no\.?|#|nr\.?|reg\.?|date|names?|titles?|items?|ids?|numbers?|keys?|ref(?:erence)?|index|rows?|"
    r"lines?|entry"
)
_OPENS_A_SPAN = re.compile(r"(?:more|less|fewer|over|under|up|from|at|below|above|any|every|each) ", re.IGNORECASE)
"""What a condition begins with: "More than 3 years"."""
_PHRASE = re.compile(
    r"(?:for|with|without|in|on|by|to|of|as|and|or|including|excluding|per|after|before|during) ", re.IGNORECASE
)
"""What begins so is no name of a row."""
_DATED = re.compile(
    r", \d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:today|yesterday|tomorrow|to date|so far)\b",
    re.IGNORECASE,
)
"""A row of a time that only its own text knows."""
_SAID = re.compile(r"[A-Za-z][\w'’-]{2,}(?: [\w'’-]{2,})*|[A-Z]{2}")
"""What rows are, in whole words: "inv." and "art. no." are none."""
PLACES = frozenset({"place", "location", "area", "position", "spot", "where", "point"})
"""What rows are where a table lists what stands at each."""
_MEASURES = re.compile(
    r"(?:.* )?(?:indicators?|measures?|metrics?|parameters?|kpis?|figures?|criteri(?:on|a)|aspects?|features?|"
    r"propert(?:y|ies)|attributes?|questions?|topics?|tasks?|steps?|what|when|who|why|how|days?|weeks?|months?|years?|"
    r"dates?|times?|periods?)",
    re.IGNORECASE,
)
"""Heads of rows that are no things: what is measured, done or asked, and when."""
_NUMBERED_BY = frozenset(
    [
        "account",
        "asset",
        "catalogue",
        "customer",
        "document",
        "inventory",
        "item",
        "licence",
        "line",
        "order",
        "page",
        "product",
        "reference",
        "registration",
        "serial",
        "sheet",
        "stock",
    ]
)
"""What numbers a row and is not what it is: "Stock no."."""
_STREET = re.compile(r" (?:Road|Street|Lane|Close|Avenue|Square|Way|Drive|Hill|Crescent)$")
"""The end of an address, by which a shop or a play area is called."""
_ITEM = re.compile(r"\d{1,2}[.)]? [A-Z]\w+\b(?! (?:Road|Street|Lane|Close|Avenue|Square|Way|Drive|Hill))")
"""A number before the words of a point."""
_NUMBERED = re.compile(r" (?:no\.?|nr\.?|number|ids?|ref\.?|reference)$", re.IGNORECASE)
"""The end of a head that numbers its rows: a sample is called by its "Sample no"."""
"""A head that does not say what its rows are."""


def _is_nameless(head: str) -> bool:
    """Whether a head does not say what its rows are: "Name", "Reg.", "Stock no."."""
    numbered = _NUMBERED.sub("", head.casefold())
    return bool(_NO_SORT.fullmatch(head.casefold())) or (numbered != head.casefold() and numbered in _NUMBERED_BY)


def sort_of_rows(grid: Grid, heading: str, about: Subject | None, labels: Labels) -> str:
    """What the rows of a table are: its first head, or else its title or heading: the van of "Reg." below "Vans".

    Neither the title of the document nor what it calls itself or measures is a sort: "Allotment rules", "Prices".
    """
    head = tidy_label(grid.heads[0])
    if not _is_nameless(head):
        return head
    for words in (grid.title, heading):
        noun = singular(words.split()[-1].casefold()) if words else ""
        own = about is not None and key(words) in about.keys
        if own or noun in WORKS or f"{noun}s" in WORKS or any(noun in nouns for nouns in NOUNS.values()):
            continue
        few = (
            0 < len(words.split()) <= MOST_WORDS_OF_A_SORT and words[:1].isupper() and words.replace(" ", "").isalpha()
        )
        if few and is_plural(words) and words.split()[-1].islower() | (" " not in words):
            return singular(labels.lowered(words, head=True))
    return head


def record_of(first: str, sort: str, about: Subject | None, labels: Labels, grid: Grid) -> Subject | None:
    """What a row is about: its first cell, with the head of the column before it where it is a number or a code."""
    if not tells(first) or len(first.split()) > 8 or _TOTAL.match(first):
        return None
    if not is_datum(first, 8) or _MEASURES.fullmatch(sort) or _is_no_name(first):
        return None
    low = _NUMBERED.sub("", labels.lowered(sort, head=True)).removesuffix(" name")
    known_sort = (
        _SAID.fullmatch(low) is not None
        and usable(low)
        and low.casefold() not in GENERIC
        and not _NO_SORT.fullmatch(low.casefold())
        and not _is_nameless(sort)
    )
    coded = known_sort and len(low.split()) <= 3
    spanned = _is_span(first)
    if spanned and 2 * sum(_is_span(row.cells[0]) for row in grid.rows) < len(grid.rows):
        return None  # it goes on with the row above it: "Mooring, vessels below 100 m", "100 to 150 m"
    if spanned or not any(map(_is_word, first.split())):
        return _figured(first, low if coded else "", about, labels, spanned=bool(spanned))
    words = first.split()
    glossary = any(
        re.search(r"\b(?:meaning|definition|means|explanation)\b", head, re.IGNORECASE) for head in grid.heads
    )
    if glossary:
        return Subject(words=f'"{first}"', sort="term")
    if len(words) == 1 and not labels.is_name(first):
        named = known_sort and len(low.split()) <= 2 and first[:1].isupper() and low.islower() and not is_plural(low)
        return _within(_lone_word(first, low, labels, grid), about) if named else None
    if NO_ROW.match(first) and not first[:1].isdigit():
        return None
    if WHEN.search(first):
        return None
    return _named_row(words, low if known_sort else "", about, labels, grid)


def _is_span(first: str) -> bool:
    """Whether a row is called by a span of figures and their unit."""
    return bool(_SPAN.match(first[:1].lower() + first[1:])) and not any(map(_is_word, first.split()[1:]))


def _is_no_name(first: str) -> bool:
    """Whether a row is called by a phrase or says when: "For distress", "Interest, 22 Dec to today"."""
    opens_a_span = _OPENS_A_SPAN.match(first) or _SPAN.match(first[:1].lower() + first[1:])
    return bool(_PHRASE.match(first) and not opens_a_span) or _DATED.search(first) is not None


def _named_row(words: Sequence[str], sort: str, about: Subject | None, labels: Labels, grid: Grid) -> Subject | None:
    """A row of several words, or of one that is a name."""
    first = " ".join(words)
    named = _is_named(words)
    named = named or (words[-1].islower() and sum(word[:1].isupper() for word in words) >= 2)  # "Juniper Gold card"
    if not sort and _ITEM.match(first):
        return None  # "2 Cycle counts" is a point of a list
    if not named or first[:1].isdigit():
        plain_words = '"' not in first and not re.search(r"[;:=_<>]", first)
        spoken = _spoken_row(first, sort, labels)
        return _within(Subject(words=spoken, sort=sort, link="for"), about) if plain_words else None
    if sort and _GRADE.search(sort) and len(words) > 1 and not is_plural(sort) and '"' not in first:
        called = first if first.casefold().startswith(f"{sort} ") else f'the {sort} "{first}"'
        return _within(Subject(words=called, sort=sort, link="for"), about)
    last = first.split()[-1]
    lower_last = len(first.split()) > 1 and last.islower() and labels.is_common(last)
    record = Subject(words=f"the {first}" if lower_last else with_article(first), sort=sort)
    beside = any(" " not in row.cells[0] and not labels.is_name(row.cells[0]) for row in grid.rows)
    beside = beside or not all(map(_is_named, (row.cells[0].split() for row in grid.rows)))
    beside = beside or bool(_STREET.search(first)) or len(words) == 1 or _is_nameless(tidy_label(grid.heads[0]))
    if (
        beside
        and sort
        and not lower_last
        and sort.replace(" ", "").isalpha()
        and sort.islower()
        and not is_plural(sort)
    ):
        record = Subject(words=f"the {sort} {first}", sort=sort)  # beside "the round Bridport"
    return _within(record, about) or record


def _is_named(words: Sequence[str]) -> bool:
    """Whether every word but the small ones has a capital letter or is a number."""
    return all(word[:1].isupper() or word[:1].isdigit() or word in SMALL for word in words)


def _figured(first: str, sort: str, about: Subject | None, labels: Labels, *, spanned: bool) -> Subject | None:
    """A row that is a span of figures or a code; None where nothing says of what."""
    if spanned:
        if not sort and first[-1:].isdigit():
            return None  # "over 12" of what?
        span = Subject(words=_spoken_row(first[:1].lower() + first[1:], sort, labels), sort=sort, link="for")
        return _within(span, about) or span
    if not sort:
        return None
    code = Subject(words=f"{'the ' if first[:1].islower() or ' ' in sort else ''}{sort} {first}", sort=sort)
    return _within(code, about) or (code if len(first) > LONGEST_CODE else None)


def _is_word(piece: str) -> bool:
    """Whether a piece of a name is a word and no code: "saw," and "Ross-on-Wye" are, "CS-30" and "L-846DL" are not."""
    bare = piece.strip(",.;()")
    whole = len(bare) > 2 and bare.isalpha()
    return whole or any(len(part) > 2 and part.isalpha() and part[1:].islower() for part in bare.split("-"))


def _lone_word(first: str, sort: str, labels: Labels, grid: Grid) -> Subject:
    """A row of one word: "the size Large", "the boat Dunlin", and in quotes what is a class of people or things."""
    if _CLASS.fullmatch(sort):
        return Subject(words=f"the {sort} {first}", sort=sort, link="for")
    beside = any(row.cells[0].split()[-1:] and row.cells[0].split()[-1].islower() for row in grid.rows)
    common = beside or first.casefold() in COMMON or labels.is_common(first)
    if common and sort.islower() and _is_kind(sort) and sort != "category" and not _DOES.search(sort):
        return Subject(words=f'the {sort} "{first}"', sort=sort, link="for")
    if common or sort == "category" or _DOES.search(sort):  # "Staff" is no borrower of that name
        return Subject(words=f'"{first}"', sort=sort, link="for")
    return Subject(words=f"the {sort} {first}", sort=sort)


def _is_kind(sort: str) -> bool:
    """Whether rows are told by what they are: the service "Towing", the vessel type "Cruise"."""
    words = sort.split()
    return sort.replace(" ", "").isalpha() and (len(words) == 1 or (len(words) == 2 and not participle(words[-1])))


def _spoken_row(first: str, sort: str, labels: Labels) -> str:
    """The name of a row that is no name, inside a question; in quotes where it is neither a span nor plural.

    "A stay of up to 2 hours", "age 25 and over", "amoxicillin capsules".
    """
    short = sort.islower() and len(sort.split()) <= 2 and not is_plural(sort)
    if _SPAN.match(first) or _OPEN_ENDED.search(first):
        if is_plural(sort) and first[-1:].isdigit():
            return f"{first} {sort}"  # "1 to 2 months in arrears"
        if not short:
            return first
        measured = re.search(r"[a-z]{1,3}[²³]?$|\b(?:hours|days|weeks|months|years|people)$", first)
        if measured and not _OPEN_ENDED.search(first):
            return f"{'an' if sort[0] in 'aeiou' else 'a'} {sort} of {first}"
        return f"{sort} {first}"
    things = is_plural(first) and not re.search(r"\d", first) and not _ACTIVITY.match(first)
    if things:
        return labels.lowered(first)
    said = short and _is_kind(sort) and sort not in GENERIC and not _OPENS_A_SPAN.match(first)
    return f'the {sort} "{first}"' if said else f'"{first}"'


def _within(subject: Subject, about: Subject | None) -> Subject | None:
    """A record whose name means something only in its own table, with the document that has it."""
    return replace(subject, within=said_first(about)) if about is not None else None
