"""Answers of other authors, in batches; what reads refusals was fitted on all but the twentieth to twenty-second.

At first sight "declines" had F1 .65 (fourth), .74 (fifth) and .76 (sixth); the model was fitted on more answers after
the fourth, and thresholds were set with the fourth in view. The seventh and eighth are of two more authors: .90
and .92 at first sight, before what is told besides was read (`besides.py`), which was written with the seventh in view.
The ninth came after it: .87, and .84 before. The tenth, of a fourth author, had .89 at first sight, before answers
that go on with what a source tells instead were read; the eleventh, of a fifth author, had .89 as well, after that.
Most of what is missed tells facts beside the question and never says that the answer is missing, which words alone
cannot tell from an answer. The twelfth and thirteenth are of two more authors, whose replies had .88 and .81 before
the model was fitted on those of twelve others and weighed against the rules, and .94 and .86 since, the last at first
sight. The fourteenth and fifteenth are of two more: .93 and .91 at first sight. The sixteenth to the
eighteenth are of three who were told to decline in unusual words: .85, .88 and .77 at first sight; the second had .92
with what the first showed mended, the third .80 with that of both. The nineteenth is of a
fourth, who wrote what production systems say: .88 at first sight, .84 before. The model was then fitted on these and on
six more authors, with margins chosen on those and on MTRAG's answers. The twentieth to the twenty-second are of three
others: one who was told that answers and refusals should look alike (.84 at first sight, .82 before), and two who wrote
what logs and public data hold (.91 and .90, before .90 and .88). The twenty-third is of one more who wrote what logs
hold: .97 at first sight. Answers of several sentences that two authors wrote from passages showed what no batch had:
5 of the 113 answers of the first were called refusals, and none of the second's. Two are since; of 115 of a third, two
were and none is.

Since version 10 of `answered` a reader of question and reply decides, since version 11 fitted on the eighth and the
last batch too; what it does on authors of whom neither it nor the rules had seen a reply is in docs/match-judge.md.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.judging.match.abstention import abstains, read_ahead

LINES = (Path(__file__).parent / "strangers.jsonl").read_text(encoding="utf-8").splitlines()
ROWS = [json.loads(line) for line in LINES]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("batch", "sure", "least"),
    [
        ("fourth", 0.94, 0.86),
        ("fifth", 0.88, 0.74),
        ("sixth", 0.96, 0.77),
        ("seventh", 0.95, 0.92),
        ("eighth", 0.97, 0.94),
        ("ninth", 0.91, 0.87),
        ("tenth", 0.97, 0.95),
        ("eleventh", 0.96, 0.92),
        ("twelfth", 0.96, 0.93),
        ("thirteenth", 0.96, 0.86),
        ("fourteenth", 0.96, 0.95),
        ("fifteenth", 0.94, 0.93),
        ("sixteenth", 0.95, 0.89),
        ("seventeenth", 0.95, 0.93),
        ("eighteenth", 0.94, 0.80),
        ("nineteenth", 0.87, 0.87),
        ("twentieth", 0.91, 0.84),
        ("twenty-first", 0.94, 0.90),
        ("twenty-second", 0.93, 0.90),
        ("twenty-third", 0.98, 0.96),
    ],
)
def test_precision_and_recall(batch, sure, least):
    rows = [row for row in ROWS if row["batch"] == batch]
    read_ahead((row["question"], row["answer"]) for row in rows)
    told = Counter((row["declines"], abstains(row["question"], row["answer"])) for row in rows)
    right = told[True, True]
    precision, recall = right / (right + told[False, True]), right / (right + told[True, False])
    assert precision >= sure
    assert 2 * precision * recall / (precision + recall) >= least, told
