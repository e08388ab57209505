"""Short ways to make the parts of a section."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.domain.testset.cases import TestSet
from core.report.collect.gather import Gathered
from core.report.content import Cell, Fact, Facts, Paragraph, Tone
from core.text.display.numbers import count


def missing(what: str, step: str) -> Paragraph:
    """Says that something is not there, and which step makes it."""
    return Paragraph(text=f"{what} {step}".strip(), tone=Tone.MISSING)


def note(text: str) -> Paragraph:
    """A remark that a reader needs to read what stands beside it."""
    return Paragraph(text=text, tone=Tone.NOTE)


def warning(text: str) -> Paragraph:
    """A remark that changes what the figures may be used for."""
    return Paragraph(text=text, tone=Tone.WARNING)


def plain(text: str) -> Paragraph:
    """Some sentences."""
    return Paragraph(text=text)


def facts(*pairs: tuple[str, Cell] | tuple[str, Cell, str]) -> Facts:
    """Names with what stands for them; a pair whose value is None or "" is left out."""
    made = []
    for pair in pairs:
        name, cell = pair[0], pair[1]
        if cell is None or cell == "":
            continue
        made.append(Fact(name=name, cell=cell, note=pair[2] if len(pair) == 3 else ""))
    return Facts(facts=tuple(made))


def sample_line(g: Gathered) -> str:
    """What was asked, and how it was drawn, in a sentence or two."""
    return f"{count(g.summary.cases, 'question')} about {count(g.coverage.facts, 'fact')}. {drawn(g.test_set)}"


def drawn(test_set: TestSet) -> str:
    """How the questions came about; with their numbers where they are of two origins."""
    filled, written = _total(test_set.counts.get("questions")), _total(test_set.counts.get("document_questions"))
    from_database = "sql_templates" in test_set.counts
    if from_database and written:
        return (
            f"{count(filled, 'question')} {'was' if filled == 1 else 'were'} made from {_filling(test_set)}; the "
            f"reference answers of these are query results. {count(written, 'question')} "
            f"{'was' if written == 1 else 'were'} {_WRITTEN}; the reference answers of these are from those passages."
        )
    if from_database:
        return f"Made from {_filling(test_set)}; the reference answers are query results."
    if written:
        return f"{_WRITTEN.capitalize()}; the reference answers are from those passages."
    return "Imported as a list of questions with reference answers; how they were drawn is not recorded."


_WRITTEN: Final = "written from passages of the documents and approved by people"


def _filling(test_set: TestSet) -> str:
    options, counts = test_set.options, test_set.counts
    templates, queries = _whole(counts.get("sql_templates")), _whole(counts.get("sql_queries"))
    limit = options.get("limit")
    every = (
        "all of them" if limit is None else f"limited to {limit} questions, drawn with seed {options.get('seed', 0)}"
    )
    balanced = ", the same number in each form" if options.get("balanced") else ""
    return (
        f"{count(templates, 'SQL template')} filled with rows of the database "
        f"({count(queries, 'filled query', 'filled queries')}, {every}{balanced})"
    )


def _total(counted: object) -> int:
    return sum(map(_whole, counted.values())) if isinstance(counted, Mapping) else 0


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
