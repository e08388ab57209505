"""Facts from the cells of tables: figures by row, group and period, and the properties of a table of records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from core.domain.sources.chunks import Chunk
from core.judging.match.readers.dates import parse_date
from core.judging.match.readers.normalise import normalise_text
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.grids import Grid, Row
from core.testset.corpus.reading.labels import MEASURE, Labels, is_plural, singular, tidy_label, usable
from core.testset.corpus.reading.names import Subject
from core.testset.corpus.reading.periods import Period, read_period
from core.testset.corpus.reading.units import unit_words
from core.testset.corpus.reading.values import tells

_FIGURE = re.compile(r"(?:[$€£]|CHF|USD|EUR|GBP)? ?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?:[$€£] ?)?\d+(?:\.\d+)?(?: ?%)?")
_MARKS = re.compile(r"^[$€£] ?|\s+(?=%)")
_ADJECTIVE = re.compile(
    r"(?:basic|diluted|domestic|foreign|current|non-?current|gross|net|short-term|long-term|u\.?s\.?|international)$",
    re.IGNORECASE,
)
_NO_ROW = re.compile(
    r"(?:sub)?totals?$|other\b|others$|beginning\b|ending\b|balances?\b|adjust|change|all\b|n/?a$|none$|due\b|less\b|plus\b|"
    r"add\b|thereafter|denominator|numerator|effect\b|.*\b(?:beginning|ending) balances?|.*\(used in\)|level \d|page\b|item\b|note\b|exhibit|\d",  # noqa: E501
    re.IGNORECASE,
)
_GENERIC = frozenset({"", "value", "values", "detail", "details", "description", "information", "answer", "text"})
_STOCK = re.compile(
    r"^(?:total |net )*(?:inventor(?:y|ies)|accounts (?:receivable|payable)|(?:share|stock)holders.? equity|"
    r"(?:long-term |term )?debt|cash and cash equivalents|(?:current |non-current |total )*(?:assets|liabilities)|"
    r"(?:deferred|unearned) revenue|goodwill|(?:current |non-current )*marketable securities|unearned .*|income taxes)\b",  # noqa: E501
    re.IGNORECASE,
)
"""What stands on a day, not over a period."""
_BARE = re.compile(
    r"(?:total |net |gross )*(?:(?:face|fair|carrying|book|market|notional) )?"
    r"(?:values?|amounts?|balances?|numbers?|costs?|rates?|prices?|shares|units)",
    re.IGNORECASE,
)
"""A measure of which its table says what it is of, and its row does not."""
_COLUMN = re.compile(
    r"\b(?:cost|value|gains?|loss(?:es)?|price|amount|rate|number|balance|income|sales|revenue|expense|fee|volume|count|"
    r"units|margin|share)$",
    re.IGNORECASE,
)
"""A column of a period that measures something, and does not only sort its rows."""
_STATEMENT = re.compile(
    r"^(?!changes?|adjust|proceeds|payments|purchases|other ).*\b(?:activities|disclosures?|assets|liabilities|equity|income|expenses?|data)$",  # noqa: E501
    re.IGNORECASE,
)
"""A group that is a part of a statement, whose rows name themselves."""
_WHEN = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|june|july|august|september|"
    r"october|november|december)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"^(?:assets|liabilities|liabilities and .*|shareholders.? equity|stockholders.? equity|(?:non-?)?current assets|"
    r"(?:non-?)?current liabilities|summary|total)$",
    re.IGNORECASE,
)


def facts_of_grid(chunk: Chunk, grid: Grid, about: Subject | None, labels: Labels) -> Iterator[Fact]:
    """The facts of one table.

    Args:
        chunk: Where it stands.
        grid: The table.
        about: What its document, or its section, is about; None where that has no name.
        labels: Letter case of the collection.
    """
    columns = [read_period(head) for head in grid.heads[1:]]
    if any(period for period, _ in columns):
        if about is not None:
            yield from _figures(chunk, grid, about, labels, columns)
        return
    titled, _ = read_period(grid.title)
    figures = sum(bool(_FIGURE.fullmatch(cell)) for row in grid.rows for cell in row.cells[1:])
    if titled and about is not None and about.sort == "company" and figures:
        yield from _figures(chunk, grid, about, labels, [(titled, head) for head in grid.heads[1:]])
    elif about is None or about.sort != "company":
        yield from _records(chunk, grid, about, labels)


def _figures(
    chunk: Chunk, grid: Grid, about: Subject, labels: Labels, columns: list[tuple[Period | None, str]]
) -> Iterator[Fact]:
    """Figures of a subject, each for a period; only rows whose name says what they measure."""
    signs = " ".join(cell for row in grid.rows for cell in row.cells[1:])
    names = Counter(_row_name(row, labels) for row in grid.rows)
    heads = Counter((period.identity if period else None, rest) for period, rest in columns)
    for row in grid.rows:
        name = _row_name(row, labels)
        if not name or names[name] > 1:
            continue
        for (period, rest), value in zip(columns, row.cells[1:], strict=True):
            if period is None or heads[period.identity, rest] > 1 or not _FIGURE.fullmatch(value):
                continue
            attribute = _with_column(name, rest, labels)
            if period.months and _STOCK.search(attribute):
                continue  # over a period it is a change of what the words name
            unit = "" if value.endswith("%") else _unit(grid, f"{attribute} {row.group}", signs, about, value)
            plain_value = _MARKS.sub("", value)
            if attribute and unit is not None and _worth(plain_value, unit, value):
                yield Fact(
                    chunk_id=chunk.id,
                    document_id=chunk.document_id,
                    rule=FactRule.CELL,
                    subject=about,
                    attribute=attribute,
                    value=plain_value if unit else value.replace("$ ", "$"),
                    kind="number",
                    period=period,
                    unit=unit,
                    part=row.group,
                    table=f"{grid.title}\n{rest}\n{row.group}",
                    start=row.start,
                    end=row.end,
                )


def _unit(grid: Grid, label: str, signs: str, about: Subject, value: str) -> str | None:
    """The unit of a row; unclear in accounts whose table names none, unless the figure is per share."""
    scaled = re.search(r"\b(?:thousands|millions|billions)\b", grid.title, re.IGNORECASE)
    announced = grid.title if scaled else f"{grid.title} ({grid.scale})"
    unit = unit_words(announced, label, signs)
    per_share = "per share" in label.casefold() and value.startswith(("$", "€", "£"))
    if unit is None and per_share:
        return ""
    return None if unit == "" and about.sort == "company" and not per_share else unit


def _worth(value: str, unit: str, written: str) -> bool:
    """Whether a figure says something: not 0, and not bare where neither a unit nor a sign tells what it counts."""
    return any(sign in "123456789" for sign in value) and (bool(unit) or not written.isdigit() or len(written) > 2)


def _row_name(row: Row, labels: Labels) -> str:
    """What a row measures, in the words of a sentence; empty where its name does not say it."""
    label, group = tidy_label(row.cells[0]), tidy_label(row.group)
    if not usable(label):
        return ""
    low = labels.lowered(label)
    if group and not usable(group) and not _PLACE.match(group):
        return ""  # what the group says of its rows cannot be told in a question
    named_group = group if usable(group) and not _PLACE.match(group) and not _NO_ROW.match(group) else ""
    named_group = re.sub(r" by (?:category|reportable segment|segment|region|product|type)$", "", named_group)
    if _ADJECTIVE.match(label):
        return f"{low} {labels.lowered(named_group)}" if named_group and MEASURE.search(named_group) else ""
    if _NO_ROW.match(label) or _BARE.fullmatch(label):
        return ""
    measures = bool(MEASURE.search(label))
    if not named_group:
        return low if measures else ""
    group_measures = bool(MEASURE.search(named_group))
    if measures and group_measures:
        return low if _STATEMENT.search(named_group) else ""
    if measures and _STATEMENT.search(named_group):
        return low
    if measures:
        return f"{low} for {labels.lowered(named_group)}"
    return f"{labels.lowered(named_group)} for {low}" if group_measures else ""


def _with_column(name: str, rest: str, labels: Labels) -> str:
    """A row's name with what its column says besides the period; empty where that is a change or unclear."""
    head = tidy_label(rest)
    if not head:
        return name
    if not usable(head) or re.search(r"\bchange|\bvs\b|variance|^\W*$|%", head, re.IGNORECASE):
        return ""
    return (
        f"{labels.lowered(head, head=True)} of {name}"
        if len(head.split()) <= 5 and _COLUMN.search(head) and " " in name
        else ""
    )


