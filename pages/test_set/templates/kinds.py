"""What proposed templates may ask the database to do and how many of each, and what those that are there ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from core.domain.sources.schema import Schema
from core.domain.testset.templates import SqlTemplate
from core.testset.grounded.beyond.plan import Kind
from pages.kit.look import numbers

KINDS = {
    Kind.LOOK_UP.value: "Look-ups",
    Kind.COUNT.value: "Counts",
    Kind.EXTREME.value: "The highest and lowest",
    Kind.TOTAL.value: "Sums and averages",
    Kind.LIST.value: "Lists",
    Kind.TOP.value: "The three highest",
    Kind.LATEST.value: "The latest and first",
    Kind.COMPARISON.value: "How many are ahead",
    Kind.NEGATION.value: "What has none",
    Kind.EXISTENCE.value: "Whether there is one",
    Kind.WHICH.value: "Which of two is ahead",
    Kind.BETWEEN.value: "How many lie between",
}
"""What proposed templates may ask, as people read it."""


MOST_OF_EACH = 100


class Wanted(NamedTuple):
    """What is to be proposed.

    Attributes:
        kinds: What they ask; none where everything was taken away.
        each: How many of each, None for a mix.
    """

    kinds: tuple[Kind, ...]
    each: int | None


def choose() -> Wanted:
    """The chosen kinds and how many of each."""
    chosen = st.multiselect(
        "What they ask",
        list(KINDS),
        default=list(KINDS),
        format_func=lambda value: KINDS[value],
        key="sql_kinds",
        persist_state="session",
        help="A look-up is answered by one record, and so by one document. All others are computed from several: a "
        "wrong answer is put down to the documents where they lack one of these rows, and to the retrieval where it "
        "did not bring them all.",
    )
    each = st.number_input(
        "How many of each",
        min_value=1,
        max_value=MOST_OF_EACH,
        value=None,
        placeholder="40 in all",
        key="sql_each",
        help="The most templates of each kind. Left empty, 40 in all: half of them look-ups where these are chosen, "
        "the others in turns over kinds and tables.",
    )
    return Wanted(tuple(Kind(value) for value in chosen), None if each is None else int(each))


def none_of(lacking: Mapping[Kind, str]) -> str:
    """The kinds that there is no template of, each with the reason; empty where there is one of each.

    >>> none_of({Kind.TOTAL: "no amount or quantity to add up or average"})
    'None for: Sums and averages (no amount or quantity to add up or average).'
    """
    listed = "; ".join(f"{KINDS[kind.value]} ({reason})" for kind, reason in lacking.items())
    return f"None for: {listed}." if listed else ""


def draw_mix(sql_templates: Sequence[SqlTemplate], operations: Mapping[str, str], schema: Schema) -> None:
    """One line on what the templates ask, of which tables, and how many join tables."""
    asked = Counter(operations[template.id] for template in sql_templates if operations.get(template.id))
    tables = {name.casefold() for template in sql_templates for name in template.tables}
    possible = {table.name.casefold() for table in schema.tables if table.asked}
    joining = sum(len(template.tables) > 1 for template in sql_templates)
    st.caption(
        f"{', '.join(f'{kind} {number:,}' for kind, number in asked.most_common())}; "
        f"{len(tables & possible):,} of {numbers.count(len(possible), 'table')} that may be asked about; "
        f"{joining:,} of {numbers.count(len(sql_templates), 'template')} join tables."
    )
