"""Facts from tables of records: the properties of what each row names."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from core.domain.sources.chunks import Chunk
from core.judging.match.readers.texts.normalise import normalise_text
from core.judging.match.readers.times.dates import parse_date
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.clauses.specific import heading_above
from core.testset.corpus.reading.data import is_datum
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.fitting import YEAR, fits, sort_of
from core.testset.corpus.reading.labels import (
    Labels,
    head_noun,
    is_plural,
    is_property,
    singular,
    tidy_label,
    usable,
)
from core.testset.corpus.reading.naming.subjects import Subject
from core.testset.corpus.reading.tables.grids import Grid, Row
from core.testset.corpus.reading.tables.row_names import GENERIC, PLACES, WHEN, record_of, sort_of_rows
from core.testset.corpus.reading.tables.units import needs_unit, unit_words
from core.testset.corpus.reading.values import tells
from core.testset.corpus.reading.vocabulary.property_nouns import Sort
from core.testset.corpus.reading.vocabulary.verbs import auxiliary_of, infinitive

MOST_VALUE_WORDS = 8
MOST_REPEATED = 10
"""Of so many rows one may have the name of another."""
_BESIDE = frozenset({"remark", "remarks", "note", "notes", "comment", "comments", "condition", "conditions"})
"""Heads of a third column beside fields and their values."""
SHORTEST_VALUE = 2
"""A shorter value is a tick or a letter, which says nothing without its head."""
_QUANTITY = re.compile(r"[$€£] ?\d|\d ?%")
"""One of several amounts in a cell, which the head does not tell apart."""
_ORDERS = frozenset({"action", "actions", "remedy", "solution", "what to do", "measures", "cure"})
"""Heads of columns that tell the reader what to do."""
_HAPPENS = re.compile(
    r"(?:keeps|opens|closes|starts|begins|ends|runs|lasts|leaves|departs|arrives|contains|includes|needs|takes|goes)\b",
    re.IGNORECASE,
)
"""A head that says what its rows do, and is no noun."""
OF_WHAT_STANDS_THERE = frozenset({"type", "kind", "sort", "model", "make", "number", "quantity", "capacity", "class"})
"""Properties of what stands at a place, and not of the place."""
_PLANS = frozenset(
    [
        "basic",
        "business",
        "classic",
        "comfort",
        "economy",
        "essential",
        "family",
        "first",
        "gold",
        "light",
        "plus",
        "premium",
        "pro",
        "regular",
        "silver",
        "standard",
        "start",
        "value",
    ]
)
"""What plans and classes are called."""
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
_STATE = re.compile(r"[a-z][a-z-]+")
"""What a thing is like: a waiting room is heated, and nobody asks what it is."""
_BRACKETED = re.compile(r"\s*\([^()]*\)$")
_STANDS = re.compile(r"(?:in|on|at|out|off|under|over|by|from|to) ", re.IGNORECASE)
"""A head that is no noun: "In service"."""
_BARE = re.compile(r"[\d,. ]+")
_PRICED = frozenset({Sort.MONEY, Sort.SHARE})
"""What a column may be of, one or the other."""
_OWN_UNIT = re.compile(r"[A-Za-z]{3,}|%")
"""What says in a cell that it has another unit than its head."""
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


_SAID_UNITS = {**_CURRENCIES, "l": "litres"}
"""Units as a question says them."""


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
    sort = sort_of_rows(grid, _heading(chunk, grid), about, labels)
    plans = _plans(grid)
    columns = [
        (place, tidy_label(head))
        for place, head in enumerate(grid.heads[1:], start=1)
        if fields
        or _happened(grid, place)
        or (_is_asked(head, plans) and not (_of_a_matrix(grid, place) and not is_property(tidy_label(head))))
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
            subject = record_of(first, sort, about, labels, grid)
        if subject is None or about is None or (row.group and subject.link == "for" and not fields):
            continue  # a phrase below a group says nothing without it: "Day" below "Adult tickets"
        for place, head in columns:
            value = row.cells[place].rstrip(".").strip()
            attribute = tidy_label(first) if fields else head
            stray = not fields and _is_stray(grid, place, row)
            if stray or not _worth(attribute, value, first, subject, fields=fields):
                continue
            attribute, named = parted(attribute, value)
            if "," in attribute or _is_of_another_unit(attribute, named, value):
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


def _is_of_another_unit(attribute: str, named: str, value: str) -> bool:
    """Whether a cell is not in its head's unit: "50% of the rate above" below "Rate (€)", "cash" below "Days"."""
    if not named:
        return bool(_HEAD_UNIT.fullmatch(attribute) or _HEAD_RATE.fullmatch(attribute))
    return named != "in percent" and _OWN_UNIT.search(value) is not None