def _records(chunk: Chunk, grid: Grid, about: Subject | None, labels: Labels) -> Iterator[Fact]:
    """Properties of the records that the rows name; of the document where the table is a list of its fields."""
    keys = Counter(row.cells[0].casefold() for row in grid.rows)
    fields = len(grid.heads) == 2 and grid.heads[1].casefold() in _GENERIC
    sort = tidy_label(grid.heads[0])
    for row in grid.rows:
        first = row.cells[0]
        if keys[first.casefold()] > 1 or (fields and about is None):
            continue
        if fields:
            subject = about
        elif _is_day(first):
            subject = _dated(first, about, chunk.section[-1] if chunk.section else "")
        else:
            subject = _record(first, sort, labels, grid)
        if subject is None:
            continue
        for head, value in zip(grid.heads[1:], row.cells[1:], strict=True):
            attribute = tidy_label(first if fields else head)
            if attribute.casefold() in _GENERIC or not usable(attribute) or not tells(value):
                continue
            if not fields and (_bare(value) or value.casefold() == first.casefold()):
                continue
            yield Fact(
                chunk_id=chunk.id,
                document_id=chunk.document_id,
                rule=FactRule.TABLE,
                subject=subject,
                attribute=labels.lowered(attribute, head=True),
                value=value.rstrip(".").strip(),
                kind=read_reference(value.rstrip(".").strip()).kind,
                table=f"{'|'.join(grid.heads)}",
                start=row.start,
                end=row.end,
            )


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


