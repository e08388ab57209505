"""Short ways to make the parts of a section."""

from __future__ import annotations

from core.report.collect.gather import Gathered
from core.report.content import Cell, Fact, Facts, Paragraph, Tone
from core.text.numbers import count


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
    return f"{count(g.summary.cases, 'question')} about {count(g.coverage.facts, 'fact')}. {drawn(g)}"


def drawn(g: Gathered) -> str:
    """How the questions came about."""
    options, counts = g.test_set.options, g.test_set.counts
    if "sql_templates" in counts:
        templates, queries = _whole(counts.get("sql_templates")), _whole(counts.get("sql_queries"))
        limit = options.get("limit")
        every = (
            "all of them"
            if limit is None
            else f"limited to {limit} questions, drawn with seed {options.get('seed', 0)}"
        )
        balanced = ", the same number in each form" if options.get("balanced") else ""
        return (
            f"Made from {count(templates, 'SQL template')} filled with rows of the database "
            f"({count(queries, 'filled query', 'filled queries')}, {every}{balanced}); "
            "the reference answers are query results."
        )
    if "drafts" in counts or "questions_from_documents" in options or options.get("strata"):
        return "Written from passages of the documents and approved by people."
    return "Imported as a list of questions with reference answers; how they were drawn is not recorded."


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
