"""Work that must stay quick for any input: long texts, hostile ones, many rows; each beside its limit.

A pattern that backtracks, or work that is repeated for each item, takes minutes here instead of a second.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
from pydantic import BaseModel

from bench.measure import Line, median_seconds
from core.domain.sources.documents import Document
from core.judging.facts.fact import Fact
from core.judging.facts.index import FactIndex
from core.judging.facts.search import find_evidence
from core.judging.match import judge_match
from core.judging.match.abstention import abstains
from core.llm.replies.reading import Malformed, read_form
from core.metrics.comparison.overlap import longest_common_subsequence
from core.metrics.comparison.specifics import find_specifics
from core.sources.database import DatabaseSource
from core.stats import clustered_spearman
from core.testset.grounded.sql.binding import bind
from core.testset.grounded.sql.combinations import combinations
from core.text.citations import without_marks
from core.text.sentences import split_sentences

LINES = ("word ", "a.", "1. 1) ", "**a ", "[", "`a ", "a | b ", "# ", "> a\n", "a\n", "Aaa. ", "! ", "[a](")
ANSWERS = {
    "digits": "1" * 1_000_000,
    "lines": "\n-" * 500_000,
    "accents": "e\u0301" * 500_000,
    "units": "5 m " * 250_000,
}
MARKS = (" " * 50_000 + "[1", "[" * 50_000, "[1" + " " * 50_000, "[1" + ", 1" * 30_000)
REPLIES = ("{" * 50_000, '{"a":' * 50_000, "[" * 50_000, '"{' * 30_000)
THANKS = ("Thanks for ", "the information ", "no information ", "i do not ", ", ")
SPECIFICS = "Rates rose to 4.5% on 3 May 2014 in Basel, said Jane Doe of FL-600. " * 2_000
ROWS = 120_000


class Form(BaseModel):
    """The form of a reply."""

    verdict: str


def lines() -> Iterator[Line]:
    """One line for each function that reads text or rows of any length."""
    for label, work, limit in (
        (f"sentences: cut {len(LINES)} texts of 1,000,000 characters", _sentences, 60.0),
        (f"match judge: {len(ANSWERS)} answers of 1,000,000 characters", _judge, 5.0),
        (f"citations: take marks from {len(MARKS)} hostile texts", _marks, 1.0),
        (f"replies: refuse {len(REPLIES)} hostile ones", _replies, 2.0),
        (f"abstention: {len(THANKS)} answers of repeated words", _abstentions, 1.0),
        ("specifics: find those of 136,000 characters in them", _specifics, 20.0),
        ("common subsequence: 2,000 by 2,000 words", _subsequence, 1.0),
        ("facts: 500 questions to 100 documents", _facts(), 10.0),
        ("rank correlation with its interval: 5,000 cases", _correlation, 30.0),
    ):
        yield Line(what=label, seconds=median_seconds(work), against="limit", other=limit)
    yield _combinations()


def _sentences() -> None:
    for line in LINES:
        split_sentences(line * (1_000_000 // len(line)))


def _judge() -> None:
    for answer in ANSWERS:
        judge_match("Who manages it?", ["Ann Lee"], answer)


def _marks() -> None:
    for text in MARKS:
        without_marks(text)


def _replies() -> None:
    for text in REPLIES:
        with suppress(Malformed):
            read_form(Form, text)


def _abstentions() -> None:
    for words in THANKS:
        abstains("What is the fee?", words * (1_000 // len(words)) + "the fee is 5 euros")


def _specifics() -> None:
    find_specifics(SPECIFICS, [SPECIFICS])


def _subsequence() -> None:
    longest_common_subsequence(
        [str(place * 7919 % 293) for place in range(2000)], [str(place * 104729 % 293) for place in range(2000)]
    )


def _facts() -> Callable[[], None]:
    pages = [
        Document(
            id=f"branch:{place}",
            title=f"Place {place}",
            text=f"Place {place} opened on 3 May {1900 + place}. " + "It has a lift. " * 40,
        )
        for place in range(100)
    ]
    index = FactIndex(pages)

    def work() -> None:
        for number in range(500):
            place = number % 100
            fact = Fact.of([f"{1900 + place}-05-03"], [f"Place {place}"], [f"opening date of 'Place {place}'"])
            find_evidence(fact, [pages[place]], index)

    return work


def _correlation() -> None:
    draw = np.random.default_rng(0)
    clustered_spearman(draw.normal(size=5_000), draw.normal(size=5_000), np.arange(5_000) // 2)


def _combinations() -> Line:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.sqlite"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE T (Name TEXT, City TEXT)")
            connection.executemany("INSERT INTO T VALUES (?, ?)", ((f"n{i:06}", f"c{i % 7}") for i in range(ROWS)))
            connection.commit()
        with DatabaseSource.connect(f"sqlite:///{path}") as source:
            bound = bind("SELECT City FROM T WHERE Name = '[T.Name]'", source.schema)
            seconds = median_seconds(lambda: sum(1 for _ in combinations(source, bound)))
    return Line(what=f"instantiation: a template of {ROWS:,} rows", seconds=seconds, against="limit", other=15.0)
