"""Recorded answers of thirty authors who were told to write what systems usually answer to questions of a database.

Each batch met the rules before a case of it was read. Version 23 met the first nineteen: kappa .94 over all that was
judged (fourteen of English answers .94, five with some in German, Dutch or French .96). What the first six showed was
mended for the next eight (.95, .94 with version 23), that for the next six (.97, .96), that for the next six (.95, .93)
and that for the last four (.97). The floors are what the rules have since the classes of all were mended.
"""

import json
from pathlib import Path

import pytest

from core.judging.match import judge_match
from core.stats.agreement.cohen import cohen_kappa

ROWS = json.loads((Path(__file__).parents[1] / "tables" / "everyday_answers.json").read_text(encoding="utf-8"))
BATCHES = tuple(dict.fromkeys(row["batch"] for row in ROWS))
LEAST, LEAST_JUDGED, MOST_ACCEPTED = 0.97, 134, 1


def test_each_answer_stands_once_and_both_verdicts_are_common():
    assert len({(row["question"], row["answer"]) for row in ROWS}) == len(ROWS) == 4_800
    assert sum(row["verdict"] == "correct" for row in ROWS) == 2_400
    assert len(BATCHES) == 30


@pytest.mark.slow
@pytest.mark.parametrize("batch", BATCHES)
def test_verdicts_agree_with_the_author(batch):
    told = [
        (row["verdict"], judge_match(row["question"], row["references"], row["answer"]).verdict.value)
        for row in ROWS
        if row["batch"] == batch
    ]
    judged = [pair for pair in told if "not_judged" not in pair]
    kappa = cohen_kappa([wanted for wanted, _ in judged], [found for _, found in judged]).value
    assert kappa >= LEAST, kappa
    assert len(judged) >= LEAST_JUDGED
    assert told.count(("incorrect", "correct")) <= MOST_ACCEPTED
