"""Facts from tables of records: the properties of what each row names."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.domain.sources.chunks import Chunk
from core.judging.match.readers.dates import parse_date
from core.judging.match.readers.normalise import normalise_text
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.common_words import COMMON
from core.testset.corpus.reading.data import is_datum
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.fitting import fits
from core.testset.corpus.reading.labels import (
    SMALL,
    Labels,
    is_plural,
    is_property,
    singular,
    tidy_label,
    usable,
    with_article,
)
from core.testset.corpus.reading.naming.subjects import Subject, said_first
from core.testset.corpus.reading.tables.grids import Grid
from core.testset.corpus.reading.tables.units import needs_unit, unit_words
from core.testset.corpus.reading.values import tells
from core.testset.corpus.reading.verbs import auxiliary_of, infinitive

NO_ROW = re.compile(
    r"(?:sub)?totals?$|other\b|others$|beginning\b|ending\b|balances?\b|adjust|change|all\b|n/?a$|none$|due\b|less\b|plus\b|"
    r"add\b|thereafter|denominator|numerator|effect\b|.*\b(?:beginning|ending) balances?|.*\(used in\)|level \d|page\b|item\b|note\b|exhibit|\d",  # noqa: E501
    re.IGNORECASE,
)
"""Names of rows that are a part of a sum, or say nothing by themselves."""
GENERIC = frozenset({"", "value", "values", "detail", "details", "description", "information", "answer", "text"})
MOST_VALUE_WORDS = 8
MOST_WORDS_OF_A_SORT = 3
MOST_REPEATED = 10
"""Of so many rows one may have the name of another."""
_BESIDE = frozenset({"remark", "remarks", "note", "notes", "comment", "comments", "condition", "conditions"})
"""Heads of a third column beside fields and their values."""
SHORTEST_VALUE = 2
"""A shorter value is a tick or a letter, which says nothing without its head."""
LONGEST_CODE = 3
"""Signs of a code that other tables may use as well, such as "A" or "12"."""
_WHEN = re.compile(
    r"\b(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:days?)?\b|\bweekdays?\b|\bweekends?\b|\b(?:january|february|march|april|june|july|august|september|"
    r"october|november|december)\b",
    re.IGNORECASE,
)
_QUANTITY = re.compile(r"[$€£] ?\d|\d ?%")
"""One of several amounts in a cell, which the head does not tell apart."""
_ORDERS = frozenset({"action", "actions", "remedy", "solution", "what to do", "measures", "cure"})
"""Heads of columns that tell the reader what to do."""
_HAPPENS = re.compile(
    r"(?:keeps|opens|closes|starts|begins|ends|runs|lasts|leaves|departs|arrives|contains|includes|needs|takes|goes)\b",
    re.IGNORECASE,
)
"""A head that says what its rows do, and is no noun."""
_DAY_NOUN = re.compile(
    r"\b(?:date|day|time|year|month|due|end|start|deadline|expiry|maturity|birth|born|built|sold|sent|made|\w+ed)\b|\b(?:on|by|from|until)$",
    re.IGNORECASE,
)
"""Heads that say themselves that a day is given."""
_DONE = re.compile(r"(?:[a-z]+ed|built|sold|sent|made|hired)(?: on)?", re.IGNORECASE)
_ASKING = frozenset({"who", "what", "how", "when", "where", "why", "which", "whom"})
"""Heads that are questions themselves."""
_OPEN = frozenset({"when", "for", "if", "than", "with", "to", "not", "until", "till", "since"})
"""Words that leave a head open."""
_CLASS = re.compile(r"(?:size|type|class|band|grade|level|zone|model|version|code|plan|tier)$")
_DOES = re.compile(r"(?:\w{3}(?:er|or|ist|ian)|client|student|person|group|role)$")
_TOTAL = re.compile(r"(?:grand |sub)?-?totals?\b|averages?\b|sums?\b|of which\b", re.IGNORECASE)
_SPAN = re.compile(
    r"(?:up to|over|under|more than|less than|fewer than|from|at least|below|above) \d|\d[\d,.]* ?(?:to|–|-) ?\d"
)
"""A row that is a span of figures."""
_ACTIVITY = re.compile(r"[A-Z][a-z]+ing [a-z]")
"""A row named by what one does there, such as the course "Selling harnesses"."""
_OPEN_ENDED = re.compile(r"^\d.* (?:and|or) (?:over|above|more|older|under|below|less|younger)$")
_GRADE = re.compile(r"(?:size|type|class|band|grade|level|zone|tier)$")
"""Heads of what orders things, whose rows are called with it."""
_NO_SORT = re.compile(
    r"no\.?|#|nr\.?|reg\.?|site|date|names?|titles?|items?|ids?|numbers?|keys?|ref(?:erence)?|index|rows?|lines?|entry"
)
_NUMBERED = re.compile(r" (?:no\.?|nr\.?|number|ids?|ref\.?|reference)$", re.IGNORECASE)
"""The end of a head that numbers its rows: a sample is called by its "Sample no"."""
"""A head that does not say what its rows are."""
_STATE = re.compile(r"[a-z][a-z-]+")
"""What a thing is like: a waiting room is heated, and nobody asks what it is."""
_BRACKETED = re.compile(r"\s*\([^()]*\)$")
_BARE = re.compile(r"[\d,. ]+")
_PRICE = re.compile(r"(?:[$€£] ?)?[\d,. ]+(?: ?(?:[$€£%]|EUR|USD|GBP|CHF|kr))?")
_ANNOUNCED = re.compile(
    r"\b(?:prices?|fees?|amounts?|figures?|values?|rents?|charges?|all|rates?|costs?)\b[^.|\n]{0,40}? in "
    r"(?P<unit>pounds|euros?|(?:US )?dollars|Swiss francs|EUR|USD|GBP|CHF)\b",
    re.IGNORECASE,
)
_HEAD_UNIT = re.compile(
    r"(?P<head>[^()]+?) \((?:in )?(?P<unit>(?:[kcm]?m[²³2]?|k?g|mg|t|l|ml|k?[WVA]h?|MW|GB|MB|"
    r"TB|h|hrs|min|ha|days|weeks|months|years|hours|minutes|miles|feet|inches|litres|EUR|USD|GBP|CHF|thousands?|"
    r"millions?|percent|[$€£%]))\)"
)
_HEAD_RATE = re.compile(
    r"(?P<head>[^(),]+?)(?:, (?:in )?| \((?:in )?)(?P<unit>(?:pence|cents?|pounds|euros|dollars|[$€£]|EUR|USD|GBP|CHF)"
    r"(?: (?:per|a) [\w²³]+(?: [\w²³]+)?)?)\)?"
)
"""A head with its unit behind a comma or with what the unit is counted by: "Unit rate, pence per kWh"."""
_CURRENCIES = {
    "$": "dollars",
    "€": "euros",
    "£": "pounds",
    "%": "percent",
    "eur": "euros",
    "euro": "euros",
    "usd": "dollars",
    "gbp": "pounds",
    "chf": "Swiss francs",
}


def facts_of_records(chunk: Chunk, grid: Grid, about: Subject | None, labels: Labels) -> Iterator[Fact]:
    """Properties of the records that the rows name; of the document where the table is a list of its fields.

    Args:
        chunk: Where it stands.
        grid: The table.
        about: What its document, or its section, is about; None where that has no name.
        labels: Letter case of the collection.
    """
    keys = Counter(row.cells[0].casefold() for row in grid.rows)
    if sum(count for count in keys.values() if count > 1) * MOST_REPEATED > len(grid.rows):
        return  # another column than the first one tells the rows apart
    own = about is not None and grid.heads[-1].casefold() == about.bare.casefold()
    remarked = len(grid.heads) == 3 and grid.heads[2].casefold() in _BESIDE
    fields = (len(grid.heads) == 2 and (own or grid.heads[1].casefold() in GENERIC)) or (
        remarked and grid.heads[1].casefold() in GENERIC
    )
    sort = _sort_of_rows(grid, chunk.section[-1] if chunk.section else "", labels)
    columns = [
        (place, tidy_label(head))
        for place, head in enumerate(grid.heads[1:], start=1)
        if fields
        or _happened(grid, place)
        or (_is_asked(head) and not (_of_a_matrix(grid, place) and not is_property(tidy_label(head))))
    ]
    crossed = set() if fields else _crossed([head for _, head in columns])
    columns = [(place, head) for place, head in columns if head not in crossed][: 1 if fields else None]
    counted_by = next((place for place, head in enumerate(grid.heads) if head.casefold() in ("unit", "per")), 0)
    for row in grid.rows:
        first = row.cells[0]
        if keys[first.casefold()] > 1 or (fields and about is None):
            continue
        if fields:
            subject = about
        elif _is_day(first):
            subject = _dated(first, about, chunk.section[-1] if chunk.section else "")
        else:
            subject = _record(first, sort, about, labels, grid)
        if subject is None or about is None:
            continue
        for place, head in columns:
            value = row.cells[place].rstrip(".").strip()
            attribute = tidy_label(first) if fields else head
            if not _worth(attribute, value, first, subject, fields=fields):
                continue
            attribute, named = parted(attribute, value)
            if "," in attribute:
                continue
            if counted_by and is_property(attribute) and row.cells[counted_by].islower():
                attribute = f"{attribute} per {row.cells[counted_by].removeprefix('per ')}"
            unit = named or _unit(value, attribute, grid, chunk.text)
            said = _numbered(_dated_noun(labels.lowered(attribute, head=True), value))
            if unit is None or not (_happened(grid, place) or fits(said, value, read_reference(value).kind, unit)):
                continue
            yield Fact(
                chunk_id=chunk.id,
                document_id=chunk.document_id,
                rule=FactRule.TABLE,
                subject=subject,
                attribute=said,
                value=value,
                kind=read_reference(value).kind,
                unit=unit,
                table=f"{'|'.join(grid.heads)}",
                start=row.start,
                end=row.end,
            )


def _is_nameless(head: str) -> bool:
    """Whether a head does not say what its rows are: "Name", "Reg."."""
    return bool(_NO_SORT.fullmatch(head.casefold()))


def _sort_of_rows(grid: Grid, heading: str, labels: Labels) -> str:
    """What the rows of a table are: its first head, or else its title or heading: the van of "Reg." below "Vans"."""
    head = tidy_label(grid.heads[0])
    if not _is_nameless(head):
        return head
    for words in (grid.title, heading):
        few = (
            0 < len(words.split()) <= MOST_WORDS_OF_A_SORT and words[:1].isupper() and words.replace(" ", "").isalpha()
        )
        if few and is_plural(words) and words.split()[-1].islower() | (" " not in words):
            return singular(labels.lowered(words, head=True))
    return head


def _worth(attribute: str, value: str, first: str, subject: Subject, *, fields: bool) -> bool:
    """Whether a cell is asked for: a datum under the name of a property, one amount only."""
    if attribute.casefold() in GENERIC or not usable(attribute) or not tells(value):
        return False
    if read_reference(value).kind not in ("number", "date", "range") and not is_datum(value, MOST_VALUE_WORDS):
        return False
    if fields:
        return True
    several = len(_QUANTITY.findall(value)) > 1 and is_property(attribute)
    named = is_property(attribute) or (subject.link != "for" and not _STATE.fullmatch(value))
    return named and not several and len(value) >= SHORTEST_VALUE and value.casefold() != first.casefold()


def _numbered(attribute: str) -> str:
    return f"{attribute} number" if attribute in ("telephone", "phone", "fax", "mobile") else attribute


def _dated_noun(attribute: str, value: str) -> str:
    """What has a day as its value: "the date of the next service"."""
    dated = read_reference(value).kind == "date" and not value.isdigit()
    return attribute if not dated or _DAY_NOUN.search(attribute) else f"date of the {attribute}"


def _is_asked(head: str) -> bool:
    """Whether a head is a noun and no order: "Use" and "Read" say what to do, "Annual charge" what there is."""
    label = tidy_label(head)
    words = label.casefold().split()
    remark = re.search(r"\([^)]*[\dA-Z]|\.$", label) and not _HEAD_UNIT.fullmatch(label)
    if label.casefold() in _ORDERS or _HAPPENS.match(label):
        return False
    if not words or words[0] in _ASKING or remark or _WHEN.search(label) or words[-1] in _OPEN:
        return False
    return is_property(label) or auxiliary_of(words[0]) is None or (len(words) > 1 and not infinitive(words[0]))


def _happened(grid: Grid, place: int) -> bool:
    """Whether a column says on which day something was done with its rows: "Received"."""
    days = [row.cells[place] for row in grid.rows if row.cells[place]]
    done = _DONE.fullmatch(tidy_label(grid.heads[place]))
    return done is not None and bool(days) and all(read_reference(day).kind == "date" for day in days)


def _of_a_matrix(grid: Grid, place: int) -> bool:
    """Whether a column is one of several of the same measure, whose heads are no properties: plans, regions."""
    mine = [row.cells[place].casefold() for row in grid.rows if row.cells[place]]
    for other in range(1, len(grid.heads)):
        if other == place:
            continue
        theirs = {row.cells[other].casefold() for row in grid.rows}
        figures = sum(bool(_PRICE.fullmatch(cell)) for cell in mine)
        both = figures and sum(bool(_PRICE.fullmatch(cell)) for cell in theirs)
        if both or 3 * sum(cell in theirs for cell in mine) >= len(mine) > 0:
            return True
    return False


def _crossed(heads: Sequence[str]) -> set[str]:
    """Heads under two lines of heads, which are properties of no row alone: the waist and the legs of two harnesses."""
    split: dict[str, set[str]] = defaultdict(set)
    for head in heads:
        words = _BRACKETED.sub("", head).split()
        for place in range(1, len(words)):
            split[" ".join(words[place:])].add(" ".join(words[:place]))
    repeated = {rest: firsts for rest, firsts in split.items() if len(firsts) > 1}
    return {
        head
        for head in heads
        for rest, firsts in repeated.items()
        if _BRACKETED.sub("", head) in {f"{first} {rest}" for first in firsts}
        and any(other != rest and len(firsts & others) > 1 for other, others in repeated.items())
    }


def parted(head: str, value: str) -> tuple[str, str]:
    """A head without the unit it gives in brackets, and the unit: "Depth (cm)" as "Depth" and "in cm"."""
    match = _HEAD_UNIT.fullmatch(head) or _HEAD_RATE.fullmatch(head)
    if match is None or not re.search(r"\d", value):
        return head, ""
    unit = re.sub(r"^\S+", lambda first: _CURRENCIES.get(first[0].casefold(), first[0]), match["unit"])
    return match["head"], f"in {unit}"


def _unit(value: str, attribute: str, grid: Grid, text: str) -> str | None:
    """The unit of a bare figure, as its head, its title or a sentence near it gives it; None where it needs one."""
    if not _BARE.fullmatch(value) or not needs_unit(attribute):
        return ""
    signs = " ".join(cell for row in grid.rows for cell in row.cells[1:])
    unit = unit_words(f"{grid.title} ({grid.scale})", attribute, signs)
    if unit:
        return unit
    announced = _ANNOUNCED.search(text)
    if announced is None:
        return None
    named = announced["unit"]
    return f"in {_CURRENCIES.get(named.casefold(), named.removeprefix('US '))}"


def _is_day(first: str) -> bool:
    date = parse_date(normalise_text(first))
    return date is not None and date.readings[0].day is not None and not first.isdigit()


def _dated(day: str, about: Subject | None, heading: str) -> Subject | None:
    """What a row that begins with a day records, of the thing its document is about: its repair, its entry of that day."""  # noqa: E501
    if about is None or about.link != "of":
        return None
    words = heading.split()
    named = (
        len(words) <= 3 and is_plural(heading) and usable(heading) and heading.casefold() not in about.words.casefold()
    )
    noun = singular(heading.lower()) if named else "entry"
    return Subject(words=f"the {noun} of {about.words} on {day}", sort=noun, past=True)


def _record(first: str, sort: str, about: Subject | None, labels: Labels, grid: Grid) -> Subject | None:
    """What a row is about: its first cell, with the head of the column before it where it is a number or a code."""
    if not tells(first) or len(first.split()) > 8 or _TOTAL.match(first):
        return None
    if not is_datum(first, 8):
        return None
    low = _NUMBERED.sub("", labels.lowered(sort, head=True))
    known_sort = usable(low) and low.casefold() not in GENERIC and not _NO_SORT.fullmatch(low.casefold())
    coded = known_sort and len(low.split()) <= 3
    spanned = _SPAN.match(first[:1].lower() + first[1:]) and not any(map(_is_word, first.split()[1:]))
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
    if _WHEN.search(first):
        return None
    return _named_row(words, low if known_sort else "", about, labels, grid)


def _named_row(words: Sequence[str], sort: str, about: Subject | None, labels: Labels, grid: Grid) -> Subject | None:
    """A row of several words, or of one that is a name."""
    first = " ".join(words)
    named = all(word[:1].isupper() or word[:1].isdigit() or word in SMALL for word in words)
    named = named or (words[-1].islower() and sum(word[:1].isupper() for word in words) >= 2)  # "Juniper Gold card"
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
    beside = beside or _is_nameless(tidy_label(grid.heads[0]))
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


def _figured(first: str, sort: str, about: Subject | None, labels: Labels, *, spanned: bool) -> Subject | None:
    """A row that is a span of figures or a code; None where nothing says of what."""
    if spanned:
        if not sort and first[-1:].isdigit():
            return None  # "over 12" of what?
        span = Subject(words=_spoken_row(first[:1].lower() + first[1:], sort, labels), sort=sort, link="for")
        return _within(span, about) or span
    if not sort:
        return None
    code = Subject(words=f"{'the ' if first[:1].islower() else ''}{sort} {first}", sort=sort)
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
    if common and sort.islower() and " " not in sort and sort != "category" and not _DOES.search(sort):
        return Subject(words=f'the {sort} "{first}"', sort=sort, link="for")
    if common or sort == "category" or _DOES.search(sort):  # "Staff" is no borrower of that name
        return Subject(words=f'"{first}"', sort=sort, link="for")
    return Subject(words=f"the {sort} {first}", sort=sort)


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
    return labels.lowered(first) if things else f'"{first}"'


def _within(subject: Subject, about: Subject | None) -> Subject | None:
    """A record whose name means something only in its own table, with the document that has it."""
    return replace(subject, within=said_first(about)) if about is not None else None
