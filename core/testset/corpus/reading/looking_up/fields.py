"""Fields of forms that are asked for by their labels: "what is entered under "First aid by"?"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.sources.chunks import Chunk
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.data import is_datum
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.fields.forms import unnumbered
from core.testset.corpus.reading.labels import tidy_label
from core.testset.corpus.reading.looking_up.names import NAMED, unmarked
from core.testset.corpus.reading.looking_up.shown import Shown
from core.testset.corpus.reading.naming.subjects import Subject
from core.testset.corpus.reading.tables.control import controls
from core.testset.corpus.reading.tables.grids import Grid, Row
from core.testset.corpus.reading.values import tells

MOST_WORDS = 8
DATA = frozenset({"number", "date", "range"})
_CONTROL = re.compile(
    r"(?:issue|version|revision|rev\.?|status|effective|in force|valid|page|copy|(?:doc(?:ument)?\.?|sop|policy|"
    r"procedure|report|form|case|claim|complaint|incident|file)(?: (?:no\.?|number|id|ref\.?|reference))?|"
    r"reference|ref\.?|owner|author|subject|title|name|classification)(?: (?:no\.?|number|from|since|by|date|code))?",
    re.IGNORECASE,
)
"""What controls a paper, and is not what it reports."""


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
            name, value = unnumbered(label), unmarked(value)
            worded = NAMED.fullmatch(value) and is_datum(value, MOST_WORDS)
            kind = read_reference(value).kind if value else ""
            control = controls(tidy_label(name)) or _CONTROL.fullmatch(name) is not None
            known = (
                value.casefold() in f"{shown.lead} {chunk.document_id}".casefold() or control or '"' in f"{name}{value}"
            )
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
    whole = (
        start
        and all(form.heads)
        and len(set(form.heads)) > 1
        and all(head in chunk.text[start:end] for head in form.heads)
    )
    return Row(cells=form.heads, group="", start=start, end=end) if whole else None
