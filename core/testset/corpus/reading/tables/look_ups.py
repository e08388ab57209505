"""Cells that are asked for as their table has them, by its title, the row and the head of the column.

Most heads of strangers' tables are no nouns that a sentence could hold: "Per day open", "Commercial (v)", "Items at
once". Such a cell is asked for in the table's own words, in quotes: 'what figure does the table "Rooms (pounds per
hour)" show for "Main hall" under "Commercial"?'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from core.domain.sources.chunks import Chunk
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.data import is_datum
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.forms import is_paired, unnumbered
from core.testset.corpus.reading.labels import tidy_label
from core.testset.corpus.reading.naming.subjects import Subject
from core.testset.corpus.reading.tables.control import controls, is_of_control
from core.testset.corpus.reading.tables.grids import Grid, Row, grids
from core.testset.corpus.reading.tables.rows import FILES
from core.testset.corpus.reading.tables.units import needs_unit, unit_words
from core.testset.corpus.reading.values import tells

SHEETS = (*FILES, ".xlsx", ".xls", ".ods")
FEWEST_ROWS = 2
FEWEST_COLUMNS = 3
"""A table of two columns is a form, or a list of properties."""
MOST_TITLE_WORDS = 16
MOST_ROW_WORDS = 8
MOST_HEAD_WORDS = 6
MOST_VALUE_WORDS = 4
MOST_FIELD_WORDS = 8
DATA = frozenset({"number", "date", "range"})
_NUMBER = re.compile(r"^(?:(?:Table|Tab\.|Sheet|Figure) )?(?:[A-Z]?\d{1,2}(?:\.\d+)*|[A-Z])[.):]? +(?=[A-Z])")
"""The number of a table or of its section, which is no part of what it is called."""
_MARK = re.compile(r"\s*(?:\[\w{1,2}\]|[*†‡§¹]+|\(\d\)| [a-h])$")
"""The mark of a footnote."""
_RAISED = re.compile(r"[^\W\d_]{3,} \d$")
"""A name that ends with a lone digit, which may be the raised mark of a footnote."""
_TORN = re.compile(r"[a-z]- (?!(?:and|or|to|und|et)\b)[a-z]")
"""A word that the end of a line has cut: "Bench- mark"."""
_REMARKS = re.compile(
    r"(?:.* )?(?:remarks?|notes?|comments?|descriptions?|details?|explanations?|actions?|next steps?|reasons?|what|why|"
    r"how|instructions?|meaning|definition|text|answers?|questions?|conditions?|n/?a|see(?: .*)?)",
    re.IGNORECASE,
)
"""Heads of columns in prose."""
_NUMBERED_BY = re.compile(r"#|no\.?|nr\.?|id|line|row|item no\.?|pos\.?", re.IGNORECASE)
_FIGURE = re.compile(r"[-+−–]?(?:[$€£] ?)?\d[\d,. ]*(?: ?(?:%|[$€£]|[a-zA-Z°]{1,2}[²³]?))?(?:/[a-z]+)?")
_ORDINAL = re.compile(r"(?:first|second|third|fourth|fifth|last|next|other|same|do\.?|ditto)", re.IGNORECASE)
"""A row that only the one above it explains."""
_BARE = re.compile(r"[-+−–]?\d[\d,.]*")
_NIL = re.compile(r"[-+−–]?[0.,]+ ?%?")
_NAMED = re.compile(r"[A-Z\d][\w.'’&/-]*(?: (?:[A-Z\d&][\w.'’&/-]*|and|of|the|for|de))*")
"""A name or a code."""
_ANNOUNCED = re.compile(
    r"\b(?:all )?(?:amounts?|figures?|values?|prices?|sums?|costs?|charges?|fees?|rates?)(?: of money)?(?: (?:are|is))?"
    r"(?: (?:shown|given|quoted|stated|expressed))? in (?P<unit>[^.;:,\n|]{1,30})",
    re.IGNORECASE,
)
_SAYS_UNIT = re.compile(
    r"[$€£%]|\b(?:000s?|EUR|USD|GBP|CHF|pounds|euros|dollars|pence|cents|per cent|percent|FTE|hours|hrs|days|weeks|"
    r"months|years|min(?:utes)?|k?g|tonnes?|[km]?m[²³]?|kWh?|MWh?|litres?|t|ha|sq m|thousands?|millions?)\b"
)
"""A unit in a table's own words."""
_ON_A_DAY = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./]\d{1,2}\b|\b\d{1,2} [A-Z][a-z]{2}")
_BODY = re.compile(
    r"\b(?:council|committee|board|trust|society|association|university|fund|foundation|authority|agency|ministry|group|"
    r"company|bank|limited|ltd|plc|inc|ag|gmbh|union|cooperative)\.?$",
    re.IGNORECASE,
)
"""The end of a name of who issues papers."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How a document's tables are asked about.

    Attributes:
        lead: What a question says first: 'According to "Budget.xlsx"'.
        scale: The unit that the document announces for all of its figures, or empty.
        titles: How often it has a table with each title.
    """

    lead: str
    scale: str
    titles: Counter[str]