def _is_stray(grid: Grid, place: int, row: Row) -> bool:
    """Whether a cell is an amount among shares, or a share among amounts: "$148.50 per term" below "Discount"."""
    sorts = Counter(sort_of(other.cells[place], "number") for other in grid.rows)
    mine = sort_of(row.cells[place], "number")
    return mine in _PRICED and sorts[mine] < max(sorts[sort] for sort in _PRICED)


def _heading(chunk: Chunk, grid: Grid) -> str:
    """The nearest heading above a table."""
    section = chunk.section[-1] if chunk.section else ""
    return heading_above(chunk.text, grid.rows[0].start, section) if grid.rows else section


def _worth(attribute: str, value: str, first: str, subject: Subject, *, fields: bool) -> bool:
    """Whether a cell is asked for: a datum under the name of a property, one amount only."""
    if attribute.casefold() in GENERIC or _STANDS.match(attribute) or not usable(attribute) or not tells(value):
        return False
    if read_reference(value).kind not in ("number", "date", "range") and not is_datum(value, MOST_VALUE_WORDS):
        return False
    if fields:
        return True
    if subject.sort in PLACES and head_noun(attribute) in OF_WHAT_STANDS_THERE:
        return False
    several = len(_QUANTITY.findall(value)) > 1 and is_property(attribute)
    named = is_property(attribute) or (subject.link != "for" and not _STATE.fullmatch(value))
    return named and not several and len(value) >= SHORTEST_VALUE and value.casefold() != first.casefold()


def _numbered(attribute: str) -> str:
    return f"{attribute} number" if attribute in ("telephone", "phone", "fax", "mobile") else attribute


def _dated_noun(attribute: str, value: str) -> str:
    """What has a day as its value: "the date of the next service"."""
    dated = read_reference(value).kind == "date" and not value.isdigit()
    return attribute if not dated or _DAY_NOUN.search(attribute) else f"date of the {attribute}"


def _is_asked(head: str, plans: frozenset[str]) -> bool:
    """Whether a head is a noun and no order: "Use" and "Read" say what to do, "Annual charge" what there is."""
    label = tidy_label(head)
    words = label.casefold().split()
    remark = re.search(r"\([^)]*[\dA-Z]|\.$", label) and not _HEAD_UNIT.fullmatch(label)
    if label.casefold() in _ORDERS or _HAPPENS.match(label):
        return False
    if label.casefold() in plans:
        return False
    if not words or words[0] in _ASKING or remark or WHEN.search(label) or words[-1] in _OPEN:
        return False
    return is_property(label) or auxiliary_of(words[0]) is None or (len(words) > 1 and not infinitive(words[0]))


def _plans(grid: Grid) -> frozenset[str]:
    """Heads that are plans beside each other, although one may be the name of a property: "Basic", "Premium"."""
    named = frozenset(head for head in map(str.casefold, map(tidy_label, grid.heads[1:])) if head in _PLANS)
    return named if len(named) > 1 else frozenset()


def _happened(grid: Grid, place: int) -> bool:
    """Whether a column says on which day something was done with its rows: "Received"."""
    days = [row.cells[place] for row in grid.rows if row.cells[place]]
    done = _DONE.fullmatch(tidy_label(grid.heads[place]))
    return done is not None and bool(days) and all(map(_is_dated, days))


def _is_dated(day: str) -> bool:
    """Whether a cell is a day or a year of our time: "2140" below "Expired" may be pounds."""
    return read_reference(day).kind == "date" and (not day.isdigit() or YEAR.fullmatch(day) is not None)


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
    unit = re.sub(r"^\S+", lambda first: _SAID_UNITS.get(first[0].casefold(), first[0]), match["unit"])
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
