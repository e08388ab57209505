"""Simulations of findings: how often one is made of nothing, and how often what is weak is told as just what it is.

Cases are in 4 topics, 3 kinds and 2 forms. With 300 runs the Monte Carlo error of a share near q is
sqrt(q (1 - q) / 300).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import pytest

from core.weakness.findings.drafts.drafting import draft_findings
from core.weakness.findings.drafts.facts import ScoreWords
from tests.support.weakness.planted_table import FORMS, KINDS, TOPICS, table_of_values

pytestmark = pytest.mark.statistical

RUNS = 300
Q = 0.10
MOST = Q + 2 * (Q * (1 - Q) / RUNS) ** 0.5
WORDS = ScoreWords(label="Verdict", kind="verdict")
CELL = ("cell", frozenset({("topic", "loans"), ("answer_type", "number")}))
FEES = ("level", frozenset({("topic", "fees")}))
LONG = ("level", frozenset({("form", "long")}))

Found = set[tuple[str, frozenset[tuple[str, str]]]]


def findings(chance: Callable[[str, str, str], float], *, each: int = 15, seed: int = 1) -> Iterator[Found]:
    """What is told in one run after the other; `each` cases of each topic, kind and form are right by chance."""
    generator = np.random.default_rng(seed)
    named = [key for key in product(TOPICS, KINDS, FORMS) for _ in range(each)]
    chances = np.array([chance(*key) for key in named])
    for _ in range(RUNS):
        values = (generator.random(len(named)) < chances).astype(np.float64)
        drafts = draft_findings(table_of_values(values.tolist(), named), WORDS).drafts
        yield {(draft.kind.value, frozenset(draft.conditions)) for draft in drafts}


@pytest.fixture(scope="module")
def nothing():
    return list(findings(lambda *_: 0.8))


@pytest.mark.parametrize("kind", ["level", "cell"])
def test_of_nothing_no_finding_is_made(nothing, kind):
    share = np.mean([any(name == kind for name, _ in found) for found in nothing])
    assert share <= MOST, share


def test_a_weak_cell_is_told_as_that_and_nothing_else():
    """30 cases at 0.45 among 330 at 0.8."""
    found = list(findings(lambda topic, kind, _: 0.45 if (topic, kind) == ("loans", "number") else 0.8, seed=2))
    assert np.mean([CELL in one for one in found]) >= 0.8
    # Of those in which it is told, its row and its column are told beside it in few.
    told = [one for one in found if CELL in one]
    assert np.mean([one == {CELL} for one in told]) >= 0.9


def test_a_weak_level_is_told_without_its_cells():
    """90 cases at 0.5 among 270 at 0.8."""
    found = list(findings(lambda topic, *_: 0.5 if topic == "fees" else 0.8, seed=3))
    assert np.mean([FEES in one for one in found]) >= 0.9
    assert np.mean([one == {FEES} for one in found]) >= 0.8


def test_two_weak_levels_are_told_without_the_cell_where_they_meet():
    found = list(findings(lambda topic, _, form: 0.9 - 0.25 * (topic == "fees") - 0.25 * (form == "long"), seed=4))
    assert np.mean([{FEES, LONG} <= one for one in found]) >= 0.8
    meeting = ("cell", frozenset({("topic", "fees"), ("form", "long")}))
    assert np.mean([meeting in one for one in found]) <= MOST