def _record(first: str, sort: str, labels: Labels, grid: Grid) -> Subject | None:
    """What a row is about: its first cell, with the head of the column before it where it is a number or a code."""
    if not tells(first) or (_NO_ROW.match(first) and not first[:1].isdigit()) or len(first.split()) > 8:
        return None
    low = labels.lowered(sort, head=True)
    code = not any(len(word) > 2 and word.isalpha() for word in first.split())
    if code:
        usable_sort = usable(low) and low.casefold() not in _GENERIC and not re.fullmatch(r"no\.?|#|nr\.?|date", low)
        return Subject(words=f"{low} {first}", sort=low) if usable_sort and len(low.split()) <= 3 else None
    words = first.split()
    glossary = any(
        re.search(r"\b(?:meaning|definition|means|explanation)\b", head, re.IGNORECASE) for head in grid.heads
    )
    if glossary:
        return Subject(words=f'"{first}"', sort="term")
    if len(words) == 1 and not labels.is_name(first):
        named = usable(low) and low.casefold() not in _GENERIC and len(low.split()) <= 2
        return (
            Subject(words=f"the {low} {first}", sort=low) if named and first[:1].isupper() and low.islower() else None
        )
    if sum(word[:1].isupper() or word[:1].isdigit() for word in words) < min(2, len(words)) or _WHEN.search(first):
        return None
    last = first.split()[-1]
    lower_last = len(first.split()) > 1 and last.islower() and labels.is_common(last)
    return Subject(words=f"the {first}" if lower_last else first, sort=low)


def _bare(value: str) -> bool:
    """Whether a value says nothing without its head: a tick, one letter, one digit."""
    return len(value) < 2
