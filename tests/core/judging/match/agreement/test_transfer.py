"""Answers that were written and labelled before the rules met them; the classes of the first three batches were mended.

On first sight the rules had kappa .758 (109 of 204 judged, 4 of 104 incorrect ones accepted), .600 (121 of 125,
12 of 57) and .768 (86 of 90, 7 of 46). The floors below are what they have since: these answers are held out no longer.
The fourth batch (47 answers) was written last; on first sight it had kappa .759 (42 judged, 2 of 22 accepted). What was
mended since for other answers leaves one of the two wrongly accepted ones to a judge.
"""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from core.judging.match import judge_match
from core.stats.agreement.cohen import cohen_kappa
from tests.support.shared_data import shared

TABLES = Path(__file__).parents[1] / "tables"
TEN_Q = json.loads((TABLES / "ten_q_answers.json").read_text(encoding="utf-8"))
DOMAINS = json.loads((TABLES / "domain_answers.json").read_text(encoding="utf-8"))


def agreement(rows):
    """(kappa where there is a verdict, how many have one, accepted among the incorrect), for (wanted, found)."""
    judged = [(wanted, found) for wanted, found in rows if found != "not_judged"]
    kappa = cohen_kappa([wanted for wanted, _ in judged], [found for _, found in judged]).value
    return kappa, len(judged), Counter(rows)["incorrect", "correct"]


def test_each_answer_stands_once_and_both_verdicts_are_common():
    assert len({(row["row"], row["answer"]) for row in TEN_Q}) == len(TEN_Q) == 204
    assert len({row["row"] for row in TEN_Q}) == 70
    assert len({(row["question"], row["answer"]) for row in DOMAINS}) == len(DOMAINS) == 262
    assert len({row["domain"] for row in DOMAINS}) >= 10
    for rows in (TEN_Q, DOMAINS):
        told = Counter(row["verdict"] for row in rows)
        assert min(told.values()) >= 0.4 * len(rows)


@pytest.mark.slow
def test_answers_to_questions_on_quarterly_reports():
    with shared("kgrag-10q/qna_data.csv").open(encoding="utf-8-sig", errors="replace") as file:
        cases = [(row["Question"].strip(), row["Answer"].strip()) for row in csv.DictReader(file)]
    rows = []
    for row in TEN_Q:
        question, reference = cases[row["row"]]
        rows.append((row["verdict"], judge_match(question, [reference], row["answer"]).verdict.value))
    kappa, judged, accepted = agreement(rows)
    assert (kappa >= 0.90, judged >= 164, accepted <= 1) == (True, True, True), (kappa, judged, accepted)


@pytest.mark.parametrize(
    ("batch", "least", "least_judged", "most_accepted"),
    [("second", 0.93, 118, 2), ("third", 0.97, 84, 1), ("held out", 0.80, 41, 1)],
)
def test_answers_of_other_domains(batch, least, least_judged, most_accepted):
    rows = [
        (row["verdict"], judge_match(row["question"], row["references"], row["answer"]).verdict.value)
        for row in DOMAINS
        if row["batch"] == batch
    ]
    kappa, judged, accepted = agreement(rows)
    assert (kappa >= least, judged >= least_judged, accepted <= most_accepted) == (True, True, True), (
        kappa,
        judged,
        accepted,
    )
