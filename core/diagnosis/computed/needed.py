"""The rows that an answer is computed from, as far as documents could state them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.judging.facts.subjects import Subject, subjects_of

MOST_ROWS = 400
"""Rows that are looked for; nobody computes by hand from more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededRow:
    """One row.

    Attributes:
        names: What people call it; empty where they call it nothing.
        keys: Its primary key, as text.
        values: What is added up or compared, as text.
        own_id: The gold id of a page of its own; empty where there can be none.
        marks: What else tells it from other rows where it has no name, such as its date; empty ones included, so that
            each place is one column.
        belongs_to: What this row alone belongs to, besides the subjects of all.
        asked: What the column of each value is called, with its unit ("weight in kilograms"); none where not known.
    """

    names: tuple[str, ...]
    keys: tuple[str, ...]
    values: tuple[str, ...]
    own_id: str = ""
    marks: tuple[str, ...] = ()
    belongs_to: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()

    @property
    def figures(self) -> tuple[Subject, ...]:
        """Its values as documents state them, in the unit of their column or another one: 350 grams for 0.35 kg."""
        return subjects_of(self.values, questions=self.asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """The way from a subject to an answer that stands in another record.

    Attributes:
        own: What the records before the last one have themselves, as text: what their pages say is theirs.
        table: The table of the last record.
        subjects: Who is asked about, with all that the question could be about.
        words: Word families by which the question calls the records on the way.
    """

    own: tuple[str, ...]
    table: str = ""
    subjects: tuple[Subject, ...] = ()
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededRows:
    """All rows that an answer is computed from.

    Attributes:
        rows: The first `MOST_ROWS` of them.
        subjects: What every row belongs to, or the values that all of them have.
        all_read: Whether there are no more rows.
        any_row: Whether one of them is enough.
        closed: Whether the answer also depends on what is not there.
        between: Where the rows are the records on the way to one answer, what is known of that way.
    """

    rows: tuple[NeededRow, ...]
    subjects: tuple[str, ...]
    all_read: bool = True
    any_row: bool = False
    closed: bool = False
    between: Between | None = None

    def renamed(self, texts: Mapping[str, str]) -> NeededRows:
        """The same rows under other names of what they belong to, by their names here."""

        def names(own: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(texts.get(name, name) for name in own)

        rows = tuple(replace(row, belongs_to=names(row.belongs_to)) for row in self.rows)
        return replace(self, subjects=names(self.subjects), rows=rows)
