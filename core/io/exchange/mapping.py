"""Which column of a file becomes what: the format's own names, what a column's values tell, what a person overrules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.domain.errors import InvalidInput
from core.io.exchange.format import REASON, FormatSpec, prefixes
from core.io.recorded_verdicts import read_verdict
from core.io.tables.cells import AUTOMATIC, DELIMITERS, WHOLE, find_delimiter, number_of, shown
from core.io.tables.columns import (
    COMMON_WORDS,
    IDS,
    LISTED_REFERENCES,
    LISTS,
    MANY,
    Field,
    arrange,
    plain_name,
    rater_commented,
    rater_of,
)
from core.io.tables.rows import Row

LONGEST_ATTRIBUTE: Final = 200
VERDICTS: Final = frozenset({Field.VERDICT.value})
INDEXES: Final = frozenset({"", "index", "level_0", "row", "rank", "__index_level_0__"})
CHOSEN: Final = "Chosen by hand."
UNKNOWN: Final = "Unknown name;"
"""How the reason begins of a column whose name says nothing."""
LABELS_OF_A_RATER: Final = (
    "It holds a rater's labels, which are no attribute of the case; import this file once more as labels of the run, "
    "on the Label page under Set up."
)
LIST_CHOICES: Final = (AUTOMATIC, WHOLE, *DELIMITERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapped:
    """A column and what it becomes.

    Attributes:
        sample: Its first value that is there, cut.
        filled: Rows that have a value.
        name: Of the metric or the attribute it becomes.
        why: Why it is ignored, or what decided; one short sentence, or empty where its name did.
        delimiter: What parts its lists, or empty.
        also: A second field that it fills, where no column is called so: ids of passages tell documents and passages.
        taken: The column that is taken for the same field, where that is why it is ignored.
    """

    column: str
    becomes: Field
    sample: str = ""
    filled: int = 0
    name: str = ""
    why: str = ""
    delimiter: str = ""
    also: Field | None = None
    taken: str = ""

    @property
    def ours(self) -> str:
        """The name in our words: the field, or the metric or attribute it becomes."""
        if self.becomes is Field.ATTRIBUTE:
            return f"attributes.{self.name}"
        if self.becomes is Field.SCORE_REASON:
            return f"{self.name}{REASON}"
        return self.name if self.becomes is Field.SCORE else self.becomes.value


@dataclass(slots=True, kw_only=True)
class _Column:
    """What the values of a column are."""

    cells: list[object] = field(default_factory=list)

    @property
    def numeric(self) -> bool:
        return bool(self.cells) and all(_is_number(cell) for cell in self.cells)

    @property
    def shares(self) -> bool:
        """Numbers from 0 to 1, and not only the two ends: those are as well a flag of the case."""
        if not self.numeric:
            return False
        values = [number_of(cell) or 0.0 for cell in self.cells]
        return all(0.0 <= value <= 1.0 for value in values) and any(0.0 < value < 1.0 for value in values)

    @property
    def short(self) -> bool:
        return all(isinstance(cell, (str, int, float)) and len(str(cell)) <= LONGEST_ATTRIBUTE for cell in self.cells)


def propose(
    spec: FormatSpec, rows: Sequence[tuple[int, Row]], overrules: Mapping[str, str], *, lists: str = AUTOMATIC
) -> tuple[Mapped, ...]:
    """What each column becomes, in the order of the file.

    Args:
        spec: Of the format.
        rows: All rows of the file.
        overrules: A field's name by column, such as ``{"passages": "contexts"}``; they go before everything else.
        lists: How lists in cells are read: ``auto``, ``none``, or the delimiter.

    Raises:
        InvalidInput: An overrule names no column or no field, or two columns would fill one field.
    """
    if lists not in LIST_CHOICES and (not lists or len(lists) > 10):
        raise InvalidInput(f"Lists cannot be read by {lists!r}.", f"Use one of: {' '.join(LIST_CHOICES)}.")
    columns = _columns(rows)
    chosen = _checked(overrules, columns)
    fields = _fields(spec, columns, chosen)
    proposals = [
        _overruled(spec, name, chosen[name]) if name in chosen else _proposed(spec, name, columns[name], fields)
        for name in columns
    ]
    proposals = _one_each(proposals, fields, frozenset(chosen))
    proposals = _one_name_each(proposals)
    scored = {proposal.column for proposal in proposals if proposal.becomes is Field.SCORE}
    return tuple(
        replace(
            _with_parent(proposal, scored),
            sample=shown(next(iter(columns[proposal.column].cells), None)),
            filled=len(columns[proposal.column].cells),
            delimiter=_delimiter(proposal, columns[proposal.column].cells, lists),
        )
        for proposal in proposals
    )


def _columns(rows: Iterable[tuple[int, Row]]) -> dict[str, _Column]:
    columns: dict[str, _Column] = {}
    for _, row in rows:
        for name, value in row.items():
            column = columns.setdefault(name, _Column())
            if value is not None and value != "":
                column.cells.append(value)
    return columns


def _checked(overrules: Mapping[str, str], columns: Mapping[str, _Column]) -> dict[str, Field]:
    by_name = {field.value: field for field in Field}
    chosen: dict[str, Field] = {}
    for column, field_name in overrules.items():
        if column not in columns:
            raise InvalidInput(
                f"The file has no column {column!r} to map.", f"It has: {', '.join(list(columns)[:20]) or 'none'}."
            )
        if field_name not in by_name:
            raise InvalidInput(f"Column {column} cannot become {field_name!r}.", f"Use one of: {', '.join(by_name)}.")
        chosen[column] = by_name[field_name]
    single = Counter(field for field in chosen.values() if field not in MANY)
    twice = next((field for field, count in single.items() if count > 1), None)
    if twice is not None:
        both = [column for column, field in chosen.items() if field is twice]
        raise InvalidInput(
            f"The columns {' and '.join(both)} cannot both become {twice.value}.", "Choose one, and ignore the other."
        )
    return chosen


def _fields(
    spec: FormatSpec, columns: Mapping[str, _Column], chosen: Mapping[str, Field]
) -> dict[Field, tuple[str, ...]]:
    """The columns that are called like a field, the one to be taken first standing first; chosen ones go before all."""
    own = {name: field for name, field in spec.columns.items() if field in MANY}
    names = [name for name in columns if name not in chosen and name not in own and plain_name(name) not in own]
    elsewhere = {name: field.value for name, field in spec.columns.items() if field not in MANY}
    judged = VERDICTS & arrange((name for name in names if _fits(name, columns[name])), overrides=elsewhere).keys()
    fitting = [
        name
        for name in names
        if name in spec.columns
        or (_fits(name, columns[name]) and (plain_name(name) != "reason" or judged or Field.VERDICT in chosen.values()))
    ]
    fields = {Field(field): columns_found for field, columns_found in arrange(fitting, overrides=elsewhere).items()}
    for column, becomes in chosen.items():
        if becomes not in MANY:
            fields[becomes] = (column, *fields.get(becomes, ()))
    return fields


def _fits(name: str, column: _Column) -> bool:
    """Whether a word that many files use can be what our table takes it for, by its values."""
    word = plain_name(name)
    if word not in COMMON_WORDS or word == "reason":
        return True
    if word == "id":
        texts = [str(cell) for cell in column.cells if isinstance(cell, (str, int, float))]
        return len(set(texts)) == len(column.cells)
    return bool(column.cells) and all(read_verdict(cell) is not None for cell in column.cells)


def _overruled(spec: FormatSpec, name: str, becomes: Field) -> Mapped:
    why = CHOSEN if becomes is not Field.IGNORED else "Ignored by hand."
    if becomes is Field.ANSWERABLE:
        return Mapped(column=name, becomes=Field.ATTRIBUTE, name=Field.ANSWERABLE.value, why=why)
    names = {Field.SCORE: spec.metric(name), Field.ATTRIBUTE: name, Field.SCORE_REASON: name.removesuffix(REASON)}
    return Mapped(column=name, becomes=becomes, name=names.get(becomes, ""), why=why)


def _proposed(spec: FormatSpec, name: str, column: _Column, fields: Mapping[Field, Sequence[str]]) -> Mapped:
    own = spec.columns.get(name) or spec.columns.get(plain_name(name))
    if name in spec.scores:
        return Mapped(column=name, becomes=Field.SCORE, name=spec.metric(name))
    own_field = next(
        (field for field, names in fields.items() if name in names and field is not Field.ANSWERABLE), None
    )
    if own_field is not None:
        return Mapped(column=name, becomes=own_field)
    if not column.cells:
        return Mapped(column=name, becomes=Field.IGNORED, why="It has no value.")
    if name in fields.get(Field.ANSWERABLE, ())[:1]:
        return Mapped(column=name, becomes=Field.ATTRIBUTE, name=Field.ANSWERABLE.value)
    if own is Field.IGNORED:
        return Mapped(column=name, becomes=own, why="It holds the tool's own bookkeeping.")
    if column.short and (rater_of(name) or rater_commented(name)):
        return Mapped(column=name, becomes=Field.IGNORED, why=LABELS_OF_A_RATER)
    if name.endswith(REASON):
        return Mapped(column=name, becomes=Field.SCORE_REASON, name=name.removesuffix(REASON))
    if own is Field.SCORE or name.split(".", 1)[0] in prefixes():
        return Mapped(column=name, becomes=Field.SCORE, name=spec.metric(name))
    if name.casefold() in INDEXES or name.startswith("Unnamed: "):
        return Mapped(column=name, becomes=Field.IGNORED, why="It numbers the rows.")
    if column.shares and own is None:
        why = f"{UNKNOWN} numbers from 0 to 1."
        return Mapped(column=name, becomes=Field.SCORE, name=spec.metric(name), why=why)
    if column.short:
        why = "" if own else f"{UNKNOWN} cases can be grouped by it."
        return Mapped(column=name, becomes=Field.ATTRIBUTE, name=name, why=why)
    why = f"{UNKNOWN} long texts, lists or objects."
    return Mapped(column=name, becomes=Field.IGNORED, why=why)


def _one_each(
    proposals: Sequence[Mapped], fields: Mapping[Field, Sequence[str]], chosen: frozenset[str]
) -> list[Mapped]:
    """One column a field: the first of its names, which is the one chosen by hand where there is one."""
    mapping = []
    for proposal in proposals:
        if proposal.column in chosen or proposal.becomes in MANY:
            mapping.append(proposal)
            continue
        candidates = [field for field, names in fields.items() if proposal.column in names]
        first = [field for field in candidates if fields[field][0] == proposal.column]
        if not first:
            taken = fields[proposal.becomes][0]
            why = f"{taken} is taken for {proposal.becomes.value}."
            mapping.append(Mapped(column=proposal.column, becomes=Field.IGNORED, why=why, taken=taken))
            continue
        second = first[1] if len(first) > 1 else None
        if second is Field.CHUNK_IDS and Field.GOLD_CHUNKS not in fields:
            second = None  # the texts of passages tell more, where no ids are there to be found
        mapping.append(replace(proposal, becomes=first[0], also=second))
    return mapping


def fill_gaps(rows: Sequence[tuple[int, Row]], mapped: Sequence[Mapped]) -> list[tuple[int, Row]]:
    """Rows of JSON, in which each names its own columns: one that lacks a column is read from the other it has."""
    spare = [column for column in mapped if column.taken]
    if not spare:
        return list(rows)
    return [
        (number, {**{column.taken: row[column.column] for column in reversed(spare) if column.column in row}, **row})
        for number, row in rows
    ]


def _one_name_each(proposals: Sequence[Mapped]) -> list[Mapped]:
    """One column a metric and one an attribute: of names that differ in signs only the first is kept."""
    first: dict[str, str] = {}
    mapping = []
    for proposal in proposals:
        if proposal.becomes in (Field.SCORE, Field.ATTRIBUTE):
            taken = first.setdefault(proposal.ours, proposal.column)
            if taken != proposal.column:
                proposal = Mapped(
                    column=proposal.column, becomes=Field.IGNORED, why=f"{taken} is taken for {proposal.ours}."
                )
        mapping.append(proposal)
    return mapping


def _with_parent(proposal: Mapped, scored: set[str]) -> Mapped:
    """A reason without its score explains nothing."""
    if proposal.becomes is Field.SCORE_REASON and proposal.name not in scored:
        return Mapped(
            column=proposal.column, becomes=Field.IGNORED, why=f"There is no score {proposal.name} that it explains."
        )
    return proposal


def _delimiter(proposal: Mapped, cells: Sequence[object], lists: str) -> str:
    if proposal.becomes not in LISTS and plain_name(proposal.column) not in LISTED_REFERENCES:
        return ""
    if proposal.becomes is Field.CONVERSATION or lists == WHOLE:
        return ""
    if lists != AUTOMATIC:
        return lists
    return find_delimiter(cells, ids=proposal.becomes in IDS) if proposal.becomes in LISTS else ""


def _is_number(cell: object) -> bool:
    try:
        return number_of(cell) is not None
    except ValueError:
        return False