def shown_tables(
    chunks: Sequence[Chunk], titles: Mapping[str, str], subjects: Mapping[str, Subject]
) -> dict[str, Shown]:
    """How each document is named before a look-up: by its title, else by the name of its file.

    Companies' filings and the records of events have rules of their own.

    Args:
        chunks: Every chunk of the collection.
        titles: Of documents by id, as people say them.
        subjects: What documents are about, where that has a name.
    """
    scales: dict[str, str] = {}
    counts: dict[str, Counter[str]] = {}
    for chunk in chunks:
        announced = _ANNOUNCED.search(chunk.text)
        if announced and chunk.document_id not in scales:
            scales[chunk.document_id] = announced["unit"]
        if chunk.document_id.casefold().endswith(FILES):
            counts.setdefault(chunk.document_id, Counter())
        for grid in grids(chunk.text):
            counts.setdefault(chunk.document_id, Counter())[_title(grid, chunk)] += 1
    files = Counter(PurePath(document).name for document in titles)
    return {
        document: Shown(
            _lead(document, titles[document], subjects.get(document), files), scales.get(document, ""), seen
        )
        for document, seen in counts.items()
        if (about := subjects.get(document)) is None or (about.sort != "company" and not _is_event(about))
    }


def _is_event(about: Subject) -> bool:
    """Whether a document tells of a numbered event, which its fields are of."""
    return about.link == "in" and not about.words.startswith('"')


def _lead(document: str, title: str, about: Subject | None, files: Mapping[str, int]) -> str:
    if about is not None and about.within:
        return about.within
    name = PurePath(document).name
    issuer = _BODY.search(title) and not {*title.casefold().split()} & {*re.split(r"[\W_]+", name.casefold())}
    sheet = name.casefold().endswith(SHEETS)  # called by its file, whatever its first line says
    if about is not None and title and '"' not in title and not issuer and not sheet:
        return f'According to "{title}"'
    return f'According to "{name}"' if files[name] == 1 else ""


def look_ups(chunk: Chunk, table: Grid, shown: Shown | None) -> Iterator[Fact]:
    """The cells of a table that hold one figure, day or name, for rows and columns that their names tell apart.

    Args:
        chunk: Where the table stands.
        table: The table.
        shown: How its document is named; None for one that is not asked about so.
    """
    title = _title(table, chunk)
    filed = chunk.document_id.casefold().endswith(FILES)
    if shown is None or not shown.lead or not _is_usable(table, title, filed=filed) or shown.titles[title] > 1:
        return
    rows = Counter(_name(row.cells[0]).casefold() for row in table.rows)
    heads = Counter(_name(head).casefold() for head in table.heads)
    own = title.casefold() not in shown.lead.casefold()
    headed = bool(chunk.section) and _NUMBER.sub("", chunk.section[-1]).strip() == title
    called = f'the table {"under " if headed else ""}"{title}"' if own else "the table"
    called = "the file" if filed else called
    if not own and not filed and len(shown.titles) > 1:
        return
    for row in table.rows:
        name = _whole(chunk, row)
        if rows[_name(row.cells[0]).casefold()] > 1 or not _is_row(name, table):
            continue
        for place, head in enumerate(map(_name, table.heads)):
            if place and heads[head.casefold()] == 1 and _is_column(head, place, table):
                yield from _cell(chunk, table, row, place, (name, head, called), shown)


def fields_entered(chunk: Chunk, form: Grid, shown: Shown | None) -> Iterator[Fact]:
    """The fields of a form that hold one figure, day or name, asked for by their labels: "what is entered under ...?".

    Args:
        chunk: Where the form stands.
        form: Labels and values in turn; its heads are its first line.
        shown: How its document is named; None for one that is not asked about so.
    """
    if shown is None or not shown.lead:
        return
    first = _first_line(chunk, form)
    for row in (*([first] if first else ()), *form.rows):
        for label, value in zip(row.cells[::2], row.cells[1::2], strict=False):
            name, value = unnumbered(label), _MARK.sub("", value).strip()
            worded = _NAMED.fullmatch(value) and is_datum(value, MOST_FIELD_WORDS)
            kind = read_reference(value).kind if value else ""
            known = value.casefold() in shown.lead.casefold() or controls(tidy_label(name)) or '"' in f"{name}{value}"
            if not (value and tells(value) and name) or known or not (worded or kind in DATA):
                continue
            yield Fact(
                chunk_id=chunk.id,
                document_id=chunk.document_id,
                rule=FactRule.LOOK_UP,
                subject=Subject(words="", within=shown.lead, link=""),
                attribute=name,
                value=value,
                kind=kind,
                rest="entered",
                asked=f'what is entered under "{name}"?',
                stated=f'is [] entered under "{name}"?',
                table=f"{form.title}|{'|'.join(form.heads)}",
                start=row.start,
                end=row.end,
            )


