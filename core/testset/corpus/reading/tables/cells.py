"""Facts from the cells of tables: figures by row, group and period."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from core.domain.sources.chunks import Chunk
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.fitting import is_counted
from core.testset.corpus.reading.labels import MEASURE, Labels, is_plural, is_property, tidy_label, usable
from core.testset.corpus.reading.naming.subjects import Subject, said_first
from core.testset.corpus.reading.tables.control import is_of_control
from core.testset.corpus.reading.tables.grids import Grid, Row
from core.testset.corpus.reading.tables.records import facts_of_records, parted
from core.testset.corpus.reading.tables.row_names import NO_ROW
from core.testset.corpus.reading.tables.row_units import rows_with_units, unit_above
from core.testset.corpus.reading.tables.turned import facts_of_turned, is_turned
from core.testset.corpus.reading.tables.units import needs_unit, unit_words
from core.testset.corpus.reading.vocabulary.periods import Period, read_period

_FIGURE = re.compile(r"(?:[$€£]|CHF|USD|EUR|GBP)? ?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?:[$€£] ?)?\d+(?:\.\d+)?(?: ?%)?")
_BARE_FIGURE = re.compile(r"[\d.,]+")
_CURRENCY = re.compile(r"[$€£]|\b(?:EUR|USD|GBP|CHF)\b")
_MARKS = re.compile(r"^[$€£] ?|\s+(?=%)")
_ADJECTIVE = re.compile(
    r"(?:basic|diluted|domestic|foreign|current|non-?current|gross|net|short-term|long-term|u\.?s\.?|international)$",
    re.IGNORECASE,
)
_STOCK = re.compile(
    r"^(?:total |net )*(?:inventor(?:y|ies)|accounts (?:receivable|payable)|(?:share|stock)holders.? equity|"
    r"(?:long-term |term )?debt|cash and cash equivalents|(?:current |non-current |total )*(?:assets|liabilities)|"
    r"(?:deferred|unearned) revenue|goodwill|(?:[\w-]+ ){0,3}(?:receivables?|payables?)|(?:current |non-current )*marketable securities|unearned .*|income taxes)\b",  # noqa: E501
    re.IGNORECASE,
)
"""What stands on a day, not over a period."""
_BARE = re.compile(
    r"(?:total |net |gross )*(?:(?:face|fair|carrying|book|market|notional) )?"
    r"(?:values?|amounts?|balances?|numbers?|costs?|rates?|prices?|shares|units)",
    re.IGNORECASE,
)
"""A measure of which its table says what it is of, and its row does not."""
_SAYS_LITTLE = re.compile(
    r"(?:(?:total|net|gross|annual|average|mean) )*(?:expenses?|costs?|amounts?|values?|spending|charges?|payments?|"
    r"purchases|claims?|units|hours|fees?|numbers?|volume|paid|incurred)|"
    r"(?:mean|average|median|maximum|minimum|total)(?: (?:per|of|by|in) .*)?",
    re.IGNORECASE,
)
"""A measure of nothing: "expense", "mean per claim"."""
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
_BY_PART = re.compile(
    r"(?:Table [\w.]+[:.] )?(?P<what>[A-Z][a-z]+(?: [a-z-]+){0,3}) by [a-z]+(?: [a-z]+)?(?: \([^()]*\))?$"
)
"""A title that says what is measured, and by what it is divided."""
_MEASURED_IN = re.compile(r"(?:Table [\w.]+[:.] )?(?P<what>[A-Z][a-z]+(?: [a-z-]+){1,3}) \([^()]*\)")
"""A title that says what all of its figures measure, and in which unit: "Earned premium (£ thousand)"."""
_COMPONENT = re.compile(
    r"\b(?:(?:common|preferred|treasury) (?:stock|shares)|paid-in capital|retained earnings|accumulated other)\b",
    re.IGNORECASE,
)
"""A part of the equity, as the head of the changes in it."""
MOST_PART_WORDS = 5
LONGEST_INITIALS = 4
"""Capitals that may be a name by its initials."""
_UNIT_BEHIND = re.compile(r" \([^()]+\)$")
"""A unit behind a head."""
_AND_OTHER = re.compile(r"\b(?:and|&) others?$", re.IGNORECASE)
"""What is left over beside something: "Cash and other"."""
_MASS = re.compile(
    r"(?:[a-z]+ing|business|cargo|clothing|coal|cover|credit|debt|demand|electricity|energy|equipment|equity|finance|food|"
    r"freight|fuel|furniture|gas|health|heat|housing|income|insurance|labour|land|leisure|mail|maintenance|"
    r"manufacturing|material|milk|oil|paper|postage|power|property|retail|software|staff|steel|traffic|transport|travel|"
    r"waste|water|wheat|wood|work)$"
)
"""What has no plural, and so needs no article: "van cover"; "deferred member" would need one."""
_ACTIVITIES = re.compile(r"\band [a-z]+ing$", re.IGNORECASE)
"""What money is spent on, and no amount: "Sales and marketing"."""
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
    if is_of_control(grid):
        return
    columns = [read_period(head) for head in grid.heads[1:]]
    if any(period for period, _ in columns):
        if about is not None:
            yield from _figures(chunk, grid, about, labels, columns)
        return
    titled, _ = read_period(grid.title)
    figures = sum(bool(_FIGURE.fullmatch(cell)) for row in grid.rows for cell in row.cells[1:])
    if titled and about is not None and about.sort == "company" and figures:
        yield from _figures(chunk, grid, about, labels, [(titled, head) for head in grid.heads[1:]])
    elif is_turned(grid):
        yield from facts_of_turned(chunk, grid, about, labels)
    elif about is None or about.sort != "company":
        yield from facts_of_records(chunk, grid, about, labels)


def _figures(
    chunk: Chunk, grid: Grid, about: Subject, labels: Labels, columns: list[tuple[Period | None, str]]
) -> Iterator[Fact]:
    """Figures of a subject, each for a period; only rows whose name says what they measure."""
    signs = " ".join(cell for row in grid.rows for cell in row.cells[1:])
    heading = grid.title or (chunk.section[-1] if chunk.section else "")
    company = about.sort == "company"
    rows = [(row, None) for row in grid.rows] if company else list(rows_with_units(grid))
    if not company:
        rows = [(replace(row, group="") if _is_divider(row.group) else row, unit) for row, unit in rows]
    names = Counter(_row_name(row, labels) for row, _ in rows)
    heads = Counter((period.identity if period else None, rest) for period, rest in columns)
    quoted = about.topic or about.words.startswith('"')
    first = replace(about, link="", within=said_first(about)) if quoted else about
    for row, given in rows:
        name = _row_name(row, labels)
        part = "" if name or company else _part_name(row, labels)
        if not (name or part) or (name and names[name] > 1) or (name and not company and _says_little(name)):
            continue
        for (period, rest), value in zip(columns, row.cells[1:], strict=True):
            if period is None or heads[period.identity, rest] > 1 or not _FIGURE.fullmatch(value):
                continue
            attribute = _with_column(name, rest, labels) if name else _of_part(part, rest, heading, labels)
            if part and _CURRENCY.search(signs) and not _CURRENCY.search(value):
                continue  # journeys among amounts of money
            if period.months and _STOCK.search(attribute):
                continue  # over a period it is a change of what the words name
            titled = "" if company else unit_above(heading) or parted(heading, value)[1]
            own = _unit_of_head(rest, attribute, value) or given or ("" if given == "" else titled)
            unit = own or ("" if value.endswith("%") else _unit(grid, f"{attribute} {row.group}", signs, about, value))
            plain_value = _MARKS.sub("", value)
            if not unit and not company and _BARE_FIGURE.fullmatch(value) and needs_unit(attribute):
                continue  # a budget in what?
            if attribute and unit is not None and _worth(plain_value, unit, value):
                yield Fact(
                    chunk_id=chunk.id,
                    document_id=chunk.document_id,
                    rule=FactRule.CELL,
                    subject=first,  # not: in "Sales report" in May 2024
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


def _is_divider(group: str) -> bool:
    """Whether a line in capitals parts a table and names nothing that its rows are of: "PEOPLE"."""
    return group.isupper() and len(group) > LONGEST_INITIALS


def _says_little(name: str) -> bool:
    """Whether a row outside of accounts says that something was measured, and not what: "expense", "mean per claim"."""
    if "," in name:
        return True  # "chargeable hours, family" are whose?
    return _SAYS_LITTLE.fullmatch(name) is not None and not re.match(r"total (?:claims|units|hours)$", name)


def _unit(grid: Grid, label: str, signs: str, about: Subject, value: str) -> str | None:
    """The unit of a row; unclear in accounts whose table names none, unless the figure is per share."""
    scaled = re.search(r"\b(?:thousands|millions|billions)\b", grid.title, re.IGNORECASE)
    announced = grid.title if scaled else f"{grid.title} ({grid.scale})"
    unit = unit_words(announced, label, signs)
    per_share = "per share" in label.casefold() and value.startswith(("$", "€", "£"))
    if unit is None and per_share:
        return ""
    return None if unit == "" and about.sort == "company" and not per_share else unit


def _unit_of_head(head: str, attribute: str, value: str) -> str:
    """The unit that a head gives in brackets: "in millions of pounds" for "(£m)"; empty for none."""
    behind = _UNIT_BEHIND.search(head)
    scaled = unit_words(behind[0], attribute, "") if behind else ""
    return scaled or parted(head, value)[1]


def _worth(value: str, unit: str, written: str) -> bool:
    """Whether a figure says something: not 0, and not bare where neither a unit nor a sign tells what it counts."""
    return any(sign in "123456789" for sign in value) and (bool(unit) or not written.isdigit() or len(written) > 2)


def _row_name(row: Row, labels: Labels) -> str:
    """What a row measures, in the words of a sentence; empty where its name does not say it."""
    label, group = tidy_label(row.cells[0]), tidy_label(row.group)
    if not usable(label):
        return ""
    counted = is_counted(label)
    low = f"number of {labels.lowered(label, head=True)}" if counted else labels.lowered(label)
    if group and not usable(group) and not _PLACE.match(group):
        return ""  # what the group says of its rows cannot be told in a question
    if _COMPONENT.search(group):
        return ""  # what changed this part of the equity, by the words of what changed it
    named_group = group if usable(group) and not _PLACE.match(group) and not NO_ROW.match(group) else ""
    named_group = re.sub(r" by (?:category|reportable segment|segment|region|product|type)$", "", named_group)
    if _ADJECTIVE.match(label):
        return f"{low} {labels.lowered(named_group)}" if named_group and MEASURE.search(named_group) else ""
    if NO_ROW.match(label) or _BARE.fullmatch(label) or _AND_OTHER.search(label):
        return ""
    measures = bool(MEASURE.search(label)) and not _ACTIVITIES.search(label)
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


def _part_name(row: Row, labels: Labels) -> str:
    """A row that names a part of something, where its column or its title says what is measured: "Buy-to-let"."""
    label = tidy_label(row.cells[0])
    if not usable(label) or NO_ROW.match(label) or len(label.split()) > MOST_PART_WORDS or _BARE.fullmatch(label):
        return ""
    if row.group:
        return ""  # a part of that group only, which the question would not say
    if re.search(r"[(),]", label):
        return ""  # a remark, or two parts in one
    low = labels.lowered(label)
    if " " not in low and low[:1].isupper() and low[1:].islower() and not labels.is_name(low) and "-" not in low:
        return ""  # "Travel" may be a word or a name
    if low.islower() and not is_plural(low) and not (" " in low and _MASS.search(low)):
        return ""  # "Home" is a label here, and no home
    return low.lower() if "-" in low and low[1:].islower() else low


def _of_part(part: str, rest: str, title: str, labels: Labels) -> str:
    """What is measured of a part: the head below the period, or the title: "Visits by region (thousands)"."""
    head = tidy_label(_UNIT_BEHIND.sub("", rest))
    if head:
        return f"{labels.lowered(head, head=True)} for {part}" if is_property(head) and "%" not in head else ""
    match = _BY_PART.match(title) or _MEASURED_IN.fullmatch(title)
    if match is None or (match.re is _MEASURED_IN and not (is_property(match["what"]) and unit_above(title))):
        return ""
    return f"{labels.lowered(match['what'], head=True)} for {part}"


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
