"""The match judge on answers of many styles: what a verdict costs, and what reading a refusal costs of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Line, median_seconds
from core.encoders.classifiers.refusal_reader import open_refusal_reader
from core.judging.match import judge_match
from core.judging.match.abstention import read_answer

TESTS = Path(__file__).resolve().parents[1] / "tests" / "core" / "judging" / "match"
TABLES = ("style_answers.json", "domain_answers.json", "long_answers.json", "record_answers.json")

LIMIT_S = 0.005
"""Of one verdict."""
TOGETHER = 64
"""As many as are scored at once."""


def lines() -> Iterator[Line]:
    """All verdicts of the labelled tables, and all readings with and without the model of refusals."""
    rows = [row for name in TABLES for row in json.loads((TESTS / "tables" / name).read_text(encoding="utf-8"))]
    yield Line(
        what=f"{len(rows):,} verdicts of match",
        seconds=median_seconds(
            lambda: [judge_match(row["question"], row["references"], row["answer"]) for row in rows]
        ),
        against="limit: 5 ms a verdict",
        other=len(rows) * LIMIT_S,
    )
    yield Line(
        what=f"{len(rows):,} answers read for refusals, with the model",
        seconds=median_seconds(lambda: [read_answer(row["question"], row["answer"]) for row in rows]),
        against="by rules alone",
        other=median_seconds(lambda: [read_answer(row["question"], row["answer"], by_rules=True) for row in rows]),
    )
    reader = open_refusal_reader()
    pairs = [(row["question"], row["answer"]) for row in rows[:TOGETHER]]
    yield Line(
        what=f"{TOGETHER} answers seen by the reader of refusals, together",
        seconds=median_seconds(lambda: reader.log_odds_of(pairs)),
        against="one after the other",
        other=median_seconds(lambda: [reader.log_odds(*pair) for pair in pairs]),
    )