def _first_line(chunk: Chunk, form: Grid) -> Row | None:
    """The heads of a form with their place."""
    before = chunk.text[: form.rows[0].start] if form.rows else ""
    start = max(before.rfind(f"| {form.heads[0]} "), 0)
    end = chunk.text.find("\n", start)
    whole = start and all(head in chunk.text[start:end] for head in form.heads)
    return Row(cells=form.heads, group="", start=start, end=end) if whole else None


def _is_usable(table: Grid, title: str, *, filed: bool) -> bool:
    words = len(title.split())
    plain = filed or (title and words <= MOST_TITLE_WORDS and '"' not in title and not title.endswith(":"))
    return bool(
        plain
        and (filed or len(table.rows) >= FEWEST_ROWS)
        and len(table.heads) >= FEWEST_COLUMNS
        and sum(map(bool, table.heads[1:])) == len(table.heads) - 1
        and not any(_BARE.fullmatch(head) for head in table.heads if not re.fullmatch(r"(?:19|20)\d\d", head))
        and not is_of_control(table)
        and not is_paired(table)
    )


def _title(table: Grid, chunk: Chunk) -> str:
    """What a table is called: its caption, else the heading above it, without number."""
    title = table.title or (chunk.section[-1] if chunk.section else "")
    return _NUMBER.sub("", title).strip()


def _whole(chunk: Chunk, row: Row) -> str:
    """A row's name with what stands before a colon in its cell: "Bus stop: write to Highways"."""
    name = _name(row.cells[0])
    both = f"{row.group}: {name}"
    return both if row.group and both in chunk.text[row.start : row.end] else name


def _name(label: str) -> str:
    return _MARK.sub("", label).strip().rstrip(":")


def _is_row(name: str, table: Grid) -> bool:
    """Whether a name tells a row: no number alone, no sentence, no mark of a footnote that became a part of it."""
    raised = _RAISED.search(name) and 2 * sum(bool(_RAISED.search(_name(row.cells[0]))) for row in table.rows) <= len(
        table.rows
    )
    return bool(
        name
        and not raised
        and '"' not in name
        and len(name.split()) <= MOST_ROW_WORDS
        and not name.endswith((".", ";", ","))
        and not _TORN.search(name)
        and not _ORDINAL.fullmatch(name)
        and tells(name)
        and not _NUMBERED_BY.fullmatch(table.heads[0])
        and not (_BARE.fullmatch(name) and not table.heads[0])
    )


def _is_column(head: str, place: int, table: Grid) -> bool:
    cells = [row.cells[place] for row in table.rows if row.cells[place]]
    long = sum(len(cell.split()) for cell in cells) > MOST_VALUE_WORDS * max(len(cells), 1)
    raised = _RAISED.search(head) and sum(bool(_RAISED.search(other)) for other in table.heads) == 1
    return bool(
        head
        and not long
        and not raised
        and '"' not in head
        and len(head.split()) <= MOST_HEAD_WORDS
        and not _REMARKS.fullmatch(head)
        and not _TORN.search(head)
        and (len(set(cells)) > 1 or len(cells) == 1)
    )


def _cell(chunk: Chunk, table: Grid, row: Row, place: int, names: tuple[str, str, str], shown: Shown) -> Iterator[Fact]:
    name, head, called = names
    value = _MARK.sub("", row.cells[place]).strip()
    kind = read_reference(value).kind if value else ""
    figure = bool(_FIGURE.fullmatch(value))
    if not value or not tells(value) or _NIL.fullmatch(value) or '"' in value or value.casefold() == name.casefold():
        return
    if not figure and kind != "date" and not (_NAMED.fullmatch(value) and is_datum(value, MOST_VALUE_WORDS)):
        return
    unit = _unit(value, f"{table.title} {head} {name}", table, shown) if figure else ""
    if unit is None:
        return
    what = "figure" if figure else "date" if kind == "date" and _ON_A_DAY.search(value) else ""
    asked = f"what {what} does" if what else "what does"
    tail = f'show for {{}} under "{head}"'
    yield Fact(
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        rule=FactRule.LOOK_UP,
        subject=Subject(words=f'"{name}"', within=shown.lead, link="for"),
        attribute=head,
        value=value,
        kind=kind,
        unit=unit,
        rest=table.title,
        asked=f"{asked} {called} {tail}{f', {unit}' if unit else ''}?",
        stated=f'does {called} show [] for {{}} under "{head}"{f", {unit}" if unit else ""}?',
        table=f"{table.title}|{'|'.join(table.heads)}",
        start=row.start,
        end=row.end,
    )


def _unit(value: str, words: str, table: Grid, shown: Shown) -> str | None:
    """The unit that the document announces elsewhere for a bare figure; empty where the table's own words have it.

    None where a figure needs one, such as an amount, and none is given.
    """
    if not _BARE.fullmatch(value):
        return ""
    own = unit_words(words, "", "") or _SAYS_UNIT.search(words)
    if own:
        return ""
    scale = unit_words(f"({shown.scale})", "", "") if shown.scale else ""
    scale = scale or (unit_words(f"({table.scale})", "", "") if table.scale else "")
    if scale:
        return scale
    return None if needs_unit(words) or re.search(r"[.,]\d", value) else ""
