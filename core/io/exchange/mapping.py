"""Which column of a file becomes what: the format's own names, what a column's values tell, what a person overrules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.domain.errors import InvalidInput
from core.interchange.exchange import IDS, LISTS, MANY, OURS, REASON, Field, FormatSpec, plain_name, prefixes
from core.interchange.exchange_cells import AUTOMATIC, DELIMITERS, WHOLE, find_delimiter, number_of, shown
from core.interchange.rows import Row

LONGEST_ATTRIBUTE: Final = 200
INDEXES: Final = frozenset({"", "index", "level_0", "row", "rank", "__index_level_0__"})
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
    """

    column: str
    becomes: Field
    sample: str = ""
    filled: int = 0
    name: str = ""
    why: str = ""
    delimiter: str = ""

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
    found = [
        _overruled(spec, name, chosen[name]) if name in chosen else _proposed(spec, name, columns[name])
        for name in columns
    ]
    found = _one_each(spec, found, frozenset(chosen))
    found = _one_name_each(found)
    scored = {one.column for one in found if one.becomes is Field.SCORE}
    return tuple(
        replace(
            _with_parent(one, scored),
            sample=shown(next(iter(columns[one.column].cells), None)),
            filled=len(columns[one.column].cells),
            delimiter=_delimiter(spec, one, columns[one.column].cells, lists),
        )
        for one in found
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
    known = {one.value: one for one in Field}
    chosen: dict[str, Field] = {}
    for column, wanted in overrules.items():
        if column not in columns:
            raise InvalidInput(
                f"The file has no column {column!r} to map.", f"It has: {', '.join(list(columns)[:20]) or 'none'}."
            )
        if wanted not in known:
            raise InvalidInput(f"Column {column} cannot become {wanted!r}.", f"Use one of: {', '.join(known)}.")
        chosen[column] = known[wanted]
    single = Counter(one for one in chosen.values() if one not in MANY)
    twice = next((one for one, count in single.items() if count > 1), None)
    if twice is not None:
        both = [column for column, one in chosen.items() if one is twice]
        raise InvalidInput(
            f"The columns {' and '.join(both)} cannot both become {twice.value}.", "Choose one, and ignore the other."
        )
    return chosen


def _overruled(spec: FormatSpec, name: str, becomes: Field) -> Mapped:
    named = {Field.SCORE: spec.metric(name), Field.ATTRIBUTE: name, Field.SCORE_REASON: name.removesuffix(REASON)}
    why = "Chosen by hand." if becomes is not Field.IGNORED else "Ignored by hand."
    return Mapped(column=name, becomes=becomes, name=named.get(becomes, ""), why=why)


def _proposed(spec: FormatSpec, name: str, column: _Column) -> Mapped:
    known = spec.columns.get(name) or OURS.get(name) or spec.columns.get(plain_name(name)) or OURS.get(plain_name(name))
    if name in spec.scores:
        return Mapped(column=name, becomes=Field.SCORE, name=spec.metric(name))
    if not column.cells and known in (None, *MANY):
        return Mapped(column=name, becomes=Field.IGNORED, why="It has no value.")
    if known is not None and known not in MANY:
        return Mapped(column=name, becomes=known)
    if known is Field.IGNORED:
        return Mapped(column=name, becomes=known, why="It holds the tool's own bookkeeping.")
    if name.endswith(REASON):
        return Mapped(column=name, becomes=Field.SCORE_REASON, name=name.removesuffix(REASON))
    if known is Field.SCORE or name.split(".", 1)[0] in prefixes():
        return Mapped(column=name, becomes=Field.SCORE, name=spec.metric(name))
    if name.casefold() in INDEXES or name.startswith("Unnamed: "):
        return Mapped(column=name, becomes=Field.IGNORED, why="It numbers the rows.")
    if column.shares and known is None:
        why = "Unknown name; numbers from 0 to 1."
        return Mapped(column=name, becomes=Field.SCORE, name=spec.metric(name), why=why)
    if column.short:
        why = "" if known else "Unknown name; cases can be grouped by it."
        return Mapped(column=name, becomes=Field.ATTRIBUTE, name=name, why=why)
    why = "Unknown name; long texts, lists or objects."
    return Mapped(column=name, becomes=Field.IGNORED, why=why)


def _one_each(spec: FormatSpec, found: Sequence[Mapped], chosen: frozenset[str]) -> list[Mapped]:
    """One column a field: the one chosen by hand, else the one with our own name, else the format's first."""
    order = {name: place for place, name in enumerate(spec.columns)}

    def rank(one: Mapped) -> tuple[bool, int]:
        return one.column not in chosen, order.get(one.column, -1)

    best: dict[Field, Mapped] = {}
    for one in sorted(found, key=rank):
        if one.becomes not in MANY:
            best.setdefault(one.becomes, one)
    return [
        one
        if one.becomes in MANY or best[one.becomes] is one
        else Mapped(
            column=one.column,
            becomes=Field.IGNORED,
            why=f"{best[one.becomes].column} is taken for {one.becomes.value}.",
        )
        for one in found
    ]


def _one_name_each(found: Sequence[Mapped]) -> list[Mapped]:
    """One column a metric and one an attribute: of names that differ in signs only the first is kept."""
    first: dict[str, str] = {}
    made = []
    for one in found:
        if one.becomes in (Field.SCORE, Field.ATTRIBUTE):
            taken = first.setdefault(one.ours, one.column)
            if taken != one.column:
                one = Mapped(column=one.column, becomes=Field.IGNORED, why=f"{taken} is taken for {one.ours}.")
        made.append(one)
    return made


def _with_parent(one: Mapped, scored: set[str]) -> Mapped:
    """A reason without its score explains nothing."""
    if one.becomes is Field.SCORE_REASON and one.name not in scored:
        return Mapped(column=one.column, becomes=Field.IGNORED, why=f"There is no score {one.name} that it explains.")
    return one


def _delimiter(spec: FormatSpec, one: Mapped, cells: Sequence[object], lists: str) -> str:
    if one.becomes not in LISTS and one.column not in spec.lists:
        return ""
    if one.becomes is Field.CONVERSATION or lists == WHOLE:
        return ""
    if lists != AUTOMATIC:
        return lists
    return find_delimiter(cells, ids=one.becomes in IDS) if one.becomes in LISTS else ""


def _is_number(cell: object) -> bool:
    try:
        return number_of(cell) is not None
    except ValueError:
        return False
