"""The questions: how they were made, what they cover, what was left out."""

from __future__ import annotations

from typing import Final

from core.report.collect.gather import Gathered
from core.report.collect.sections.saying import drawn, facts, missing, note, plain
from core.report.content import Block, Cell, Chart, Heading, Kind, Number, Series, Shape, Table
from core.report.words import listed
from core.text.display.numbers import count, when

MOST_ROWS: Final = 40


def data(g: Gathered) -> tuple[Block, ...]:
    """How the questions came about and what they cover."""
    test_set = g.test_set
    blocks: list[Block] = [
        plain(drawn(g.test_set)),
        facts(
            ("Test set", f"{g.masker.safe(test_set.name)} version {test_set.version}"),
            ("Frozen", when(test_set.frozen_at) if test_set.frozen else "not frozen: it may still change"),
            ("SHA-256", test_set.content_hash),
            ("Questions", g.summary.cases),
            ("Facts", g.coverage.facts, "what is asked for, each once; questions about one fact are one cluster"),
            ("Seed", str(test_set.options["seed"]) if "seed" in test_set.options else ""),
            ("Database", _database(g)),
        ),
    ]
    blocks += _left_out(g)
    blocks.append(Heading(text="Coverage"))
    blocks += _tables(g)
    blocks += _documents(g)
    blocks += _topics(g)
    if g.fit is not None and g.fit.missing:
        blocks.append(note(g.masker.safe(g.fit.sentence)))
    return tuple(blocks)


def _database(g: Gathered) -> str:
    if g.database is None:
        return ""
    tables = len(g.database.schema.without_views) if g.database.schema else 0
    read = f", read {when(g.database.loaded_at)}" if g.database.loaded_at else ""
    return f"{g.masker.spec(g.database.name)}: {count(tables, 'table')}{read}"


def _left_out(g: Gathered) -> list[Block]:
    rows: list[tuple[Cell, ...]] = [
        (f"taken out by a person: {g.masker.safe(reason)}", n) for reason, n in g.records.excluded.items()
    ]
    rows += [(f"while it was built: {g.masker.safe(reason)}", n) for reason, n in sorted(g.test_set.drops.items())]
    if not rows:
        return [note("Nothing was left out: no question was taken out by a person, none dropped while it was built.")]
    return [Table(id="left_out", title="Questions that were left out", columns=("Why", "Number"), rows=tuple(rows))]


def _tables(g: Gathered) -> list[Block]:
    if not g.coverage.tables:
        return []
    counted = {name: (questions, facts_asked) for name, questions, facts_asked in g.coverage.tables}
    every = [table.name for table in g.database.schema.askable] if g.database and g.database.schema else []
    rows: list[tuple[Cell, ...]] = [(name, *counted[name]) for name in list(counted)[:MOST_ROWS]]
    unasked = [name for name in every if name not in counted]
    notes = []
    if unasked:
        notes.append(f"{count(len(unasked), 'table is', 'tables are')} read by no question: {listed(unasked, 12)}.")
    if len(counted) > MOST_ROWS:
        notes.append(f"{len(counted) - MOST_ROWS:,} further tables are read and not listed.")
    return [
        Table(
            id="tables",
            title=f"Tables of the database that questions read: {len(counted)} of {max(len(every), len(counted))}",
            columns=("Table", "Questions", "Facts"),
            rows=tuple(rows),
            note=" ".join(notes),
        )
    ]


def _documents(g: Gathered) -> list[Block]:
    asked = g.coverage.documents_asked
    if not asked.den:
        return []
    share = Number(value=asked.value, n=asked.den, num=asked.num, kind=Kind.SHARE)
    return [facts(("Documents that some question needs", share, "the others are in the collection and untested"))]


def _topics(g: Gathered) -> list[Block]:
    topics = g.coverage.topics
    if not topics:
        return [
            missing(
                "Coverage of topics is not known: no topics of the documents were looked for.",
                "The Topics page looks for them.",
            )
        ]
    passages = sum(topic.passages for topic in topics)
    asked = sum(topic.questions for topic in topics)
    rows = tuple(
        (g.masker.safe(topic.name), topic.passages, topic.documents, topic.questions) for topic in topics[:MOST_ROWS]
    )
    shown = topics[:MOST_ROWS]
    names = tuple(g.masker.safe(topic.name) for topic in shown)
    table = Table(
        id="topics_table",
        title="Topics of the documents and the questions about them",
        columns=("Topic", "Passages", "Documents", "Questions"),
        rows=rows,
    )
    without = sum(not topic.questions for topic in topics)
    title = (
        f"{count(without, 'topic has', 'topics have')} no question"
        if without
        else "Every topic of the documents is asked"
    )
    return [
        Chart(
            id="topics",
            title=title,
            alt=f"{title}. Share of passages and of questions by topic, {count(len(topics), 'topic')}; "
            f"{passages:,} passages, {asked:,} questions with a topic.",
            shape=Shape.INTERVALS,
            values="Share of all (passages, questions)",
            series=(
                Series(
                    name="Passages",
                    colour="not_judged",
                    x=names,
                    y=tuple(topic.passages / passages if passages else None for topic in shown),
                ),
                Series(
                    name="Questions",
                    colour="accent",
                    x=names,
                    y=tuple(topic.questions / asked if asked else None for topic in shown),
                ),
            ),
            table=table,
            low=0.0,
        )
    ]
