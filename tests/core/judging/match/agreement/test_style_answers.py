"""Short answers in many styles, half of them wrong in one thing: another owner, property, period, unit or standing.

Four batches, each written and labelled before the rules met it; the classes of the first three were mended after that,
and three of the fourth. On first sight kappa was .607 (345 answers, one of which was dropped since its label was in
doubt), .452 (165), .683 (130) and .747 (82), with 38 of 171, 26 of 86, 12 of 69 and 6 of 43 wrong ones accepted; the
rules as they were before had .607, .391, .507 and .632. The floors are what the rules have since.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.judging.match import judge_match
from core.stats.agreement.cohen import cohen_kappa

ROWS = json.loads((Path(__file__).parents[1] / "tables" / "style_answers.json").read_text(encoding="utf-8"))


def test_each_answer_stands_once_and_both_verdicts_are_common():
    assert len({(row["question"], row["answer"]) for row in ROWS}) == len(ROWS) == 721
    assert len({row["style"] for row in ROWS}) >= 60
    told = Counter(row["verdict"] for row in ROWS)
    assert min(told["correct"], told["incorrect"]) >= 0.4 * len(ROWS)


@pytest.mark.parametrize(
    ("batch", "least", "least_judged", "most_accepted"),
    [("first", 0.96, 299, 1), ("second", 0.85, 140, 5), ("third", 0.87, 110, 6), ("fourth", 0.86, 75, 3)],
)
def test_another_thing_is_seldom_accepted(batch, least, least_judged, most_accepted):
    told = Counter()
    for row in ROWS:
        if row["batch"] == batch:
            found = judge_match(row["question"], row["references"], row["answer"]).verdict.value
            told[row["verdict"], found] += 1
    judged = [pair for pair in told.elements() if "not_judged" not in pair]
    kappa = cohen_kappa([wanted for wanted, _ in judged], [found for _, found in judged]).value
    accepted = told["incorrect", "correct"] + told["not_judged", "correct"]
    assert (kappa >= least, len(judged) >= least_judged, accepted <= most_accepted) == (True, True, True), told
